import type { Follower } from './follow.js';
import type { SlowEvents } from './slow-transactions.js';
import type { Answers } from './writers.js';

/** Compares the mirror of a follower with the responses to the writers and with the slow transactions, and counts the contradictions. */
export function compareAnswers(
  { trackerId, mirror: { entries } }: Follower,
  { answers, slow }: { readonly answers: Answers; readonly slow: SlowEvents },
): Readonly<Record<string, number>> {
  const isOwn = (answer: { readonly trackerId: string }) => answer.trackerId === trackerId;
  const sequencesByRequest = new Map<string, number[]>();
  const sequenceByMovement = new Map<string, number>();
  for (const { sequence, type, requestId, resourceId } of entries) {
    sequencesByRequest.set(requestId, [...(sequencesByRequest.get(requestId) ?? []), sequence]);
    if (type === 'movement.created') sequenceByMovement.set(resourceId, sequence);
  }
  const ids = new Set(entries.map(({ id }) => id));
  const sequencesOf = (requestIds: readonly string[]) => requestIds.map((id) => sequencesByRequest.get(id) ?? []);
  return {
    'answered writes without a change': answers.requests
      .filter(isOwn)
      .flatMap(({ requestIds }) => sequencesOf(requestIds))
      .filter(({ length }) => length === 0).length,
    'clients whose writes have another order than their answers': answers.requests
      .filter(isOwn)
      .filter(({ requestIds }) => !isAscending(sequencesOf(requestIds).flat())).length,
    'bulk requests whose items have another order': answers.bulks
      .filter(isOwn)
      .filter(({ movementIds }) => !isAscending(movementIds.map((id) => sequenceByMovement.get(id) ?? 0))).length,
    'slow transactions without a change': [...(slow.committed.get(trackerId) ?? [])].filter((id) => !ids.has(id))
      .length,
    'changes of slow transactions that were rolled back': [...(slow.rolledBack.get(trackerId) ?? [])].filter((id) =>
      ids.has(id),
    ).length,
  };
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}
