import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const header = 'Type,Date,Num,Name,Memo,Split,Debit,Credit';
const ledger = [
  'Deposit,01/13/2026,,Client A,Invoice 1,Sales,1000.00,',
  'Check,01/14/2026,101,Office Depot,Paper,Office,,45.10',
  'Check,01/15/2026,102,Landlord,Rent,Rent,,700.00',
];

describe('a balance column in which all balances are debits', () => {
  const lines = (side: string) => [
    'Datum;Buchungstext;Soll;Haben;Saldo',
    `05.01.2026;Zahlungseingang ACME;2.500,00;;3.500,00 ${side}`,
    `13.01.2026;Miete Januar;;700,00;2.800,00 ${side}`,
  ];

  it('requires --debit-column and --credit-column, because a debit may be money in', async () => {
    const { question } = await readExport(lines('S'));
    expect(question).toMatchObject({
      message:
        'All balances are debits, such as "3.500,00 S". Either the account is overdrawn, or a debit is money in.',
      remedy: expect.stringContaining('--debit-column "Haben" --credit-column "Soll"'),
      requiresOption: true,
    });
    const { question: none, rows } = await readExport(lines('S'), { columns: { debit: 'Soll', credit: 'Haben' } });
    expect(none?.requiresOption).toBeUndefined();
    expect(rows[0]).toBe('2026-01-05 -2500 Zahlungseingang ACME');
  });

  it('requires no option if a balance is a credit', async () => {
    const [headers = '', first = '', second = ''] = lines('S');
    const credit = '20.01.2026;Erstattung;;3.000,00;200,00 H';
    expect((await readExport([headers, first, second, credit])).question?.requiresOption).toBeUndefined();
  });
});

describe('debit and credit columns beside a column with the other account of each entry', () => {
  const lines = (...accounts: readonly [string, string]) => [
    'Datum;Gegenkonto;Buchungstext;Soll;Haben',
    `13.01.2026;${accounts[0]};Staples;;45,20`,
    `14.01.2026;${accounts[1]};Müller GmbH RE 12;1250,00;`,
  ];

  it('require --debit-column and --credit-column if the accounts are those of a ledger', async () => {
    expect((await readExport(lines('4930', '10001'))).question).toMatchObject({
      message:
        'The column "Gegenkonto" seems to have the accounts of a ledger. In a ledger, a debit of a bank account is money in.',
      remedy: expect.stringContaining('--debit-column "Haben" --credit-column "Soll"'),
      requiresOption: true,
    });
  });

  it('require no option if an account has another form, such as that of an IBAN', async () => {
    const file = lines('4930', 'DE02120300000000202051');
    expect((await readExport(file)).question?.requiresOption).toBeUndefined();
  });
});

describe('debit and credit columns that contradict the texts', () => {
  const ledger = [
    'Date,Description,Debit,Credit',
    '05/01/2026,Salary ACME,2500.00,0.00',
    '13/01/2026,Rent,0.00,700.00',
  ];

  it('require --debit-column and --credit-column if an income is a debit and an expense is a credit', async () => {
    const { question } = await readExport(ledger);
    expect(question).toMatchObject({
      message:
        'The texts contradict the columns "Debit" and "Credit": line 2 ("Salary ACME") has a debit, and line 3 ("Rent") has a credit.',
      requiresOption: true,
    });
  });

  it.each(['Insurance,30.00,0.00', 'Dividend,0.00,12.00'])(
    'require no option if a text agrees with its column: %s',
    async (row) => {
      expect((await readExport([...ledger, `14/01/2026,${row}`])).question?.requiresOption).toBeUndefined();
    },
  );

  it('require no option if only incomes are debits', async () => {
    const incomes = [...ledger.slice(0, 2), '14/01/2026,Pension,80.00,0.00'];
    expect((await readExport(incomes)).question?.requiresOption).toBeUndefined();
  });
});

describe('debit and credit columns that contradict the transaction types', () => {
  it('require --debit-column and --credit-column, because in accounting software a debit is money in', async () => {
    const { question } = await readExport([header, ...ledger]);
    expect(question).toEqual({
      message:
        'The words of the column "Type", such as "Deposit" in line 2, contradict the columns "Debit" and "Credit".',
      remedy:
        'In an export of accounting software, swap the columns: --debit-column "Credit" --credit-column "Debit". If a debit is money out, use --debit-column "Debit" --credit-column "Credit".',
      requiresOption: true,
    });
    const columns = { debit: 'Credit', credit: 'Debit' };
    const { question: none, rows } = await readExport([header, ...ledger], { columns });
    expect(none?.requiresOption).toBeUndefined();
    expect(rows.map((row) => row.split(' ')[1])).toEqual(['+1000', '-45.1', '-700']);
  });

  it('require no option if the type of at least one transaction agrees with its column', async () => {
    const bank = [
      'Deposit,01/13/2026,,A,,,,1000.00',
      'Check,01/14/2026,101,B,,,,45.10',
      'Check,01/15/2026,102,C,,,,7.00',
    ];
    expect((await readExport([header, ...bank])).question?.requiresOption).toBeUndefined();
  });
});
