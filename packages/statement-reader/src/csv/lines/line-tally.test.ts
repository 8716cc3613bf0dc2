import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const footers = [
  'Saldo finale;;1440,30',
  '共 4 笔;;',
  'Balance at start of period;;1000,00',
  'Questo documento non ha valore legale.;;',
  '*** End of file ***',
  'Transactions Total;;29,50',
  'Ukończono;;12,00',
  'Data;Descrizione;Importo',
  ';;',
  '',
];

/** Parts of a statement: the lines above the headers, and the rows, each with the lines below it. */
const statement = fc.record({
  preamble: fc.array(fc.constantFrom('Conto 123', '', 'Periodo;01/2024'), { maxLength: 3 }),
  rows: fc.array(
    fc.record({
      text: fc.constantFrom('Grocer', '"two\r\nlines"', '"a\r\nb\r\nc"', '"q ""x"""', '12" pizza'),
      below: fc.array(fc.constantFrom(...footers), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

it('the CSV reader counts each line of a file once, as a header, as a row or as left out', async () => {
  await fc.assert(
    fc.asyncProperty(statement, async ({ preamble, rows }) => {
      const lines = [
        ...preamble,
        'Data;Descrizione;Importo',
        ...rows.flatMap(({ text, below }, index) => [`${index + 13}/03/2024;${text};-20,00`, ...below]),
      ];
      const physical = lines.join('\r\n').split('\r\n');
      const rowLines = rows.reduce((sum, { text }) => sum + text.split('\r\n').length, 0);
      const { interpretation } = await readExport(lines);
      const leftOut = physical.length - rowLines - 1;
      const counted = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
      const inLines = rowLines === rows.length ? '' : ` in ${rowLines} lines`;
      const others = leftOut === 0 ? '' : `, ${leftOut} left out`;
      expect(interpretation.lines).toBe(`${physical.length}: 1 header, ${counted}${inLines}${others}`);
      expect(countNamed(interpretation['left out'] ?? '')).toBe(leftOut);
    }),
    { numRuns: 150 },
  );
}, 60_000);

/** Returns the number of left-out lines that the text names or counts. */
function countNamed(text: string): number {
  const places = [...text.matchAll(/lines? (\d+)(?:-(\d+))? "/g)];
  const named = places.reduce((sum, [, from, to]) => sum + Number(to ?? from) - Number(from) + 1, 0);
  const others = [...text.matchAll(/(?<=^|; |, )(\d+) (?:preamble|blank|repeated header|balance|total|note)/g)];
  return others.reduce((sum, [, count]) => sum + Number(count), named);
}

it('the CSV reader lists five of nine left-out lines with their reasons, and counts the rest by reason', async () => {
  const { interpretation, rows } = await readExport([
    'Conto 123',
    '',
    'Data;Descrizione;Importo',
    '13/03/2024;Grocer;-20,00',
    '14/03/2024;Salary;500,00',
    ...footers.slice(0, 7),
  ]);
  expect(rows).toEqual(['2024-03-13 -20 Grocer', '2024-03-14 +500 Salary']);
  expect(interpretation.lines).toBe('12: 1 header, 2 rows, 9 left out');
  expect(interpretation['left out']).toBe(
    'line 6 "Saldo finale" (balance), line 7 "共 4 笔" (note), line 8 "Balance at start of period" (balance), ' +
      'line 9 "Questo documento non ha valore legale." (note), line 10 "*** End of file ***" (note); ' +
      '1 preamble, 1 blank, 1 note, 1 total',
  );
});

it('the CSV reader leaves out a disclaimer whose commas divide it into cells', async () => {
  const { rows, interpretation } = await readExport([
    'Date,Description,Amount,Balance',
    '2024-03-13,Grocer,-20.00,80.00',
    'REGISTERED OFFICE OF THE BANK, TRISHUL, Ahmedabad . 380006.',
  ]);
  expect(rows).toEqual(['2024-03-13 -20 Grocer']);
  expect(interpretation['left out']).toMatch(/^line 3 "REGISTERED OFFICE OF THE BANK.*" \(note\)$/);
});

it('the CSV reader leaves out a total whose amount is in the date column', async () => {
  const { rows, interpretation } = await readExport([
    'Booked,Value date,Transaction description,Debits,Credits,Balance',
    '13/03/2024,13/03/2024,Rent,"847,20",,"2 272,80"',
    '14/03/2024,14/03/2024,Salary,,"2 452,20","4 725,00"',
    '"Debits","847,20",,,,',
    '"Credits","2 452,20",,,,',
  ]);
  expect(rows).toEqual(['2024-03-13 -847.2 Rent', '2024-03-14 +2452.2 Salary']);
  expect(interpretation['left out']).toBe('line 4 "Debits" (note), line 5 "Credits" (note)');
});

it('the CSV reader reports a row with a name and an unreadable date as failed', async () => {
  const { rows } = await readExport(['Text,Date,Amount', 'Tea,2024-03-13,-5.00', 'Coffee,14.03,']);
  expect(rows).toEqual(['2024-03-13 -5 Tea', 'line 3 failure: "14.03" is not a date written as YYYY-MM-DD']);
});

it('the CSV reader leaves out a label and an amount that its commas divide into cells', async () => {
  const { rows, interpretation } = await readExport([
    'Tanggal Transaksi,Keterangan,Cabang,Jumlah,Saldo',
    '13/05/2026,"SEWA RUMAH","0000","845,000.70 DB","2,274,999.30"',
    '14/05/2026,"GAJI","0000","2,450,000.70 CR","4,725,000.00"',
    'Saldo Awal : 3,120,000.00',
    'Mutasi Debet : 845,000.70,1',
    'Mutasi Kredit : 2,450,000.70,1',
  ]);
  expect(rows).toEqual(['2026-05-13 -845000.7 SEWA RUMAH', '2026-05-14 +2450000.7 GAJI']);
  expect(interpretation['left out']).toBe(
    'line 4 "Saldo Awal : 3" (balance), line 5 "Mutasi Debet : 845" (note), line 6 "Mutasi Kredit : 2" (note)',
  );
});

it('the CSV reader leaves out a disclaimer of thirty lines in one cell', async () => {
  const disclaimer = Array.from({ length: 30 }, (_, index) => `Paragraph ${index}`).join('\r\n');
  const { interpretation, rows } = await readExport([
    'ID,Datetime,Note,Amount',
    '1,2024-03-13T10:00:00,Tea,-5.00',
    `,,,,"${disclaimer}"`,
  ]);
  expect(rows).toEqual(['2024-03-13 -5 Tea']);
  expect(interpretation['left out']).toMatch(/^lines 3-32 "Paragraph 0 .*…" \(note\)$/);
});

it('the CSV reader reports a row with a text in the date column as failed if the row also has a description', async () => {
  const { rows } = await readExport(['Date,Text,Amount', '2024-03-13,Tea,-5.00', 'Soon,Coffee,-4.00']);
  expect(rows).toEqual(['2024-03-13 -5 Tea', 'line 3 failure: "Soon" is not a date written as YYYY-MM-DD']);
});

it('the CSV reader reports a row with a word for a day in the date column as failed even without a description', async () => {
  const { rows } = await readExport(['Date,Text,Amount,Balance', '2024-03-13,Tea,-5.00,95.00', 'Today,,-4.00,91.00']);
  expect(rows).toEqual(['2024-03-13 -5 Tea', 'line 3 failure: "Today" is not a date written as YYYY-MM-DD']);
});

it('the CSV reader reports a row with a sentence in the date column as failed if the row also has an amount or a date', async () => {
  const file = ['Date,Text,Amount,Booked', '2024-03-13,Tea,-5.00,2024-03-13'];
  for (const row of ['the same day,Kiosk,-4.50 in cash,', 'see the receipt,Kiosk,ca. 4,2024-03-14']) {
    const { rows } = await readExport([...file, row]);
    expect(rows[1]).toMatch(/^line 3 failure: "(the same day|see the receipt)" is not a date written as YYYY-MM-DD$/);
  }
});

it('the CSV reader reports a row with a text in the date column as failed if the file has no description column', async () => {
  const { rows } = await readExport(['Date,Amount', '2024-03-13,-5.00', 'Soon,-4.00']);
  expect(rows).toEqual(['2024-03-13 -5', 'line 3 failure: "Soon" is not a date written as YYYY-MM-DD']);
});
