import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

const row = (id: string, amount: string, name: string) =>
  `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260113<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
const ofx = (...rows: string[]) =>
  writeStatement(
    `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    'statement.ofx',
  );
const flags = ['--account', 'Checking', '--yes'];

/** Imports with another API key, which has separate idempotency keys. */
const importingWithOtherKey = (path: string) =>
  bench.machine.run(['import', path, '-o', 'json', ...flags], { env: { CENTAVO_TOKEN: 'other-token' } });

describe("the bank's id of a row", () => {
  it('is stored as externalId, unless it occurs twice in the file', async () => {
    await bench.importing(
      await ofx(row('F1', '-5', 'Shop'), row('F2', '-6', 'Cafe'), row('F2', '-7', 'Bar')),
      ...flags,
    );
    const ids = bench.api.movements.map(({ amountDecimal, externalId }) => [amountDecimal, externalId]);
    expect(Object.fromEntries(ids)).toEqual({ 5: 'F1', 6: undefined, 7: undefined });
  });

  it('identifies a row that another API key recorded, so that the row counts as replayed', async () => {
    const path = await ofx(row('F1', '-5', 'Shop'), row('F2', '-6', 'Cafe'));
    await bench.importing(path, ...flags);
    const run = await importingWithOtherKey(path);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 0, replayed: 2, failed: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('causes a failure that names the movement with the same id if the row has another amount', async () => {
    await bench.importing(await ofx(row('F1', '-5', 'Shop')), ...flags);
    const run = await importingWithOtherKey(await ofx(row('F1', '-8', 'Shop')));
    expect(run.code).toBe(1);
    expect(summaryOf(run)).toMatchObject({ created: 0, failed: 1 });
    expect(run.stdout).toContain(String(bench.api.movements[0]?.id));
    const { id } = bench.api.movements[0] ?? {};
    expect(summaryOf(run).failures).toMatchObject([
      {
        reason: `the bank's transaction id of this row was recorded before with other details: movement ${id} has another amount. Correct this movement, or void it and import the file with --record-again`,
      },
    ]);
    expect(bench.api.movements).toHaveLength(1);
  });

  it('is left out if an older server refuses externalId', async () => {
    const issues = [{ path: 'externalId', code: 'UNKNOWN_FIELD', message: 'Leave it out.' }];
    bench.api.fault = ({ body }) =>
      'externalId' in body ? refusal(400, 'VALIDATION_ERROR', { details: { issues } }) : undefined;
    const run = await bench.importing(await ofx(row('F1', '-5', 'Shop'), row('F2', '-6', 'Cafe')), ...flags);
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 2, failed: 0 });
    expect(bench.api.movements.map(({ externalId }) => externalId)).toEqual([undefined, undefined]);
  });

  it('causes a failed row if another API key recorded the row and the current API key may not read movements', async () => {
    await bench.importing(await ofx(row('F1', '-5', 'Shop')), ...flags);
    bench.api.fault = ({ url }) =>
      /\/movements\/(?!bulk)/.test(url.pathname) ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
    const run = await importingWithOtherKey(await ofx(row('F1', '-5', 'Shop')));
    expect(summaryOf(run)).toMatchObject({ created: 0, failed: 1 });
    expect(run.stdout).toContain(
      `movement ${bench.api.movements[0]?.id} of the account has the bank's transaction id of this row, but could not be`,
    );
  });
});

