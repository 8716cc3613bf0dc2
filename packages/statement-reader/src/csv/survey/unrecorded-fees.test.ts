import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const columns = { date: 'Date', amount: 'Amount' };

it.each(['Fee', 'Fees', 'Transaction Fee', 'Commission', 'Gebühr', 'Comisión', 'Frais'])(
  'the CSV reader counts the rows with a fee in the column "%s", and requires confirmation because the fees are not recorded',
  async (header) => {
    const lines = [`Date,Amount,${header}`, '2026-01-13,-5.00,0.50', '2026-01-14,7.00,0.00', '2026-01-15,-1.00,'];
    const { interpretation, mustConfirm } = await readExport(lines, { columns });
    expect(interpretation.fees).toBe(`1 row has a "${header}" that is not recorded`);
    expect(mustConfirm).toBe(true);
  },
);

it.each([
  'Transaktionskosten',
  'ATM Fee',
  'Surcharge',
  'Tip',
  'Amount Refunded',
  'Bank charge',
  'FEES/COMMISSION',
  'Service charge',
  'Bank charges',
  'Foreign transaction charge',
  'Handling charge',
  'Spesen',
  'Foreign fee',
  'Withholding',
  'Provize',
  '支払手数料',
  '手續費',
  '手続費',
  '服务费（元）',
  'Betrag der Ausgangsgebühr',
  'Montant des frais source',
  'Importe de la comisión',
  'Costo',
  'Díj',
  'Jutalék',
  'Mokestis',
  'Komisinis mokestis',
  'Komisija',
  'Προμήθεια',
  'Έξοδα',
  'Ücret',
  'Masraf',
  'Naknada',
  'Provizija',
  'Такса',
  'Poplatok',
  'Gastos',
  'Spese',
  'Palvelumaksu',
  'Biaya',
  'Teenustasu',
  'IOF',
  'ITF',
  'Cash advance charge',
  'Stamp duty',
  'Levy',
])(
  'the CSV reader reports that a row has a fee or tax that is not recorded, and quotes its header "%s"',
  async (header) => {
    const { interpretation } = await readExport([`Date,Amount,${header}`, '2026-01-13,-5.00,0.50'], { columns });
    expect(interpretation.fees).toBe(`1 row has a "${header}" that is not recorded`);
  },
);

it.each([
  'Amount after fees',
  'Fee type',
  'Fee rate',
  'Fees & Comm',
  'Cost Basis',
  'Unit cost',
  'Währung der Ausgangsgebühr',
  'Betrag der Überweisung',
])('the CSV reader reports no unrecorded fee for the column "%s", which contains no additional fee', async (header) => {
  const { interpretation } = await readExport([`Date,Amount,${header}`, '2026-01-13,-5.00,0.50'], { columns });
  expect(interpretation.fees).toBeUndefined();
});

it('the CSV reader reads a column "Gastos" beside "Ingresos" as the expenses, and not as fees', async () => {
  const { rows, interpretation } = await readExport(['Fecha,Gastos,Ingresos', '2026-01-13,5.00,', '2026-01-14,,7.00']);
  expect(rows).toEqual(['2026-01-13 -5', '2026-01-14 +7']);
  expect(interpretation.fees).toBeUndefined();
});

describe('--fee-column with amounts that seem to include the fees', () => {
  const file = ['Date,Gross,Fee,Net', '2026-01-13,100.00,-3.00,97.00', '2026-01-14,-46.00,-2.00,-48.00'];

  it('must be left out or combined with --amount-column, because otherwise the fees would be counted twice', async () => {
    const { question } = await readExport(file, { columns: { fee: 'Fee' } });
    expect(question).toEqual({
      message:
        'The amounts in the column "Net" seem to include the fees in the column "Fee", which would be recorded twice.',
      remedy: 'Leave out --fee-column, or name the amounts before fees with --amount-column.',
      requiresOption: true,
    });
    const gross = await readExport(file, { columns: { fee: 'Fee', amount: 'Gross' } });
    expect(gross.question?.requiresOption).toBeUndefined();
  });

  it('is accepted if the balance column shows that the amounts do not include the fees', async () => {
    const balances = [',Balance', ',194.00', ',144.00'];
    const { question } = await readExport(
      file.map((line, index) => line + balances[index]),
      { columns: { fee: 'Fee', amount: 'Net' } },
    );
    expect(question?.requiresOption).toBeUndefined();
  });
});

