import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileDateFormat } from './date-format.js';
import { DateFormatDetector } from './detect-date-format.js';

const detect = (...cells: string[]) => {
  const detector = new DateFormatDetector();
  for (const cell of cells) detector.see(cell);
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
  ])('%s does not read %s', (format, text) => {
    expect(compileDateFormat(format)?.(text)).toBeUndefined();
  });

  it.each(['MM/YYYY', 'DD/DD/YYYY', '', 'hello'])('"%s" is none', (format) => {
    expect(compileDateFormat(format)).toBeUndefined();
  });

  it('reads back every real date that it would write', () => {
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
  it('is found as soon as one day is above twelve', () => {
    expect(detect('01/02/2018', '03/13/2018')).toEqual({ outcome: 'found', format: 'MM/DD/YYYY' });
    expect(detect('01/02/2018', '13/03/2018')).toEqual({ outcome: 'found', format: 'DD/MM/YYYY' });
  });

  it('is ambiguous while every date reads both ways', () => {
    expect(detect('01/02/2018', '03/04/2018')).toMatchObject({ outcome: 'ambiguous' });
  });

  it('is ambiguous when some dates read only one way and some only the other', () => {
    expect(detect('13/01/2018', '14/01/2018', '01/15/2018')).toMatchObject({ outcome: 'ambiguous' });
  });

  it('is found where both readings agree on every date', () => {
    expect(detect('01/01/2018', '02/02/2018')).toMatchObject({ outcome: 'found' });
  });

  it('does not let a malformed cell vote', () => {
    expect(detect('22.02.18', 'total', '99.99.99')).toEqual({ outcome: 'found', format: 'DD.MM.YY' });
  });

  it('is none in a file without dates', () => {
    expect(detect('total', '')).toEqual({ outcome: 'none' });
  });
});
