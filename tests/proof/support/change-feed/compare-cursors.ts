import { isCursorDivergedError } from '@centavo/sdk';
import { drawFrom } from '../draw.js';
import { type SeededRandom, seededRandom } from '../seeded-random.js';
import { succeed } from '../tenants.js';
import { callAnyone, type Feed, listChanges } from './feed.js';
import { clientOf } from './follow.js';

const cursorsPerRound = 20;

/**
 * Sends cursors that the followers received before the tables were restored from a copy. The copy lacks the latest events, so some of
 * the cursors belong to lost events. Then makes new writes, whose events get the numbers of lost events, and sends cursors again.
 * @param copiedUpTo the last event number of the tracker in the copy
 * @returns the counts of sent cursors and of wrong responses
 */
export async function compareCursors(feed: Feed, options: { readonly copiedUpTo: number; readonly seed: number }) {
  const { copiedUpTo, seed } = options;
  const random = seededRandom(seed, `cursors of ${feed.tenant.trackerId}`);
  const [follower] = feed.followers;
  const cursors = feed.followers.flatMap(({ mirror }) => mirror.cursors);
  const ahead = cursors.filter(({ sequence }) => sequence > copiedUpTo);
  const inside = cursors.filter(({ sequence }) => sequence <= copiedUpTo);
  const found = { sent: 0, aheadButAccepted: 0, insideButRefused: 0, followersThatGoOn: 0 };
  for (const round of ['first', 'second']) {
    for (const { cursor } of [...drawSome(random, ahead), ...ahead.slice(0, 1), ...ahead.slice(-1)]) {
      found.sent += 1;
      if (!(await isDiverged(feed, random, cursor))) found.aheadButAccepted += 1;
    }
    for (const { cursor } of drawSome(random, inside)) {
      found.sent += 1;
      if (await isDiverged(feed, random, cursor)) found.insideButRefused += 1;
    }
    const item = { type: 'income', amountDecimal: '1', accountId: feed.quietAccountId };
    await succeed(callAnyone(feed, { random, onAnswer: () => {} }), 'POST /v1/financial/movements/bulk', {
      headers: { 'Idempotency-Key': `after the restoration, ${round}` },
      body: { movements: Array.from({ length: 100 }, () => item) },
    });
  }
  const ended = await clientOf(follower)
    .changes.follow({ after: ahead.at(-1)?.cursor })
    .next()
    .catch((error: unknown) => error);
  if (!isCursorDivergedError(ended)) found.followersThatGoOn += 1;
  return found;
}

function drawSome<Item>(random: SeededRandom, items: readonly Item[]): Item[] {
  return Array.from({ length: cursorsPerRound }, () => drawFrom(random, items));
}

async function isDiverged(feed: Feed, random: SeededRandom, cursor: string): Promise<boolean> {
  const { error } = await listChanges(feed, random, `after=${cursor}`);
  return error?.details.reason === 'cursor_diverged';
}
