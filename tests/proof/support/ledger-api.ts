import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Call } from '../../acceptance/support/call-api.js';
import type { Ledger, Refusal } from './ledger.js';

/** The number of requests of each kind, over all runs. */
export const counts = {
  writes: 0,
  refusals: 0,
  corrections: 0,
  voids: 0,
  summaries: 0,
  replays: 0,
  reusedKeys: 0,
  pages: 0,
  /** The number of movements on a page with the same date and creation time as the movement before. Only the ids determine the order. */
  tiesInPages: 0,
};

/** The tracker under test. Requests alternate between several servers. */
export class LedgerApi {
  readonly #calls: readonly Call[];
  #turn = 0;
  /** The idempotency keys of refused requests. A refused request must not consume its key, so later writes use these keys. */
  readonly #freeKeys: string[] = [];

  constructor(calls: readonly Call[]) {
    this.#calls = calls;
  }

  readonly call: Call = (methodAndPath, options) => {
    this.#turn += 1;
    return (this.#calls[this.#turn % this.#calls.length] as Call)(methodAndPath, options);
  };

  /**
   * Sends a write with an idempotency key. Its response must be `refusal`, or a success if `refusal` is undefined. Stores a successful
   * write, so that a replay can send it again.
   */
  async write(
    ledger: Ledger,
    request: {
      readonly methodAndPath: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: object;
    },
    refusal: Refusal | undefined,
  ): Promise<Answer> {
    const key = this.#freeKeys.pop() ?? randomUUID();
    const headers = { ...request.headers, 'Idempotency-Key': key };
    const answer = await this.call(request.methodAndPath, { headers, body: request.body });
    if (refusal !== undefined) {
      this.#freeKeys.push(key);
      counts.refusals += 1;
      requireRefusal(answer, refusal);
      return answer;
    }
    expect({ status: answer.status, error: answer.error, replay: answer.meta.idempotentReplay }).toEqual({
      status: /^PATCH|\/void$/.test(request.methodAndPath) ? 200 : 201,
      error: null,
      replay: undefined,
    });
    counts.writes += 1;
    ledger.done.push({ ...request, headers, data: answer.data, etag: answer.headers.get('ETag') });
    return answer;
  }
}

/** Fails unless the response is the refusal that the model expects. */
export function requireRefusal({ status, error }: Answer, refusal: Refusal): void {
  expect({
    status,
    code: error?.code,
    ...(refusal.reason === undefined ? {} : { reason: error?.details?.reason }),
    ...(refusal.issues === undefined
      ? {}
      : { issues: (error?.details?.issues ?? []).map((issue: { code: string }) => issue.code).sort() }),
  }).toEqual({ ...refusal, ...(refusal.issues === undefined ? {} : { issues: [...refusal.issues].sort() }) });
}
