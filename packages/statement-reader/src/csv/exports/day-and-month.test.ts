import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('dates that read both ways', () => {
  it('are asked about, although amounts have a decimal comma', async () => {
    const lines = ['Date;Text;Amount', '03/04/2024;Shop;-1,50', '05/04/2024;Pay;100,00'];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: expect.stringContaining('can be read as MM/DD/YYYY and as DD/MM/YYYY'),
      remedy: expect.stringContaining('--date-format'),
    });
  });

  it('are asked about below headers in French, if amounts have a decimal point', async () => {
    const lines = ['Date;Libellé;Montant', '03/04/2024;Shop;-1.50', '05/04/2024;Pay;100.00'];
    await expect(readExport(lines)).rejects.toMatchObject({ remedy: expect.stringContaining('--date-format') });
  });

  it('have the day first below headers in French, if amounts have a decimal comma', async () => {
    const { rows, reading } = await readExport([
      'Date;Libellé;Montant',
      '03/04/2024;Shop;-1,50',
      '05/04/2024;Pay;100,00',
    ]);
    expect(rows).toEqual(['2024-04-03 -1.5 Shop', '2024-04-05 +100 Pay']);
    expect(reading['date format']).toBe('DD/MM/YYYY (the day is first in the language of the headers)');
  });
});
