import { describe, expect, it } from 'vitest';
import { readInTest } from '../test-support/read-statement.js';
import { StatementError } from './statement-error.js';

/** A layout of statements with six rows. The reader asks no question about the file with all six rows. */
interface Layout {
  readonly name: string;
  /** The number of parts for which the reader asks a question. Each non-empty subset of the rows makes one part. */
  readonly questions: number;
  readonly rows: readonly string[];
  /** Returns the file with some of the rows. */
  readonly file: (rows: readonly string[]) => string;
}

const csv = (name: string, questions: number, header: string, rows: readonly string[]): Layout => ({
  name,
  questions,
  rows,
  file: (some) => [header, ...some].join('\n'),
});

const ofx = (name: string, questions: number, account: string, rows: readonly string[]): Layout => ({
  name,
  questions,
  rows: rows.map((row, index) => {
    const [type, amount, ...words] = row.split(' ');
    return `<STMTTRN><TRNTYPE>${type}<DTPOSTED>2026010${index + 1}<TRNAMT>${amount}<FITID>${index}<NAME>${words.join(' ')}</STMTTRN>`;
  }),
  file: (some) =>
    `OFXHEADER:100\n<OFX><STMTRS><CURDEF>EUR${account}<BANKTRANLIST>${some.join('\n')}</BANKTRANLIST></STMTRS></OFX>`,
});
const bank = '<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM>';
const card = '<CCACCTFROM><ACCTID>1</CCACCTFROM>';

const layouts: readonly Layout[] = [
  csv('a bank account with signs and a balance', 21, 'Date,Description,Amount,Balance', [
    '2026-01-02,Salary,1000.00,1500.00',
    '2026-01-03,Shop,-20.00,1480.00',
    '2026-01-05,Cafe,-5.00,1475.00',
    '2026-01-13,Refund,5.00,1480.00',
    '2026-01-14,Rent,-700.00,780.00',
    '2026-01-31,Interest,0.10,780.10',
  ]),
  csv('a bank account with columns for money out and in', 0, 'Datum;Text;Soll;Haben', [
    '02.01.2026;Lohn;;1.000,00',
    '03.01.2026;Miete;700,00;',
    '14.01.2026;Tee;5,50;',
    '15.01.2026;Brot;5,50;',
    '16.01.2026;Zins;;0,10',
    '17.01.2026;Buch;12,00;',
  ]),
  csv('a bank account with codes', 0, 'Date,Description,Amount,D/C', [
    '2026-01-02,Salary,1000.00,C',
    '2026-01-03,Shop,20.00,D',
    '2026-01-05,Cafe,5.00,D',
    '2026-01-13,Refund,5.00,C',
    '2026-01-14,Rent,700.00,D',
    '2026-01-31,Interest,0.10,C',
  ]),
  csv('a card with a plus sign before credits', 15, 'Date,Description,Amount', [
    '13/01/2026,Shop,£20.00',
    '02/01/2026,Cafe,£5.00',
    '14/01/2026,Payment received,+ £25.00',
    '15/01/2026,Rail,£12.00',
    '16/01/2026,Refund,+ £5.00',
    '17/01/2026,Book,£1.00',
  ]),
  csv('amounts without signs beside a balance', 44, 'Date,Description,Amount,Balance', [
    '2026-01-02,Salary,1000.00,1500.00',
    '2026-01-03,Shop,20.00,1480.00',
    '2026-01-05,Cafe,5.00,1475.00',
    '2026-01-13,Refund,5.00,1480.00',
    '2026-01-14,Rent,700.00,780.00',
    '2026-01-31,Interest,0.10,780.10',
  ]),
  csv('a wallet with statuses', 3, 'Date,Description,Amount,Status', [
    '2026-01-02,Top-up,100.00,Completed',
    '2026-01-03,Shop,-20.00,Pending',
    '2026-01-05,Cafe,-5.00,Completed',
    '2026-01-13,Shop,-20.00,Completed',
    '2026-01-14,Pub,-7.00,Declined',
    '2026-01-31,Refund,20.00,Completed',
  ]),
  csv('a bank account with thousands and years of two digits', 8, 'Datum;Text;Betrag', [
    '02.01.26;Lohn;1.000',
    '03.01.26;Miete;-1.234',
    '04.01.26;Tee;-5,50',
    '13.01.26;Brot;-2',
    '14.01.26;Zins;0,125',
    '15.01.26;Buch;-12,00',
  ]),
  csv('a bank account between its balances', 22, 'Date,Description,Amount', [
    '2026-01-01,Opening balance,500.00',
    '2026-01-02,Salary,1000.00',
    '2026-01-03,Shop,-20.00',
    '2026-01-05,Cafe,-5.00',
    '2026-01-14,Refund,5.00',
    '2026-01-31,Closing balance,1480.00',
  ]),
  csv('a bank account with the newest row first and a balance before each row', 24, 'Date,Description,Amount,Balance', [
    '2026-01-31,Interest,0.10,780.00',
    '2026-01-14,Rent,-700.00,1480.00',
    '2026-01-13,Refund,5.00,1475.00',
    '2026-01-05,Cafe,-5.00,1480.00',
    '2026-01-03,Shop,-20.00,1500.00',
    '2026-01-02,Salary,1000.00,500.00',
  ]),
  csv('a card with direction words and a minus before incomes', 3, 'Date,Description,Type,Amount', [
    '2026-01-02,Shop,Debit,20.00',
    '2026-01-03,Cafe,Debit,5.00',
    '2026-01-05,Payment,Credit,-25.00',
    '2026-01-13,Rail,Debit,12.00',
    '2026-01-14,Refund,Credit,-5.00',
    '2026-01-31,Book,Debit,1.00',
  ]),
  csv('an account without headers', 6, '', [
    '2026-01-02,Salary,1000.00',
    '2026-01-03,Shop,-20.00',
    '2026-01-05,Cafe,-5.00',
    '2026-01-13,Refund,5.00',
    '2026-01-14,Rent,-700.00',
    '2026-01-31,Interest,0.10',
  ]),
  {
    name: 'a QIF bank account',
    questions: 6,
    rows: ['13/01/26 -20', '02/01/26 -5', '14/01/26 1000', '15/01/26 -1,200.50', '16/01/26 7', '17/01/26 -1.25'].map(
      (row) => `D${row.replace(' ', '\nT')}\n^`,
    ),
    file: (some) => ['!Type:Bank', ...some, ''].join('\n'),
  },
  ofx('an OFX bank account', 0, bank, [
    'DEBIT -20 Shop',
    'CREDIT 1000 Salary',
    'FEE -5 Fee',
    'CHECK -7 Check',
    'POS 3 Refund',
    'OTHER -9 Other',
  ]),
  ofx('an OFX card', 14, card, [
    'DEBIT -20 Shop',
    'CREDIT 100 Transfer',
    'POS -5 Cafe',
    'POS 3 Refund',
    'INT -2 Interest',
    'OTHER -9 Other',
  ]),
  ofx('an OFX card with reversed signs', 3, card, [
    'DEBIT 20 Shop',
    'CREDIT -100 Transfer',
    'POS 5 Cafe',
    'CREDIT -3 Refund',
    'DEBIT 2 Book',
    'FEE 9 Fee',
  ]),
  ofx('an OFX account without signs', 0, bank, [
    'DEBIT 20 Shop',
    'CREDIT 100 Salary',
    'POS 5 Cafe',
    'DEP 3 Deposit',
    'DEBIT 2 Book',
    'FEE 9 Fee',
  ]),
];

