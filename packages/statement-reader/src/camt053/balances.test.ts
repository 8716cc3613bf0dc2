import { describe, expect, it } from 'vitest';
import { openInTest, readInTest } from '../../test-support/read-statement.js';
import { writeStatement } from '../../test-support/statement-files.js';

const balance = (code: string, amount: string, currency = 'EUR') => {
  const side = amount.startsWith('-') ? 'DBIT' : 'CRDT';
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount.replace('-', '')}</Amt><CdtDbtInd>${side}</CdtDbtInd></Bal>`;
};
const entry = (amount: string, { currency = 'EUR', status = 'BOOK' } = {}) => {
  const side = amount.startsWith('-') ? 'DBIT' : 'CRDT';
  return `<Ntry><Amt Ccy="${currency}">${amount.replace('-', '')}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-01-02</Dt></BookgDt></Ntry>`;
};
const statement = (content: string, iban = 'NL01') =>
  `<Stmt><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${content}</Stmt>`;
const document = (content: string) => `<Document xmlns="camt.053"><BkToCstmrStmt>${content}</BkToCstmrStmt></Document>`;
const read = async (...content: string[]) => (await readInTest(document(content.join('')))).statement.interpretation;
const linesOf = (interpretation: Awaited<ReturnType<typeof read>>) =>
  (interpretation?.lines ?? []).filter(([label]) => label === 'balance').map(([, value]) => value);

describe('the balances of a CAMT.053 statement', () => {
  it.each([
    ['opening and closing', balance('OPBD', '10.00') + balance('CLBD', '-2.50') + entry('-12.5')],
    ['previous closing and closing', balance('PRCD', '10') + balance('CLBD', '-2.5') + entry('-12.50')],
    [
      'opening and closing, with a pending entry that does not count',
      balance('OPBD', '10') + balance('CLBD', '-2.5') + entry('-12.5') + entry('7', { status: 'PDNG' }),
    ],
    [
      'opening and closing, with an available balance',
      balance('OPBD', '10') + balance('CLAV', '99') + balance('CLBD', '-2.5') + entry('-12.5'),
    ],
  ])('are reported as agreeing with the entries: %s', async (_, content) => {
    const interpretation = await read(statement(content));
    expect(linesOf(interpretation)).toEqual(['opening and closing balance agree with 1 entry']);
    expect(interpretation?.question).toBeNull();
  });

  it('are reported in one line for all statements of an account', async () => {
    const first = statement(balance('OPBD', '0') + balance('CLBD', '5') + entry('5'));
    const second = statement(balance('OPBD', '5') + balance('CLBD', '8') + entry('1') + entry('2'));
    expect(linesOf(await read(first, second))).toEqual([
      'opening and closing balances of 2 statements agree with 3 entries',
    ]);
  });

  it('require --ignore-balance if they do not agree with the entries', async () => {
    const content = statement(balance('OPBD', '10') + balance('CLBD', '20') + entry('5'));
    const interpretation = await read(content);
    expect(linesOf(interpretation)).toEqual([
      'opening balance 10.00 EUR and entries give 15.00 EUR, but the closing balance is 20.00 EUR',
    ]);
    expect(interpretation?.question).toMatchObject({
      message:
        'Opening balance 10.00 EUR and entries give 15.00 EUR, but the closing balance is 20.00 EUR. Rows may be missing or wrong.',
      remedy: expect.stringContaining('--ignore-balance'),
      requiresOption: true,
    });
    const path = await writeStatement(document(content), 'statement.xml');
    expect((await openInTest(path, { options: { ignoresBalance: true } })).interpretation?.question).toBeNull();
  });

  it('are compared with the entries separately for each currency', async () => {
    const inEuro = balance('OPBD', '1') + balance('CLBD', '2') + entry('1');
    const inDollar = (closing: string) =>
      balance('OPBD', '0', 'USD') + balance('CLBD', closing, 'USD') + entry('7', { currency: 'USD' });
    expect(linesOf(await read(statement(inEuro + inDollar('7'))))).toEqual([
      'opening and closing balance agree with 2 entries',
    ]);
    expect(linesOf(await read(statement(inEuro + inDollar('8'))))).toEqual([
      'opening balance 0.00 USD and entries give 7.00 USD, but the closing balance is 8.00 USD',
    ]);
  });

  it('require no confirmation if they disagree with the entries of an account that is not imported', async () => {
    const wrong = statement(balance('OPBD', '10') + balance('CLBD', '20') + entry('5'), 'NL02');
    const path = await writeStatement(document(statement(entry('1')) + wrong), 'statement.xml');
    expect((await openInTest(path, { onlyAccounts: ['NL01'] })).interpretation?.question).toBeNull();
    expect((await openInTest(path, { onlyAccounts: ['NL02'] })).interpretation?.question).not.toBeNull();
  });

  const wrong = balance('OPBD', '10') + balance('CLBD', '20') + entry('5');
  it.each([
    ['one of them is missing', balance('OPBD', '10') + entry('5')],
    ['the opening balance is an interim balance', balance('ITBD', '10') + balance('CLBD', '20') + entry('5')],
    [
      'one balance is only for a page of the statement (INTM)',
      wrong.replace('</CdOrPrtry>', '</CdOrPrtry><SubTp><Cd>INTM</Cd></SubTp>'),
    ],
    ['the statement has further pages', `<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>${wrong}`],
    ['the statement has earlier pages', `<StmtPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>${wrong}`],
    ['an entry cannot be read', wrong + entry('5').replaceAll('BookgDt', 'OtherDt')],
    ['an entry is in another currency', wrong + entry('5', { currency: 'USD' })],
    ['they are in different currencies', balance('OPBD', '10', 'USD') + balance('CLBD', '20') + entry('5')],
    ['there are several closing balances', wrong + balance('CLBD', '15')],
  ])('are not reported and require no confirmation if %s', async (_, content) => {
    const interpretation = await read(statement(content));
    expect(linesOf(interpretation)).toEqual([]);
    expect(interpretation?.question).toBeNull();
  });

  it('are not reported if the message has further pages', async () => {
    const pages = '<GrpHdr><MsgPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></MsgPgntn></GrpHdr>';
    expect(linesOf(await read(pages, statement(wrong)))).toEqual([]);
  });
});

describe('a CAMT.053 account without a currency in Acct', () => {
  it('has the currency of its entries, even if an available balance has another currency', async () => {
    const { statement: opened } = await readInTest(document(statement(balance('CLAV', '9', 'JPY') + entry('1'))));
    expect(opened.accounts).toMatchObject([{ currencyCode: 'EUR' }]);
  });
});

it('the CAMT.053 reader ignores entries inside comments', async () => {
  const content = statement(`${entry('1')}<!-- ${entry('2')} --><!--\n${entry('3')}\n-->${entry('4')}`);
  const { transactions } = await readInTest(document(content));
  expect(transactions.map(({ amountDecimal }) => amountDecimal)).toEqual(['1', '4']);
});

it('the CAMT.053 reader shows the totals in each currency, for each account and for all accounts', async () => {
  const interpretation = await read(
    statement(entry('-1') + entry('2', { currency: 'USD' })),
    statement(entry('4'), 'NL02'),
  );
  const days = '2026-01-02 to 2026-01-02';
  expect(interpretation?.lines).toEqual([
    ['account', `NL01, 1 row, ${days}, expenses 1.00 EUR, incomes 0.00 EUR`],
    ['account', `NL01, 1 row, ${days}, expenses 0.00 USD, incomes 2.00 USD`],
    ['account', `NL02, 1 row, ${days}, expenses 0.00 EUR, incomes 4.00 EUR`],
    ['totals', `2 rows, ${days}, expenses 1.00 EUR, incomes 4.00 EUR`],
    ['totals', `1 row, ${days}, expenses 0.00 USD, incomes 2.00 USD`],
  ]);
});

it('the CAMT.053 reader reports that nothing is recorded from a statement without entries', async () => {
  const interpretation = await read(statement(balance('OPBD', '10') + balance('CLBD', '20')));
  expect(interpretation).toMatchObject({
    advice: 'The statement has no transactions. Nothing is recorded.',
    question: null,
  });
});
