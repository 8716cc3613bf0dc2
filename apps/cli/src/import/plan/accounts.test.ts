import { describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { findRealStatement, writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

const row = (id: string, amount: string, day = '20260102') =>
  `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>Row ${id}</STMTTRN>`;
const bank = (rows: string, { currency = 'USD', number = '111' } = {}) =>
  `<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>${number}<ACCTTYPE>SAVINGS</BANKACCTFROM><BANKTRANLIST>${rows}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1>`;
const card = (rows: string) =>
  `<CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>222</CCACCTFROM><BANKTRANLIST>${rows}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>`;
const write = (...statements: string[]) =>
  writeStatement(`OFXHEADER:100\nCHARSET:1252\n\n<OFX>${statements.join('')}</OFX>\n`, 'statement.ofx');
const recordedIn = (name: string) => {
  const account = bench.api.accounts.find((candidate) => candidate.name === name);
  const own = bench.api.movements.filter(({ accountId }) => accountId === account?.id);
  return own.map(({ type, amountDecimal }) => `${type} ${amountDecimal}`);
};

describe('a statement of one account', () => {
  it('is imported into the account that --account names, without further flags', async () => {
    bench.api.addAccount({ name: 'Savings' });
    const run = await bench.importing(await write(bank(row('1', '-5') + row('2', '7'))), '--account', 'Savings');
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 2, failed: 0 });
    expect(recordedIn('Savings')).toEqual(['expense 5', 'income 7']);
  });

  it('is imported into a new account with the type and currency of the file', async () => {
    const path = await write(bank(row('1', '-5'), { currency: 'EUR' }));
    for (const flags of [['--account', 'Savings'], []]) {
      bench.api.reset();
      const run = await bench.importing(path, ...flags, '--create-accounts');
      expect(run.code).toBe(0);
      expect(bench.api.accounts).toMatchObject([{ name: flags[1] ?? '111', type: 'savings', currencyCode: 'EUR' }]);
    }
  });

  it('is imported without --account if its account number is the name of an account; otherwise the import exits 2', async () => {
    const path = await write(bank(row('1', '-5')));
    const refused = await bench.importing(path);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('there is no account "111"');
    expect(refused.stderr).toContain('Name the account with --account, or create it with --create-accounts');
    expect(bench.api.writes).toEqual([]);
    bench.api.addAccount({ name: '111' });
    expect(await bench.importing(path)).toMatchObject({ code: 0 });
  });

  it('is refused with exit code 2 if the currency of the account differs; the message names both currencies', async () => {
    bench.api.addAccount({ name: 'Savings' });
    const path = await write(bank(row('1', '-5'), { currency: 'CAD' }));
    const run = await bench.importing(path, '--account', 'Savings');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('The statement of 111 is in CAD, but the account Savings is in USD.');
    const made = await bench.importing(path, '--account', 'New', '--create-accounts', '--currency', 'EUR');
    expect(made.code).toBe(2);
    expect(made.stderr).toContain('in CAD, but the account New is in EUR');
    expect(bench.api.writes).toEqual([]);
  });
});

