import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('dates whose day and month can be swapped', () => {
  it('are refused even if a decimal comma in the amounts suggests DD/MM/YYYY', async () => {
    const lines = ['Date;Text;Amount', '03/04/2024;Shop;-1,50', '05/04/2024;Pay;100,00'];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: expect.stringContaining('can be read as MM/DD/YYYY and as DD/MM/YYYY'),
      remedy: expect.stringContaining('--date-format'),
    });
  });

  it.each([
    ['Date;Libellé;Montant', '-1.50', '100.00'],
    ['Date;Libellé;Montant', '-1,50', '100,00'],
    ['Buchungstag;Verwendungszweck;Betrag', '-1.50', '100.00'],
    ['Buchungstag;Verwendungszweck;Betrag', '-1,50', '100,00'],
    ['Fecha;Concepto;Importe', '-1,50', '100,00'],
  ])('are refused even if the headers "%s" suggest DD/MM/YYYY (amount %s)', async (headers, expense, income) => {
    const lines = [headers, `03/04/2024;Shop;${expense}`, `05/04/2024;Pay;${income}`];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: 'The date "05/04/2024" can be read as MM/DD/YYYY and as DD/MM/YYYY.',
      remedy: 'Choose one with --date-format MM/DD/YYYY or --date-format DD/MM/YYYY.',
    });
    const { rows } = await readExport(lines, { dateFormat: 'DD/MM/YYYY' });
    expect(rows).toEqual(['2024-04-03 -1.5 Shop', '2024-04-05 +100 Pay']);
  });

  it.each([
    ['Date;Text;Amount', '16/04/2024', '05/04/2024', 'DD/MM/YYYY', '2024-04-16'],
    ['Date;Text;Amount', '04/16/2024', '05/04/2024', 'MM/DD/YYYY', '2024-04-16'],
    ['Date;Libellé;Montant', '04/16/2024', '05/04/2024', 'MM/DD/YYYY', '2024-04-16'],
  ])(
    'are read in the order that a day above 12 shows, below the headers "%s": %s',
    async (headers, first, second, format, day) => {
      const { rows, interpretation } = await readExport([headers, `${first};Shop;-1,50`, `${second};Pay;100,00`]);
      expect(rows[0]).toBe(`${day} -1.5 Shop`);
      expect(interpretation['date format']).toBe(format);
    },
  );
});

describe('month names that mean one month in Croatian and another in Polish or Czech', () => {
  it('make the reader refuse the file if they occur in all dates', async () => {
    const lines = ['Datum,Opis,Iznos', '15. listopad 2025,Kupnja,-20.00', '16. listopad 2025,Plaća,900.00'];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The date "1\d\. listopad 2025" is ambiguous: "listopad" means another month in Croatian than in Polish or Czech\.$/,
      ),
      remedy: 'In the file, replace the names of the months by numbers.',
    });
  });

  it('make only their rows fail if the file has dates with unambiguous month names', async () => {
    const { rows } = await readExport([
      'Data;Opis;Kwota',
      '30 cze 2025;Sklep;-20,00',
      '1 lip 2025;Sklep;-30,00',
      '2 lipca 2025;Pensja;900,00',
    ]);
    expect(rows).toEqual([
      '2025-06-30 -20 Sklep',
      'line 3 failure: "lip" means another month in Croatian than in Polish or Czech: replace it by a number in the file',
      '2025-07-02 +900 Pensja',
    ]);
  });
});

// A spreadsheet program that expects the month first converts 03/04/2026 (3 April) to 2026-03-04, and does not convert 13/04/2026.
describe('a partial conversion of dates by a spreadsheet program', () => {
  const read = (dates: readonly string[], dateFormat?: string) =>
    readExport(['Date,Text,Amount', ...dates.map((date) => `${date},Shop,-1.50`)], { dateFormat });

  it.each([
    [['2026-03-04', '13/03/2026', '2026-05-03', '25/03/2026'], 'YYYY-MM-DD', 'DD/MM/YYYY', '13/03/2026'],
    [['2026-03-04 00:00:00', '2026-05-03 00:00:00', '3/13/2026'], 'YYYY-MM-DD', 'MM/DD/YYYY', '3/13/2026'],
    [['03.04.2026', '4/13/26', '05.04.2026'], 'DD.MM.YYYY', 'MM/DD/YY', '4/13/26'],
    [['03.04.2026', '05.04.2026', '13-04-2026'], 'DD.MM.YYYY', 'DD-MM-YYYY', '13-04-2026'],
    [['3/4/2026', '13/03/2026', '25/03/2026'], 'DD/MM/YYYY', 'MM/DD/YYYY', '3/4/2026'],
  ])('makes the reader refuse dates whose day and month may be swapped: %j', async (dates, first, second, example) => {
    await expect(read(dates)).rejects.toMatchObject({
      message: `The file mixes dates written as ${first} with dates written as ${second}, such as "${example}".`,
      remedy: expect.stringContaining(`--date-format ${first} or --date-format ${second}`),
    });
    expect((await read(dates, first)).interpretation['date format']).toBe(first);
  });

  it.each([
    ['no date in the second format has a day above 12', ['2026-03-04', '2026-03-05', '03/03/2026']],
    ['a date in the first format has a day above 12', ['2026-03-04', '2026-03-13', '14.03.2026']],
    ['the second format has names of months', ['2026-03-04', '2026-03-05', '13-Mar-2026']],
    ['each date in the first format has equal numbers for day and month', ['2026-03-03', '2026-04-04', '13/03/2026']],
    ['the second format begins with the year', ['03.04.2026', '05.04.2026', '2026-04-13']],
  ])('is not assumed in a file with two date formats if %s', async (_, dates) => {
    expect((await read(dates)).rows[0]).toMatch(/^2026-0\d-0\d -1.5 Shop$/);
  });

  it.each([
    ['neither day nor month is padded with a zero', ['3/4/2026', '13/3/2026', '25/11/2026']],
    ['only the month is padded with a zero', ['3/04/2026', '13/03/2026', '25/03/2026']],
    ['both day and month are padded with a zero', ['03/04/2026', '13/03/2026', '25/03/2026']],
  ])('is not assumed in a file with one date format if, in all dates, %s', async (_, dates) => {
    expect((await read(dates)).rows).toHaveLength(3);
  });
});
