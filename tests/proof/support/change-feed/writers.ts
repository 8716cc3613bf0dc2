import type { Answer } from '../../../acceptance/support/call-api.js';
import { drawFrom } from '../draw.js';
import type { Progress } from '../progress.js';
import { addRecords, drawWrite } from '../random-writes.js';
import { type SeededRandom, seededRandom } from '../seeded-random.js';
import { newTally } from '../tally.js';
import { callAnyone, type Feed, listChanges } from './feed.js';

/** Creates the empty record of the writers' requests and responses. */
export function newAnswers() {
  return {
    seen: newTally('writes', 'refusals', 'readsAfterWrites'),
    wrong: newTally('writes that a read right after the response does not show', 'responses with 500'),
    /** For each writer, its tracker and the ids of its requests with the status 201, in order. Each of them added a change. */
    requests: [] as { readonly trackerId: string; readonly requestIds: string[] }[],
    /** The ids of the movements of each atomic bulk request, in the order of the request. */
    bulks: [] as { readonly trackerId: string; readonly movementIds: readonly string[] }[],
  };
}

export type Answers = ReturnType<typeof newAnswers>;

/** The share of writes after which the writer immediately reads the feed. */
const shareOfReads = 0.3;

/** Sends random writes to one tracker, one after the other, until `isOver` returns true. */
export async function writeRandomly(options: {
  readonly seed: number;
  readonly name: string;
  readonly feeds: readonly Feed[];
  readonly answers: Answers;
  readonly progress: Progress;
  readonly isOver: () => boolean;
}): Promise<void> {
  const { seed, name, feeds, answers, progress, isOver } = options;
  const random = seededRandom(seed, name);
  const feed = drawFrom(random, feeds);
  const { trackerId } = feed.tenant;
  const onAnswer = ({ status }: Answer) => {
    if (status === 500) answers.wrong['responses with 500'] += 1;
  };
  const call = callAnyone(feed, { random, onAnswer });
  const requestIds: string[] = [];
  answers.requests.push({ trackerId, requestIds });
  while (!isOver()) {
    const write = await drawWrite(random, { call, known: feed.known });
    const before = random.hits(shareOfReads) ? await readPosition(feed, random) : undefined;
    const answer = await call(write.methodAndPath, write);
    if (answer.status >= 300) {
      answers.seen.refusals += 1;
      continue;
    }
    answers.seen.writes += 1;
    addRecords(feed.known, answer, write);
    // Ignores responses with the status 200: replays, updates, and bulk requests in mode `independent`. They may add no change.
    if (answer.status === 201 && answer.meta.idempotentReplay !== true) {
      const { data, meta } = answer;
      requestIds.push(meta.requestId);
      if (Array.isArray(data)) answers.bulks.push({ trackerId, movementIds: data.map(({ id }) => id) });
      if (before !== undefined) {
        answers.seen.readsAfterWrites += 1;
        const isVisible = await shows(feed, random, { after: before, requestId: meta.requestId });
        if (!isVisible) answers.wrong['writes that a read right after the response does not show'] += 1;
      }
    }
    progress.advance();
  }
}

/** Returns the cursor after the latest change. */
async function readPosition(feed: Feed, random: SeededRandom): Promise<string> {
  for (;;) {
    const { meta } = await listChanges(feed, random, 'from=now');
    if (!meta.feed.hasMore) return meta.feed.cursor;
  }
}

/** Returns whether the pages after a cursor contain a change that a request made. */
async function shows(
  feed: Feed,
  random: SeededRandom,
  write: { readonly after: string; readonly requestId: string },
): Promise<boolean> {
  for (let { after } = write; ; ) {
    const { data, meta } = await listChanges(feed, random, `after=${after}`);
    if (data.some(({ requestId }: { requestId: string }) => requestId === write.requestId)) return true;
    if (!meta.feed.hasMore) return false;
    after = meta.feed.cursor;
  }
}