describe('a statement of several accounts', () => {
  const both = () => write(bank(row('1', '-5')), card(row('1', '-6') + row('2', '-7')));

  it('is refused with exit code 2 if only --account is set; the message lists the accounts of the file and --statement-account', async () => {
    bench.api.addAccount({ name: 'Savings' });
    const run = await bench.importing(await both(), '--account', 'Savings');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('the file has rows of several: "111", USD, 1 row; "222", USD, 2 rows.');
    expect(run.stderr).toContain('--statement-account "111"');
    expect(bench.api.writes).toEqual([]);
  });

  it('is imported for one account with --statement-account', async () => {
    bench.api.addAccount({ name: 'Visa' });
    const run = await bench.importing(await both(), '--account', 'Visa', '--statement-account', '222');
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 2 });
    expect(recordedIn('Visa')).toEqual(['expense 6', 'expense 7']);
  });

  it('is imported into the accounts that --statement-account names', async () => {
    for (const name of ['Savings', 'Visa']) bench.api.addAccount({ name });
    const flags = ['--statement-account', '111=Savings', '--statement-account', '2 2 2=Visa'];
    expect(summaryOf(await bench.importing(await both(), ...flags))).toMatchObject({ rows: 3, created: 3 });
    expect([recordedIn('Savings'), recordedIn('Visa')]).toEqual([['expense 5'], ['expense 6', 'expense 7']]);
  });

  it('is imported into new accounts of the right types with --create-accounts', async () => {
    expect(await bench.importing(await both(), '--create-accounts')).toMatchObject({ code: 0 });
    expect(bench.api.accounts).toMatchObject([
      { name: '111', type: 'savings' },
      { name: '222', type: 'credit_card' },
    ]);
  });

  it('is refused with exit code 2, and recorded for no account, if one of its accounts is unknown', async () => {
    bench.api.addAccount({ name: '111' });
    const run = await bench.importing(await both());
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('there is no account "222"');
    expect(run.stderr).not.toContain('there is no account "111"');
    expect(bench.api.writes).toEqual([]);
    expect(run.stderr).toContain('Map it with --statement-account "222=ACCOUNT"');
  });

  it('is imported with --pair-transfers, which records a transfer between two of its accounts', async () => {
    const purchase = row('2', '-7').replace('<DTPOSTED>', '<TRNTYPE>DEBIT<DTPOSTED>');
    const path = await write(bank(row('1', '-80', '20260103')), card(row('1', '80', '20260104') + purchase));
    const flags = ['--create-accounts', '--pair-transfers', '--yes'];
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ rows: 3, created: 3 });
    expect(bench.api.records.transfers).toMatchObject([{ amountDecimal: '80', occurredOn: '2026-01-03' }]);
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 3 });
    expect(bench.api.movements).toHaveLength(3);
  });

  it('is imported as one transfer; in the next import, a side with a new text is replayed, and a side with a new amount fails', async () => {
    const moved = (text: string, amount = '-80') => row('1', amount, '20260103').replace('Row 1', text);
    const flags = ['--create-accounts', '--pair-transfers', '--yes'];
    await bench.importing(await write(bank(moved('Out')), card(row('1', '80', '20260104'))), ...flags);
    // The API returns amounts with the decimal places of the currency.
    for (const leg of bench.api.movements) Object.assign(leg, { amountDecimal: '80.00' });
    const again = await bench.importing(await write(bank(moved('Out to card'))), ...flags);
    expect(summaryOf(again)).toMatchObject({ created: 0, replayed: 1 });
    const reused = await bench.importing(await write(bank(moved('Rent', '-90'))), ...flags);
    expect(summaryOf(reused)).toMatchObject({
      created: 0,
      failed: 1,
      failures: [{ reason: 'it was recorded before, in a transfer with another amount (80)' }],
    });
    expect(bench.api.movements).toHaveLength(2);
  });

  it.each([
    [['--statement-account', '333'], 'no account "333"'],
    [['--statement-account', '=Visa'], 'is incomplete'],
    [['--statement-account', '111=Visa', '--account', 'Visa'], 'cannot be combined'],
  ])('is refused with exit code 2 for the flags %j', async (flags, message) => {
    const run = await bench.importing(await both(), ...flags);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });
});

describe('the transaction ids of a statement', () => {
  const importing = async (...rows: string[]) =>
    summaryOf(await bench.importing(await write(bank(rows.join(''))), '--account', 'Savings', '--create-accounts'));

  it('identify their rows in a later export, so that only new rows are recorded', async () => {
    await importing(row('1', '-5'), row('2', '-6'));
    expect(await importing(row('2', '-6'), row('3', '-7'))).toMatchObject({ created: 1, replayed: 1 });
  });

  it('may repeat: rows with the same id are all recorded if they differ, but the second of two identical rows fails', async () => {
    const rows = [row('1', '-5'), row('1', '-0.50'), row('1', '-5'), row('2', '-7')].map((text) => `${text}\n`);
    const failures = [
      {
        line: 6,
        reason:
          'it has the same id ("1"), day, amount and texts as line 4. If it is another payment, record it with "centavo movements add"',
      },
    ];
    expect(await importing(...rows)).toMatchObject({ rows: 4, created: 3, skipped: 0, failed: 1, failures });
    expect(recordedIn('Savings')).toEqual(['expense 5', 'expense 0.5', 'expense 7']);
    expect(await importing(...rows)).toMatchObject({ created: 0, replayed: 3, skipped: 0, failed: 1, failures });
  });

  it('identify a row that a later statement of the same file repeats, so that the import skips the repeated row', async () => {
    const both = (statement: string) => statement + statement.replace('</BANKTRANLIST>', `${row('2', '-7')}$&`);
    for (const number of ['111', '']) {
      bench.api.reset();
      const path = await write(both(bank(row('1', '-5'), { number })));
      const summary = summaryOf(await bench.importing(path, '--account', 'Savings', '--create-accounts'));
      expect(summary).toMatchObject({ rows: 3, created: 2, skipped: 1, failed: 0 });
    }
  });

  it('cause a failed row if the bank reuses an id for another transaction', async () => {
    await importing(row('1', '-5'));
    expect(await importing(row('1', '-9'))).toMatchObject({
      failed: 1,
      failures: [{ reason: expect.stringContaining('recorded before with other details') }],
    });
  });
});

