import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readExport } from '../../test-support/read-export.js';
import { StatementError } from '../statement-error.js';
import { readRecords } from './table/reader.js';

const delimiters = fc.constantFrom(',', ';', '\t', '|');
const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

it('readRecords reads back random cells with delimiters, quotes and line breaks, for each of four delimiters', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '|', ' ', '\n', '1') });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(table, delimiters, fc.boolean(), async (rows, delimiter, quotesAll) => {
      const mustQuote = (text: string) => quotesAll || /["\n]/.test(text) || text.includes(delimiter);
      const lines = rows.map((row) => row.map((text) => (mustQuote(text) ? quote(text) : text)).join(delimiter));
      async function* eachLine() {
        yield* lines.join('\n').split('\n');
      }
      const read = [];
      for await (const record of readRecords(eachLine(), delimiter))
        read.push('cells' in record ? record.cells : record);
      // If the delimiter is a tab, a record of blank cells is a blank line.
      const isBlank = (row: readonly string[]) => !quotesAll && delimiter === '\t' && row.join('').trim() === '';
      const written = rows.filter((row) => !isBlank(row) || row.some((text) => text.includes('\n')));
      expect(read.filter((row) => !Array.isArray(row) || !isBlank(row))).toEqual(
        written.filter((row) => !isBlank(row)),
      );
    }),
  );
});

const dateStyles: Readonly<Record<string, (year: string, month: string, day: string) => string>> = {
  iso: (year, month, day) => `${year}-${month}-${day}`,
  american: (year, month, day) => `${Number(month)}/${Number(day)}/${year}`,
  british: (year, month, day) => `${day}/${month}/${year}`,
  german: (year, month, day) => `${day}.${month}.${year.slice(2)}`,
  dashed: (year, month, day) => `${day}-${month}-${year.slice(2)}`,
  japanese: (year, month, day) => `${year.slice(2)}/${month}/${day}`,
  compact: (year, month, day) => `${year}${month}${day}`,
  time: (year, month, day) => `${year}-${month}-${day}T23:59:59+02:00`,
};
const signStyles: Readonly<Record<string, readonly [out: (text: string) => string, into: (text: string) => string]>> = {
  minus: [(text) => `-${text}`, (text) => text],
  typographic: [(text) => `\u2212${text}`, (text) => `+${text}`],
  behind: [(text) => `${text}-`, (text) => text],
  parentheses: [(text) => `(${text})`, (text) => text],
  words: [(text) => `${text} DR`, (text) => `${text} CR`],
  letters: [(text) => `${text} S`, (text) => `${text} H`],
};

it('the CSV reader reads random files in many styles of dates, signs and amounts exactly, or refuses them, or requires confirmation', async () => {
  const row = fc.record({
    day: fc.integer({ min: 0, max: 70 }),
    cents: fc.integer({ min: 1, max: 999_999_999 }),
    isIncome: fc.boolean(),
    text: fc.string({ unit: fc.constantFrom('a', 'B', ' ', ',', ';', '"', 'ä', '7') }),
  });
  const style = fc.record({
    date: fc.constantFrom(...Object.keys(dateStyles)),
    sign: fc.constantFrom(...Object.keys(signStyles)),
    decimal: fc.constantFrom('.', ','),
    group: fc.constantFrom('', 'other', ' ', '\u202f', "'"),
    currency: fc.constantFrom('', 'EUR ', '€'),
    delimiter: delimiters,
    firstDay: fc.integer({ min: 15_000, max: 22_000 }),
  });
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), style, async (rows, how) => {
      // No country writes both American dates and a decimal comma.
      fc.pre(how.date !== 'american' || how.decimal === '.');
      const group = how.group === 'other' ? (how.decimal === '.' ? ',' : '.') : how.group;
      const [out, into] = signStyles[how.sign] ?? [];
      const lines = rows.map(({ day, cents, isIncome, text }) => {
        const [year = '', month = '', date = ''] = isoDate(how.firstDay + day).split('-');
        const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, group);
        const amount = `${how.currency}${whole}${how.decimal}${String(cents % 100).padStart(2, '0')}`;
        const cells = [dateStyles[how.date]?.(year, month, date), text, (isIncome ? into : out)?.(amount)];
        return cells.map((cell) => quote(cell ?? '')).join(how.delimiter);
      });
      const expected = rows.map(({ day, cents, isIncome }) => {
        const amount = (cents / 100).toFixed(2).replace(/\.?0+$/, '');
        return `${isoDate(how.firstDay + day)} ${isIncome ? '+' : '-'}${amount}`;
      });
      // If the file has at least four rows, and only the last one has no text, this row may be a balance, so it fails.
      const withoutText = rows.flatMap(({ text }, index) => (/\p{L}.*\p{L}/u.test(text) ? [] : [index]));
      if (rows.length > 3 && withoutText.length === 1 && withoutText[0] === rows.length - 1) {
        expected.splice(-1, 1, `line ${rows.length + 1}`);
      }
      try {
        const result = await readExport([['Date', 'Text', 'Amount'].join(how.delimiter), ...lines]);
        // Without any minus, plus or code, nothing shows the direction, so the user must confirm it.
        const showsDirection =
          rows.some(({ isIncome }) => !isIncome) || ['typographic', 'words', 'letters'].includes(how.sign);
        const dated = result.rows.map((text) => text.split(' ').slice(0, 2).join(' '));
        if (showsDirection) expect(dated).toEqual(expected);
        else expect(result.mustConfirm).toBe(true);
        read += 1;
      } catch (error) {
        if (!(error instanceof StatementError)) throw error;
        expect(error.remedy).toMatch(/--(date-format|decimal-separator)/);
      }
    }),
    { numRuns: 120 },
  );
  expect(read).toBeGreaterThan(50);
}, 60_000);

function isoDate(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
