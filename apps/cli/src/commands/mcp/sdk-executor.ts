import { calls, pathOf, type Scope } from '@centavo/contracts/calls';
import { allTools, type Executor, type OperationRequest, type OperationResponse, type Refused } from '@centavo/mcp';
import {
  type FinancialClient,
  isFinancialApiError,
  isInvalidSecretError,
  isOutcomeUnknownError,
  isTimeoutError,
} from '@centavo/sdk';
import { describeError } from '../../describe-error.js';
import { NotLoggedInError } from '../../errors.js';

/** Runs the operations of the MCP tools with the API client of the CLI, and so with the CLI's credential, retries and timeout. */
export class SdkExecutor implements Executor {
  readonly #client: FinancialClient;
  readonly #trackerId: string | undefined;

  /** @param trackerId the tracker of the settings, if they name one */
  constructor(client: FinancialClient, trackerId: string | undefined) {
    this.#client = client;
    this.#trackerId = trackerId;
  }

  async execute({ call, pathParameters, query, body, ...options }: OperationRequest): Promise<OperationResponse> {
    const { trackerId, idempotencyKey, ifMatch } = options;
    try {
      const response = await this.#client
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
      return { ok: true, data: response.data, meta: { ...response.meta }, etag: response.etag };
    } catch (error) {
      return toRefused(error, call.method !== 'GET' && query.dryRun === undefined);
    }
  }

  /**
   * Returns the scopes of the key, from the response to the call `getContext`. If the call fails, repeats it once: for the
   * tracker of the settings, or for the first tracker if the settings name none. If the second call fails too, finds the scopes
   * with probe requests.
   * @throws Error when the credential is not valid
   */
  async readScopes(): Promise<readonly Scope[] | null> {
    const scopes = await this.#readScopesIn(this.#trackerId);
    if (scopes !== null) return scopes;
    const trackerId = this.#trackerId ?? (await this.#firstTracker());
    return (await this.#readScopesIn(trackerId)) ?? this.#probeScopes(trackerId);
  }

  /**
   * Finds the scopes of the key with requests to the operations of the tools. Each request has an unknown parameter, so the
   * server always rejects it. The server checks the scope before the parameters. After any result except INSUFFICIENT_SCOPE,
   * the function assumes that the key has the scopes of the requested operation.
   */
  async #probeScopes(trackerId: string | undefined): Promise<readonly Scope[]> {
    const probes = allTools.map(({ call }) => call).filter(({ path }) => !path.includes('{'));
    const held = new Set<Scope>();
    for (const call of probes) {
      if (call.scopes.every((scope) => held.has(scope))) continue;
      const body = call.method === 'GET' ? undefined : {};
      const query = { ...(body === undefined ? {} : { dryRun: 'true' }), probe: 'scope' };
      const response = await this.execute({ call, pathParameters: {}, query, body, trackerId });
      const isMissing = !response.ok && response.error.code === 'INSUFFICIENT_SCOPE';
      if (!isMissing) for (const scope of call.scopes) held.add(scope);
    }
    return [...held];
  }

  async #readScopesIn(trackerId: string | undefined): Promise<readonly Scope[] | null> {
    const response = await this.execute({ call: calls.getContext, pathParameters: {}, query: {}, trackerId });
    if (!response.ok && invalidCredentialCodes.has(response.error.code)) {
      throw new Error(`${response.error.code}: ${response.error.message}`);
    }
    return response.ok ? (response.data as { principal: { scopes: readonly Scope[] } }).principal.scopes : null;
  }

  async #firstTracker(): Promise<string | undefined> {
    const response = await this.execute({ call: calls.listTrackers, pathParameters: {}, query: {} });
    return response.ok ? (response.data as { id: string }[])[0]?.id : undefined;
  }
}

const invalidCredentialCodes: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'CREDENTIAL_INVALID',
  'CREDENTIAL_EXPIRED',
  'CREDENTIAL_REVOKED',
]);

/**
 * Converts the error of a request to the result of a refused operation. If the error did not come from the server, the code
 * in the result names the cause, such as `TIMEOUT`.
 */
function toRefused(error: unknown, isWrite: boolean): Refused {
  if (isFinancialApiError(error)) {
    const { code, message, details, status } = error;
    return { ok: false, error: { code, message, details }, isOutcomeUnknown: isWrite && status >= 500 };
  }
  const [message = 'The request failed.'] = describeError(error);
  if (isInvalidSecretError(error)) return refusedBecause('CREDENTIAL_INVALID', message);
  if (error instanceof NotLoggedInError) return refusedBecause('UNAUTHENTICATED', message);
  if (isOutcomeUnknownError(error)) return { ...refusedBecause('NO_ANSWER', message), isOutcomeUnknown: true };
  return refusedBecause(isTimeoutError(error) ? 'TIMEOUT' : 'CONNECTION_FAILED', message);
}

function refusedBecause(code: string, message: string): Refused {
  return { ok: false, error: { code, message, details: {} }, isOutcomeUnknown: false };
}
