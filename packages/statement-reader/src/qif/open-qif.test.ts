import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';

const file = (...records: string[]) => `!Type:Bank\n${records.map((record) => `${record}\n^\n`).join('')}`;

describe('the QIF reader', () => {
  it('reads date, amount, payee, memo and category', async () => {
    const { statement, transactions } = await readInTest(
      file(
        'D01/13/2026\nT-1,234.50\nN1001\nPLandlord\nMRent\nLHousing:Rent/Flat\nC*',
        'D01/14/2026\nU2000\nNDEP\nPWork',
      ),
    );
    expect(statement).toMatchObject({ format: 'qif', rowCount: 2, namesAccounts: false, accounts: [] });
    expect(transactions).toMatchObject([
      {
        direction: 'expense',
        amountDecimal: '1234.5',
        occurredOn: '2026-01-13',
        merchantName: 'Landlord',
        description: 'Rent',
        categoryName: 'Housing:Rent',
        accountName: null,
        statementId: null,
      },
      { direction: 'income', amountDecimal: '2000', merchantName: 'Work', description: null, categoryName: null },
    ]);
  });

  it('skips the opening balance of an account, but not a payment with the payee "Opening Balance"', async () => {
    const { rows } = await readInTest(
      file('D01/13/2026\nT1,000.00\nPOpening Balance\nL[Checking]', 'D01/14/2026\nT-5\nPOpening Balance\nLEquity'),
    );
    expect(rows).toMatchObject([
      { outcome: 'skipped', reason: 'it is the opening balance' },
      { outcome: 'transaction', transaction: { amountDecimal: '5' } },
    ]);
  });

  it('skips a voided transaction, but not a payment whose payee begins with VOID', async () => {
    const { rows } = await readInTest(
      file(
        'D01/13/2026\nT-40.00\nP**VOID** Rent\nLHousing',
        'D01/13/2026\nT-40.00\nPLandlord\nM**VOID** reissued',
        'D01/14/2026\nT-5\nPVOID Records',
      ),
    );
    expect(rows).toMatchObject([
      { outcome: 'skipped', reason: 'it is voided' },
      { outcome: 'skipped', reason: 'it is voided' },
      { outcome: 'transaction', transaction: { amountDecimal: '5' } },
    ]);
  });

  it('returns the currency symbol of an amount', async () => {
    const { transactions } = await readInTest(
      file('D01/13/2026\nT-£5.00', 'D01/14/2026\nTUSD -6.00', 'D01/15/2026\nT-7.00'),
    );
    expect(transactions.map(({ currencyCode, currencySymbol }) => currencySymbol ?? currencyCode)).toEqual([
      '£',
      'USD',
      null,
    ]);
  });

  it.each([
    ["D1/ 2'19", "D12/31'19", ['2019-01-02', '2019-12-31']],
    ["D2/ 1'19", "D31/12' 9", ['2019-01-02', '2009-12-31']],
    ['D1/2/99', "D12/31'05", ['1999-01-02', '2005-12-31']],
    ['D02.01.19', 'D31.12.2019', ['2019-01-02', '2019-12-31']],
    ['D2019-01-02', 'D2019-12-31', ['2019-01-02', '2019-12-31']],
    ['D02-01-2019', 'D31-12-2019', ['2019-01-02', '2019-12-31']],
  ])('detects the date format from the whole file: %s and %s', async (first, second, days) => {
    const { transactions } = await readInTest(file(`${first}\nT-5`, `${second}\nT-6`));
    expect(transactions.map(({ occurredOn }) => occurredOn)).toEqual(days);
  });

  it('requires --date-format if no day is above 12, and reads the dates in the format that this option names', async () => {
    const content = file("D1/ 2'19\nT-5.00", "D3/ 4'19\nT-6.00");
    await expect(readInTest(content)).rejects.toMatchObject({
      message: expect.stringContaining('can be read as MM/DD/YYYY and as DD/MM/YYYY'),
      remedy: expect.stringContaining('--date-format'),
    });
    for (const [dateFormat, day] of [
      ["D/M'YY", '2019-02-01'],
      ['MM/DD/YYYY', '2019-01-02'],
    ] as const) {
      const { transactions, statement } = await readInTest(content, { options: { dateFormat } });
      expect(transactions[0]?.occurredOn).toBe(day);
      expect(statement.interpretation?.lines).toContainEqual(['date format', expect.stringContaining('YYYY')]);
    }
  });

  it.each([
    ['D26/01/13', 'D26/01/13', 'YY/MM/DD', ['2026-01-13', '2026-01-13']],
    ['D25/12/15', 'D25/12/20', 'YY/MM/DD', ['2025-12-15', '2025-12-20']],
    ['D26-01-13', 'D26-03-18', 'YY-MM-DD', ['2026-01-13', '2026-03-18']],
    ['D26/ 1/13', 'D26/ 2/ 5', 'YY/MM/DD', ['2026-01-13', '2026-02-05']],
    ['D24.05.30', 'D24.06.02', 'YY.MM.DD', ['2024-05-30', '2024-06-02']],
  ])(
    'requires --date-format if the year of the dates may be at the front: %s and %s',
    async (first, second, dateFormat, days) => {
      const content = file(`${first}\nT-5`, `${second}\nT-6`);
      await expect(readInTest(content)).rejects.toMatchObject({
        message: expect.stringMatching(/can be read as DD.MM.YY and as YY.MM.DD/),
        remedy: expect.stringContaining(`--date-format ${dateFormat}`),
      });
      const { transactions, statement } = await readInTest(content, { options: { dateFormat } });
      expect(transactions.map(({ occurredOn }) => occurredOn)).toEqual(days);
      expect(statement.interpretation?.lines).toContainEqual(['date format', dateFormat]);
      const atEnd = await readInTest(content, { options: { dateFormat: dateFormat.split(/(\W)/).reverse().join('') } });
      expect(atEnd.transactions).toHaveLength(2);
    },
  );

  it.each([
    ['no other reading fits', 'D99/12/30', 'D99/12/31', ['1999-12-30', '1999-12-31']],
    ['the dates are closer together with the year at the end', 'D13/01/26', 'D15/02/26', ['2026-01-13', '2026-02-15']],
    ['a year has four digits', 'D25/12/15', 'D25/12/2018', ['2015-12-25', '2018-12-25']],
    ['a year has an apostrophe', 'D25/12/15', "D25/12'18", ['2015-12-25', '2018-12-25']],
  ])('decides between a year at the front and at the end if %s', async (_, first, second, days) => {
    const { transactions } = await readInTest(file(`${first}\nT-5`, `${second}\nT-6`));
    expect(transactions.map(({ occurredOn }) => occurredOn)).toEqual(days);
  });

  it('reports a date with a two-digit year as failed if the other dates begin with a year of four digits', async () => {
    const { rows } = await readInTest(file('D2026-01-13\nT-5', 'D2026-01-14\nT-5', 'D15-01-26\nT-6'));
    expect(rows.map(({ outcome }) => outcome)).toEqual(['transaction', 'transaction', 'failure']);
  });

  it('requires --date-format if no date is in a known format, and quotes one of the dates', async () => {
    await expect(readInTest(file('D03/25/099Share\nT-99.99', 'D03/24/099Sale\nT-5.00'))).rejects.toMatchObject({
      message: 'No date of the file is in a known format. The file has, for example, "03/25/099Share".',
      remedy: expect.stringContaining('--date-format'),
    });
    const underscored = file('D13_01_2026\nT-5.00');
    await expect(readInTest(underscored)).rejects.toThrow('The file has, for example, "13_01_2026"');
    const { transactions } = await readInTest(underscored, { options: { dateFormat: 'DD_MM_YYYY' } });
    expect(transactions[0]?.occurredOn).toBe('2026-01-13');
  });

  it('detects the decimal comma from the whole file', async () => {
    const { lines } = await readInTest(file('D13/01/2026\nT-1.234,50', 'D14/01/2026\nT1.000'));
    expect(lines).toEqual(['2026-01-13 -1234.5', '2026-01-14 1000']);
    await expect(readInTest(file('D13/01/2026\nT1.000'))).rejects.toMatchObject({
      remedy: expect.stringContaining('--decimal-separator'),
    });
  });

  it('returns a row for each split that is not zero if the splits add up to the total of the transaction', async () => {
    const split =
      'D13/01/2026\nT1,600.00\nPWork\nLSalary\nSSalary\nEGross\n$2,000.00\nSTaxes\n$-400.00\nSNothing\n$0.00';
    const { transactions } = await readInTest(file(split));
    expect(transactions).toMatchObject([
      { direction: 'income', amountDecimal: '2000', categoryName: 'Salary', description: 'Gross' },
      { direction: 'expense', amountDecimal: '400', categoryName: 'Taxes', description: null },
    ]);
  });

  it.each([
    ['do not add up', '$-300.00', 'its splits add up to 1700, and not to 1600'],
    ['cannot be read', '$=400.00', 'its split amount "=400.00" is not an amount'],
  ])('records the total as one row with a note if the splits %s', async (_, amount, reason) => {
    const split = `D13/01/2026\nT1,600.00\nPWork\nLSalary\nSGross\n$2,000.00\nSTaxes\n${amount}`;
    const { statement, transactions } = await readInTest(file(split));
    expect(transactions).toMatchObject([{ direction: 'income', amountDecimal: '1600', categoryName: 'Salary' }]);
    expect(statement.interpretation?.lines).toContainEqual(['note', `line 2: recorded as one row, because ${reason}`]);
  });

  it('reports that nothing is recorded from a file without transactions', async () => {
    const { statement } = await readInTest('!Account\nNChecking\nTBank\n^\n!Type:Bank\n');
    expect(statement).toMatchObject({
      rowCount: 0,
      interpretation: { advice: 'The statement has no transactions. Nothing is recorded.' },
    });
  });

  it('refuses a file that ends within its last transaction, because its amount may be cut off', async () => {
    await expect(readInTest(`${file('D13/01/2026\nT-5')}D14/01/2026\nT-12`)).rejects.toThrow('has no end mark (^)');
  });

  it('refuses a file with a section that begins before the end mark of a transaction', async () => {
    const content = '!Type:Bank\nD13/01/2026\nT-5\n!Type:CCard\nD14/01/2026\nT-6\n^\n';
    await expect(readInTest(content)).rejects.toThrow(
      'has no end mark (^) after the transaction that begins on line 2',
    );
  });

  it('refuses transactions of two kinds of accounts that no !Account section separates', async () => {
    const bank = '!Type:Bank\nD13/01/2026\nT-5\n^\n';
    const card = '!Type:CCard\nD14/01/2026\nT-6\n^\n';
    const refusal = {
      message:
        'The transactions below line 1 (!Type:Bank) and line 5 (!Type:CCard) are of different accounts, but no !Account section separates them.',
      remedy: 'Split the file into one file for each account, and import each of them into its own account.',
    };
    await expect(readInTest(bank + card)).rejects.toMatchObject(refusal);
    const account = '!Account\nNChecking\n^\n';
    await expect(readInTest(account + bank + card)).rejects.toThrow('line 4 (!Type:Bank) and line 8 (!Type:CCard)');
    const separated = await readInTest(`${account}${bank}!Account\nNVisa\n^\n${card}`);
    expect(separated.transactions.map(({ accountName }) => accountName)).toEqual(['Checking', 'Visa']);
    const empty = await readInTest(`!Type:CCard\n${bank}!Type:Bank\nD14/01/2026\nT-6\n^\n`);
    expect(empty.lines).toEqual(['2026-01-13 -5', '2026-01-14 -6']);
  });

  it('reports a row with two dates or two amounts as failed, because an end mark may be missing', async () => {
    const { rows } = await readInTest(file('D13/01/2026\nT-5\nD14/01/2026\nT-6', 'D15/01/2026\nT-7\nT-8'));
    expect(rows).toEqual([
      {
        line: 2,
        outcome: 'failure',
        reason: 'it has two lines with D; a ^ may be missing between two transactions',
      },
      {
        line: 7,
        outcome: 'failure',
        reason: 'it has two lines with T; a ^ may be missing between two transactions',
      },
    ]);
  });

  it('reports a row as failed if its amounts in T and U differ', async () => {
    const { rows } = await readInTest(file('D13/01/2026\nU-5.00\nT-5', 'D14/01/2026\nU-1,006.00\nT-6.00'));
    expect(rows).toMatchObject([
      { outcome: 'transaction', transaction: { amountDecimal: '5' } },
      { outcome: 'failure', reason: 'its amounts differ: "-6.00" in T and "-1,006.00" in U' },
    ]);
  });

  it('does not read an account in brackets as a category', async () => {
    const { transactions } = await readInTest(file('D13/01/2026\nT-5\nL[Savings]'));
    expect(transactions[0]?.categoryName).toBeNull();
  });

  it('reads the transactions of several accounts, and ignores a list of categories', async () => {
    const content = [
      '!Option:AutoSwitch\n!Account\nNChecking\nTBank\n^\nNVisa\nTCCard\n^\nNOld\nTBank\n^\n!Clear:AutoSwitch',
      '!Type:Cat\nNFood\nDEating\nE\n^',
      '!Account\nNChecking\nTBank\n^\n!Type:Bank\nD13/01/2026\nT-5\n^',
      '!Account\nNVisa\nTCCard\n^\n!Type:CCard\nD14/01/2026\nT-6\n^\nD15/01/2026\nT-7\n^',
    ].join('\n');
    const { statement, transactions } = await readInTest(content);
    expect(statement.accounts).toEqual([
      { name: 'Checking', type: 'checking', currencyCode: null, rowCount: 1 },
      { name: 'Visa', type: 'credit_card', currencyCode: null, rowCount: 2 },
    ]);
    expect(transactions.map(({ accountName }) => accountName)).toEqual(['Checking', 'Visa', 'Visa']);
  });

  it('reports an unreadable row as failed with its line, skips zero amounts and securities, and reads the next rows', async () => {
    const content = `${file('D13/01/2026\nT-5', 'Dsoon\nT-5', 'D14/01/2026\nTmuch', 'D15/01/2026\nT0.00')}!Type:Invst\nD16/01/2026\nNBuy\nT100\n^\n`;
    const { rows } = await readInTest(content);
    expect(rows.slice(1)).toEqual([
      { line: 5, outcome: 'failure', reason: '"soon" is not a date written as DD/MM/YYYY' },
      { line: 8, outcome: 'failure', reason: '"much" is not an amount' },
      { line: 11, outcome: 'skipped', reason: 'its amount is zero' },
      { line: 15, outcome: 'skipped', reason: 'it is a securities transaction' },
    ]);
  });
});

