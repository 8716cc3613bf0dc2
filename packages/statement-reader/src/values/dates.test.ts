import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileDateFormat } from './dates.js';
import { DateFormatDetector } from './detect-date-format.js';

const detect = (...cells: string[]) => {
  const detector = new DateFormatDetector();
  for (const cell of cells) detector.add(cell);
  return detector.decide();
};

describe('a date format', () => {
  it.each([
    ['MM/DD/YYYY', '01/31/2018', '2018-01-31'],
    ['MM/DD/YYYY', '1/5/2018', '2018-01-05'],
    ['D/M/YY', '31/1/18', '2018-01-31'],
    ['DD.MM.YY', '22.02.99', '1999-02-22'],
    ['DD-MMM-YYYY', '12-Dec-2019', '2019-12-12'],
    ['dd mmm yyyy', '3 SEPT 2019', '2019-09-03'],
    ['YYYY.MM.DD.', '2019.04.19.', '2019-04-19'],
    ['YYYY-MM-DD', '2018-12-06 10:11:12', '2018-12-06'],
    ['YYYYMMDD', '20240229', '2024-02-29'],
    ['YYYYMMDD', '20240229235959', '2024-02-29'],
    ['YYYY-MM-DD', '2024-01-31T23:59:59.999-08:00', '2024-01-31'],
    ['YYYY-MM-DD', '2024-01-31Z', '2024-01-31'],
    ['DD/MM/YYYY', '31/01/2024, 10:11', '2024-01-31'],
    ['DD/MM/YYYY', '05/03/2026-11:22:33', '2026-03-05'],
    ['DD/MM/YYYY', 'Mon, 31/01/2024', '2024-01-31'],
    ['D MMM YYYY', '1 de enero de 2024', '2024-01-01'],
    ['DD MMM YYYY', '3. März 2024', '2024-03-03'],
    ['DD MMM YYYY', '5 stycznia 2024', '2024-01-05'],
    ['DD MMM YYYY', '5 янв. 2024', '2024-01-05'],
    ['DD MMM YYYY', '15 listopada 2025', '2025-11-15'],
    ['DD MMM YYYY', '15. listopadu 2025', '2025-11-15'],
    ['DD MMM YYYY', '15 lipca 2025', '2025-07-15'],
    ['DD-MM-YYYY', '30-05-2026 / 10:11', '2026-05-30'],
    ['DD MMM, YYYY', '13 March, 2026', '2026-03-13'],
    ['DD MMM YYYY', '17 Agustus 2025', '2025-08-17'],
    ['DD MMM YYYY', '17 Junie 2025', '2025-06-17'],
    ['DD MMM YYYY', '17 rugsėjo 2025', '2025-09-17'],
    ['DD MMM YYYY', '15. srpna 2025', '2025-08-15'],
    ['MMM DD, YYYY', 'January 2nd, 2024', '2024-01-02'],
    ['YYYY年MM月DD日', '2024年1月2日', '2024-01-02'],
    ['MM/DD/YYYY', '09/16/2020 as of 09/15/2020', '2020-09-16'],
    ['YYYYMMDD', '20091224120000[0:GMT]', '2009-12-24'],
    ['YYYYMMDD', '20091224235959.000[-5:EST]', '2009-12-24'],
    ['YYYY:MM:DD', '2012:03:01', '2012-03-01'],
    ['DD.MM.YYYY', '13.03.2024 10:15:59', '2024-03-13'],
    ['DD MMM YYYY', '24 lug 2024. 02:59:45', '2024-07-24'],
    ['YYYY/MM/DD', '\u200f٢٠٢٥/١٠/٠١', '2025-10-01'],
    ['YYYY-MM-DD', '۲۰۲۵-۱۰-۰۱', '2025-10-01'],
    ['DD/MM/YYYY', '๐๑/๑๐/๒๕๖๘', '2025-10-01'],
    ['DD MMM YYYY', '1 Oct 2568', '2025-10-01'],
    ['DD MMM YYYY', '12 ก.ย. 2568', '2025-09-12'],
    ['DD MMM YYYY', '12 มี.ค. 2026', '2026-03-12'],
    ['DD MMM YYYY', '12 กุมภาพันธ์ 2568', '2025-02-12'],
    ['DD/MM/YYYY', "'13/07/2026", '2026-07-13'],
    ['DDMMYYYY', '2072026', '2026-07-02'],
    ['DDMMYYYY', '1112026', '2026-11-01'],
    ['MMDDYYYY', '1112026', '2026-01-11'],
  ])('%s reads %s as %s', (format, text, date) => {
    expect(compileDateFormat(format)?.(text)).toBe(date);
  });

  it.each([
    ['MM/DD/YYYY', '31/01/2018'],
    ['MM/DD/YYYY', '02/29/2018'],
    ['MM/DD/YYYY', '01-31-2018'],
    ['DD-MMM-YYYY', '12-Foo-2019'],
    ['YYYY-MM-DD', 'Pending'],
    ['YYYY-MM-DD', '2018-12-06x'],
    ['YYYY-MM-DD', ''],
    ['YYYY-MM-DD', 'Pending 2018-12-06'],
    ['YYYYMMDD', '02012024'],
    ['YYYYMMDD', '25681001'],
    ['YYYYMMDD', '2026713'],
    ['DDMMYYYY', '272026'],
    ['YYYY/MM/DD', '1404/07/09'],
    ['DD MMM YYYY', '5 ma 2024'],
    ['DD MMM YYYY', '15. listopad 2025'],
    ['DD MMM YYYY', '15. listopada 2025.'],
    ['DD MMM YYYY', '15 lis 2025'],
    ['DD MMM YYYY', '15 lip 2025'],
    ['DD-MMM-YYYY', '15-srp-2025'],
    ['DD.MM.YYYY', '01.05.2026 / 30.04.2026'],
  ])('%s does not read %s', (format, text) => {
    expect(compileDateFormat(format)?.(text)).toBeUndefined();
  });

  it.each(['MM/YYYY', 'DD/DD/YYYY', '', 'hello'])('is refused if it is "%s"', (format) => {
    expect(compileDateFormat(format)).toBeUndefined();
  });

  it('DD/MM/YYYY reads random days between 1970 and 2134 as the right dates', () => {
    const days = fc.integer({ min: 0, max: 60_000 });
    fc.assert(
      fc.property(days, (day) => {
        const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
        const [year, month, dayOfMonth] = date.split('-');
        expect(compileDateFormat('DD/MM/YYYY')?.(`${dayOfMonth}/${month}/${year}`)).toBe(date);
      }),
    );
  });
});