describe("the bank's id of a CSV row", () => {
  const csv = (...rows: string[]) => writeStatement(['Date,Description,Amount,Transaction ID', ...rows].join('\n'));
  const shop = '2026-01-13,Shop,-5.00,TX-0001';
  const cafe = '2026-01-14,Cafe,-6.00,TX-0002';
  const csvWithFee = (text: string, fee: string) =>
    writeStatement(`Date,Description,Amount,Fee,Transaction ID\n2026-01-13,${text},-5.00,${fee},TX-0001`);
  const amountsAndIds = () => bench.api.movements.map(({ amountDecimal, externalId }) => [amountDecimal, externalId]);

  it('is stored as externalId if the values of the column are unique', async () => {
    await bench.importing(await csv(shop, cafe), ...flags);
    expect(amountsAndIds()).toEqual([
      ['5', 'TX-0001'],
      ['6', 'TX-0002'],
    ]);
  });

  it('is not stored for any row if one value repeats', async () => {
    await bench.importing(await csv(shop, cafe, '2026-01-15,Bar,-7.00,TX-0001'), ...flags);
    expect(bench.api.movements.map(({ externalId }) => externalId)).toEqual([undefined, undefined, undefined]);
  });

  it('is not stored with --id-column ""', async () => {
    await bench.importing(await csv(shop), ...flags, '--id-column', '');
    expect(amountsAndIds()).toEqual([['5', undefined]]);
  });

  it('is not stored if it is longer than the 200 characters that the API allows', async () => {
    await bench.importing(await csv(`2026-01-13,Shop,-5.00,${'x'.repeat(201)}`, cafe), ...flags);
    expect(amountsAndIds()).toEqual([
      ['5', undefined],
      ['6', 'TX-0002'],
    ]);
  });

  it('is taken from any column that --id-column names', async () => {
    const path = await writeStatement('Date,Description,Amount,Nr\n2026-01-13,Shop,-5.00,1\n2026-01-14,Cafe,-6.00,2');
    await bench.importing(path, ...flags, '--id-column', 'Nr');
    expect(amountsAndIds()).toEqual([
      ['5', '1'],
      ['6', '2'],
    ]);
  });

  it('makes the import exit 2 if it occurs twice in the column of --id-column; the message names the id and both lines', async () => {
    const path = await csv(shop, cafe, '2026-01-15,Bar,-7.00,TX-0001');
    const run = await bench.importing(path, ...flags, '--id-column', 'Transaction ID');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('"TX-0001" in lines 2 and 4');
    expect(bench.api.movements).toEqual([]);
  });

  it('is stored with the suffix " fee" for the fee of the row', async () => {
    const path = await csvWithFee('Shop', '0.50');
    await bench.importing(path, ...flags, '--fee-column', 'Fee');
    expect(amountsAndIds()).toEqual([
      ['5', 'TX-0001'],
      ['0.5', 'TX-0001 fee'],
    ]);
  });

  it('identifies a row and its fee, although the text of the row has changed', async () => {
    await bench.importing(await csvWithFee('Shop', '0.50'), ...flags, '--fee-column', 'Fee');
    const run = await bench.importing(await csvWithFee('SHOP 123 MADRID', '0.50'), ...flags, '--fee-column', 'Fee');
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 2, failed: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it.each([true, false])(
    'does not prevent the replay of a row that the same API key recorded without an id (POST /movements/bulk: %s)',
    async (hasBulk) => {
      bench.api.hasBulk = hasBulk;
      const path = await csv(shop, cafe, '2026-01-15,Bar,-7.00,TX-0003');
      await bench.importing(path, ...flags, '--id-column', '');
      bench.api.requests.length = 0;
      const run = await bench.importing(path, ...flags);
      expect(summaryOf(run)).toMatchObject({ rows: 3, created: 0, replayed: 3, failed: 0 });
      expect(run.stderr).not.toContain('recorded before with another');
      expect(bench.api.movements).toHaveLength(3);
      expect(bench.api.writes.includes('POST /movements')).toBe(!hasBulk);
    },
  );

  it('causes a failed row if the movement with this id differs; the reason names the differences and how to record the row', async () => {
    await bench.importing(await csv(shop, cafe), ...flags);
    const path = await csv(shop, '2026-01-15,Bakery,-7.00,TX-0002');
    const run = await bench.importing(path, ...flags);
    const id = bench.api.movements.find(({ externalId }) => externalId === 'TX-0002')?.id;
    const what = `movement ${id} has another day, another amount, another description`;
    const remedy =
      'If the bank used this id for another transaction, import the file with --id-column "". If it is the same transaction, correct this movement, or void it and import the file with --record-again';
    expect(summaryOf(run)).toMatchObject({
      created: 0,
      replayed: 1,
      failures: [
        { reason: `the bank's transaction id of this row was recorded before with other details: ${what}. ${remedy}` },
      ],
    });
    await bench.machine.run(['movements', 'void', String(id), '--yes']);
    expect(summaryOf(await bench.importing(path, ...flags, '--record-again'))).toMatchObject({ created: 1 });
  });

  it('does not prevent exit code 6 if the row equals a movement that has no id', async () => {
    const rows = ['TX-0001', 'TX-0002', 'TX-0003', 'TX-0004'].map(
      (id, day) => `2026-01-1${day},Shop ${id},-1${day}.00,${id}`,
    );
    const path = await csv(...rows, '2026-01-20,Coffee,-3.00,TX-0005');
    await bench.importing(path, ...flags);
    await bench.importing(await writeStatement('Date,Description,Amount\n2026-01-21,Tea,-2.00'), ...flags);
    const run = await importingWithOtherKey(await csv(...rows, '2026-01-21,Tea,-2.00,TX-0006'));
    expect(run.code).toBe(6);
    expect(bench.api.movements).toHaveLength(6);
  });

  it('identifies a row that another API key recorded, although the text of the row has changed', async () => {
    await bench.importing(await csv(shop, cafe), ...flags);
    const run = await importingWithOtherKey(await csv(shop.replace('Shop', 'SHOP 123 MADRID'), cafe));
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 0, replayed: 2, failed: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('distinguishes a new row from an equal recorded row, even if the new row comes first', async () => {
    await bench.importing(await csv(shop), ...flags);
    const path = await csv('2026-01-13,Shop,-5.00,TX-0009', shop);
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 1, replayed: 1, failed: 0 });
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 2, failed: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('is not stored for a row that becomes part of a transfer', async () => {
    bench.api.addAccount({ name: 'Savings' });
    const path = await writeStatement(
      'Date,Description,Amount,Account,Transaction ID\n2026-01-13,Saved,-5.00,Checking,TX-0001\n2026-01-13,Saved,5.00,Savings,TX-0002',
    );
    const run = await bench.importing(path, '--account-column', 'Account', '--pair-transfers', '--yes');
    expect(summaryOf(run)).toMatchObject({ created: 2, failed: 0 });
    expect(bench.api.movements.map(({ externalId }) => externalId)).toEqual([undefined, undefined]);
  });

  it.each([
    ['with the same API key, although its text has changed', 'test-token', 'Moved'],
    ['with another API key', 'other-token', 'Saved'],
  ])('keeps a row out of transfers if the row was recorded %s', async (_, token, text) => {
    bench.api.addAccount({ name: 'Savings' });
    const file = (saved: string) =>
      writeStatement(
        `Date,Description,Amount,Account,Transaction ID\n2026-01-13,${saved},-5.00,Checking,TX-0001\n2026-01-13,Arrived,5.00,Savings,TX-0002`,
      );
    await bench.importing(await file('Saved'), '--account-column', 'Account', '--yes');
    const line = ['import', await file(text), '-o', 'json', '--account-column', 'Account', '--pair-transfers', '--yes'];
    const run = await bench.machine.run(line, { env: { CENTAVO_TOKEN: token } });
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 2, failed: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('does not prevent the replay of a row that was recorded without this id and in the opposite direction', async () => {
    const path = await csv(shop);
    await bench.importing(path, ...flags, '--id-column', '');
    for (const more of [[], ['--record-again']]) {
      const run = await bench.importing(path, ...flags, '--minus', 'income', ...more);
      expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 1, failed: 0 });
      expect(run.stderr).toContain('recorded before with another');
    }
    expect(bench.api.movements).toHaveLength(1);
  });

  it('keeps a voided row out of transfers, unless --record-again is set', async () => {
    bench.api.addAccount({ name: 'Savings' });
    const file = (text: string) =>
      writeStatement(
        `Date,Description,Amount,Account,Transaction ID\n2026-01-13,${text},-5.00,Checking,TX-0001\n2026-01-13,${text},5.00,Savings,TX-0002`,
      );
    const all = ['--account-column', 'Account', '--yes'];
    await bench.importing(await file('Saved'), ...all);
    for (const movement of bench.api.movements) Object.assign(movement, { voidedAt: '2026-01-20T00:00:00.000Z' });
    const run = await bench.importing(await file('Moved'), ...all, '--pair-transfers');
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 2, failed: 0 });
    expect(run.stderr).toContain('2 of the replayed rows were recorded before and voided later');
    expect(bench.api.movements).toHaveLength(2);
    const again = await bench.importing(await file('Moved'), ...all, '--pair-transfers', '--record-again');
    expect(summaryOf(again)).toMatchObject({ created: 2 });
  });

  it('does not prevent --undo of a row that was recorded without it', async () => {
    bench.api.hasBulk = true;
    const path = await csv(shop, cafe);
    await bench.importing(path, ...flags, '--id-column', '');
    const run = await bench.importing(path, ...flags, '--undo');
    expect(summaryOf(run)).toMatchObject({ voided: 2 });
  });
});

describe('equal rows with different transaction ids', () => {
  const csv = (...ids: string[]) =>
    writeStatement(
      ['Date,Description,Amount,Transaction ID', ...ids.map((id) => `2026-01-13,Coffee,-3.00,${id}`)].join('\n'),
    );
  const recordedIds = () => bench.api.movements.map(({ externalId }) => externalId);

  it('are all recorded with their ids if they are in one file', async () => {
    await bench.importing(await csv('TX-0001', 'TX-0002'), ...flags);
    expect(recordedIds()).toEqual(['TX-0001', 'TX-0002']);
  });

  describe.each([true, false])('in two files (POST /movements/bulk: %s)', (hasBulk) => {
    beforeEach(async () => {
      bench.api.hasBulk = hasBulk;
      await bench.importing(await csv('TX-0001'), ...flags);
    });

    it('are not lost silently: the second row fails, and the reason names both ids, the movement and --record-again', async () => {
      const run = await bench.importing(await csv('TX-0002'), ...flags);
      expect(run.code).toBe(1);
      expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 0, failed: 1 });
      const [{ reason }] = summaryOf(run).failures as [{ reason: string }];
      for (const part of ['"TX-0001"', '"TX-0002"', String(bench.api.movements[0]?.id), '--record-again'])
        expect(reason).toContain(part);
      expect(recordedIds()).toEqual(['TX-0001']);
    });

    it('are all recorded if the second file contains the recorded id', async () => {
      const run = await bench.importing(await csv('TX-0002', 'TX-0001', 'TX-0003'), ...flags);
      expect(summaryOf(run)).toMatchObject({ created: 2, replayed: 1, failed: 0 });
      expect(recordedIds().sort()).toEqual(['TX-0001', 'TX-0002', 'TX-0003']);
    });

    it('are both recorded with --record-again, and replayed by every later import', async () => {
      const run = await bench.importing(await csv('TX-0002'), ...flags, '--record-again');
      expect(summaryOf(run)).toMatchObject({ created: 1, failed: 0 });
      for (const ids of [['TX-0002'], ['TX-0001'], ['TX-0001', 'TX-0002'], ['TX-0002', 'TX-0001']]) {
        for (const more of [[], ['--record-again']]) {
          const later = await bench.importing(await csv(...ids), ...flags, ...more);
          expect(summaryOf(later)).toMatchObject({ created: 0, replayed: ids.length, failed: 0 });
          expect(later.stderr).not.toContain('recorded before with another');
        }
      }
      expect(recordedIds()).toEqual(['TX-0001', 'TX-0002']);
    });

    it('are not assumed for a recorded id: with --merchant-column, the row is replayed, and the import reports the difference', async () => {
      const movement = bench.api.movements[0] as { merchantName: unknown };
      const run = await bench.importing(await csv('TX-0001'), ...flags, '--merchant-column', 'Description');
      expect(movement.merchantName ?? null).toBeNull();
      expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 1, failed: 0 });
      expect(run.stderr).toContain('recorded before with another');
    });
  });

  it('are not recorded again if a recorded file is imported with ids from another column: all rows fail', async () => {
    const path = await writeStatement(
      'Date,Description,Amount,Transaction ID,Ref\n2026-01-13,Shop,-5.00,TX-0001,R-1\n2026-01-14,Cafe,-6.00,TX-0002,R-2',
    );
    await bench.importing(path, ...flags);
    const run = await bench.importing(path, ...flags, '--id-column', 'Ref');
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 0, failed: 2 });
    expect(recordedIds()).toEqual(['TX-0001', 'TX-0002']);
  });

  it('are not recorded again if a later file has other ids for them; a new row in this file is recorded only once', async () => {
    const rows = (prefix: string, days: readonly number[]) =>
      writeStatement(
        [
          'Date,Description,Amount,Transaction ID',
          ...days.map((day) => `2026-01-1${day},Shop ${day},-${day}.00,${prefix}-00${day}`),
        ].join('\n'),
      );
    await bench.importing(await rows('EXPA', [1, 2, 3]), ...flags);
    const changed = await rows('EXPB', [1, 2, 3, 4]);
    for (const created of [1, 0]) {
      expect(summaryOf(await bench.importing(changed, ...flags))).toMatchObject({ created, failed: 3 });
      expect(bench.api.movements).toHaveLength(4);
    }
  });

  it('if one row has no id, this row fails, and counts as replayed after the user adds its movement by hand', async () => {
    await bench.importing(await csv('TX-0001'), ...flags);
    const mixed = await csv('', 'TX-0001');
    const run = await bench.importing(mixed, ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 1, failed: 1 });
    expect(run.stdout).toContain('centavo movements add');
    const details = ['--account', 'Checking', '--occurred-on', '2026-01-13', '--description', 'Coffee'];
    await bench.machine.run(['movements', 'add', '--type', 'expense', '--amount', '3', ...details]);
    expect(bench.api.movements).toHaveLength(2);
    expect(summaryOf(await bench.importing(mixed, ...flags))).toMatchObject({ created: 0, replayed: 2, failed: 0 });
  });

  it('are both recorded although a row with another text has their day and amount', async () => {
    const file = (...rows: string[]) =>
      writeStatement(['Date,Description,Amount,Transaction ID', ...rows.map((row) => `2026-01-13,${row}`)].join('\n'));
    await bench.importing(await file('Coffee,-3.00,TX-0001', 'Cocoa,-3.00,TX-0009'), ...flags);
    const run = await bench.importing(await file('Coffee,-3.00,TX-0002', 'Coffee,-3.00,TX-0001'), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 1, failed: 0 });
  });

  it('are reported as voided if they were voided, although a movement without an id has their day and amount', async () => {
    await bench.importing(await csv('TX-0001', ''), ...flags);
    Object.assign(bench.api.movements[0] as object, { voidedAt: '2026-01-20T00:00:00.000Z' });
    const run = await bench.importing(await csv('TX-0001'), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 1 });
    expect(run.stderr).toContain('1 of the replayed rows was recorded before and voided later');
  });

  it('fail in a second file together with their fees, even if the fees differ; --record-again records row and fee', async () => {
    const withFee = (id: string, fee: string) =>
      writeStatement(`Date,Description,Amount,Fee,Transaction ID\n2026-01-13,Coffee,-3.00,${fee},${id}`);
    const fee = ['--fee-column', 'Fee'];
    await bench.importing(await withFee('TX-0001', '1.50'), ...flags, ...fee);
    const second = await withFee('TX-0002', '2.50');
    expect(summaryOf(await bench.importing(second, ...flags, ...fee))).toMatchObject({ created: 0, failed: 2 });
    const run = await bench.importing(second, ...flags, ...fee, '--record-again');
    expect(summaryOf(run)).toMatchObject({ created: 2, failed: 0 });
    expect(bench.api.movements.map(({ amountDecimal }) => amountDecimal)).toEqual(['3', '1.5', '3', '2.5']);
  });

  it('are recorded only if they are new: a voided row below a new row is not recorded again', async () => {
    await bench.importing(await csv('TX-0001'), ...flags);
    Object.assign(bench.api.movements[0] as object, { voidedAt: '2026-01-20T00:00:00.000Z' });
    const run = await bench.importing(await csv('TX-0002', 'TX-0001'), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 1, failed: 0 });
    expect(run.stderr).toContain('1 of the replayed rows was recorded before and voided later');
    expect(recordedIds()).toEqual(['TX-0001', 'TX-0002']);
  });

  it('are voided separately: --undo of the second file does not void the row of the first file', async () => {
    bench.api.hasBulk = true;
    await bench.importing(await csv('TX-0001'), ...flags);
    const second = await csv('TX-0002');
    await bench.importing(second, ...flags, '--record-again');
    expect(summaryOf(await bench.importing(second, ...flags, '--undo'))).toMatchObject({ voided: 1, notRecorded: 0 });
    expect(bench.api.movements.map(({ voidedAt }) => typeof voidedAt)).toEqual(['undefined', 'string']);
    const run = await bench.importing(second, ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 1 });
    expect(run.stderr).toContain('1 of the replayed rows was recorded before and voided later');
    expect(summaryOf(await bench.importing(second, ...flags, '--record-again'))).toMatchObject({ created: 1 });
    expect(summaryOf(await bench.importing(second, ...flags))).toMatchObject({ created: 0, replayed: 1, failed: 0 });
    expect(summaryOf(await bench.importing(second, ...flags, '--undo'))).toMatchObject({ voided: 1, notRecorded: 0 });
  });
});
