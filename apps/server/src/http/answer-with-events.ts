import type { Clock } from '../idempotency/retry.js';
import type { EventWaits } from './event-waits.js';
import type { Answer } from './response.js';

/**
 * Reads events and returns the response. If there are no events and the client wants to wait, the function waits for events and reads
 * again. Each read is a complete attempt that authenticates and authorizes the caller again.
 * @param request.read performs one read
 * @param request.onClose calls its argument when the client has disconnected
 * @throws every error of `read`
 */
export async function answerWithEvents(
  { eventWaits, clock }: { readonly eventWaits: EventWaits; readonly clock: Pick<Clock, 'now'> },
  { read, onClose }: { readonly read: () => Promise<Answer>; readonly onClose: (listener: () => void) => void },
): Promise<Answer> {
  const startedAt = clock.now();
  let answer = await read();
  while (answer.wait !== undefined) {
    const { msMax, ...wait } = answer.wait;
    const outcome = await eventWaits.wait({ ...wait, msMax: msMax - (clock.now() - startedAt), onClose });
    if (outcome === 'over') break;
    answer = await read();
  }
  return answer;
}
