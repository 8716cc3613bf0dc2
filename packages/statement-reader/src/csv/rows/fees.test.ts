import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const columns = { date: 'Date', amount: 'Amount' };

it.each(['Fee', 'Fees', 'Transaction Fee', 'Commission', 'Gebühr', 'Comisión', 'Frais'])(
  'amounts in a column %s that is not recorded are told with their number, and have to be confirmed',
  async (header) => {
    const lines = [`Date,Amount,${header}`, '2026-01-13,-5.00,0.50', '2026-01-14,7.00,0.00', '2026-01-15,-1.00,'];
    const { reading, mustConfirm } = await readExport(lines, { columns });
    expect(reading.fees).toBe(`1 row has a "${header}" that is not recorded`);
    expect(mustConfirm).toBe(true);
  },
);

it('shows no fees if the column is empty or the net amount includes them', async () => {
  const none = await readExport(['Date,Amount,Fee', '2026-01-13,-5.00,0.00'], { columns });
  expect(none.reading.fees).toBeUndefined();
  expect(none.mustConfirm).toBe(false);
  const net = await readExport(['Date,Gross,Fee,Net', '2026-01-13,-5.00,-0.50,-5.50']);
  expect(net.reading).toMatchObject({ amount: 'Net' });
  expect(net.reading.fees).toBeUndefined();
});