describe('the date format of a file', () => {
  it('is detected if one day is above twelve', () => {
    expect(detect('01/02/2018', '03/13/2018')).toEqual({ outcome: 'found', format: 'MM/DD/YYYY' });
    expect(detect('01/02/2018', '13/03/2018')).toEqual({ outcome: 'found', format: 'DD/MM/YYYY' });
  });

  it('is ambiguous if every date can be read with the day first and with the month first', () => {
    expect(detect('01/02/2018', '03/04/2018')).toMatchObject({ outcome: 'ambiguous' });
  });

  it('is ambiguous if some dates fit only with the day first and some fit only with the month first', () => {
    expect(detect('13/01/2018', '14/01/2018', '01/15/2018')).toMatchObject({ outcome: 'ambiguous' });
  });

  it('is detected if the day and the month of each date are the same number, as in 02/02/2018', () => {
    expect(detect('01/01/2018', '02/02/2018')).toMatchObject({ outcome: 'found' });
  });

  it('is detected even if some cells are malformed', () => {
    expect(detect('22.02.18', 'total', '99.99.99')).toEqual({ outcome: 'found', format: 'DD.MM.YY' });
  });

  it('is detected for two-digit years if only one order of day, month and year is plausible; otherwise it is ambiguous', () => {
    expect(detect('24-01-15', '24-01-16')).toMatchObject({ outcome: 'ambiguous', formats: ['DD-MM-YY', 'YY-MM-DD'] });
    expect(detect('99-01-15', '99-01-16')).toEqual({ outcome: 'found', format: 'YY-MM-DD' });
    expect(detect('15/01/24', '16/01/24')).toEqual({ outcome: 'found', format: 'DD/MM/YY' });
    expect(detect('24-01-24')).toMatchObject({ outcome: 'ambiguous' });
    expect(detect('22.02.18')).toEqual({ outcome: 'found', format: 'DD.MM.YY' });
  });

  it('is ambiguous for dates such as 24.05.12 if they ascend or descend only when read with the year first', () => {
    const formats = ['DD.MM.YY', 'YY.MM.DD'];
    expect(detect('24.05.12', '24.05.20', '24.06.01')).toMatchObject({ outcome: 'ambiguous', formats });
    expect(detect('24.06.01', '24.05.20', '24.05.20', '24.05.12')).toMatchObject({ outcome: 'ambiguous', formats });
  });

  it('is ambiguous for dates such as 26.01.15 if they span a much shorter time with the year first than with the year last', () => {
    const formats = ['DD.MM.YY', 'YY.MM.DD'];
    expect(detect('26.01.15', '26.01.20', '26.01.28')).toMatchObject({ outcome: 'ambiguous', formats });
    expect(detect('08.01.15', '08.01.16', '08.01.20')).toMatchObject({ outcome: 'ambiguous', formats });
    expect(detect('24.05.12', '24.09.20', '24.06.01', '24.05.12')).toMatchObject({ outcome: 'ambiguous', formats });
  });

  it('is DD.MM.YY for dates such as 15.01.26 if, read with the year last, they are in order or close together', () => {
    const format = 'DD.MM.YY';
    expect(detect('15.01.26', '20.01.26', '28.01.26')).toEqual({ outcome: 'found', format });
    expect(detect('28.02.24', '05.02.24', '31.01.24')).toEqual({ outcome: 'found', format });
    expect(detect('05.02.24', '28.02.24', '03.02.24', '30.01.24', '10.02.24')).toEqual({ outcome: 'found', format });
    expect(detect('01.03.14', '01.04.18', '01.01.25')).toEqual({ outcome: 'found', format });
    expect(detect('15.01.24', '15.02.24')).toEqual({ outcome: 'found', format });
  });

  it('is ambiguous between DD/MM/YY, YY/MM/DD and MM/DD/YY if the only date, 06/05/17, fits all three', () => {
    const formats = ['DD/MM/YY', 'YY/MM/DD', 'MM/DD/YY'];
    expect(detect('06/05/17')).toMatchObject({ outcome: 'ambiguous', formats: expect.arrayContaining(formats) });
  });

  it('is detected from a second date column if the first is ambiguous, and stays ambiguous if the second has 31/01 and 01/31', () => {
    const detector = new DateFormatDetector();
    detector.add('01/02/2018');
    detector.addOtherDate('31/01/2018');
    expect(detector.decide()).toMatchObject({ outcome: 'found', format: 'DD/MM/YYYY' });
    detector.addOtherDate('01/31/2018');
    expect(detector.decide()).toMatchObject({ outcome: 'ambiguous' });
  });

  it('is unknown for a file without dates', () => {
    expect(detect('total', '')).toEqual({ outcome: 'none' });
  });
});