it.each(['Opening Balance', 'Anfangssaldo', 'Solde initial'])(
  'the QIF reader skips a transfer from an account to itself with the payee "%s"',
  async (payee) => {
    const { rows, lines } = await readInTest(
      `!Type:Bank\nD13/01/2024\nT1000.00\nCX\nP${payee}\nL[Giro]\n^\nD14/01/2024\nT-7\n^\n`,
    );
    expect(rows[0]).toMatchObject({ outcome: 'skipped', reason: 'it is the opening balance' });
    expect(lines).toEqual(['2024-01-14 -7']);
  },
);

it('the QIF reader reports a transaction with two payees as failed, because an end mark may be missing', async () => {
  const { rows } = await readInTest('!Type:Bank\nD13/01/2024\nPShop\nT-7\nPCafe\n^\n');
  expect(rows).toMatchObject([
    { outcome: 'failure', reason: 'it has two lines with P; a ^ may be missing between two transactions' },
  ]);
});

it('a QIF file may have comments above its first section and between its transactions', async () => {
  const content = '### exported\n!Type:Bank\nD14/01/2026\nT-5.00\n^\n# rent\nD15/01/2026\nT-6.00\n^\n';
  expect((await readInTest(content)).lines).toEqual(['2026-01-14 -5', '2026-01-15 -6']);
});

