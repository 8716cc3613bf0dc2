import { calls, pathOf, type Scope } from '@centavo/contracts/calls';
import type { Executor, OperationAnswer, OperationRequest, Refused } from '@centavo/mcp';
import { type FinancialClient, isFinancialApiError, isOutcomeUnknownError, isTimeoutError } from '@centavo/sdk';
import { describeError } from '../../describe-error.js';
import { NotLoggedInError } from '../../errors.js';

/** Runs the operations of the tools with the client of the command line: its credential, retries and time limit. */
export class SdkExecutor implements Executor {
  readonly #client: FinancialClient;
  readonly #trackerId: string | undefined;

  /** @param trackerId the tracker of the session, if it has one */
  constructor(client: FinancialClient, trackerId: string | undefined) {
    this.#client = client;
    this.#trackerId = trackerId;
  }

  async execute({ call, pathParameters, query, body, ...options }: OperationRequest): Promise<OperationAnswer> {
    const { trackerId, idempotencyKey, ifMatch } = options;
    try {
      const answer = await this.#client
        .request({
          method: call.method,
          path: pathOf(call, pathParameters as never),
          query,
          body,
          trackerId,
          idempotencyKey,
          etag: ifMatch,
        })
        .withResponse();
      return { ok: true, data: answer.data, meta: { ...answer.meta }, etag: answer.etag };
    } catch (error) {
      return toRefused(error, call.method !== 'GET' && query.dryRun === undefined);
    }
  }

  /** Reads the scopes from the context. It needs a tracker, so that a caller with several is asked in the first of them. */
  async readScopes(): Promise<readonly Scope[] | null> {
    return (await this.#readScopesIn(this.#trackerId)) ?? (await this.#readScopesIn(await this.#firstTracker()));
  }

  async #readScopesIn(trackerId: string | undefined): Promise<readonly Scope[] | null> {
    const answer = await this.execute({ call: calls.getContext, pathParameters: {}, query: {}, trackerId });
    return answer.ok ? (answer.data as { principal: { scopes: readonly Scope[] } }).principal.scopes : null;
  }

  async #firstTracker(): Promise<string | undefined> {
    const answer = await this.execute({ call: calls.listTrackers, pathParameters: {}, query: {} });
    return answer.ok ? (answer.data as { id: string }[])[0]?.id : undefined;
  }
}

/** @throws the error if it is a fault of this program */
function toRefused(error: unknown, isWrite: boolean): Refused {
  if (isFinancialApiError(error)) {
    const { code, message, details, status } = error;
    return { ok: false, error: { code, message, details }, isOutcomeUnknown: isWrite && status >= 500 };
  }
  const [message = 'The request failed.'] = describeError(error);
  if (error instanceof NotLoggedInError) return refusedBecause('UNAUTHENTICATED', message);
  if (isOutcomeUnknownError(error)) return { ...refusedBecause('NO_ANSWER', message), isOutcomeUnknown: true };
  return refusedBecause(isTimeoutError(error) ? 'TIMEOUT' : 'CONNECTION_FAILED', message);
}

function refusedBecause(code: string, message: string): Refused {
  return { ok: false, error: { code, message, details: {} }, isOutcomeUnknown: false };
}
