import type { FinancialClient } from '@centavo/sdk';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { ImportBench, summaryOf, writeManyRows } from '../../../test-support/import-in-test.js';
import { MovementCreator } from './create-movements.js';

const bench = ImportBench.setUp();
const flags = ['--account', 'Checking', '--yes'];

beforeEach(() => {
  bench.api.addAccount({ name: 'Checking' });
  bench.api.hasBulk = true;
});

const isBulk = (url: URL) => url.pathname.endsWith('/movements/bulk');
const rowsOf = (body: Record<string, unknown>) => (body.movements ?? []) as { description: string }[];
const bulkSizes = () =>
  bench.api.requests.filter(({ path }) => path === '/movements/bulk').map(({ body }) => rowsOf(body).length);
/**
 * Expects that requests have 100 rows each, except the last three. On a busy machine, the last rows may be sent in several requests,
 * because some of these rows are still being read when all earlier requests have ended.
 */
const expectFull = (sizes: readonly number[]) => {
  expect(Math.max(...sizes)).toBe(100);
  expect(sizes.slice(0, -3)).toEqual(sizes.slice(3).map(() => 100));
};
const singles = () => bench.api.writes.filter((write) => write === 'POST /movements').length;

describe('MovementCreator', () => {
  it('sends 1,000 movements, queued at the same time, in ten requests of 100', async () => {
    const sizes: number[] = [];
    const createMany = async (items: readonly unknown[]) => {
      sizes.push(items.length);
      return items.map(() => ({ status: 'created', movement: { id: 'x' }, error: null }));
    };
    const creator = new MovementCreator({ movements: { createMany } } as unknown as FinancialClient, {
      isDryRun: false,
    });
    const body = { type: 'expense', amountDecimal: '1', accountId: 'a' } as const;
    await creator.create(body, 'first');
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => creator.create(body, `key ${index}`)));
    expect(sizes).toEqual([1, ...Array<number>(10).fill(100)]);
  });
});

describe('an import into a server with POST /movements/bulk', () => {
  it('sends up to 100 rows in a request; a second import replays all rows', async () => {
    const path = await writeManyRows(1_001);
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ rows: 1_001, created: 1_001, failed: 0 });
    // The first request sends one row, to find out if the server has the operation.
    const [first, ...others] = bulkSizes();
    expect(first).toBe(1);
    expect(others.reduce((sum, size) => sum + size)).toBe(1_000);
    expectFull(others);
    expect(singles()).toBe(0);
    const again = summaryOf(await bench.importing(path, ...flags));
    expect(again).toMatchObject({ created: 0, replayed: 1_001, failed: 0 });
    expect(bench.api.movements).toHaveLength(1_001);
  });

  it('reports the line of a row that is refused, and records the other rows', async () => {
    const path = await writeManyRows(300);
    bench.api.fault = ({ url, body }) => {
      if (!isBulk(url)) return body.description === 'Row 150' ? refusal(404, 'NOT_FOUND') : undefined;
      for (const row of rowsOf(body)) {
        if (row.description === 'Row 150') Object.assign(row, { accountId: '00000000-0000-0000-0000-000000000000' });
      }
      return undefined;
    };
    const run = await bench.importing(path, ...flags);
    expect(run.code).toBe(1);
    expect(summaryOf(run)).toMatchObject({ created: 299, failed: 1, failures: [{ line: 152 }] });
  });

  it('reports only the row that causes a server error as failed', async () => {
    const path = await writeManyRows(300);
    bench.api.fault = ({ url, body }) => {
      const rows = isBulk(url) ? rowsOf(body) : [body];
      return rows.some(({ description }) => description === 'Row 150') ? refusal(501, 'UNKNOWN_TO_US') : undefined;
    };
    const run = await bench.importing(path, ...flags);
    expect(run.code).toBe(1);
    expect(summaryOf(run)).toMatchObject({ created: 299, failed: 1, failures: [{ line: 152 }] });
  });

  it('records each row once if every second bulk request loses its connection', async () => {
    const path = await writeManyRows(300);
    let requests = 0;
    bench.api.fault = ({ url }) => {
      if (!isBulk(url)) return undefined;
      requests += 1;
      return requests % 2 === 0 ? HttpResponse.error() : undefined;
    };
    const run = await bench.importing(path, ...flags);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ created: 300, failed: 0 });
    expect(bench.api.movements).toHaveLength(300);
  });

  it('waits for the Retry-After time of a 429 response, and continues with 100 rows in a request', async () => {
    const path = await writeManyRows(500);
    const limitedUntilMs = bench.machine.clock.currentMs + 600_000;
    let refusals = 0;
    bench.api.fault = ({ url }) => {
      const isLimited =
        isBulk(url) && bench.api.movements.length >= 100 && bench.machine.clock.currentMs < limitedUntilMs;
      if (!isLimited) return undefined;
      refusals += 1;
      return refusal(429, 'RATE_LIMITED', { retryAfter: '600' });
    };
    const run = await bench.importing(path, ...flags);
    expect([run.code, summaryOf(run)]).toMatchObject([0, { created: 500, failed: 0 }]);
    expect(singles()).toBe(0);
    // At most four requests were in progress when the server refused one. After that, one request is sent at a time.
    expect(refusals).toBeLessThanOrEqual(4);
    expectFull(bulkSizes().slice(1));
  });

  it('exits 3 if the credential is revoked, and reports how many rows are recorded', async () => {
    bench.api.fault = ({ url }) =>
      isBulk(url) && bench.api.movements.length >= 100 ? refusal(401, 'CREDENTIAL_REVOKED') : undefined;
    const run = await bench.importing(await writeManyRows(900), ...flags);
    expect(run.code).toBe(3);
    expect(summaryOf(run)).toMatchObject({ created: bench.api.movements.length, failed: 0 });
  });

  it('finishes the requests in progress after Ctrl-C, and exits 130; the next import records the missing rows', async () => {
    const path = await writeManyRows(2_000);
    bench.api.fault = ({ url }) => {
      if (isBulk(url) && bench.api.movements.length >= 500) bench.machine.interruption.abort();
      return undefined;
    };
    const run = await bench.importing(path, ...flags);
    expect(run.code).toBe(130);
    const created = Number(summaryOf(run).created);
    expect(created).toBe(bench.api.movements.length);
    expect(created).toBeLessThan(2_000);
    await bench.replaceMachine();
    bench.api.fault = () => undefined;
    const rest = { created: 2_000 - created, replayed: created, failed: 0 };
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject(rest);
  });
});
