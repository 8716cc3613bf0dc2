import { describe, expect, it } from 'vitest';
import { openInTest, readInTest } from '../../test-support/read-statement.js';
import { writeStatement } from '../../test-support/statement-files.js';

const header = (charset = '1252') =>
  `OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nENCODING:USASCII\r\nCHARSET:${charset}\r\n\r\n`;

const bank = (rows: string, account = '<ACCTID>111<ACCTTYPE>CHECKING') =>
  `<STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>9${account}</BANKACCTFROM><BANKTRANLIST>${rows}</BANKTRANLIST></STMTRS></STMTTRNRS>`;
const card = (rows: string) =>
  `<CCSTMTTRNRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>222</CCACCTFROM><BANKTRANLIST>${rows}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS>`;
const file = (statements: string, messages = 'BANKMSGSRSV1') =>
  `${header()}<OFX><${messages}>${statements}</${messages}></OFX>`;
const row = (fields: string) => `<STMTTRN>${fields}</STMTTRN>`;
const coffee = row('<TRNTYPE>POS<DTPOSTED>20260102<TRNAMT>-2.50<FITID>1<NAME>Cafe');

describe('the OFX 1 reader', () => {
  it('reads fields with and without end tags, on one line and on several lines', async () => {
    const closed = row(
      '<TRNTYPE>POS</TRNTYPE>\n<DTPOSTED>20260102</DTPOSTED>\n<TRNAMT>-2.50</TRNAMT>\n<FITID>1</FITID>\n<NAME>Cafe</NAME>\n',
    );
    for (const content of [file(bank(coffee)), file(bank(closed)), file(bank(coffee)).replaceAll('<', '\n\t<')]) {
      const { lines, transactions } = await readInTest(content);
      expect(lines).toEqual(['2026-01-02 -2.5 Cafe']);
      expect(transactions[0]).toMatchObject({ statementId: '1', accountName: '111', currencyCode: 'USD' });
    }
  });

  it('skips a hold among booked transactions', async () => {
    const { rows } = await readInTest(file(bank(row('<TRNTYPE>HOLD<DTPOSTED>20260102<TRNAMT>-9<FITID>2') + coffee)));
    expect(rows).toMatchObject([{ outcome: 'skipped', reason: 'it is pending' }, { outcome: 'transaction' }]);
  });

  it('reads the name from PAYEE and not from BANKACCTTO, even if an empty MEMO without an end tag comes before', async () => {
    const { lines } = await readInTest(
      file(
        bank(
          row(
            '<DTPOSTED>20260102<TRNAMT>-9<FITID>1<MEMO><PAYEE><NAME>Landlord<CITY>Bath</PAYEE><BANKACCTTO><ACCTID>3<NAME>x</BANKACCTTO>',
          ) + coffee,
        ),
      ),
    );
    expect(lines).toEqual(['2026-01-02 -9 Landlord', '2026-01-02 -2.5 Cafe']);
  });

  it('decodes entities once, and reads a stray < and CDATA as text', async () => {
    const names = ['AT&amp;T &#8364;5', 'A < B & C', '<![CDATA[<Shop> &amp; Co]]>', 'a &amp;lt; b'];
    const rows = names.map((name, index) => row(`<DTPOSTED>20260102<TRNAMT>-1<FITID>x${index}<NAME>${name}\n`));
    const { transactions } = await readInTest(file(bank(rows.join(''))));
    expect(transactions.map(({ merchantName }) => merchantName)).toEqual([
      'AT&T €5',
      'A < B & C',
      '<Shop> &amp; Co',
      'a &lt; b',
    ]);
  });

  it.each([
    ['Windows-1252 if the header names it', 'Caf\u00e9 \u20ac', Buffer.from('Caf\xe9 \x80', 'latin1'), '1252'],
    ['UTF-8 even if the header names Windows-1252', 'Caf\u00e9 \u20ac', Buffer.from('Caf\u00e9 \u20ac'), '1252'],
    ['Windows-1251 if the header names it', '\u0416\u0443\u043a', Buffer.from([0xc6, 0xf3, 0xea]), '1251'],
  ])('decodes %s', async (_, text, bytes, charset) => {
    const [before = '', after = ''] = file(bank(row('<DTPOSTED>20260102<TRNAMT>-1<FITID>1<NAME>@'))).split('@');
    const start = before.replace('CHARSET:1252', `CHARSET:${charset}`);
    const { transactions } = await readInTest(Buffer.concat([Buffer.from(start), bytes, Buffer.from(after)]));
    expect(transactions[0]?.merchantName).toBe(text);
  });

  it('reads amounts with a decimal point or comma, and reports the ambiguous amounts 1,234 and 8.850 as failed', async () => {
    const amounts = ['-1234.50', '+1,234.50', '-1234,5', '- 7', '8.850', '1,234', '0.00', 'ten', '-0,01'];
    const rows = amounts.map((text, index) => row(`<DTPOSTED>20260102<TRNAMT>${text}<FITID>x${index}`));
    const { rows: read, lines } = await readInTest(file(bank(rows.join(''))));
    expect(lines).toEqual([
      '2026-01-02 -1234.5',
      '2026-01-02 1234.5',
      '2026-01-02 -1234.5',
      '2026-01-02 -7',
      '2026-01-02 -0.01',
    ]);
    expect(read.filter(({ outcome }) => outcome !== 'transaction')).toMatchObject([
      {
        outcome: 'failure',
        reason: expect.stringContaining('the point in "8.850" may separate thousands or decimals'),
      },
      { outcome: 'failure', reason: 'the comma in "1,234" may separate thousands or decimals: record it manually' },
      { outcome: 'skipped', reason: 'its amount is zero' },
      { outcome: 'failure', reason: '"ten" is not a valid OFX amount (TRNAMT)' },
    ]);
  });

  it.each(['1,234 EUR', 'EUR 1,234', '-1,234€', '(1,234)', '1,234CR'])(
    'fails a row whose amount has a currency, a code or brackets, if the comma in it may separate thousands: %s',
    async (text) => {
      const { rows } = await readInTest(file(bank(row(`<DTPOSTED>20260102<TRNAMT>${text}<FITID>x1`))));
      const reason = `the comma in "${text}" may separate thousands or decimals: record it manually`;
      expect(rows).toMatchObject([{ outcome: 'failure', reason }]);
    },
  );

  it('reads an amount with a zero before its comma, because the comma cannot separate thousands', async () => {
    const { lines } = await readInTest(file(bank(row('<DTPOSTED>20260102<TRNAMT>-0,500<FITID>x1<NAME>Cafe'))));
    expect(lines).toEqual(['2026-01-02 -0.5 Cafe']);
  });

  it.each(['1.230 EUR', '-1.234 €', '(1.234)'])(
    'fails a row whose amount has a currency or brackets, if the point in it may separate thousands: %s',
    async (text) => {
      const { rows } = await readInTest(file(bank(row(`<DTPOSTED>20260102<TRNAMT>${text}<FITID>x1`))));
      const reason = `the point in "${text}" may separate thousands or decimals: record it manually`;
      expect(rows).toMatchObject([{ outcome: 'failure', reason }]);
    },
  );

  it('reads an amount that names the currency of the statement, and reports a failure if it names another currency', async () => {
    const amounts = ['-12.50 USD', '-0.500 USD', '$-5.00', '-12.50 EUR', '-12.50 €'];
    const rows = amounts.map((text, index) => row(`<DTPOSTED>20260102<TRNAMT>${text}<FITID>x${index}`));
    const { rows: read, lines } = await readInTest(file(bank(rows.join('')).replace(/<CURDEF>\w*/, '<CURDEF>USD')));
    expect(lines).toEqual(['2026-01-02 -12.5', '2026-01-02 -0.5', '2026-01-02 -5']);
    expect(read.slice(3)).toMatchObject([
      { outcome: 'failure', reason: 'its amount is in EUR, but its currency is USD' },
      { outcome: 'failure', reason: 'its amount is in €, but its currency is USD' },
    ]);
  });

  it('uses the day that the bank wrote, in any time zone', async () => {
    const dates = ['20260102', '20260102233000[-8:PST]', '20260102000000.000[+9]', '20260230', ''];
    const rows = dates.map((text, index) => row(`<DTPOSTED>${text}<TRNAMT>-1<FITID>x${index}`));
    const { lines, rows: read } = await readInTest(file(bank(rows.join(''))));
    expect(lines).toEqual(Array(3).fill('2026-01-02 -1'));
    expect(read.slice(3).map(({ outcome }) => outcome)).toEqual(['failure', 'failure']);
  });

  it('takes the currency of a transaction from CURRENCY, and ignores ORIGCURRENCY, the currency before a conversion', async () => {
    const start = '<DTPOSTED>20260102<TRNAMT>-1<FITID>';
    const { transactions } = await readInTest(
      file(
        bank(
          row(`${start}1<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY>`) +
            row(`${start}2<ORIGCURRENCY><CURRATE>1.1<CURSYM>EUR</ORIGCURRENCY>`),
        ),
      ),
    );
    expect(transactions.map(({ currencyCode }) => currencyCode)).toEqual(['EUR', 'USD']);
  });

  it('returns no id if FITID is a placeholder such as 0 or N/A', async () => {
    const rows = ['', '0', '000', 'NONREF', 'N/A', '0001'].map((id) =>
      row(`<DTPOSTED>20260102<TRNAMT>-1<FITID>${id}<NAME>x`),
    );
    const { transactions } = await readInTest(file(bank(rows.join(''))));
    expect(transactions.map(({ statementId }) => statementId)).toEqual([null, null, null, null, null, '0001']);
  });
});