/**
 * Returns each row as `2026-01-02 -5`, as the reason why it is skipped, or as null if it fails. Returns `asks` if only an option can
 * decide.
 */
async function read(file: string) {
  try {
    const { statement, rows } = await readInTest(file);
    const { question = null, furtherQuestions = [] } = statement.interpretation ?? {};
    if ([question, ...furtherQuestions].some((one) => one?.requiresOption === true)) return 'asks';
    return rows.map((row) => {
      if (row.outcome !== 'transaction') return row.outcome === 'skipped' ? row.reason : null;
      const { occurredOn, direction, amountDecimal } = row.transaction;
      return `${occurredOn} ${direction === 'expense' ? '-' : ''}${amountDecimal}`;
    });
  } catch (error) {
    if (error instanceof StatementError) return 'asks';
    throw error;
  }
}

describe.each(layouts)('a file with any part of the rows of $name', ({ rows, file, questions }) => {
  it('is refused, requires an option, or gives each row that does not fail the same result as the whole file', async () => {
    const whole = await read(file(rows));
    if (whole === 'asks') throw new Error('The reader asks a question about the whole statement.');
    const differing: unknown[] = [];
    let asked = 0;
    for (let part = 1; part < 2 ** rows.length; part += 1) {
      const isKept = (_: unknown, index: number) => Math.floor(part / 2 ** index) % 2 === 1;
      const found = await read(file(rows.filter(isKept)));
      if (found === 'asks') {
        asked += 1;
        continue;
      }
      const expected = whole.filter(isKept);
      const isSame = found.every((row, index) => row === null || expected[index] === null || row === expected[index]);
      if (!isSame || found.length !== expected.length) differing.push({ part: rows.filter(isKept), found, expected });
    }
    // Without this count, a reader that asks about every part would pass.
    expect({ asked, differing }).toEqual({ asked: questions, differing: [] });
  });
});
