import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';

type Row = readonly [type: string, amount: string];

const fieldsOf = ([type, amount]: Row, index: number) =>
  [`TRNTYPE>${type}`, 'DTPOSTED>20260102', `TRNAMT>${amount}`, `FITID>${index}`].filter(
    (field) => !field.endsWith('>'),
  );
const sgmlRow = (row: Row, index: number) =>
  `<STMTTRN>${fieldsOf(row, index)
    .map((field) => `<${field}`)
    .join('')}</STMTTRN>`;
const xmlRow = (row: Row, index: number) =>
  `<STMTTRN>${fieldsOf(row, index)
    .map((field) => `<${field}</${field.split('>')[0]}>`)
    .join('')}</STMTTRN>`;

/** Returns a file with two statements: the first of a bank account, the second of a card. */
const sgml = (bank: readonly Row[], card: readonly Row[] = []) =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${bank.map(sgmlRow).join('')}</BANKTRANLIST></STMTRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>2</CCACCTFROM><BANKTRANLIST>${card.map(sgmlRow).join('')}</BANKTRANLIST></CCSTMTRS></OFX>`;
const xml = (bank: readonly Row[], card: readonly Row[] = []) =>
  `<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?>\n<OFX><STMTRS><CURDEF>USD</CURDEF><BANKACCTFROM><ACCTID>1</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM><BANKTRANLIST>${bank.map(xmlRow).join('')}</BANKTRANLIST></STMTRS><CCSTMTRS><CURDEF>USD</CURDEF><CCACCTFROM><ACCTID>2</ACCTID></CCACCTFROM><BANKTRANLIST>${card.map(xmlRow).join('')}</BANKTRANLIST></CCSTMTRS></OFX>`;

const typeReason = (type: string) =>
  `no amount of the file has a minus, and the type of this row (TRNTYPE: ${type}) does not show whether the row is an expense or an income. To read all amounts of the file as expenses, use --minus income: only an amount with a minus is then an income. To read them as incomes, use --minus expense`;

/** Converts strings such as `DEBIT 5` to rows with a type and an amount. */
const rowsOf = (...rows: readonly string[]) => rows.map((row) => row.split(' ') as unknown as Row);

describe.each([
  ['OFX 1', sgml],
  ['OFX 2', xml],
])('in %s, the signs of the amounts', (_, file) => {
  /** Returns the amount of each transaction with its sign, and the reason why each other row is not a transaction. */
  const read = async (bank: readonly Row[], card: readonly Row[] = []) => {
    const { rows, statement } = await readInTest(file(bank, card));
    const outcomes = rows.map((row) => {
      if (row.outcome !== 'transaction') return row.reason;
      return `${row.transaction.direction === 'expense' ? '-' : ''}${row.transaction.amountDecimal}`;
    });
    return { outcomes, lines: statement.interpretation?.lines ?? [] };
  };

  it('decide the direction if at least one amount has a minus, and not every sign contradicts its type', async () => {
    const { outcomes, lines } = await read([
      ['DEBIT', '5.00'],
      ['CREDIT', '-7.00'],
      ['OTHER', '3'],
      ['', '2'],
      ['INT', '1'],
    ]);
    expect(outcomes).toEqual(['5', '-7', '3', '2', '1']);
    expect(lines.map(([label]) => label)).not.toContain('signs');
  });

  it('are derived from the types if no amount has a minus, and the reader reports this', async () => {
    const out = [
      'DEBIT',
      'CHECK',
      'PAYMENT',
      'REPEATPMT',
      'POS',
      'ATM',
      'FEE',
      'SRVCHG',
      'CASH',
      'DIRECTDEBIT',
      'debit',
    ];
    const income = ['CREDIT', 'DEP', 'DIRECTDEP', 'DIV', 'INT'];
    const { outcomes, lines } = await read([...out, ...income].map((type) => [type, '5.00'] as const));
    expect(outcomes).toEqual([...out.map(() => '-5'), ...income.map(() => '5')]);
    expect(lines).toContainEqual(['signs', 'no amount has a minus, so the types decide: DEBIT is an expense']);
    expect(lines).toContainEqual([
      'account',
      '1, 16 rows, 2026-01-02 to 2026-01-02, expenses 55.00 USD, incomes 25.00 USD',
    ]);
  });

  it.each(['CHECK', 'PAYMENT', 'REPEATPMT', 'POS', 'ATM', 'FEE', 'SRVCHG', 'CASH', 'DIRECTDEBIT'])(
    'are required in a row of the type %s if no row has the type DEBIT, because all rows may be incomes',
    async (type) => {
      const rows: Row[] = [
        ['CREDIT', '9'],
        [type, '5'],
      ];
      expect((await read(rows)).outcomes).toEqual(['9', typeReason(`"${type}"`)]);
      expect((await read([...rows, ['DEBIT', '7']])).outcomes).toEqual(['9', '-5', '-7']);
    },
  );

  it('are required in a row whose type has no direction if another row has the type DEBIT and no amount has a minus', async () => {
    const { outcomes } = await read([
      ['DEBIT', '5'],
      ['XFER', '6'],
      ['OTHER', '7'],
      ['', '9'],
    ]);
    expect(outcomes).toEqual(['-5', ...['"XFER"', '"OTHER"', 'none'].map(typeReason)]);
  });

  it('are not required if every type means money in or has no direction', async () => {
    const rows: Row[] = [
      ['CREDIT', '5'],
      ['DEP', '6'],
      ['INT', '7'],
      ['DIRECTDEP', '8'],
      ['XFER', '9'],
    ];
    expect((await read(rows)).outcomes).toEqual(['5', '6', '7', '8', '9']);
  });

  it('are not derived from the types PAYMENT and INT on a card or loan, because either may be money in or out', async () => {
    expect((await read([], [['PAYMENT', '5']])).outcomes).toEqual(['5']);
    const { outcomes } = await read(
      [['INT', '1']],
      [
        ['PAYMENT', '5'],
        ['INT', '6'],
        ['DEBIT', '7'],
        ['CREDIT', '8'],
      ],
    );
    expect(outcomes).toEqual(['1', expect.stringContaining('"PAYMENT"'), expect.stringContaining('"INT"'), '-7', '8']);
    const loan = await readInTest(file([['PAYMENT', '5']]).replace('CHECKING', 'CREDITLINE'));
    expect(loan.transactions).toMatchObject([{ direction: 'income' }]);
  });

  it('of a card: if no amount has a minus, a row fails unless its type shows the direction', async () => {
    const { outcomes, lines } = await read([], rowsOf('OTHER 5', 'INT 6', 'CREDIT 7', 'PAYMENT 8'));
    expect(outcomes).toEqual([typeReason('"OTHER"'), typeReason('"INT"'), '7', typeReason('"PAYMENT"')]);
    expect(lines).toContainEqual(['signs', 'no amount has a minus, so the types decide']);
    expect((await read([], rowsOf('OTHER 5', 'OTHER -6', 'OTHER -7'))).outcomes).toEqual(['5', '-6', '-7']);
  });

  it('require an option if every type contradicts its sign, but a payment to the card has no minus', async () => {
    const content = file([], rowsOf('CREDIT -45', 'CREDIT -20', 'DEBIT 65')).replace(
      /(<FITID>2(<\/FITID>)?)/,
      '$1<NAME>PAYMENT THANK YOU</NAME>',
    );
    await expect(readInTest(content)).rejects.toThrow('See the sign of "PAYMENT THANK YOU".');
  });

  it('require an option if a payment to the card has a minus, and no type contradicts or confirms the signs', async () => {
    const content = file([], rowsOf('OTHER 42', 'OTHER 30', 'OTHER -500')).replace(
      /(<FITID>2(<\/FITID>)?)/,
      '$1<NAME>PAYMENT - THANK YOU</NAME>',
    );
    await expect(readInTest(content)).rejects.toMatchObject({
      message: 'A minus may mean money in, as on some card statements. See the sign of "PAYMENT - THANK YOU".',
      remedy: 'Use --minus income if a minus is money in, or --minus expense if it is money out.',
    });
    const directions = async (minusMeans: 'income' | 'expense') => {
      const { transactions, statement } = await readInTest(content, { options: { minusMeans } });
      return { lines: statement.interpretation?.lines[0], directions: transactions.map(({ direction }) => direction) };
    };
    expect(await directions('income')).toEqual({
      lines: ['signs', 'amounts with a minus are incomes, all others are expenses'],
      directions: ['expense', 'expense', 'income'],
    });
    expect((await directions('expense')).directions).toEqual(['income', 'income', 'expense']);
    expect((await readInTest(content.replace('-500', '500').replace('>42', '>-42'))).transactions).toMatchObject([
      { direction: 'expense' },
      { direction: 'income' },
      { direction: 'income' },
    ]);
  });

  it('are ignored as evidence in rows that are skipped or fail', async () => {
    const zero = 'its amount is zero';
    expect(
      (
        await read([
          ['DEBIT', '-0.00'],
          ['DEBIT', '5'],
        ])
      ).outcomes,
    ).toEqual([zero, '-5']);
    expect(
      (
        await read([
          ['DEBIT', '0.00'],
          ['XFER', '7'],
        ])
      ).outcomes,
    ).toEqual([zero, '7']);
    const five = '"five" is not a valid OFX amount (TRNAMT)';
    expect(
      (
        await read([
          ['DEBIT', 'five'],
          ['XFER', '7'],
        ])
      ).outcomes,
    ).toEqual([five, '7']);
    const pending = file([
      ['CREDIT', '-5'],
      ['DEBIT', '6'],
    ]).replace(/STMTTRN>(?=<TRNTYPE>CREDIT)/, 'STMTTRNP>');
    const { transactions } = await readInTest(pending.replace('</STMTTRN>', '</STMTTRNP>'));
    expect(transactions.map(({ direction }) => direction)).toEqual(['expense']);
  });

  it('make a row with a plus fail if its type is an expense and no amount has a minus', async () => {
    expect(
      (
        await read([
          ['DEBIT', '5'],
          ['DEBIT', '+6'],
          ['CREDIT', '+7'],
        ])
      ).outcomes,
    ).toEqual(['-5', 'its plus sign and its type (TRNTYPE: "DEBIT") contradict each other', '7']);
  });

  it('are reversed if they contradict every type, and the reader reports this', async () => {
    const { outcomes, lines } = await read(
      [],
      [
        ['DEBIT', '5.00'],
        ['POS', '6.00'],
        ['PAYMENT', '-40.00'],
        ['CREDIT', '-7.00'],
        ['OTHER', '8.00'],
        ['PURCHASE', '9.00'],
      ],
    );
    expect(outcomes).toEqual(['-5', '-6', '40', '7', '-8', '-9']);
    expect(lines).toContainEqual([
      'signs',
      'no amount has the sign that its transaction type requires (for example DEBIT): amounts with a minus are incomes, all others are expenses',
    ]);
  });

  it.each<[string, Row[], string[]]>([
    [
      'two debits without a minus and a payment with one',
      rowsOf('DEBIT 5', 'DEBIT 6', 'PAYMENT -7'),
      ['-5', '-6', '7'],
    ],
    ['one credit with a minus and one debit without one', rowsOf('CREDIT -5', 'DEBIT 6'), ['5', '-6']],
  ])('are read as reversed for %s', async (_name, rows, expected) => {
    expect((await read([], rows)).outcomes).toEqual(expected);
  });

  it.each<[string, Row[], string[]]>([
    ['one credit without a minus among credits', rowsOf('CREDIT -5', 'CREDIT -6', 'CREDIT 7'), ['-5', '-6', '7']],
    ['more purchases with a minus than contradictions', rowsOf('DEBIT 5', 'DEBIT -6', 'DEBIT -7'), ['5', '-6', '-7']],
    [
      'more credits without a minus than contradictions',
      rowsOf('CREDIT 8', 'DEBIT 5', 'OTHER -6', 'CREDIT 7'),
      ['8', '5', '-6', '7'],
    ],
    ['types without a direction', rowsOf('OTHER -5', 'XFER 6', 'PAYMENT -7'), ['-5', '6', '-7']],
  ])('are read as OFX defines them for %s', async (_name, rows, expected) => {
    const { outcomes, lines } = await read([], rows);
    expect(outcomes).toEqual(expected);
    expect(lines.map(([label]) => label)).not.toContain('signs');
  });

  it.each<[string, Row[]]>([
    ['as many types contradict the signs as agree with them', rowsOf('POS 100', 'DEBIT -20')],
    ['every row is a credit with a minus', rowsOf('CREDIT -5', 'CREDIT -6')],
    ['one type contradicts its sign, and no type agrees with its sign', rowsOf('CREDIT -5', 'OTHER 6')],
    ['more types contradict the signs than agree with them', rowsOf('POS 20', 'CREDIT -100', 'FEE -5')],
    ['two types contradict the signs, and a credit without a minus agrees', rowsOf('CREDIT 7', 'DEBIT 5', 'CREDIT -6')],
    ['no type has a direction, and half of the amounts have no minus', rowsOf('OTHER 5', 'OTHER -6')],
    ['no type has a direction, and most amounts have no minus', rowsOf('OTHER 10', 'OTHER 20', 'PAYMENT -25')],
  ])('of a card require an option if %s', async (_name, rows) => {
    const option = 'Use --minus income if a minus is money in, or --minus expense if it is money out.';
    await expect(read([], rows)).rejects.toMatchObject({ remedy: option });
  });

  it('of a card are read as OFX defines them if no type shows a direction, and a payment to the card has no minus', async () => {
    const content = file([], rowsOf('OTHER 50', 'OTHER 20', 'OTHER -25')).replace(
      /(<FITID>0(<\/FITID>)?)/,
      '$1<NAME>PAYMENT RECEIVED</NAME>',
    );
    const { transactions } = await readInTest(content);
    expect(transactions.map(({ direction }) => direction)).toEqual(['income', 'income', 'expense']);
  });

  it('of a bank account are read as OFX defines them if all rows are credits with a minus', async () => {
    expect((await read(rowsOf('CREDIT -5', 'CREDIT -6'))).outcomes).toEqual(['-5', '-6']);
  });

  it('of a bank account require an option if they contradict every type, because the rows may be reversals', async () => {
    const rows: Row[] = rowsOf('DEBIT 100', 'DEBIT 50', 'CREDIT -7', 'OTHER -9');
    await expect(read(rows)).rejects.toMatchObject({
      message: 'A minus may mean money in, as on some card statements. See the sign of "DEBIT".',
    });
    expect((await read([...rows, ['DEBIT', '-1']])).outcomes).toEqual(['100', '50', '-7', '-9', '-1']);
  });

  it('are not compared with the types of skipped rows', async () => {
    const zero = 'its amount is zero';
    expect((await read(rowsOf('DEBIT 0.00', 'CREDIT -6'))).outcomes).toEqual([zero, '-6']);
  });
});
