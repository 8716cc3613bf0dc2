import { writeFile } from 'node:fs/promises';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GrowthResults, GrowthStage } from '../../../tools/render-growth.mjs';
import { asOwner } from '../../acceptance/support/postgres-of.js';
import { openSandbox } from '../../acceptance/support/sandbox.js';
import { readResidentMb } from '../../proof/support/resident-memory.js';
import { compareSizes, type ServerWithData } from '../run-rounds.js';
import { createBooks } from '../server/create-books.js';
import { type BenchServer, startBenchServer } from '../server/start-bench-server.js';
import { addOtherUsers, keysPerUser } from './add-other-users.js';
import { callReadTools } from './call-read-tools.js';
import { deepenHistory } from './deepen-history.js';
import { findPage } from './find-page.js';
import { growthSettings } from './growth-settings.js';

/** Reads come first, because POST /movements adds data while it is measured. */
const workloads = ['W2', 'deep', 'total', 'changes', 'W3', 'W7', 'W1'];
const connectionCounts = [1, 16];
/** The number of rows before the thousandth page, with ten rows on each page. */
const rowsBeforePage = 9_990;

const sandbox = openSandbox();
const { sizes, trackers, rounds, secondsOfRound } = growthSettings;
const smallest = sizes[0] ?? 10_000;

interface MeasuredServer extends ServerWithData {
  /** The memory of the server before its first request. */
  readonly idleMb: number;
}

async function prepareServer(): Promise<MeasuredServer> {
  const server = await startBenchServer(sandbox);
  const idleMb = await readResidentMb(server.origin);
  const books = await asOwner(server.connectionString, (owner) => createBooks(server.origin, owner, smallest));
  return { server, books, idleMb };
}

/**
 * Measures each workload with each number of connections. Vacuums both databases first. The rounds alternate with rounds on small
 * data, because the other load of the machine changes within minutes and must not count as growth.
 */
async function measureStage(
  chosen: readonly string[],
  measured: ServerWithData,
  small: ServerWithData,
): Promise<GrowthStage['figures']> {
  const sides = { large: await prepareDatabase(measured), small: await prepareDatabase(small) };
  const figures: GrowthStage['figures'][number][] = [];
  for (const workload of chosen) {
    for (const connections of connectionCounts) {
      const { large, ...others } = await compareSizes({ workload, rounds, secondsOfRound, connections }, sides);
      figures.push({ workload, connections, ...large, ...others });
    }
  }
  return figures;
}

/** Vacuums the database, and adds the cursor of the thousandth page to the target. */
async function prepareDatabase({ server, books }: ServerWithData): Promise<ServerWithData> {
  await asOwner(server.connectionString, async (owner) => {
    await owner.query('vacuum analyze');
    await owner.query('checkpoint');
  });
  return { server, books, pageCursor: await findPage(server.origin, books, rowsBeforePage) };
}

/** Runs `centavo-server check`, which must succeed. Returns its output and its duration. */
async function check(server: BenchServer): Promise<{ readonly books: string; readonly checkSeconds: number }> {
  const startedAtMs = performance.now();
  const { exitCode, stdout, stderr } = await server.checkBooks();
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
  return { books: stdout.trim(), checkSeconds: Math.round((performance.now() - startedAtMs) / 100) / 10 };
}

describe('growth', () => {
  /** The results of one tracker, for each number of movements. */
  const depth: GrowthStage[] = [];
  /** The results of a tracker alone, and beside trackers of other users. */
  const breadth: GrowthStage[] = [];
  let measured: MeasuredServer;
  /** The server with small data. Only the measurement itself adds data to it. */
  let small: MeasuredServer;
  let postgres = 'unknown';

  beforeAll(async () => {
    measured = await prepareServer();
    small = await prepareServer();
    const { rows } = await asOwner(measured.server.connectionString, (owner: pg.Client) =>
      owner.query<{ server_version: string }>('show server_version'),
    );
    postgres = rows[0]?.server_version ?? 'unknown';
  });

  it.each(sizes.map((movements, index) => ({ movements, index })))(
    'is measured for one tracker with $movements movements',
    async ({ movements, index }) => {
      const { server, books } = measured;
      if (index > 0) {
        const first = (sizes[index - 1] ?? 0) + 1;
        await asOwner(server.connectionString, (owner) =>
          deepenHistory(owner, books, { first, last: movements, step: index - 1 }),
        );
      }
      const before = await check(server);
      const figures = await measureStage(workloads, measured, small);
      depth.push({ movements, trackers: 1, ...before, figures });
      // Clients of the Model Context Protocol reject results of more than 20,000 characters (`textLengthMax` of @centavo/mcp).
      const lengths = await callReadTools(server.origin, books);
      expect(Object.entries(lengths).filter(([, length]) => length > 20_000)).toEqual([]);
      await check(server);
    },
  );

  it.runIf(trackers > 0)(`is measured for one tracker beside ${trackers} trackers of other users`, async () => {
    const shared = await prepareServer();
    const alone = await prepareServer();
    const { server } = shared;
    for (const others of [0, trackers]) {
      if (others > 0) await asOwner(server.connectionString, (owner) => addOtherUsers(owner, others));
      const before = await check(server);
      const figures = await measureStage(['W2', 'W1'], shared, alone);
      breadth.push({ movements: smallest, trackers: 1 + others, ...before, figures });
    }
    await check(server);
  });

  it('is written to the results file', async () => {
    const { idleMb } = measured;
    const results: GrowthResults = { postgres, rounds, secondsOfRound, idleMb, keysPerUser, depth, breadth };
    if (growthSettings.resultsFile !== undefined) await writeFile(growthSettings.resultsFile, JSON.stringify(results));
  });
});
