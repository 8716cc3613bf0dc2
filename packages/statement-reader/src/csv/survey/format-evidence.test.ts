import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const rows = ['Data;Descrizione;Importo', '03/06/2026;Bar;-1,50', '05/06/2026;Stipendio;100,00'];
const readLines = async (...lines: string[]) => (await readExport(lines)).rows;

describe('the order of day and month', () => {
  it.each(['Periodo: 01/06/2026 - 30/06/2026', 'Dal;01/06/2026;al;30/06/2026'])(
    'is decided by a period above the headers with a day above 12: %s',
    async (period) => {
      const { rows: read, reading } = await readExport([period, '', ...rows]);
      expect(read).toEqual(['2026-06-03 -1.5 Bar', '2026-06-05 +100 Stipendio']);
      expect(reading['date format']).toBe('DD/MM/YYYY (according to the period above the headers)');
    },
  );

  it.each([
    ['has no day above 12', 'Periodo: 01/06/2026 - 10/06/2026'],
    ['has dates with another separator', 'Periodo: 01.06.2026 - 30.06.2026'],
    ['is only the day of the export', 'Data: 30/06/2026'],
    ['contradicts itself', 'Periodo: 06/16/2026 - 30/06/2026'],
  ])('is asked if the line above the headers %s', async (_, line) => {
    await expect(readExport([line, '', ...rows])).rejects.toMatchObject({
      message: 'The date "05/06/2026" can be read as MM/DD/YYYY and as DD/MM/YYYY.',
    });
  });
});

describe('an amount with exactly three digits after its only comma or point', () => {
  it.each([
    ['the headers have the symbol 円', '日付,内容,出金金額(円),入金金額(円)', '2026/03/05,店,"5,000",'],
    ['the header has the code ISK', 'Date,Text,Amount (ISK)', '2026-03-05,Shop,"-5,000"'],
    ['the currency column has KRW', 'Date,Text,Amount,Currency', '2026-03-05,Shop,"-5,000",KRW'],
    ['the amount has the symbol 円', 'Date,Text,Amount', '2026-03-05,Shop,"-5,000円"'],
    ['the header has the code CLP', 'Fecha,Detalle,Monto CLP', '2026-03-05,Tienda,-5.000'],
  ])('has a thousands separator if %s, because the currency has no decimals', async (_, ...lines) => {
    expect(await readLines(...lines)).toEqual([expect.stringMatching(/^2026-03-05 -5000 /)]);
  });

  it.each([
    ['the currency is unknown', 'Date,Text,Amount', '2026-03-05,Shop,"-5,000"'],
    ['the currency has two decimals', 'Date,Text,Amount (EUR)', '2026-03-05,Shop,"-5,000"'],
    ['the currency has three decimals', 'Date,Text,Amount (KWD)', '2026-03-05,Shop,"-5,000"'],
    ['the symbol ¥ can also mean the yuan', 'Date,Text,Amount (¥)', '2026-03-05,Shop,"-5,000"'],
  ])('is asked for if %s', async (_, ...lines) => {
    await expect(readExport(lines)).rejects.toMatchObject({
      message: 'The amount "-5,000" can have a thousands separator, or three decimal places.',
    });
  });

  it('has the decimal separator of a balance that is stated above the headers', async () => {
    const lines = ['Kontostand vom 30.12.2026:;"3.600,00 €"', '', 'Datum;Text;Betrag', '10.12.2026;Miete;-1.000'];
    expect(await readLines(...lines)).toEqual(['2026-12-10 -1000 Miete']);
  });
});