describe('several accounts in one file', () => {
  const both = `${header()}<OFX><BANKMSGSRSV1>${bank(coffee)}</BANKMSGSRSV1><CREDITCARDMSGSRSV1>${card(coffee + coffee)}</CREDITCARDMSGSRSV1></OFX>`;

  it('are read without the transactions of an investment statement, which the reader reports as left out', async () => {
    const cash = row('<TRNTYPE>CREDIT<DTPOSTED>20260103<TRNAMT>99<FITID>9');
    const investments = `<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVACCTFROM><ACCTID>7</INVACCTFROM><INVTRANLIST><INVBANKTRAN>${cash}</INVBANKTRAN></INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>`;
    for (const [tag, content] of [
      ['</OFX>', `${investments}</OFX>`],
      ['<OFX>', `<OFX>${investments}`],
    ] as const) {
      const { lines, statement } = await readInTest(file(bank(coffee)).replace(tag, content));
      expect(lines).toEqual(['2026-01-02 -2.5 Cafe']);
      expect(statement.interpretation?.lines).toContainEqual(['left out', '1 investment statement']);
    }
  });

  it('are returned with type and currency, and each row with its account', async () => {
    const { statement, transactions } = await readInTest(both);
    expect(statement.accounts).toEqual([
      { name: '111', type: 'checking', currencyCode: 'USD', rowCount: 1 },
      { name: '222', type: 'credit_card', currencyCode: 'USD', rowCount: 2 },
    ]);
    expect(transactions.map(({ accountName }) => accountName)).toEqual(['111', '222', '222']);
  });

  it('are left out if --statement-account names another account; an unknown account is refused with the list of accounts', async () => {
    const { statement, transactions } = await readInTest(both, { onlyAccounts: ['222'] });
    expect([statement.rowCount, transactions.length]).toEqual([2, 2]);
    const path = await writeStatement(both);
    await expect(openInTest(path, { onlyAccounts: ['333'] })).rejects.toMatchObject({
      message: expect.stringContaining('no account "333"'),
      remedy: 'It has: 111, 222.',
    });
  });

  it('do not include an account without a statement, even if the sign-up message (SIGNUPMSGSRSV1) names it', async () => {
    const known = '<SIGNUPMSGSRSV1><BANKACCTFROM><BANKID>8<ACCTID>111<ACCTTYPE>SAVINGS</BANKACCTFROM></SIGNUPMSGSRSV1>';
    const { statement } = await readInTest(file(bank(coffee)).replace('<OFX>', `<OFX>${known}`));
    expect(statement.accounts?.map(({ name }) => name)).toEqual(['111']);
  });

  it('are distinguished by their type if they have the same number', async () => {
    const { statement } = await readInTest(file(bank(coffee) + bank(coffee, '<ACCTID>111<ACCTTYPE>SAVINGS')));
    expect(statement.accounts?.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      '111 CHECKING 9: checking',
      '111 SAVINGS 9: savings',
    ]);
  });

  it('are read without the rows that an earlier statement of the same account already contains', async () => {
    const tea = row('<TRNTYPE>POS<DTPOSTED>20260103<TRNAMT>-3<FITID>2<NAME>Tea');
    const copied = await readInTest(file(bank(coffee) + bank(coffee + tea)));
    expect(copied.lines).toEqual(['2026-01-02 -2.5 Cafe', '2026-01-03 -3 Tea']);
    expect(copied.rows[1]).toMatchObject({
      outcome: 'skipped',
      reason: 'it is also in an earlier statement of the file',
    });
    const within = await readInTest(file(bank(coffee + coffee) + bank(coffee, '<ACCTID>333')));
    expect(within.lines).toHaveLength(3);
  });

  it('are read without ids if --id-column is "", and rows that an earlier statement contains are still skipped', async () => {
    const tea = row('<TRNTYPE>POS<DTPOSTED>20260103<TRNAMT>-3<FITID>2<NAME>Tea');
    const { lines, transactions } = await readInTest(file(bank(coffee + coffee) + bank(coffee + tea)), {
      options: { columns: { id: '' } },
    });
    expect(lines).toEqual(['2026-01-02 -2.5 Cafe', '2026-01-02 -2.5 Cafe', '2026-01-03 -3 Tea']);
    expect(transactions.map(({ statementId }) => statementId)).toEqual([null, null, null]);
  });

  it('are read once if a statement is repeated, although its transactions have no usable ids', async () => {
    const rent = row('<TRNTYPE>DEBIT<DTPOSTED>20260102<TRNAMT>-950<FITID>0<NAME>Elm Street Apartments');
    const statement = (balance: string) =>
      bank(rent)
        .replace('<BANKTRANLIST>', '<BANKTRANLIST><DTSTART>20260101<DTEND>20260131')
        .replace('</STMTRS>', `<LEDGERBAL><BALAMT>${balance}<DTASOF>20260131</LEDGERBAL></STMTRS>`);
    const repeated = await readInTest(file(statement('1200.00') + statement('1200.00')));
    expect(repeated.rows).toMatchObject([
      { outcome: 'transaction' },
      { outcome: 'skipped', reason: 'its statement is also earlier in the file' },
    ]);
    expect((await readInTest(file(statement('1200.00') + statement('250.00')))).lines).toHaveLength(2);
  });

  it('do not include an account twice if two statements have the same account number and type', async () => {
    const { statement } = await readInTest(file(bank(coffee) + bank(coffee)));
    expect(statement.accounts).toMatchObject([{ name: '111', rowCount: 2 }]);
  });
});

