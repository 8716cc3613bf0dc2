import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { createHousehold } from '../acceptance/support/household.js';
import type { Sandbox } from '../acceptance/support/sandbox.js';
import { runReference } from './reference/run-reference.js';

/** The results of an import. */
export interface ImportOutcome {
  readonly rows: number;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  /** The peak memory of the CLI, in megabytes. */
  readonly peakMemoryMb: number;
  /** The rows per second of pgbench, before and after the import; null without pgbench. */
  readonly referencePerSecond: readonly [number, number] | null;
  /** The rate of the import divided by the mean of the two rates of pgbench; null without pgbench. */
  readonly ratio: number | null;
}

/** The number of rows in each import request, and in each pgbench transaction. */
const batchRows = 100;
/** The number of concurrent requests of an import. */
const connections = 4;

const accounts = ['Everyday', 'Savings', 'Card', 'Travel'];
const categories = ['Food', 'Rent', 'Transport', 'Health', 'Clothes', 'Leisure', 'Gifts', 'Salary'];
const firstDayMs = Date.UTC(2023, 0, 1);
const dayMs = 86_400_000;
const days = 1_000;

/**
 * Imports a statement of `rows` rows as a new user, with the commands in the README of the CLI. pgbench inserts similar rows
 * in batches of 100 before and after the import, so that other work of the machine affects both.
 * @param measuring.reference how to run pgbench; null if pgbench is not installed
 */
export async function measureImport(
  sandbox: Sandbox,
  measuring: {
    readonly origin: string;
    readonly rows: number;
    readonly reference: Pick<Parameters<typeof runReference>[0], 'connectionString' | 'seconds' | 'names'> | null;
  },
): Promise<ImportOutcome> {
  const { origin, rows, reference } = measuring;
  const measureReference = async () => {
    if (reference === null) return 0;
    const { latenciesUs, seconds } = await runReference({ ...reference, workload: 'W8', connections });
    return Math.round((latenciesUs.length * batchRows) / seconds);
  };
  const peakFile = await sandbox.writeFile('peak', '');
  const probe = new URL('load/record-peak-memory.mjs', import.meta.url).href;
  const { email, password, trackerId } = await createHousehold(sandbox, { origin, currencyCode: 'EUR' });
  const centavo = await sandbox.newTerminal({
    CENTAVO_BASE_URL: `${origin}/v1/financial`,
    NODE_OPTIONS: `--import=${probe}`,
    CENTAVO_BENCH_PEAK_FILE: peakFile,
  });
  await centavo.show(`login --email ${email} --password-stdin`, { stdin: `${password}\n` });
  await centavo.show(`trackers use ${trackerId}`);
  const file = await sandbox.writeFile('statement.csv', statementOf(rows));
  const before = await measureReference();
  const startedAtMs = performance.now();
  const summary = await centavo.show(`import "${file}" --create-accounts --create-categories --yes`);
  const seconds = (performance.now() - startedAtMs) / 1000;
  expect(summary).toMatchObject({ rows, created: rows });
  const after = await measureReference();
  return {
    rows,
    seconds: Math.round(seconds * 10) / 10,
    rowsPerSecond: Math.round(rows / seconds),
    peakMemoryMb: Math.round(Number(await readFile(peakFile, 'utf8')) / 2 ** 20),
    referencePerSecond: reference === null ? null : [before, after],
    ratio: reference === null ? null : Math.round((200 * rows) / seconds / (before + after)) / 100,
  };
}

function statementOf(rows: number): string {
  const lines = ['Date,Account,Category,Merchant,Description,Amount'];
  for (let number = 0; number < rows; number += 1) {
    const date = new Date(firstDayMs + (number % days) * dayMs).toISOString().slice(0, 10);
    const account = accounts[number % accounts.length];
    const category = categories[(number >> 2) % categories.length];
    const cents = 100 + ((number * 7919) % 9900);
    const sign = number % 5 === 0 ? '' : '-';
    lines.push(
      `${date},${account},${category},Shop ${number % 97},Purchase ${number},${sign}${(cents / 100).toFixed(2)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