describe('a row with the amount zero', () => {
  it('is skipped, and the import reports this', async () => {
    const path = await write(bank(row('1', '0.00') + row('2', '-5')));
    const run = await bench.importing(path, '--account', 'Savings', '--create-accounts');
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 1, skipped: 1, failed: 0 });
    expect(run.stderr).toContain('1 skipped: its amount is zero');
  });
});

describe('a real statement', () => {
  for (const [name, currencyCode, rows] of [
    ['checking-us.ofx', 'USD', 3],
    ['bank-medium-ca.ofx', 'CAD', 3],
    ['camt053-v2-multi.xml', 'EUR', 2],
  ] as const) {
    const path = findRealStatement(name);
    const note = path === undefined ? ' (skipped: the file is not beside the repository)' : '';
    it.skipIf(path === undefined)(`is imported with --account alone: ${name}${note}`, async () => {
      bench.api.addAccount({ name: 'Mine', currencyCode });
      const first = await bench.importing(path ?? '', '--account', 'Mine');
      expect(summaryOf(first)).toMatchObject({ rows, created: rows, failed: 0, skipped: 0 });
      expect(summaryOf(await bench.importing(path ?? '', '--account', 'Mine'))).toMatchObject({ replayed: rows });
      expect(bench.api.movements).toHaveLength(rows);
    });
  }
});

describe('a CAMT.053 statement in XXX, which means no currency', () => {
  const entry = '<Amt Ccy="XXX">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-02</Dt></BookgDt>';
  const statement = `<Document xmlns="camt.053"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>NL01</IBAN></Id></Acct><Ntry>${entry}</Ntry></Stmt></BkToCstmrStmt></Document>`;
  const path = () => writeStatement(statement, 'bank.xml');

  it('is refused with exit code 2, and the message names --currency', async () => {
    bench.api.addAccount({ name: 'Giro', currencyCode: 'EUR' });
    const run = await bench.importing(await path(), '--account', 'Giro', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Use --currency EUR if the amounts are in EUR.');
    expect(bench.api.writes).toEqual([]);
  });

  it('is recorded in the currency of --currency, which must be the currency of the account', async () => {
    bench.api.addAccount({ name: 'Giro', currencyCode: 'EUR' });
    const other = await bench.importing(await path(), '--account', 'Giro', '--currency', 'USD');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('The statement of NL01 is in USD, but the account Giro is in EUR.');
    const run = await bench.importing(await path(), '--account', 'Giro', '--currency', 'EUR');
    expect(summaryOf(run)).toMatchObject({ created: 1, failed: 0 });
    expect(bench.api.movements).toMatchObject([{ type: 'expense', amountDecimal: '5' }]);
  });

  it('is imported into a new account with --currency, and refused without --currency', async () => {
    const refused = await bench.importing(await path(), '--create-accounts');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('"XXX" is not an ISO 4217 currency code (set one with --currency)');
    await bench.importing(await path(), '--create-accounts', '--currency', 'EUR');
    expect(bench.api.accounts).toMatchObject([{ name: 'NL01', currencyCode: 'EUR' }]);
    expect(bench.api.movements).toHaveLength(1);
  });
});

describe('rows in RUR, the former code of the rouble', () => {
  const path = () => writeStatement('Date,Amount,Currency\n2026-01-13,-5.00,RUR\n2026-01-14,-6.00,DEM\n');
  const importing = async (currency: string, ...flags: string[]) => {
    bench.api.addAccount({ name: 'Giro', currencyCode: currency });
    return summaryOf(await bench.importing(await path(), '--account', 'Giro', '--yes', ...flags));
  };

  it('fail in an account in RUB, and the message names --currency', async () => {
    expect(await importing('RUB')).toMatchObject({
      created: 0,
      failures: [
        { line: 2, reason: 'it is in RUR, but the account Giro is in RUB: use --currency RUB if RUR means RUB here' },
        { line: 3, reason: 'it is in DEM, but the account Giro is in RUB' },
      ],
    });
  });

  it('are recorded in an account in RUB with --currency RUB, while rows in DEM fail', async () => {
    expect(await importing('RUB', '--currency', 'RUB')).toMatchObject({ created: 1, failures: [{ line: 3 }] });
  });

  it('fail in an account in EUR, even with --currency EUR', async () => {
    expect(await importing('EUR', '--currency', 'EUR')).toMatchObject({
      created: 0,
      failures: [{ line: 2, reason: 'it is in RUR, but the account Giro is in EUR' }, { line: 3 }],
    });
  });
});
