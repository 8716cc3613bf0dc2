import { writeFile } from 'node:fs/promises';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GrowthResults, GrowthStage } from '../../../tools/render-growth.mjs';
import { asOwner } from '../../acceptance/support/postgres-of.js';
import { openSandbox } from '../../acceptance/support/sandbox.js';
import { readResidentMb } from '../../proof/support/resident-memory.js';
import { compareSides, type Side } from '../run-rounds.js';
import { furnishBooks } from '../server/create-books.js';
import { openPlace, type Place } from '../server/start-bench-server.js';
import { addStrangers, keysOfStranger } from './add-other-users.js';
import { deepenHistory } from './deepen-history.js';
import { findPage } from './find-page.js';
import { growthSettings } from './growth-settings.js';

/** Reads come first, because POST /movements adds data while it is measured. */
const workloads = ['W2', 'deep', 'total', 'W3', 'W7', 'W1'];
const connectionCounts = [1, 16];
/** The thousandth page of ten rows. */
const rowsBeforePage = 9_990;

const sandbox = openSandbox();
const { sizes, trackers, rounds, secondsOfRound } = growthSettings;
const smallest = sizes[0] ?? 10_000;

interface Home extends Side {
  readonly idleMb: number;
}

async function settle(): Promise<Home> {
  const place = await openPlace(sandbox);
  const idleMb = await readResidentMb(place.origin);
  const books = await asOwner(place.connectionString, (owner) => furnishBooks(place.origin, owner, smallest));
  return { place, books, idleMb };
}

/**
 * Measures each workload with each number of connections, in rounds that alternate with small data: the other load of a
 * machine changes within minutes, and must not count as growth. Vacuums the database first.
 */
async function measureStage(chosen: readonly string[], measured: Side, small: Side): Promise<GrowthStage['figures']> {
  const sides = { large: await tidyUp(measured), small: await tidyUp(small) };
  const figures: GrowthStage['figures'][number][] = [];
  for (const workload of chosen) {
    for (const connections of connectionCounts) {
      const { large, ...others } = await compareSides({ workload, rounds, secondsOfRound, connections }, sides);
      figures.push({ workload, connections, ...large, ...others });
    }
  }
  return figures;
}

async function tidyUp({ place, books }: Side): Promise<Side> {
  await asOwner(place.connectionString, async (owner) => {
    await owner.query('vacuum analyze');
    await owner.query('checkpoint');
  });
  return { place, books, pageCursor: await findPage(place.origin, books, rowsBeforePage) };
}

async function check(place: Place): Promise<{ readonly books: string; readonly checkSeconds: number }> {
  const startedAtMs = performance.now();
  const { exitCode, stdout, stderr } = await place.checkBooks();
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
  return { books: stdout.trim(), checkSeconds: Math.round((performance.now() - startedAtMs) / 100) / 10 };
}

describe('growth', () => {
  const depth: GrowthStage[] = [];
  const breadth: GrowthStage[] = [];
  let home: Home;
  /** The small data, which grows only by the measurement itself. */
  let small: Home;
  let postgres = 'unknown';

  beforeAll(async () => {
    home = await settle();
    small = await settle();
    const { rows } = await asOwner(home.place.connectionString, (owner: pg.Client) =>
      owner.query<{ server_version: string }>('show server_version'),
    );
    postgres = rows[0]?.server_version ?? 'unknown';
  });

  it.each(sizes.map((movements, size) => ({ movements, size })))(
    'of one tracker to $movements movements',
    async ({ movements, size }) => {
      const { place, books } = home;
      if (size > 0) {
        const first = (sizes[size - 1] ?? 0) + 1;
        await asOwner(place.connectionString, (owner) =>
          deepenHistory(owner, books, { first, last: movements, size: size - 1 }),
        );
      }
      const before = await check(place);
      const figures = await measureStage(workloads, home, small);
      depth.push({ movements, trackers: 1, ...before, figures });
      await check(place);
    },
  );

  it.runIf(trackers > 0)(`of the server to ${trackers} trackers beside one`, async () => {
    const visited = await settle();
    const alone = await settle();
    const { place } = visited;
    for (const others of [0, trackers]) {
      if (others > 0) await asOwner(place.connectionString, (owner) => addStrangers(owner, others));
      const before = await check(place);
      const figures = await measureStage(['W2', 'W1'], visited, alone);
      breadth.push({ movements: smallest, trackers: 1 + others, ...before, figures });
    }
    await check(place);
  });

  it('is reported', async () => {
    const { idleMb } = home;
    const results: GrowthResults = { postgres, rounds, secondsOfRound, idleMb, keysOfStranger, depth, breadth };
    if (growthSettings.resultsFile !== undefined) await writeFile(growthSettings.resultsFile, JSON.stringify(results));
  });
});
