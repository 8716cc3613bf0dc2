import { describe, expect, it } from 'vitest';
import { openInTest, readInTest } from '../test-support/read-statement.js';
import { writeStatement } from '../test-support/statement-files.js';
import { openStatement } from './open-statement.js';
import type { StatementSource } from './source.js';

const ofx =
  '<OFX><BANKMSGSRSV1><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST><STMTTRN><DTPOSTED>20260102<TRNAMT>-1<FITID>1</STMTTRN></BANKTRANLIST></STMTRS></BANKMSGSRSV1></OFX>';
const camt =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.04"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>X</IBAN></Id></Acct></Stmt></BkToCstmrStmt></Document>';
const qif = '!Type:Bank\nD01/13/2026\nT-5\n^\n';
const csv = 'Date,Amount\n2026-01-13,-5\n';

describe('the format of a file', () => {
  it.each([
    ['ofx', `OFXHEADER:100\n${ofx}`],
    ['ofx', `\ufeff\n  ${ofx}`],
    [
      'ofx',
      `<?xml version="1.0"?><?OFX OFXHEADER="200"?>${ofx.replace('<ACCTID>1', '<ACCTID>1</ACCTID>').replace('20260102<TRNAMT>-1<FITID>1', '20260102</DTPOSTED><TRNAMT>-1</TRNAMT><FITID>1</FITID>')}`,
    ],
    ['qif', qif],
    ['qif', '!Account\nNChecking\n^\n!Type:Bank\nD01/13/2026\nT-5\n^\n'],
    ['qif', `# exported\n\n# again\n${qif}`],
    // A pattern that backtracks over each `#` would never end here.
    ['csv', `${'# '.repeat(200)}\n${csv}`],
    ['camt053', camt],
    [
      'camt053',
      `<?xml version="1.0"?><ns2:Document xmlns:ns2="urn:x"><ns2:BkToCstmrStmt><ns2:Stmt/></ns2:BkToCstmrStmt></ns2:Document>`,
    ],
    ['csv', csv],
  ])('is detected from its content: %s', async (format, content) => {
    const { statement } = await readInTest(content);
    expect(statement.format).toBe(format);
  });

  it.each(['utf16le', 'latin1'] as const)('is detected if the encoding is %s', async (encoding) => {
    const mark = encoding === 'utf16le' ? '\ufeff' : '';
    expect((await readInTest(Buffer.from(`${mark}${qif}`, encoding))).statement.format).toBe('qif');
  });

  it('is the format that --format names, even if the content does not show it', async () => {
    const { lines } = await readInTest('D01/13/2026\nT-5\n^\n', { format: 'qif' });
    expect(lines).toEqual(['2026-01-13 -5']);
    await expect(readInTest(csv, { format: 'camt053' })).rejects.toThrow('not well-formed XML');
    await expect(readInTest(csv, { format: 'xls' })).rejects.toMatchObject({
      remedy: 'Use one of csv, ofx, qif, camt053.',
    });
  });

  it.each([
    ['%PDF-1.7\n', 'a PDF document'],
    ['PK\u0003\u0004', 'a spreadsheet or a ZIP archive'],
    ['<html><table>', 'a web page'],
    ['<?xml version="1.0"?><Workbook/>', 'an XML file of an unknown format'],
    [
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"/>',
      'an account report (camt.052) or a notification (camt.054)',
    ],
    [':20:STARTUMS\r\n:25:1/2\r\n', 'an MT940 statement'],
    ['{1:F01BANKNL2A}{2:I940}{4:\r\n:20:1', 'an MT940 statement'],
    ['0000 01BANKNL2AXXXX00001\r\n940 00\r\n:20:1\r\n:25:1\r\n', 'an MT940 statement'],
    ['\r\nBANKNL2A\r\n940\r\nBANKNL2A\r\n:20:BANK\r\n:25:1\r\n', 'an MT940 statement'],
    ['[{"date": "2026-01-13"}]', 'JSON'],
  ])('is named in the error if it is not supported: %j', async (content, what) => {
    const path = await writeStatement(content, 'statement');
    await expect(openInTest(path)).rejects.toThrow(`${path} is ${what}`);
  });
});

it.each([
  ['csv', csv],
  ['ofx', `OFXHEADER:100\n${ofx}`],
  ['qif', qif],
])(
  'openStatement reads a %s file that ends with NULs, and refuses a file with NULs inside',
  async (format, content) => {
    const { statement, rows } = await readInTest(`${content}\0\0`);
    expect([statement.format, rows.length]).toEqual([format, 1]);
    await expect(readInTest(content.replace(/\n(?=[^\n]*\n*$)/, '\n\0\0'))).rejects.toThrow('is not a text file');
  },
);

it('openStatement reads a UTF-16 file whose last character ends with a zero byte', async () => {
  const { rows } = await readInTest(Buffer.from(csv, 'utf16le'));
  expect(rows).toMatchObject([{ outcome: 'transaction', transaction: { amountDecimal: '5' } }]);
});

it.each(['utf8', 'utf16le'] as const)(
  'openStatement reads a statement in %s from bytes in memory, in chunks of 1, 3 and 1000 bytes',
  async (encoding) => {
    const text = '\ufeffDate,Amount,Description\n2026-01-13,-5.00,Café\n2026-01-14,7.00,Salary\n';
    const bytes = Buffer.from(text, encoding);
    for (const chunkBytes of [1, 3, 1000]) {
      const source: StatementSource = {
        name: 'statement.csv',
        async *read() {
          for (let start = 0; start < bytes.length; start += chunkBytes) {
            yield new Uint8Array(bytes.subarray(start, start + chunkBytes));
          }
        },
      };
      const statement = await openStatement({
        source,
        format: undefined,
        csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: true },
        mappings: { find: async () => undefined, save: async () => {} },
      });
      const rows = [];
      for await (const row of statement.rows()) rows.push(row);
      expect(rows).toMatchObject([
        { line: 2, transaction: { direction: 'expense', amountDecimal: '5', description: 'Café' } },
        { line: 3, transaction: { direction: 'income', amountDecimal: '7', description: 'Salary' } },
      ]);
    }
  },
);
