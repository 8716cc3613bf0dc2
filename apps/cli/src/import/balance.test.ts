import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));
const importing = (path: string, ...flags: string[]) =>
  bench.importing(path, '--account', 'Checking', '--yes', ...flags);

describe('an import of a file whose balance column contradicts a row', () => {
  const write = () =>
    writeStatement(
      [
        'Date,Description,Amount,Balance',
        '2026-01-01,Pay,100.00,100.00',
        '2026-01-02,Shop,-30.50,69.50',
        '2026-01-03,Cafe,-5.00,50.00',
        '2026-01-04,Pay,10.00,60.00',
      ].join('\n'),
    );

  it('exits 2, names the line of the row, and records nothing, even with --yes', async () => {
    const refused = await importing(await write());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('the balance column agrees on 3 of 4 rows');
    expect(refused.stderr).toContain('the balance before line 4 must be 55, but the balance after line 3 is 69.5');
    expect(refused.stderr).toContain('--ignore-balance');
    expect(bench.api.movements).toEqual([]);
  });

  it('records all rows with --ignore-balance', async () => {
    const run = await importing(await write(), '--ignore-balance');
    expect(summaryOf(run)).toMatchObject({ created: 4, failed: 0 });
  });
});

describe('an import of a file with a column of fees', () => {
  const write = () =>
    writeStatement(
      [
        'Date,Description,Amount,Fee,Balance',
        '2026-03-13,Transfer abroad,-100.00,1.50,898.50',
        '2026-03-14,Salary,500.00,0.00,1398.50',
        '2026-03-15,Transfer abroad,-50.00,0.75,1347.75',
      ].join('\n'),
    );
  const fees = ['--fee-column', 'Fee'];
  const recorded = () =>
    bench.api.movements.map(({ type, amountDecimal, description }) => [type, amountDecimal, description]);

  it('records each fee once as a separate expense with --fee-column', async () => {
    const path = await write();
    const run = await importing(path, ...fees);
    expect(summaryOf(run)).toMatchObject({ rows: 5, created: 5, failed: 0 });
    expect(run.stderr).toContain('ROWS counts each fee as a separate row.');
    expect(recorded()).toEqual(
      expect.arrayContaining([
        ['expense', '100', 'Transfer abroad'],
        ['expense', '1.5', 'Fee: Transfer abroad'],
        ['expense', '0.75', 'Fee: Transfer abroad'],
      ]),
    );
    expect(summaryOf(await importing(path, ...fees))).toMatchObject({ rows: 5, created: 0, replayed: 5 });
  });

  it('replays rows that an earlier import recorded without their fees, and records the fees with --fee-column', async () => {
    const path = await write();
    expect(summaryOf(await importing(path, '--ignore-balance', '--fee-column', ''))).toMatchObject({
      rows: 3,
      created: 3,
    });
    expect(summaryOf(await importing(path, ...fees))).toMatchObject({ rows: 5, created: 2, replayed: 3 });
  });

  it('counts a row with a fee but no amount as one created row, as in a file of Capitec', async () => {
    const path = await writeStatement(
      [
        'Nr,Account,Posting Date,Transaction Date,Description,Original Description,Category,Money In,Money Out,Fee,Balance',
        '1,1234567890,2026-03-01,2026-03-01,Payment Received,Payment Received: J Doe,Salary,1000.00,,,1000.00',
        '2,1234567890,2026-03-13,2026-03-13,Cash Withdrawal,ATM Withdrawal,Cash,,-300.00,-10.00,690.00',
        '3,1234567890,2026-03-14,2026-03-14,Monthly Account Fee,Monthly Account Fee,Fees,,,-7.50,682.50',
      ].join('\n'),
    );
    const run = await importing(path, ...fees);
    expect(summaryOf(run)).toMatchObject({ rows: 4, created: 4, skipped: 0, failed: 0 });
    expect(run.stderr).not.toContain('skipped');
    expect(recorded()).toContainEqual(['expense', '7.5', 'Fee: Monthly Account Fee']);
  });

  it('reports a row and its fee as two failures if both are in another currency than the account, as in a file of Airwallex', async () => {
    const path = await writeStatement(
      [
        'Time,Type,Description,Debit Amount,Debit Currency,Credit Amount,Credit Currency,Fee,Fee Currency',
        '2026-03-14,Deposit,ACME,,,1000.00,USD,,',
        '2026-03-26,Card,Hotel,80.00,GBP,,,0.50,GBP',
      ].join('\n'),
    );
    expect(summaryOf(await importing(path, ...fees))).toMatchObject({
      rows: 3,
      created: 1,
      failures: [
        { line: 3, reason: 'it is in GBP, but the account Checking is in USD' },
        {
          line: 3,
          reason: 'its fee is in GBP, but the account Checking is in USD: record the fee manually in an account in GBP',
        },
      ],
    });
  });

  it('counts each fee as a row to record, in a dry run with --fee-column', async () => {
    expect(summaryOf(await importing(await write(), ...fees, '--dry-run'))).toMatchObject({ rows: 5, wouldRecord: 5 });
    expect(bench.api.movements).toEqual([]);
  });

  it('exits 2 and names --fee-column if the balances include fees that would not be recorded', async () => {
    const refused = await importing(await write());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--fee-column "Fee"');
    expect(bench.api.movements).toEqual([]);
  });

  it('reads the fees without --fee-column if an earlier import saved the column with --save-mapping', async () => {
    const path = await write();
    await importing(path, ...fees, '--save-mapping');
    expect(summaryOf(await importing(path))).toMatchObject({ rows: 5, created: 0, replayed: 5 });
  });
});

