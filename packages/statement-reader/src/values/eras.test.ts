import { describe, expect, it } from 'vitest';
import { readExport } from '../../test-support/read-export.js';

const taiwanese = (...dates: readonly string[]) => [
  '交易日期,摘要,金額',
  ...dates.map((date) => `${date},全聯福利中心,-350`),
];
const japanese = (...dates: readonly string[]) => [
  '日付,内容,金額',
  ...dates.map((date) => `${date},セブンイレブン,-680`),
];

describe('dates of another calendar', () => {
  it.each([
    ['115/01/02', 'of the Minguo calendar (Taiwan)'],
    ['115.01.13', 'of the Minguo calendar (Taiwan)'],
    ['115-1-2 12:30:00', 'of the Minguo calendar (Taiwan)'],
    ['1150102', 'of the Minguo calendar (Taiwan)'],
    ['1130102', 'of the Minguo calendar (Taiwan)'],
    ['115年1月2日', 'of the Minguo calendar (Taiwan)'],
    ['民國115年01月02日', 'of the Minguo calendar (Taiwan)'],
    ['中華民國 99年12月31日', 'of the Minguo calendar (Taiwan)'],
    ['１１５／０１／０２', 'of the Minguo calendar (Taiwan)'],
    ['8年1月13日', 'of a Japanese era, or of the Minguo calendar (Taiwan)'],
    ['令和8年1月13日', 'of a Japanese era'],
    ['㋿8年1月13日', 'of a Japanese era'],
    ['令8.1.13', 'of a Japanese era'],
    ['平31.4.30', 'of a Japanese era'],
    ['Ｒ８．１．１３', 'of a Japanese era'],
    ['r8/1/13', 'of a Japanese era'],
    ['R080113', 'of a Japanese era'],
  ])('are refused, with advice to write Gregorian dates: %s', async (date, calendar) => {
    for (const header of ['交易日期', 'Date']) {
      const error = { remedy: expect.stringContaining(`The year may be ${calendar}. Replace the dates in the file`) };
      await expect(readExport([`${header},Text,Amount`, `${date},Shop,-350`])).rejects.toMatchObject(error);
    }
  });

  it.each([
    ['with slashes', ['08/01/02', '08/01/13', '08/01/25']],
    ['with dots', ['08.01.02', '08.01.13', '08.01.25']],
    ['with dots, on two consecutive days', ['08.01.25', '08.01.26']],
    ['on one day', ['08.01.13', '08.01.13']],
    ['with a day that may also be a year', ['08-01-13', '08-01-14']],
  ])(
    'in a Japanese or Chinese file are refused, with advice about eras, if they fit several formats: %s',
    async (_case, dates) => {
      for (const file of [japanese(...dates), taiwanese(...dates)]) {
        await expect(readExport(file)).rejects.toMatchObject({
          message: expect.stringMatching(/^The date "08.01.\d\d" can be read as /),
          remedy: expect.stringMatching(
            /--date-format YY.MM.DD.*\. If the years are of an era, such as 8 for 2026, replace the dates in the file by Gregorian dates/,
          ),
        });
      }
    },
  );

  it.each([
    ['Heisei 31', ['31/04/30', '31/04/20'], 'YY/MM/DD'],
    ['Heisei 31, with dots', ['31.04.30', '31.04.20'], 'YY.MM.DD'],
    ['Taiwan 99', ['99/12/31', '99/12/30'], 'YY/MM/DD'],
    ['Reiwa 8, without zeros', ['8.1.13', '8.1.24'], 'DD.MM.YY'],
    ['Reiwa 8, with a zero only before the year', ['08/1/2', '08/1/5'], 'YY/MM/DD'],
    ['Reiwa 8, with a month that may also be a day', ['8/8/13', '8/8/14'], 'MM/DD/YY'],
  ])('are refused, although only one format reads them: %s', async (_era, dates, format) => {
    await expect(readExport(japanese(...dates))).rejects.toMatchObject({
      message: expect.stringMatching(/^The dates in the column "日付" may have years of an era, for example "\S+"\.$/),
      remedy: `If the years are Gregorian and in the order ${format}, use --date-format ${format}. Otherwise, replace the dates in the file by Gregorian dates, such as 2026-01-13.`,
    });
  });

  it.each(['080113', '08 01 13', '0008/01/13'])(
    'are refused in a Japanese file, with advice about eras: %s',
    async (date) => {
      const remedy = expect.stringContaining('If the years are of an era, such as 8 for 2026, replace the dates');
      await expect(readExport(japanese(date))).rejects.toMatchObject({ remedy });
    },
  );

  it.each(['1735689600', '1735689600000', '1232000123456', '1768262400.123'])(
    'are refused if they are a time since 1970: %s',
    async (time) => {
      await expect(readExport(['Date,Text,Amount', `${time},Shop,-350`])).rejects.toMatchObject({
        remedy: expect.stringContaining('time since 1970'),
      });
    },
  );
});

it('dates with a two-digit Gregorian year are read in a Chinese file if only one order fits the days', async () => {
  const { rows } = await readExport(taiwanese('13/01/26', '20/01/26', '25/01/26'));
  expect(rows.map((row) => row.slice(0, 10))).toEqual(['2026-01-13', '2026-01-20', '2026-01-25']);
});

it('dates with a two-digit Gregorian year at the front are read in a Japanese file', async () => {
  const { rows } = await readExport(japanese('26/1/5', '26/1/13'));
  expect(rows.map((row) => row.slice(0, 10))).toEqual(['2026-01-05', '2026-01-13']);
});

it('dates with dots and a two-digit year are read in a file with a German header', async () => {
  const { rows } = await readExport(['Datum;Text;Betrag', '08.01.25;REWE;-3,50', '08.01.26;REWE;-4,50']);
  expect(rows.map((row) => row.slice(0, 10))).toEqual(['2025-01-08', '2026-01-08']);
});
