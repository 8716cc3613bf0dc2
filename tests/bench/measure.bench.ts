import { writeFile } from 'node:fs/promises';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BenchResults } from '../../tools/render-bench.mjs';
import { asOwner } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { type ImportOutcome, measureImport } from './measure-import.js';
import { findPgbench } from './reference/run-reference.js';
import { type Outcome, runRounds } from './run-rounds.js';
import { type Books, createBooks, movementCount } from './server/create-books.js';
import { type BenchServer, startBenchServer } from './server/start-bench-server.js';
import { isWanted, settings } from './settings.js';
import { importWorkload, workloads } from './workloads.js';

const sandbox = openSandbox();
const pgbench = findPgbench();
const outcomes: (Outcome & { readonly id: string; readonly title: string })[] = [];
let imported: ImportOutcome | null = null;
let server: BenchServer;
let books: Books;

const asDatabaseOwner = <Result>(act: (owner: pg.Client) => Promise<Result>) => asOwner(server.connectionString, act);

beforeAll(async () => {
  server = await startBenchServer(sandbox);
  books = await asDatabaseOwner((owner) => createBooks(server.origin, owner));
});

describe('the benchmark', () => {
  for (const { id, title } of workloads.filter((workload) => isWanted(workload.id))) {
    it(`measures ${id}: ${title}`, async () => {
      // Autovacuum and checkpoints would otherwise process the rows of the previous workload during this measurement.
      await asDatabaseOwner(async (owner) => {
        await owner.query('vacuum analyze');
        await owner.query('checkpoint');
      });
      const outcome = await runRounds({ ...settings, workload: id }, { server, books }, pgbench !== null);
      outcomes.push({ id, title, ...outcome });
    });
  }

  it.runIf(isWanted(importWorkload.id))(`measures ${importWorkload.id}: ${importWorkload.title}`, async () => {
    const { connectionString } = server;
    const reference = { connectionString, seconds: settings.secondsOfRound, names: books.forReference };
    imported = await measureImport(sandbox, {
      origin: server.origin,
      rows: settings.rowsOfImport,
      reference: pgbench === null ? null : reference,
    });
  });

  it('leaves consistent balances, and its results are written to the results file', async () => {
    const { exitCode, stdout } = await server.checkBooks();
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    const { rows } = await asDatabaseOwner((owner) => owner.query<{ server_version: string }>('show server_version'));
    const results: BenchResults = {
      postgres: rows[0]?.server_version ?? 'unknown',
      pgbench,
      connections: settings.connections,
      movements: movementCount,
      rounds: settings.rounds,
      secondsOfRound: settings.secondsOfRound,
      workloads: outcomes,
      imported,
      books: stdout.trim(),
    };
    if (settings.resultsFile !== undefined) await writeFile(settings.resultsFile, JSON.stringify(results));
  });
});
