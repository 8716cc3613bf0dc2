import { ServerError } from '@centavo/sdk';
import { describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { ImportBench, isMovementsUrl, summaryOf, writeManyRows } from '../../../test-support/import-in-test.js';
import { connectionRefused, createMachine } from '../../../test-support/run-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';
import { VoidedMovements } from '../plan/recorded/voided-movements.js';
import { recordRows } from './record.js';
import type { MovementRequest } from './requests.js';
import { ImportTally } from './tally.js';

const bench = ImportBench.setUp();

describe('an import that records rows', () => {
  it.each([
    [401, 'CREDENTIAL_REVOKED', 3],
    [403, 'INSUFFICIENT_SCOPE', 4],
  ])(
    'stops at status %i (%s), reports how many rows are recorded, and exits with %i',
    async (status, refusalCode, code) => {
      bench.api.addAccount({ name: 'Checking' });
      bench.api.fault = ({ url }) =>
        isMovementsUrl(url) && bench.api.movements.length >= 20 ? refusal(status, refusalCode) : undefined;
      const run = await bench.importing(await writeManyRows(500), '--account', 'Checking', '--yes');
      expect(run.code).toBe(code);
      expect(run.stderr).toContain('20 rows are recorded, 480 were not reached; run the import again to continue');
      expect(summaryOf(run)).toMatchObject({ rows: 500, created: 20, failed: 0 });
      expect(bench.api.requests.length).toBeLessThan(60);
    },
  );

  it('exits 9 if the connection is lost, and a second import records only the missing rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeManyRows(60);
    bench.api.fault = ({ url }) =>
      isMovementsUrl(url) && bench.api.movements.length >= 20 ? Response.error() : undefined;
    const flags = ['--account', 'Checking', '--yes'];
    const cutOff = await bench.importing(path, ...flags);
    expect(cutOff.code).toBe(9);
    expect(cutOff.stderr).toMatch(/try: .* run the import again/);
    expect(cutOff.stderr).toMatch(/20 rows are recorded, 8 have an unknown outcome, 32 were not reached/);
    expect(Object.keys(summaryOf(cutOff))).toEqual(['rows', 'created', 'replayed', 'failed', 'skipped', 'failures']);
    expect(cutOff.stderr).toMatch(/idempotency key: [0-9a-f]{64}/);
    expect(cutOff.stderr).not.toContain('--idempotency-key');
    bench.api.fault = () => undefined;
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 40, replayed: 20, failed: 0 });
    expect(bench.api.movements).toHaveLength(60);
  });

  it('retries while the server is unreachable for 12 s, and records each row once', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeManyRows(60);
    let unreachableUntilMs = 0;
    bench.machine.connectionFault = (nowMs) => {
      if (bench.api.movements.length === 20 && unreachableUntilMs === 0) unreachableUntilMs = nowMs + 12_000;
      return nowMs < unreachableUntilMs ? connectionRefused() : undefined;
    };
    const run = await bench.importing(path, '--account', 'Checking', '--yes');
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ created: 60, failed: 0 });
    expect(bench.api.movements).toHaveLength(60);
  });

  it('exits 7 at once if the server requires a wait of a year', async () => {
    bench.api.addAccount({ name: 'Checking' });
    bench.api.fault = ({ url }) =>
      isMovementsUrl(url) ? refusal(429, 'RATE_LIMITED', { retryAfter: '31536000' }) : undefined;
    const startedMs = bench.machine.clock.currentMs;
    const run = await bench.importing(await writeManyRows(20), '--account', 'Checking', '--yes');
    expect(run.code).toBe(7);
    expect(run.stderr).toContain('Repeat the command in 31536000 s.');
    expect(bench.machine.clock.currentMs).toBe(startedMs);
  });

  it('exits 9 if the server is unreachable for 30 s, and reports that it did not send all rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const startedMs = bench.machine.clock.currentMs;
    bench.machine.connectionFault = () => (bench.api.movements.length >= 20 ? connectionRefused() : undefined);
    const run = await bench.importing(await writeManyRows(60), '--account', 'Checking', '--yes');
    expect(run.code).toBe(9);
    expect(run.stderr).toMatch(/try: Check the server/);
    expect(run.stderr).toContain('were not reached');
    expect(bench.machine.clock.currentMs - startedMs).toBeGreaterThanOrEqual(30_000);
  });

  it('exits 8 after 30 s of 503 responses, and reports how many rows have an unknown outcome', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const startedMs = bench.machine.clock.currentMs;
    bench.api.fault = ({ url }) =>
      isMovementsUrl(url) && bench.api.movements.length >= 20 ? refusal(503, 'SERVICE_UNAVAILABLE') : undefined;
    const run = await bench.importing(await writeManyRows(60), '--account', 'Checking', '--yes');
    expect(run.code).toBe(8);
    expect(run.stderr).toContain('20 rows are recorded, 8 have an unknown outcome, 32 were not reached');
    expect(summaryOf(run)).toMatchObject({ created: 20, failed: 0, failures: [] });
    expect(bench.machine.clock.currentMs - startedMs).toBeGreaterThanOrEqual(30_000);
  });

  it('waits for the Retry-After time of a 503 response, and records each row once', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const attemptsAtMs: number[] = [];
    let unavailableUntilMs = 0;
    bench.api.fault = ({ url }) => {
      const { currentMs } = bench.machine.clock;
      if (!isMovementsUrl(url) || bench.api.movements.length < 20) return undefined;
      if (unavailableUntilMs === 0) unavailableUntilMs = currentMs + 20_000;
      if (currentMs >= unavailableUntilMs) return undefined;
      attemptsAtMs.push(currentMs);
      return refusal(503, 'SERVICE_UNAVAILABLE', { retryAfter: '9' });
    };
    const run = await bench.importing(await writeManyRows(60), '--account', 'Checking', '--yes', '--timeout', '5');
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ created: 60, failed: 0 });
    const pauses = [...new Set(attemptsAtMs)]
      .slice(1)
      .map((atMs, index) => atMs - ([...new Set(attemptsAtMs)][index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(9_000);
  });

  it('exits 8 if the server returns 501 for every row, and exits 1 if it returns 501 for one of 50 rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    bench.api.fault = ({ body }) => (body.description === 'Row 3' ? refusal(501, 'UNKNOWN_TO_US') : undefined);
    const path = await writeManyRows(50);
    const one = await bench.importing(path, '--account', 'Checking', '--yes');
    expect(one.code).toBe(1);
    expect(summaryOf(one)).toMatchObject({ created: 49, failed: 1, failures: [{ line: 5 }] });
    bench.api.fault = ({ url }) => (isMovementsUrl(url) ? refusal(501, 'UNKNOWN_TO_US') : undefined);
    expect(await bench.importing(path, '--account', 'Checking', '--yes')).toMatchObject({ code: 8 });
  });

  it('exits 8 if the server returns 500 after 20 rows, and reports how many rows have an unknown outcome', async () => {
    bench.api.addAccount({ name: 'Checking' });
    bench.api.fault = ({ url }) =>
      isMovementsUrl(url) && bench.api.movements.length >= 20 ? refusal(500, 'INTERNAL_ERROR') : undefined;
    const run = await bench.importing(await writeManyRows(60), '--account', 'Checking', '--yes');
    expect(run.code).toBe(8);
    expect(summaryOf(run)).toMatchObject({ created: 20, failed: 0, failures: [] });
    const [, unknown, unreached] =
      /20 rows are recorded, (\d+) have an unknown outcome, (\d+) were not/.exec(run.stderr) ?? [];
    expect(Number(unknown)).toBeGreaterThanOrEqual(5);
    expect(Number(unknown) + Number(unreached)).toBe(40);
  });

  it('replays a row that was recorded with another category, and reports that the movement differs', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement('Date,Amount,Category\n2026-01-13,-5.00,Food\n');
    await bench.importing(path, '--account', 'Checking', '--yes', '--create-categories');
    bench.api.categories.splice(1, 1, { ...bench.api.categories[1], id: 'cat_other' });
    const again = await bench.importing(path, '--account', 'Checking', '--yes');
    expect(summaryOf(again)).toMatchObject({ created: 0, replayed: 1, failed: 0 });
    expect(again.stderr).toContain('1 of the replayed rows was recorded before with another description');
  });

  it('reports a row as failed if its transaction id is recorded with another amount; after a void, --record-again records the row', async () => {
    bench.api.addAccount({ name: 'Checking', currencyCode: 'EUR' });
    const write = (amount: string) =>
      writeStatement(
        `OFXHEADER:100\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST><STMTTRN><DTPOSTED>20260113<TRNAMT>${amount}<FITID>F1</STMTTRN></BANKTRANLIST></STMTRS></OFX>`,
      );
    expect(await bench.importing(await write('-5'), '--account', 'Checking')).toMatchObject({ code: 0 });
    const id = String(bench.api.movements[0]?.id);
    const changed = await write('-6');
    expect(summaryOf(await bench.importing(changed, '--account', 'Checking'))).toMatchObject({
      created: 0,
      failures: [
        {
          line: 2,
          reason: `the bank's transaction id of this row was recorded before with other details: movement ${id} has another amount. Correct this movement, or void it and import the file with --record-again`,
        },
      ],
    });
    await bench.machine.run(['movements', 'void', id, '--yes']);
    const again = await bench.importing(changed, '--account', 'Checking', '--record-again');
    expect(summaryOf(again)).toMatchObject({ created: 1, failed: 0 });
    for (const more of [[], ['--record-again']]) {
      const replay = await bench.importing(changed, '--account', 'Checking', ...more);
      expect(summaryOf(replay)).toMatchObject({ created: 0, replayed: 1, failed: 0 });
    }
  });

  it('finishes the rows in progress after Ctrl-C, and exits 130; the next import records the missing rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeManyRows(100);
    bench.api.fault = ({ url }) => {
      if (isMovementsUrl(url) && bench.api.movements.length === 30) bench.machine.interruption.abort();
      return undefined;
    };
    const run = await bench.importing(path, '--account', 'Checking', '--yes');
    expect(run.code).toBe(130);
    expect(run.stderr).toContain('Interrupted');
    const { created } = summaryOf(run);
    expect(created).toBe(bench.api.movements.length);
    expect(created).toBeLessThan(100);
    await bench.replaceMachine();
    bench.api.fault = () => undefined;
    const again = summaryOf(await bench.importing(path, '--account', 'Checking', '--yes'));
    expect(again).toMatchObject({ replayed: created, failed: 0 });
    expect(bench.api.movements).toHaveLength(100);
  });

  it('exits 7 after more than a hundred consecutive 429 responses', async () => {
    bench.api.addAccount({ name: 'Checking' });
    let refusals = 0;
    bench.api.fault = ({ url }) => {
      if (!isMovementsUrl(url) || bench.api.movements.length < 10 || refusals === 1_000) return undefined;
      refusals += 1;
      return refusal(429, 'RATE_LIMITED', { retryAfter: '600' });
    };
    const run = await bench.importing(await writeManyRows(30), '--account', 'Checking', '--yes');
    expect(run.code).toBe(7);
    expect(summaryOf(run)).toMatchObject({ created: 10, failed: 0 });
    expect(refusals).toBeGreaterThan(100);
    expect(refusals).toBeLessThan(200);
  });

  it('records all rows after a rate limit of ten minutes', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const limitedUntilMs = bench.machine.clock.currentMs + 600_000;
    bench.api.fault = ({ url }) =>
      isMovementsUrl(url) && bench.api.movements.length >= 10 && bench.machine.clock.currentMs < limitedUntilMs
        ? refusal(429, 'RATE_LIMITED', { retryAfter: '600' })
        : undefined;
    const run = await bench.importing(await writeManyRows(30), '--account', 'Checking', '--yes');
    expect(summaryOf(run)).toMatchObject({ created: 30, failed: 0 });
    expect(run.code).toBe(0);
  });
});

