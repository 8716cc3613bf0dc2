import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';

const document = (statements: string, version = '08') =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>${statements}</BkToCstmrStmt></Document>`;
const statement = (entries: string, account = '<Id><IBAN>NL01</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Ana</Nm></Ownr>') =>
  `<Stmt><Id>s</Id><Acct>${account}</Acct><Bal><Amt Ccy="EUR">1</Amt></Bal>${entries}</Stmt>`;
const entry = (
  fields: { amount?: string; currency?: string; side?: string; status?: string; more?: string; details?: string } = {},
) =>
  `<Ntry>${fields.more ?? ''}<Amt Ccy="${fields.currency ?? 'EUR'}">${fields.amount ?? '5.00'}</Amt><CdtDbtInd>${fields.side ?? 'DBIT'}</CdtDbtInd>${fields.status ?? '<Sts>BOOK</Sts>'}<BookgDt><Dt>2026-01-02</Dt></BookgDt>${fields.details === undefined ? '' : `<NtryDtls>${fields.details}</NtryDtls>`}</Ntry>`;
const payment = (fields: string) => `<TxDtls>${fields}</TxDtls>`;
const read = (...entries: string[]) => readInTest(document(statement(entries.join(''))));

describe('the CAMT.053 reader', () => {
  it.each(['02', '04', '08'])('reads amount, direction, day, party and remittance in version .%s', async (version) => {
    const party = (name: string) => (version === '08' ? `<Pty><Nm>${name}</Nm></Pty>` : `<Nm>${name}</Nm>`);
    const status = version === '08' ? '<Sts><Cd>BOOK</Cd></Sts>' : '<Sts>BOOK</Sts>';
    const details = payment(
      `<RltdPties><Dbtr>${party('Ana')}</Dbtr><Cdtr>${party('Tom &amp; Co')}</Cdtr></RltdPties><RmtInf><Ustrd>Invoice 7</Ustrd><Ustrd>Thanks</Ustrd></RmtInf>`,
    );
    const content = document(statement(entry({ status, details, more: '<AcctSvcrRef>R1</AcctSvcrRef>' })), version);
    const { statement: opened, transactions } = await readInTest(content);
    expect(opened.accounts).toEqual([{ name: 'NL01', type: null, currencyCode: 'EUR', rowCount: 1 }]);
    expect(transactions).toEqual([
      {
        direction: 'expense',
        amountDecimal: '5',
        currencyCode: 'EUR',
        occurredOn: '2026-01-02',
        description: 'Invoice 7 Thanks',
        merchantName: 'Tom & Co',
        categoryName: null,
        accountName: 'NL01',
        statementId: 'R1',
      },
    ]);
  });

  it('reads an IBAN with spaces and the same IBAN without spaces as one account', async () => {
    const account = (iban: string) => `<Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy>`;
    const statements = ['DE02120300000000202051', 'DE02 1203 0000 0000 2020 51', 'DE02120300000000202051'];
    const { statement: opened, transactions } = await readInTest(
      document(statements.map((iban, index) => statement(entry({ amount: `${index + 1}` }), account(iban))).join('')),
    );
    expect(opened.accounts).toEqual([{ name: 'DE02120300000000202051', type: null, currencyCode: 'EUR', rowCount: 3 }]);
    expect(new Set(transactions.map(({ accountName }) => accountName)).size).toBe(1);
  });

  it('returns no ids with --id-column ""', async () => {
    const content = document(statement(entry({ more: '<AcctSvcrRef>R1</AcctSvcrRef>' })));
    const { transactions } = await readInTest(content, { options: { columns: { id: '' } } });
    expect(transactions).toMatchObject([{ statementId: null, amountDecimal: '5' }]);
  });

  it('reads an entry without a date only if the opening and the closing balance have the same day', async () => {
    const balance = (code: string, amount: string, day: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
    const undated = entry().replace(/<BookgDt>.*<\/BookgDt>/, '');
    const closing = balance('CLBD', '95', '2026-01-02');
    const daily = await read(balance('OPBD', '100', '2026-01-02'), closing, undated);
    expect(daily.transactions).toMatchObject([{ occurredOn: '2026-01-02', amountDecimal: '5' }]);
    const monthly = await read(balance('OPBD', '100', '2026-01-01'), closing, undated);
    expect(monthly.rows).toMatchObject([{ outcome: 'failure', reason: 'it has no date (BookgDt, ValDt)' }]);
  });

  it('skips entries that are pending, future or for information only, and entries whose amount is zero', async () => {
    const { rows } = await read(
      entry({ status: '<Sts>PDNG</Sts>' }),
      entry({ status: '<Sts><Cd>PDNG</Cd></Sts>' }),
      entry({ status: '<Sts><Cd>FUTR</Cd></Sts>' }),
      entry({ status: '<Sts>INFO</Sts>' }),
      entry({ amount: '0.00' }),
      entry(),
    );
    expect(rows.map((row) => (row.outcome === 'skipped' ? row.reason : row.outcome))).toEqual([
      'it is pending',
      'it is pending',
      'it is pending',
      'it is for information only',
      'its amount is zero',
      'transaction',
    ]);
  });

  it('reads the direction of a reversal from its entry, and the merchant from the reversed payment', async () => {
    const parties = '<RltdPties><Dbtr><Nm>Payer</Nm></Dbtr><Cdtr><Nm>Shop</Nm></Cdtr></RltdPties>';
    const { lines } = await read(
      entry({ side: 'CRDT', more: '<RvslInd>true</RvslInd>', details: payment(parties) }),
      entry({ side: 'CRDT', details: payment(parties) }),
      entry({ side: 'DBIT', more: '<RvslInd>false</RvslInd>', details: payment(parties) }),
      entry({ side: 'DBIT', more: '<RvslInd>true</RvslInd>', details: payment(parties) }),
    );
    expect(lines).toEqual(['2026-01-02 5 Shop', '2026-01-02 5 Payer', '2026-01-02 -5 Shop', '2026-01-02 -5 Payer']);
  });

  it('returns a row for each payment of a batch, with the direction of that payment', async () => {
    const parts = [
      payment('<Refs><TxId>a</TxId></Refs><Amt Ccy="EUR">7.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>'),
      payment(
        '<AmtDtls><InstdAmt><Amt Ccy="USD">9</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">2</Amt></TxAmt></AmtDtls><CdtDbtInd>CRDT</CdtDbtInd>',
      ),
    ].join('');
    const { transactions } = await read(entry({ details: parts, more: '<AcctSvcrRef>R</AcctSvcrRef>' }));
    expect(transactions.map((one) => [one.direction, one.amountDecimal, one.statementId])).toEqual([
      ['expense', '7', 'R/a'],
      ['income', '2', 'R/2'],
    ]);
  });

  it('returns different ids for equal payments of a batch that repeat the reference of the batch', async () => {
    const parts = ['2', '2', '1'].map((amount) =>
      payment(`<Refs><AcctSvcrRef>R</AcctSvcrRef></Refs><Amt Ccy="EUR">${amount}</Amt>`),
    );
    const batch = entry({ details: parts.join(''), more: '<AcctSvcrRef>R</AcctSvcrRef>' });
    const { transactions } = await read(batch);
    expect(transactions.map((one) => [one.amountDecimal, one.statementId])).toEqual([
      ['2', 'R/R'],
      ['2', 'R/R/2'],
      ['1', 'R/R'],
    ]);
  });

  it('returns one row for a batch whose payments have no amounts, or amounts that do not add up to the batch amount', async () => {
    const withoutAmounts = payment('<Refs><TxId>a</TxId></Refs>') + payment('<Refs><TxId>b</TxId></Refs>');
    const wrong = payment('<Amt Ccy="EUR">1.00</Amt>') + payment('<Amt Ccy="EUR">1.00</Amt>');
    const { lines } = await read(entry({ details: withoutAmounts }), entry({ details: wrong }));
    expect(lines).toEqual(['2026-01-02 -5', '2026-01-02 -5']);
  });

  it('uses the references of the bank as ids, but not counters, placeholders or references of the payer', async () => {
    const ids = [
      '<NtryRef>1</NtryRef>',
      '<NtryRef>2026-01-02-000123</NtryRef>',
      '<NtryRef>12</NtryRef><AcctSvcrRef>NONREF</AcctSvcrRef>',
      '<NtryRef>12</NtryRef><AcctSvcrRef>BANK-9</AcctSvcrRef>',
    ].map((more) => entry({ more }));
    const inDetails = entry({ details: payment('<Refs><EndToEndId>mine</EndToEndId><TxId>T9</TxId></Refs>') });
    const { transactions } = await read(...ids, inDetails);
    expect(transactions.map(({ statementId }) => statementId)).toEqual([
      null,
      '2026-01-02-000123',
      null,
      'BANK-9',
      'T9',
    ]);
  });

  it('merges the statements of one account, and separates two currencies of one account number', async () => {
    const inDollars = '<Id><IBAN>NL01</IBAN></Id><Ccy>USD</Ccy>';
    const other = '<Id><Othr><Id>77</Id></Othr></Id>';
    const content = document(
      statement(entry()) +
        statement(entry()) +
        statement(entry({ currency: 'USD' }), inDollars) +
        statement(entry(), other),
    );
    const { statement: opened } = await readInTest(content);
    expect(opened.accounts?.map(({ name, currencyCode, rowCount }) => `${name}: ${currencyCode} ${rowCount}`)).toEqual([
      'NL01 EUR: EUR 2',
      'NL01 USD: USD 1',
      '77: EUR 1',
    ]);
  });

  it('returns the currency of each entry, which may differ from the currency of the account', async () => {
    const { transactions } = await read(entry(), entry({ currency: 'USD' }));
    expect(transactions.map(({ currencyCode }) => currencyCode)).toEqual(['EUR', 'USD']);
  });

  it('reports an unreadable entry as failed with its line, and reads the next entry', async () => {
    const { rows } = await read(entry({ amount: '-5' }), `\n${entry({ side: 'BOTH' })}`, `\n${entry()}`);
    expect(rows).toMatchObject([
      { line: 1, outcome: 'failure', reason: '"-5" is not an amount (Amt)' },
      { line: 2, outcome: 'failure', reason: 'it has neither CRDT nor DBIT (CdtDbtInd)' },
      { line: 3, outcome: 'transaction' },
    ]);
  });
});
