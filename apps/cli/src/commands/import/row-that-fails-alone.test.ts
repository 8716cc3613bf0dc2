import { ServerError } from '@centavo/sdk';
import { expect, it } from 'vitest';
import { createMachine } from '../../../test-support/run-in-test.js';
import { ImportTally } from './import-tally.js';
import type { PreparedRow } from './prepare-rows.js';
import { recordRows } from './record-rows.js';

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

async function* rowsOf(count: number): AsyncGenerator<PreparedRow> {
  const body = { type: 'expense', amountDecimal: '1', accountId: 'account' } as const;
  for (let line = 1; line <= count; line += 1) {
    yield { line, outcome: 'prepared', key: 'key', isKeyOfContent: true, exportedFrom: [], body };
  }
}

it('one row that is answered with 503 for 30 s, while others are recorded, fails alone', async () => {
  const { clock, interruption } = await createMachine();
  const tally = new ImportTally();
  const stop = await recordRows({
    rows: rowsOf(2_000),
    record: async (row) => {
      if (row.outcome === 'prepared' && row.line === 5) throw unavailable;
      return 'created';
    },
    tally,
    clock,
    interruption: interruption.signal,
    onRowDone: () => {},
  });
  expect(stop).toBeUndefined();
  expect(tally.summarize(2_000)).toMatchObject({
    created: 1_999,
    failed: 1,
    failures: [{ line: 5, reason: 'Not now.' }],
  });
});
