import { describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();

/** Returns the lines of stderr, with a colon instead of the padding after a label. */
const shownBy = ({ stderr }: { stderr: string }) =>
  stderr.split('\n').map((line) => line.trim().replace(/ {2,}/, ': '));
const movements = () => bench.api.movements.map(({ type, amountDecimal }) => `${type} ${amountDecimal}`);

describe('an import of a QIF file', () => {
  const path = () =>
    writeStatement('!Type:Bank\nD13/01/2026\nT-1.234,50\nPLandlord\nLRent\n^\nD14/01/2026\nT20\n^\n', 'bank.qif');

  it('prints date format, decimals and totals in a dry run, and records nothing', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const run = await bench.importing(await path(), '--account', 'Checking', '--dry-run');
    expect(run.code).toBe(0);
    expect(shownBy(run)).toEqual(
      expect.arrayContaining([
        'date format: DD/MM/YYYY',
        'decimals: 1.234,56',
        'encoding: utf-8',
        'transactions: 2',
        'account: no account named, 2 rows, 2026-01-13 to 2026-01-14, expenses 1234.50, incomes 20',
        'categories: 1 category of the file is left out, because it is missing or unusable in this tracker: Rent; --create-categories creates missing ones',
      ]),
    );
    expect(bench.api.writes).toEqual([]);
  });

  it('prints the number of transactions, and records them without a question', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const run = await bench.importing(await path(), '--account', 'Checking');
    expect(shownBy(run)).toContain('transactions: 2');
    expect(run.questions).toEqual([]);
    expect(movements()).toEqual(['expense 1234.5', 'income 20']);
  });

  it('prints the date format even if it exits 5 because the account is unknown', async () => {
    const run = await bench.importing(await path(), '--account', 'Nope');
    expect(run.code).toBe(5);
    expect(shownBy(run)).toContain('date format: DD/MM/YYYY');
    expect(bench.api.writes).toEqual([]);
  });

  it('prints totals and records rows only for the account that --statement-account names', async () => {
    bench.api.addAccount({ name: 'Card' });
    const account = (name: string, rows: string) => `!Account\nN${name}\nTBank\n^\n!Type:Bank\n${rows}`;
    const both =
      account('Giro', 'D13/01/2026\nT-5\n^\n') + account('Visa', 'D14/01/2026\nT-6\n^\nD15/01/2026\nT-7\n^\n');
    const flags = ['--statement-account', 'Visa=Card'];
    const run = await bench.importing(await writeStatement(both, 'both.qif'), ...flags);
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 2 });
    expect(shownBy(run).filter((line) => line.startsWith('account'))).toEqual([
      'account: Visa, 2 rows, 2026-01-14 to 2026-01-15, expenses 13, incomes 0',
    ]);
    expect(movements()).toEqual(['expense 6', 'expense 7']);
  });
});

describe('an import of a CAMT.053 file', () => {
  const entry = (day: string, amount: string, side: string) =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt></Ntry>`;
  const statement = (iban: string, ...entries: string[]) =>
    `<Stmt><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>${entries.join('')}</Stmt>`;
  const path = () =>
    writeStatement(
      `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${statement('NL01', entry('2026-01-02', '5.00', 'DBIT'), entry('2026-01-03', '7.10', 'CRDT'))}${statement('NL02', entry('2026-01-04', '9.00', 'DBIT'))}</BkToCstmrStmt></Document>`,
      'bank.xml',
    );
  const first = 'account: NL01, 2 rows, 2026-01-02 to 2026-01-03, expenses 5.00 EUR, incomes 7.10 EUR';
  const second = 'account: NL02, 1 row, 2026-01-04 to 2026-01-04, expenses 9.00 EUR, incomes 0.00 EUR';

  it('prints the totals of each account even if it exits 2 without --account', async () => {
    const run = await bench.importing(await path());
    expect(run.code).toBe(2);
    expect(shownBy(run)).toEqual(expect.arrayContaining([first, second]));
    expect(bench.api.writes).toEqual([]);
  });

  it('prints totals and records rows only for the account that --statement-account names', async () => {
    bench.api.addAccount({ name: 'Giro', currencyCode: 'EUR' });
    const run = await bench.importing(await path(), '--statement-account', 'NL 01', '--account', 'Giro');
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 2 });
    expect(shownBy(run)).toContain(first);
    expect(shownBy(run)).not.toContain(second);
    expect(movements()).toEqual(['expense 5', 'income 7.1']);
  });
});

describe('an OFX file without signs', () => {
  const row = (type: string, amount: string) =>
    `<STMTTRN><TRNTYPE>${type}<DTPOSTED>20260102<TRNAMT>${amount}<FITID>${type}</STMTTRN>`;

  it('is read with DEBIT as an expense and CREDIT as an income; an XFER row fails', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const rows = row('DEBIT', '45.30') + row('CREDIT', '7.00') + row('XFER', '8.00');
    const content = `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>42<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows}</BANKTRANLIST></STMTRS></OFX>`;
    const run = await bench.importing(await writeStatement(content, 'bank.ofx'), '--account', 'Checking');
    expect(shownBy(run)).toContain('signs: no amount has a minus, so the types decide: DEBIT is an expense');
    expect(shownBy(run)).toContain(
      'account: 42, 3 rows, 2026-01-02 to 2026-01-02, expenses 45.30 USD, incomes 7.00 USD',
    );
    expect(summaryOf(run)).toMatchObject({ created: 2, failed: 1, failures: [{ line: 3 }] });
    expect(movements()).toEqual(['expense 45.3', 'income 7']);
  });
});

it('an import of a file with only headers reports that there are no rows, and exits 0', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const run = await bench.importing(await writeStatement('Date,Amount\n'), '--account', 'Checking');
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('There are no rows');
});

it('an import of an OFX file prints the days and totals of each account, and asks no question', async () => {
  bench.api.addAccount({ name: 'Checking' });
  const entry = (day: string, amount: string, id: string) =>
    `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>Shop</STMTTRN>`;
  const rows = [entry('20260115', '-45.3', '1'), entry('20260113', '-1.20', '2'), entry('20260114', '7', '3')];
  const path = await writeStatement(
    `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>42<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
  );
  const run = await bench.importing(path, '--account', 'Checking');
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('42, 3 rows, 2026-01-13 to 2026-01-15, expenses 46.50 USD, incomes 7.00 USD');
});