describe('the signs of a card in QIF', () => {
  const record = (amount: string, payee: string) => `D14/01/2026\nT${amount}\nP${payee}\n^\n`;
  const cardOf = (...records: readonly string[]) => `!Type:CCard\n${records.join('')}`;
  const read = async (content: string, minusMeans?: 'income' | 'expense') => {
    const { transactions } = await readInTest(content, minusMeans === undefined ? {} : { options: { minusMeans } });
    return transactions.map(({ direction, amountDecimal }) => (direction === 'expense' ? '-' : '') + amountDecimal);
  };

  it('require an option if a payment to the card has a minus', async () => {
    const content = cardOf(record('42.13', 'COSTCO'), record('-500', 'PAYMENT RECEIVED'), record('-3', 'CAFE'));
    await expect(read(content)).rejects.toThrow('See the sign of "PAYMENT RECEIVED".');
    expect(await read(content, 'income')).toEqual(['-42.13', '500', '3']);
    expect(await read(content, 'expense')).toEqual(['42.13', '-500', '-3']);
  });

  it('can be reversed with --minus income only if all accounts to read are cards, because the flag applies to all rows', async () => {
    const bank = `!Account\nNChecking\nTBank\n^\n!Type:Bank\n${record('-800', 'RENT')}`;
    const card = `!Account\nNVisa\nTCCard\n^\n!Type:CCard\n${record('42.13', 'COSTCO')}${record('-500', 'PAYMENT')}`;
    await expect(read(`${bank}${card}`, 'income')).rejects.toMatchObject({
      message: 'A minus would mean income in the rows of "Visa" and also in the rows of "Checking".',
      remedy:
        'Import each account by itself with --statement-account, and use --minus income only for accounts in which a minus is money in.',
    });
    const options = { minusMeans: 'income' } as const;
    const { transactions } = await readInTest(`${bank}${card}`, { options, onlyAccounts: ['Visa'] });
    expect(transactions.map(({ direction }) => direction)).toEqual(['expense', 'income']);
  });

  it('require an option if no amount has a minus, and no row is a payment to the card', async () => {
    const content = cardOf(record('42.13', 'COSTCO'), record('30', 'SHELL'));
    await expect(read(content)).rejects.toThrow('No amount of the card has a minus');
    expect(await read(content, 'income')).toEqual(['-42.13', '-30']);
    expect(await read(cardOf(record('500', 'Payment - thank you')))).toEqual(['500']);
    expect(await read(content.replace('CCard', 'Bank'))).toEqual(['42.13', '30']);
  });

  it('require an option if at least half of the amounts have no minus, and no row is a payment to the card', async () => {
    const content = cardOf(record('100', 'LIDL'), record('30', 'REWE'), record('-20', 'ACH 1234'));
    await expect(read(content)).rejects.toMatchObject({
      message: 'A minus may mean money in, as on some card statements: 2 of 3 amounts of the card have no minus.',
      remedy: expect.stringContaining('--minus income'),
      possibleAnswer: { minusMeans: 'income' },
    });
    expect(await read(content, 'income')).toEqual(['-100', '-30', '20']);
    expect(await read(content, 'expense')).toEqual(['100', '30', '-20']);
    await expect(read(cardOf(record('100', 'LIDL'), record('-20', 'ACH 1234')))).rejects.toThrow('1 of 2 amounts');
    expect(await read(cardOf(record('100', 'PAYMENT RECEIVED'), record('-20', 'LIDL')))).toEqual(['100', '-20']);
    expect(await read(content.replace('CCard', 'Bank'))).toEqual(['100', '30', '-20']);
  });

  it('are read like those of a bank account if most amounts have a minus, even if a shop name contains "Merci" (thanks)', async () => {
    const content = cardOf(record('-42.13', 'COSTCO'), record('-12', 'MERCI PARIS'), record('500', 'CREDIT'));
    expect(await read(content)).toEqual(['-42.13', '-12', '500']);
    await expect(read(content.replaceAll('-42.13', '42.13'))).rejects.toThrow('See the sign of "MERCI PARIS".');
  });
});