it('the CSV reader reports no unrecorded fees if all fees are zero or the net amount includes them', async () => {
  const none = await readExport(['Date,Amount,Fee', '2026-01-13,-5.00,0.00'], { columns });
  expect(none.interpretation.fees).toBeUndefined();
  expect(none.mustConfirm).toBe(false);
  const net = await readExport(['Date,Gross,Fee,Net', '2026-01-13,-5.00,-0.50,-5.50']);
  expect(net.interpretation).toMatchObject({ amount: 'Net' });
  expect(net.interpretation.fees).toBeUndefined();
});

describe('a column of taxes', () => {
  it.each(['tax', 'Steuer', 'Steuern', 'Impuestos', 'Taxe', 'Tassa', 'Withholding tax', 'Podatek'])(
    'requires an option if its header is "%s"',
    async (header) => {
      const lines = [`Date,Amount,${header}`, '2026-01-13,29.58,-7.56', '2026-01-14,-5.00,', '2026-01-15,3.00,0.00'];
      const { question, interpretation } = await readExport(lines);
      expect(interpretation.fees).toBe(`1 row has a "${header}" that is not recorded`);
      expect(question).toEqual({
        message: `1 row has a "${header}" that is not recorded.`,
        remedy: `Record these amounts with --fee-column "${header}", or leave them out with --fee-column "".`,
        requiresOption: true,
      });
      const { rows } = await readExport(lines, { columns: { fee: header } });
      expect(rows.slice(0, 2)).toEqual(['2026-01-13 +29.58', '2026-01-13 -7.56 Fee']);
      expect((await readExport(lines, { columns: { fee: '' } })).question?.requiresOption).toBeUndefined();
    },
  );

  it('beside a column of fees requires --fee-column; if this option names the fees, the taxes need the confirmation --yes', async () => {
    const lines = ['Date,Amount,Fee,Tax', '2026-01-13,29.58,,-7.56', '2026-01-14,-5.00,-1.00,'];
    const { question } = await readExport(lines);
    expect(question).toMatchObject({
      message: '1 row has a "Fee" that is not recorded, 1 row has a "Tax" that is not recorded.',
      remedy: expect.stringContaining('--fee-column "Fee" or --fee-column "Tax"'),
      requiresOption: true,
    });
    const chosen = await readExport(lines, { columns: { fee: 'Fee' } });
    expect(chosen.question).toEqual({
      message: '1 row has a "Tax" that is not recorded. Only the column "Fee" is recorded.',
      remedy: 'Record the other fees and taxes by hand, and use --yes to accept how the file is read.',
    });
  });

  it.each([
    ['all taxes are zero', 'Date,Amount,Tax', '2026-01-13,-5.00,0.00'],
    ['the amounts include the taxes', 'Date,Gross,Tax', '2026-01-13,-5.00,-1.00'],
    ['it contains taxes on sales', 'Date,Amount,VAT', '2026-01-13,-5.00,-1.00'],
  ])('is not reported as unrecorded if %s', async (_, headers, row) => {
    expect((await readExport([headers, row])).interpretation.fees).toBeUndefined();
  });
});

describe('a file with unrecorded fees and a balance column', () => {
  const header = 'Date,Description,Amount,Fee,Balance';

  it('requires an option if only the oldest row has a fee: without an earlier balance, nothing shows whether the amount includes the fee', async () => {
    const rows = ['2026-01-02,Shop,-10.00,-1.00,89.00', '2026-01-03,Pay,100.00,0.00,189.00'];
    for (const ordered of [rows, rows.toReversed()]) {
      const { question } = await readExport([header, ...ordered]);
      expect(question).toMatchObject({ message: '1 row has a "Fee" that is not recorded.', requiresOption: true });
    }
  });

  it('requires no option if the balance of a later row shows that the amounts already include the fees', async () => {
    const rows = ['2026-01-02,Shop,-10.00,-1.00,90.00', '2026-01-03,Pay,100.00,-2.00,190.00'];
    expect((await readExport([header, ...rows])).question?.requiresOption).toBeUndefined();
  });
});