const unavailable = new ServerError({
  message: 'Not now.',
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  details: {},
  requestId: null,
  headers: new Headers(),
  idempotencyKey: 'key',
  retryAfterMs: null,
});

async function* rowsOf(count: number): AsyncGenerator<MovementRequest> {
  const body = { type: 'expense', amountDecimal: '1', accountId: 'account' } as const;
  for (let line = 1; line <= count; line += 1) {
    yield { line, outcome: 'movement', key: 'key', isKeyOfContent: true, isRecorded: false, exportedFrom: [], body };
  }
}

it('recordRows counts one row as failed, and continues, if only this row gets 503 responses', async () => {
  const { clock, interruption } = await createMachine();
  const tally = new ImportTally();
  const stop = await recordRows({
    rows: rowsOf(2_000),
    send: async (row) => {
      if (row.outcome === 'movement' && row.line === 5) throw unavailable;
      return 'created';
    },
    tally,
    voided: new VoidedMovements(),
    clock,
    interruption: interruption.signal,
    concurrency: () => 8,
    onRowDone: () => {},
  });
  expect(stop).toBeUndefined();
  expect(tally.summarize(2_000)).toMatchObject({
    created: 1_999,
    failed: 1,
    failures: [{ line: 5, reason: 'Not now.' }],
  });
});

it('recordRows uses one timer for 400 rows that wait for a retry at the same time', async () => {
  const { clock, interruption } = await createMachine();
  const availableAtMs = clock.nowMs() + 2_000;
  let timers = 0;
  let timersMax = 0;
  const countingClock = {
    nowMs: clock.nowMs,
    waitMs: async (delayMs: number) => {
      timers += 1;
      timersMax = Math.max(timersMax, timers);
      await clock.waitMs(delayMs);
      timers -= 1;
    },
  };
  const tally = new ImportTally();
  const stop = await recordRows({
    rows: rowsOf(400),
    send: async () => {
      if (clock.nowMs() < availableAtMs) throw unavailable;
      return 'created';
    },
    tally,
    voided: new VoidedMovements(),
    clock: countingClock,
    interruption: interruption.signal,
    concurrency: () => 400,
    onRowDone: () => {},
  });
  expect(stop).toBeUndefined();
  expect(tally.summarize(400)).toMatchObject({ created: 400, failed: 0 });
  expect(timersMax).toBe(1);
});
