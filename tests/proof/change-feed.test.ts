import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommitCutter, startCommitCutter } from '../../apps/server/test-support/start-commit-cutter.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { compareAnswers } from './support/change-feed/compare-answers.js';
import { compareCursors } from './support/change-feed/compare-cursors.js';
import {
  countDifferingNumbers,
  countDifferingRecords,
  countUnmatchedRecords,
} from './support/change-feed/compare-mirror.js';
import { copyTables, restoreTables } from './support/change-feed/copy-of-tables.js';
import { type Feed, openFeed } from './support/change-feed/feed.js';
import { catchUp, clientOf, type Follower, follow } from './support/change-feed/follow.js';
import { mirrorFaults } from './support/change-feed/mirror.js';
import { writeSlowly } from './support/change-feed/slow-transactions.js';
import { newAnswers, writeRandomly } from './support/change-feed/writers.js';
import { connectAsOwner } from './support/crash-postgres.js';
import { type FleetServer, startFleetServer } from './support/fleet.js';
import { type FaultRates, injectFaults } from './support/inject-faults.js';
import { newProgress } from './support/progress.js';
import { type OpenDatabase, proofDatabases } from './support/proof-databases.js';
import { isLate, isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { seededRandom } from './support/seeded-random.js';

// A long run makes 150,000 writes, and kills servers, backends and PostgreSQL 500 times.
const goal = isLong
  ? { writes: 150_000, writers: 24, trackers: 4, slowWriters: 4 }
  : { writes: 200, writers: 12, trackers: 2, slowWriters: 2 };
const rates: FaultRates = isLong
  ? { writesPerKill: 1_000, writesPerTermination: 500, writesPerCrash: 3_000, lostAnswers: 0.1 }
  : { writesPerKill: 90, writesPerTermination: 15, writesPerCrash: 120, lostAnswers: 0.1 };
// One in this number of COMMITs is lost. A random choice could lose none of the few COMMITs of a short run.
const commitsPerLoss = isLong ? 30 : 10;

const sandbox = openSandbox();
/** In a long run, each kind of database gets at least this part of the file's load time; see `isLate`. */
const partOfRun = 0.2;

describe.each(proofDatabases)('with $name', ({ name, reasonToSkip, endsAtPart, open }) => {
  const note = reasonToSkip === undefined ? '' : ` (skipped: ${reasonToSkip})`;
  const progress = newProgress();
  const stopped = new AbortController();
  const answers = newAnswers();
  const slow = { committed: new Map<string, string[]>(), rolledBack: new Map<string, string[]>() };
  const faults = mirrorFaults();
  const errors: unknown[] = [];
  const feeds: Feed[] = [];
  let stopsOfFollowers = 0;
  let lostCommits = 0;
  let fleet: readonly [FleetServer, FleetServer, FleetServer];
  let database: OpenDatabase;
  /** A proxy between the third server and PostgreSQL. It cuts connections immediately before or after a COMMIT. */
  let commitCutter: CommitCutter;

  // The connections of the third server to PostgreSQL break at some COMMITs.
  beforeAll(async () => {
    database = await open(sandbox);
    const { serverOptions } = database;
    commitCutter = await startCommitCutter(serverOptions.env?.DATABASE_URL ?? database.connectionString);
    const thirdOptions = { env: { DATABASE_URL: commitCutter.connectionString } };
    fleet = [
      await startFleetServer(sandbox, serverOptions),
      await startFleetServer(sandbox, serverOptions),
      await startFleetServer(sandbox, thirdOptions),
    ];
    const [first, second, third] = fleet;
    const origins = [first.cutter.origin, second.cutter.origin, third.cutter.origin] as const;
    const onStop = () => {
      stopsOfFollowers += 1;
    };
    for (let number = 0; number < goal.trackers; number += 1) {
      const options = { origins, seed: proofSeed, name: `tracker ${number}`, faults, progress, onStop };
      feeds.push(await openFeed({ ...options, signal: stopped.signal }));
    }
  }, proofMsMax);
  afterAll(async () => {
    await Promise.all(fleet.map(({ cutter }) => cutter.close()));
    await commitCutter.close();
    await database.close();
  });

  /**
   * Sends writes until the run has made `writes` writes in total. A long run also stops when only (1 - `part`) of `partOfRun` is left for
   * this database.
   */
  async function write(writes: number, part: number): Promise<void> {
    const isOver = () => progress.done() >= writes || isLate(endsAtPart - (1 - part) * partOfRun);
    const writers = Array.from({ length: goal.writers }, (_, writer) => `writer ${writer} up to ${writes}`);
    await Promise.all(
      writers.map((name) => writeRandomly({ seed: proofSeed, name, feeds, answers, progress, isOver })),
    );
  }

  /** Runs all followers concurrently. An error ends only the follower that throws it. */
  async function runFollowers(run: (follower: Follower) => Promise<void>): Promise<void> {
    const followers = feeds.flatMap((feed) => feed.followers);
    await Promise.all(followers.map((follower) => run(follower).catch((error: unknown) => errors.push(error))));
  }

  function loseCommits(): void {
    const random = seededRandom(proofSeed, 'lost commits');
    let commitsSeen = 0;
    commitCutter.cutBy(() => {
      commitsSeen += 1;
      if (commitsSeen % commitsPerLoss !== 0) return null;
      lostCommits += 1;
      return random.oneOf(['before', 'after']);
    });
  }

  async function compareMirrors(owner: pg.Client): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    const add = (counts: Readonly<Record<string, number>>) => {
      for (const [name, count] of Object.entries(counts)) found[name] = (found[name] ?? 0) + count;
    };
    for (const follower of feeds.flatMap(({ followers }) => followers)) {
      const { trackerId, mirror } = follower;
      add(compareAnswers(follower, { answers, slow }));
      add({
        'numbers at which a mirror and the database differ': await countDifferingNumbers(owner, trackerId, mirror),
        'records without exactly one change, and changes without a record': await countUnmatchedRecords(
          owner,
          trackerId,
          mirror,
        ),
      });
      if (follower.way.include === undefined) continue;
      const differing = await countDifferingRecords({ owner, client: clientOf(follower) }, follower);
      add({ 'records at which a mirror and a full read differ': differing });
    }
    return found;
  }

  it.skipIf(reasonToSkip !== undefined)(
    `the change feed shows every committed change to each follower once and in order, and no other change, while processes are killed (seed ${proofSeed})${note}`,
    async () => {
      const { connectionString } = database;
      loseCommits();
      const injecting = injectFaults({ seed: proofSeed, rates, fleet, connectionString, progress });
      const following = runFollowers(follow);
      const writingSlowly = Array.from({ length: goal.slowWriters }, (_, index) =>
        writeSlowly({
          ...{ connectionString, progress, events: slow, tenants: feeds.map(({ tenant }) => tenant) },
          writesMeanwhile: 5 + 3 * index,
          random: seededRandom(proofSeed, `slow writer ${index}`),
        }),
      );
      await write(goal.writes / 2, 0.5);
      const copiedUpTo = await copyTables(connectionString);
      await write(goal.writes, 0.75);
      progress.end();
      stopped.abort();
      const injected = await injecting;
      await Promise.all([...writingSlowly, following]);
      commitCutter.cutBy(() => null);
      await runFollowers(catchUp);

      const owner = await connectAsOwner(connectionString);
      const found = await compareMirrors(owner);
      await restoreTables(owner);
      const cursors = { sent: 0, aheadButAccepted: 0, insideButRefused: 0, followersThatGoOn: 0 };
      for (const feed of feeds) {
        const last = copiedUpTo.get(feed.tenant.trackerId) ?? 0;
        const ofFeed = await compareCursors(feed, { copiedUpTo: last, seed: proofSeed });
        for (const name of Object.keys(cursors) as (keyof typeof cursors)[]) cursors[name] += ofFeed[name];
      }
      await owner.end();

      const violations = {
        ...faults,
        ...answers.wrong,
        ...found,
        'followers that ended with an error': errors.length,
        'cursors ahead of a restored copy that are accepted': cursors.aheadButAccepted,
        'cursors inside a restored copy that are refused': cursors.insideButRefused,
        'followers that a restored copy does not stop': cursors.followersThatGoOn,
      };
      const mirrors = feeds.flatMap(({ followers }) => followers.map(({ mirror }) => mirror));
      const slowCount = (ids: ReadonlyMap<string, readonly string[]>) => [...ids.values()].flat().length;
      await recordProof({
        id: 'T25',
        promise: `Three servers with ${name}: while processes are killed, each follower of a tracker gets every committed change once, in order and without gaps, and no other change`,
        seed: proofSeed,
        injected: {
          ...answers.seen,
          ...{ writers: goal.writers, trackers: goal.trackers, followers: mirrors.length, stopsOfFollowers },
          changesFollowed: mirrors.reduce((sum, { entries }) => sum + entries.length, 0),
          ...{ slowCommits: slowCount(slow.committed), slowRollbacks: slowCount(slow.rolledBack), lostCommits },
          ...injected,
          cursorsAfterRestoration: cursors.sent,
        },
        violations,
      });
      expect({ errors, ...Object.fromEntries(Object.entries(violations).filter(([, times]) => times > 0)) }).toEqual({
        errors: [],
      });
      expect(Object.entries({ ...injected, lostCommits, stopsOfFollowers }).filter(([, times]) => times === 0)).toEqual(
        [],
      );
      expect(Math.min(slowCount(slow.committed), slowCount(slow.rolledBack))).toBeGreaterThan(0);
    },
    proofMsMax,
  );
});
