import type { Answer } from '../../acceptance/support/call-api.js';
import { until } from '../../acceptance/support/until.js';

/** Retries a request until its response is neither a 5xx nor IDEMPOTENCY_IN_PROGRESS. @throws Error if no response is final */
export async function retryUntilFinal(what: string, send: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await until(`${what} is answered`, async () => {
    answer = await send().catch(() => undefined);
    return answer !== undefined && isFinal(answer);
  });
  return answer as Answer;
}

/** Returns whether a response is a success. A replay of a success is one too. */
export const isSuccess = ({ status }: Answer) => status === 200 || status === 201;

const isFinal = ({ status, error }: Answer) => status < 500 && error?.code !== 'IDEMPOTENCY_IN_PROGRESS';
