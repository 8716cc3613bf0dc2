import { describe, expect, it } from 'vitest';
import { creating, ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import {
  arrived,
  balancesOf,
  paid,
  rightBalances,
  shop,
  writeHousehold,
  writeRows,
} from '../../test-support/pairs-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();

describe('a second import', () => {
  it('counts the rows of a recorded transfer as replayed, and sends no request for them', async () => {
    const path = await writeHousehold();
    await bench.pairing(path);
    const sent = bench.api.writes.length;
    const again = await bench.pairing(path);
    expect(summaryOf(again)).toMatchObject({ created: 0, replayed: 3, failed: 0 });
    expect(again.stderr).toContain('2 rows are in transfers that are recorded already.');
    // All three requests are for the purchase: the probe of its key, the check for the bulk operation, and the row
    // itself.
    expect(bench.api.writes.slice(sent)).toEqual(['POST /movements', 'POST /movements/bulk', 'POST /movements']);
    expect(bench.api.requests.at(-1)?.body.description).toBe('Shop');
    expect(balancesOf(bench.api)).toEqual(rightBalances);
  });

  it('replays the rows of a recorded transfer, even without --pair-transfers', async () => {
    const path = await writeHousehold();
    await bench.pairing(path);
    expect(summaryOf(await bench.importing(path, ...creating))).toMatchObject({ created: 0, replayed: 3, failed: 0 });
    expect(balancesOf(bench.api)).toEqual(rightBalances);
  });

  it('with --pair-transfers, creates no transfer from recorded movements, even if they were corrected', async () => {
    const path = await writeHousehold();
    await bench.importing(path, ...creating);
    for (const movement of bench.api.movements) Object.assign(movement, { description: 'corrected' });
    const run = await bench.pairing(path);
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 3, failed: 0 });
    expect(run.stderr).toContain('An earlier import recorded a row of 1 pair as a movement');
    expect(bench.api.records.transfers).toEqual([]);
    expect(bench.api.movements).toHaveLength(3);
  });

  it('records the second row of a pair as a movement if the first row was recorded as a movement', async () => {
    await bench.pairing(await writeRows(shop, paid));
    expect(summaryOf(await bench.pairing(await writeRows(shop, paid, arrived)))).toMatchObject({
      created: 1,
      replayed: 2,
    });
    expect(bench.api.records.transfers).toEqual([]);
    expect(balancesOf(bench.api)).toEqual(rightBalances);
    expect(summaryOf(await bench.pairing(await writeRows(shop, paid, arrived)))).toMatchObject({
      created: 0,
      replayed: 3,
    });
  });

  it('replays one row of a transfer if the file does not contain the other row', async () => {
    await bench.pairing(await writeHousehold());
    for (const row of [paid, arrived]) {
      expect(summaryOf(await bench.pairing(await writeRows(row)))).toMatchObject({ rows: 1, created: 0, replayed: 1 });
    }
    expect(balancesOf(bench.api)).toEqual(rightBalances);
  });

  it('replays the two rows of a transfer on another machine, in one file or in separate files', async () => {
    await bench.pairing(await writeHousehold());
    for (const rows of [[arrived], [paid], [shop, paid, arrived]]) {
      await bench.replaceMachine();
      const run = await bench.importing(await writeRows(...rows), ...creating);
      expect(summaryOf(run)).toMatchObject({ created: 0, replayed: rows.length });
    }
    expect(balancesOf(bench.api)).toEqual(rightBalances);
  });

  it('replays rows with long texts, although the transfer contains only the beginnings of the texts', async () => {
    const [out, back] = ['Wohnung '.repeat(80), 'Küche '.repeat(80)];
    const rows = [paid.replace('Card Payment', out), arrived.replace('Thank You', back)];
    await bench.pairing(await writeRows(...rows));
    const description = String(bench.api.records.transfers[0]?.description);
    expect([...description].length).toBeLessThanOrEqual(500);
    expect(description).toMatch(/^Wohnung .{150,} \/ Küche .{150,} \(arrived 2026-01-24\) \[import \w{12} \w{12}\]$/);
    for (const row of rows) {
      expect(summaryOf(await bench.pairing(await writeRows(row)))).toMatchObject({ created: 0, replayed: 1 });
    }
  });

  it('records no row of a transfer twice if --minus or --amount-column differs from the first import', async () => {
    const rows = ['2026-01-22,Out,-80,-81,Checking', '2026-01-22,In,80,81,Savings'];
    const path = await writeStatement(['Date,Description,Amount,Other,Account', ...rows].join('\n'));
    await bench.pairing(path, '--amount-column', 'Amount');
    expect(bench.api.records.transfers).toHaveLength(1);
    for (const flags of [
      ['--minus', 'income'],
      ['--amount-column', 'Other'],
    ]) {
      expect(summaryOf(await bench.importing(path, ...creating, ...flags))).toMatchObject({ created: 0, replayed: 2 });
    }
    expect(bench.api.movements).toHaveLength(2);
  });

  it('records a new row even if only its text differs from a row of a recorded transfer, and replays the other rows', async () => {
    await bench.pairing(await writeHousehold());
    const again = arrived.replace('Thank You', 'Cashback');
    expect(summaryOf(await bench.pairing(await writeRows(shop, paid, arrived, again)))).toMatchObject({
      created: 1,
      replayed: 3,
    });
    expect(balancesOf(bench.api)).toEqual([-566.99, 1109.98]);
  });

  it('exits 6 for a row whose text is part of the text of a transfer, and records it with --record-again', async () => {
    await bench.pairing(await writeHousehold());
    const row = await writeRows(paid.replace('Card Payment', 'Card'));
    const refused = await bench.importing(row, ...creating);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain('"Card", recorded as "Card Payment / Thank You (arrived 2026-01-24)"');
    const run = await bench.importing(row, ...creating, '--record-again');
    expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 0 });
  });

  it('records the outgoing row of a pair as a movement if the incoming row was recorded as a movement', async () => {
    await bench.importing(await writeRows(arrived), ...creating);
    expect(summaryOf(await bench.pairing(await writeRows(shop, paid, arrived)))).toMatchObject({
      created: 2,
      replayed: 1,
    });
    expect(bench.api.records.transfers).toEqual([]);
    expect(balancesOf(bench.api)).toEqual(rightBalances);
  });

  it('replays one of two equal rows that match one transfer, and records the other row', async () => {
    await bench.pairing(await writeHousehold());
    expect(summaryOf(await bench.pairing(await writeRows(paid, paid)))).toMatchObject({ created: 1, replayed: 1 });
    expect(balancesOf(bench.api)).toEqual([-1121.98, 554.99]);
  });

  it('leads to the balances of a complete import, no matter at which write the first import lost the connection', async () => {
    const rows = [shop, paid, arrived, '01/27/2026,Out,70,debit,x,Checking', '01/27/2026,In,70,credit,x,Platinum Card'];
    const path = await writeRows(...rows);
    for (let survived = 0; ; survived += 1) {
      bench.api.reset();
      await bench.replaceMachine();
      let writes = 0;
      // Only the first `survived` of these requests get a response, as if the program was killed after them.
      bench.api.fault = ({ url }) => {
        if (!/\/(movements|transfers)$/.test(url.pathname)) return undefined;
        writes += 1;
        return writes > survived ? Response.error() : undefined;
      };
      const crashed = await bench.pairing(path);
      bench.api.fault = () => undefined;
      const { code, stdout } = await bench.pairing(path);
      expect([code, summaryOf({ stdout })]).toMatchObject([0, { rows: 5, failed: 0 }]);
      expect(balancesOf(bench.api)).toEqual([-636.99, 624.99]);
      expect(bench.api.records.transfers).toHaveLength(2);
      expect(bench.api.movements).toHaveLength(5);
      if (crashed.code === 0) break;
    }
  });
});