describe('the OFX 2 reader', () => {
  const xml = (body: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE"?>\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR</CURDEF><BANKACCTFROM><BANKID>9</BANKID><ACCTID>0012</ACCTID><ACCTTYPE>SAVINGS</ACCTTYPE></BANKACCTFROM><BANKTRANLIST>${body}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
  const settled =
    '<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260102120000</DTPOSTED><TRNAMT>-10.00</TRNAMT><FITID>00042</FITID><PAYEE><NAME>Tom &amp; Co</NAME></PAYEE><MEMO>caf\u00e9</MEMO></STMTTRN>';

  it('reads the fields of a transaction, and preserves the leading zeros of ids', async () => {
    const { statement, transactions } = await readInTest(xml(settled));
    expect(statement.accounts).toEqual([{ name: '0012', type: 'savings', currencyCode: 'EUR', rowCount: 1 }]);
    expect(transactions).toEqual([
      {
        direction: 'expense',
        amountDecimal: '10',
        currencyCode: 'EUR',
        occurredOn: '2026-01-02',
        description: 'caf\u00e9',
        merchantName: 'Tom & Co',
        categoryName: null,
        accountName: '0012',
        statementId: '00042',
      },
    ]);
  });

  it('returns the same rows and ids as the OFX 1 reader, so that importing both versions of a file records nothing twice', async () => {
    const { transactions } = await readInTest(xml(settled));
    const sgml = xml(settled)
      .replace(/<\?.*?\?>\n/g, '')
      .replace(/<\/(\w+)>/g, (tag, name) =>
        ['TRNTYPE', 'DTPOSTED', 'TRNAMT', 'FITID', 'NAME', 'MEMO', 'CURDEF'].includes(name) ? '' : tag,
      );
    expect((await readInTest(`${header()}${sgml}`)).transactions).toEqual(transactions);
  });

  it('reads a file without end tags, because some banks write the SGML of OFX 1 below the header of OFX 2', async () => {
    const { transactions } = await readInTest(xml(settled));
    const open = xml(settled).replace(/<\/(CURDEF|ACCTID|TRNTYPE|DTPOSTED|TRNAMT|FITID|NAME|MEMO)>/g, '');
    expect((await readInTest(open)).transactions).toEqual(transactions);
  });

  it('ignores transactions inside comments, and so does the OFX 1 reader', async () => {
    const hidden = settled.replace('00042', '00043');
    const content = `<!-- ${hidden} -->${settled}<!--\n${hidden}\n-->`;
    expect((await readInTest(xml(content))).rows).toHaveLength(1);
    const open = content.replace(/<\/(?!STMTTRN)\w+>/g, '');
    expect((await readInTest(file(bank(open)))).rows).toHaveLength(1);
  });

  it('skips pending transactions', async () => {
    const pending = settled.replaceAll('STMTTRN>', 'STMTTRNP>');
    const { rows } = await readInTest(xml(settled + pending));
    expect(rows.map(({ outcome }) => outcome)).toEqual(['transaction', 'skipped']);
  });
});

describe('an amount such as 1.000, with exactly three digits after a point', () => {
  const amounts = async (texts: readonly string[], { balance = '', options = {}, currencyCode = 'USD' } = {}) => {
    const transactions = texts.map((text, index) =>
      row(`<TRNTYPE>POS<DTPOSTED>20260102<TRNAMT>${text}<FITID>${index}<NAME>Shop`),
    );
    const ledger = balance === '' ? '' : `<LEDGERBAL><BALAMT>${balance}<DTASOF>20260131</LEDGERBAL>`;
    const content = file(bank(transactions.join('')).replace('</STMTRS>', `${ledger}</STMTRS>`));
    const { statement, rows } = await readInTest(content.replace('USD', currencyCode), { options });
    const read = rows.map((found) => (found.outcome === 'transaction' ? found.transaction.amountDecimal : found));
    const balances = (statement.interpretation?.lines ?? [])
      .filter(([label]) => label === 'balance')
      .map(([, text]) => text);
    return { read, balances };
  };
  const ambiguous = (text: string, cause = 'the file also has decimal commas') => ({
    outcome: 'failure',
    reason: `the point in "${text}" may separate thousands or decimals, because ${cause}: record it manually`,
  });

  it.each(['-2,50', '-1.234,56', '-0,5'])('fails if another amount is %s', async (other) => {
    for (const texts of [
      ['-1.000', other],
      [other, '-1.000'],
    ]) {
      const { read } = await amounts(texts);
      expect(read[texts.indexOf('-1.000')]).toMatchObject(ambiguous('-1.000'));
      expect(read[texts.indexOf(other)]).toBe(other.slice(1).replace('.', '').replace(',', '.').replace(/0$/, ''));
    }
  });

  it('fails if a balance has a decimal comma, and even with --minus if another amount has one', async () => {
    expect((await amounts(['-1.000'], { balance: '99,50' })).read).toMatchObject([ambiguous('-1.000')]);
    const { read } = await amounts(['-1.000', '-2,50'], { options: { minusMeans: 'expense' } });
    expect(read).toMatchObject([ambiguous('-1.000'), '2.5']);
  });

  it.each(['+1.000', '-1234.567', '-1.000 EUR'])('fails in a file with decimal commas: %s', async (text) => {
    expect((await amounts([text, '-2,50'])).read).toMatchObject([ambiguous(text), '2.5']);
  });

  it('fails if another amount has several points', async () => {
    const { read } = await amounts(['-1.000', '-2.500.000']);
    expect(read[0]).toMatchObject(ambiguous('-1.000', 'the file also has points between thousands'));
  });

  it.each(['CLP', 'HUF', 'VND'])(
    'fails in %s, which is usually written without decimals and with points between thousands',
    async (code) => {
      const { read, balances } = await amounts(['-5.000', '-120'], { currencyCode: code, balance: '438.620' });
      expect(read).toMatchObject([ambiguous('-5.000', `${code} is usually written without decimals`), '120']);
      expect(balances).toEqual([]);
    },
  );

  it('is read with three decimal places if no amount of the file has a decimal comma', async () => {
    expect((await amounts(['-1.000', '-2.50', '8.850'])).read).toEqual(['1', '2.5', '8.85']);
    expect((await amounts(['-1.000', '-1,234.50'])).read).toEqual(['1', '1234.5']);
  });

  it('is read with three decimal places if no other reading is possible', async () => {
    expect((await amounts(['-0.500', '-2,50', '-3.25'])).read).toEqual(['0.5', '2.5', '3.25']);
  });

  it('is left out of the report if it is the ledger balance, and the amounts of the file have decimal commas', async () => {
    expect((await amounts(['-2,50'], { balance: '1.000' })).balances).toEqual([]);
    expect((await amounts(['-2.50'], { balance: '1.000' })).balances).toEqual([
      'ledger balance 1.00 USD on 2026-01-31',
    ]);
  });
});
