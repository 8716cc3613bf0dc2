import type { Answer } from '../../acceptance/support/call-api.js';
import { until } from '../../acceptance/support/until.js';

/** Sends the same again until an answer settles the matter, as the SDK would. @throws Error when none ever does */
export async function insist(what: string, send: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await until(`${what} is answered`, async () => {
    answer = await send().catch(() => undefined);
    return answer !== undefined && isSettling(answer);
  });
  return answer as Answer;
}

/** Whether it succeeded, once or again. */
export const isSuccess = ({ status }: Answer) => status === 200 || status === 201;

const isSettling = ({ status, error }: Answer) => status < 500 && error?.code !== 'IDEMPOTENCY_IN_PROGRESS';