describe('an import of an OFX file with a ledger balance', () => {
  const transaction = (amount: string, day: string) =>
    `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}<FITID>${day}<NAME>Shop</STMTTRN>`;
  const write = (name: string, { start, row, balance, day }: Record<'start' | 'row' | 'balance' | 'day', string>) =>
    writeStatement(
      `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>9<ACCTID>111</BANKACCTFROM><BANKTRANLIST><DTSTART>${start}${row}</BANKTRANLIST><LEDGERBAL><BALAMT>${balance}<DTASOF>${day}</LEDGERBAL></STMTRS></OFX>`,
      name,
    );
  const writeJanuary = () =>
    write('january.ofx', {
      start: '20260101',
      row: transaction('-2.50', '20260102'),
      balance: '1234.00',
      day: '20260131',
    });
  const writeFebruary = (balance: string) =>
    write('february.ofx', { start: '20260131', row: transaction('-34.00', '20260202'), balance, day: '20260228' });
  const recorded = () => bench.api.movements.map(({ occurredOn, amountDecimal }) => [occurredOn, amountDecimal]);

  it.each([[], ['--dry-run']])(
    'exits 2, names both files and records nothing if the balance contradicts the balance of an earlier file, even with --yes',
    async (...flags) => {
      const january = await writeJanuary();
      await importing(january);
      const february = await writeFebruary('1300.00');
      const refused = await importing(february, ...flags);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(
        `The ledger balances 1234.00 USD on 2026-01-31 (${january}) and 1300.00 USD on 2026-02-28 (${february}) differ by 66.00 USD, but the transactions between them sum to -34.00 USD.`,
      );
      expect(refused.stderr).toContain('--ignore-balance');
      expect(recorded()).toEqual([['2026-01-02', '2.5']]);
    },
  );

  it('with --ignore-balance, records the rows even if the balance contradicts that of an earlier file', async () => {
    await importing(await writeJanuary());
    const run = await importing(await writeFebruary('1300.00'), '--ignore-balance');
    expect(summaryOf(run)).toMatchObject({ created: 1, failed: 0 });
  });

  it('records the rows if the transactions since the balance of an earlier file sum to the difference of the two balances', async () => {
    await importing(await writeJanuary());
    const run = await importing(await writeFebruary('1200.00'));
    expect(run.stderr).toContain('agree with it');
    expect(summaryOf(run)).toMatchObject({ created: 1, failed: 0 });
  });

  it('records the rows even if the balance contradicts that of a file that only a dry run has read', async () => {
    await importing(await writeJanuary(), '--dry-run');
    const run = await importing(await writeFebruary('1300.00'));
    expect(summaryOf(run)).toMatchObject({ created: 1, failed: 0 });
  });

  it('records the rows and warns if the ledger balance cannot be saved', async () => {
    const profile = join(bench.machine.configHome, 'centavo/profiles/default');
    await mkdir(profile, { recursive: true });
    await writeFile(join(profile, 'ledger-balances'), 'not a directory');
    const run = await importing(await writeJanuary());
    expect([run.code, summaryOf(run).created]).toEqual([0, 1]);
    expect(run.stderr).toContain('Could not save the balances of this file');
  });
});