describe('a QIF record of an opening balance', () => {
  const account = '!Account\nNChecking\nTBank\n^\n';
  const records = (first: string) =>
    `!Type:Bank\nD13/01/2024\nT1000.00\n${first}\n^\nD14/01/2024\nT-7\nL[Savings]\n^\n`;
  const reason =
    'it is a transfer from "checking" to itself, and may be its opening balance: record it manually if it is a payment';

  it.each(['Eröffnungssaldo', "Solde d'ouverture", 'Saldo de apertura', 'Saldo de abertura', 'Openingssaldo'])(
    'is skipped if it is a transfer with the payee or memo "%s"',
    async (name) => {
      for (const field of ['P', 'M']) {
        const { rows } = await readInTest(records(`${field}${name}\nL[Giro]`));
        expect(rows[0]).toMatchObject({ outcome: 'skipped', reason: 'it is the opening balance' });
      }
    },
  );

  it.each(['L[checking]', 'PKontoeröffnung\nL[checking]', 'PCash\nL[checking]/Class'])(
    'fails if it is a transfer, and its category names the account of the section: %j',
    async (fields) => {
      const { rows, lines } = await readInTest(account + records(fields));
      expect(rows[0]).toMatchObject({ outcome: 'failure', reason });
      expect(lines.at(-1)).toBe('2024-01-14 -7');
    },
  );

  it('fails if it is a transfer whose category names the account into which the file is imported', async () => {
    const file = records('PKontoeröffnung\nL[checking]');
    expect((await readInTest(file, { options: { account: 'Checking' } })).rows[0]).toMatchObject({
      outcome: 'failure',
      reason,
    });
    expect((await readInTest(file, { options: { account: 'Giro' } })).rows[0]).toMatchObject({
      outcome: 'transaction',
    });
  });

  it('fails if the category names an opening balance', async () => {
    const { rows } = await readInTest(records('PChecking\nLEquity:Opening Balances'));
    expect(rows[0]).toMatchObject({
      outcome: 'failure',
      reason: '"Opening Balance" looks like a balance and not like a transaction',
    });
    expect((await readInTest(records('PNew Balance\nLShoes'))).rows[0]).toMatchObject({ outcome: 'transaction' });
  });
});
