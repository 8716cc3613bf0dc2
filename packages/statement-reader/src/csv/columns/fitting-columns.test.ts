import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('a column of balances', () => {
  it.each(['Credit/Debit Amount', 'Credit/Debit', 'Soll/Haben', 'Belastung/Gutschrift'])(
    'is not read as the amount if the column "%s" has signed amounts',
    async (header) => {
      for (const [first, second] of [
        ['-200', '-40'],
        ['-40.30', '-4'],
        ['-4', '1000'],
      ]) {
        const { interpretation, rows } = await readExport([
          `Booked At;Text;${header};Balance;Valuta Date`,
          `2026-01-13;Coffee;${first};19606.79;2026-01-14`,
          `2026-01-14;Bread;${second};19602.79;2026-01-14`,
        ]);
        expect(interpretation.amount).toBe(header);
        expect(rows).toHaveLength(2);
        expect(rows[0]).toMatch(/^2026-01-13 -(200|40.3|4) Coffee$/);
      }
    },
  );

  it.each([
    ['Balance', ''],
    ['Saldo CHF', 'CHF '],
    ['Solde après opération', ''],
    ['Running balance', ''],
    ['Saldo contabile', ''],
  ])('is not guessed as the amount if its header is "%s"; --amount-column is required', async (header, currency) => {
    const file = [`Datum;Text;Bewegung;${header}`, '2026-01-13;Kaffee;-200;906.79', '2026-01-14;Brot;-40;866.79'];
    await expect(readExport(file)).rejects.toMatchObject({
      message: expect.stringContaining('not clear which column has the amount'),
      remedy: expect.stringContaining('--amount-column'),
    });
    const { rows } = await readExport(file, { columns: { amount: 'Bewegung' } });
    expect(rows).toEqual([`2026-01-13 -200 ${currency}Kaffee`, `2026-01-14 -40 ${currency}Brot`]);
  });
});

describe('a column whose header names a text field, such as "Description"', () => {
  it.each([
    ['Datum;Buchungstext;Betrag;Details', '2026-01-13;Miete;-8,00;', 'Buchungstext'],
    ['Datum;Rubrik;Beschreibung;Betrag', '2026-01-13;;Miete;-8,00', 'Beschreibung'],
  ])('is not the description if it is empty and another column has text: %s', async (headers, row, description) => {
    const { interpretation, rows } = await readExport([headers, row]);
    expect(interpretation.description).toBe(description);
    expect(rows).toEqual(['2026-01-13 -8 Miete']);
  });

  it('is not read as the description if its text is the same in all rows and "Description 1" has different texts', async () => {
    const lines = [
      'Produit;Description;Date de valeur;Description 1;Débit;Crédit;Solde',
      "0123;Compte personnel;31.03.2019;Solde prix prestations;10.00;;11'373.94",
      "0123;Compte personnel;28.02.2019;Virement postal;;240.00;11'613.94",
      "0123;Compte personnel;27.04.2019;Ordre e-banking;200.00;;11'413.94",
    ];
    expect((await readExport(lines)).interpretation.description).toBe('Description 1');
    const same = lines.map((line) => line.replace(/Solde prix prestations|Virement postal|Ordre e-banking/, 'Ordre'));
    expect((await readExport(same)).interpretation.description).toBe('Description');
  });

  it('is not read as the description if it is empty and a column "Reason" has texts', async () => {
    const { interpretation } = await readExport([
      'Date;Amount;Name;Reason;Note',
      '2019-02-20;100,00;Jane Doe;Rent;',
      '2019-02-08;-63,89;Shell;Gas purchase;',
    ]);
    expect(interpretation).toMatchObject({ description: 'Reason', merchant: 'Name' });
  });

  it('is not read as the merchant or category if it is empty and the header of a filled column names the same field', async () => {
    const { interpretation } = await readExport([
      'Date,Merchant,Payee,Category,Kategorie,Amount',
      '2026-01-13,,Landlord,,Home,-8.00',
    ]);
    expect(interpretation).toMatchObject({ merchant: 'Payee', category: 'Kategorie' });
  });

  it('is not read as the description if two of its three cells are empty and the column "Text" is filled', async () => {
    const lines = ['Datum;Verwendungszweck;Text;Betrag', '13.01.2026;;Miete;-8,00', '14.01.2026;;Strom;-9,00'];
    const { interpretation, rows } = await readExport([...lines, '15.01.2026;Rechnung 7;Zahlung;-7,00']);
    expect(interpretation.description).toBe('Text');
    expect(rows[2]).toBe('2026-01-15 -7 Zahlung');
  });

  it('is read as the description even if it is empty, if no other column has text', async () => {
    const { interpretation } = await readExport(['Date,Description,Amount', '2026-01-13,,-8.00']);
    expect(interpretation.description).toBe('Description');
  });
});

describe('a column "Valuta"', () => {
  it.each(['Data transazione', 'Data operazione', 'Quando'])(
    'is read as the currency if it has currency codes and the column "%s" has dates',
    async (header) => {
      const { interpretation, rows } = await readExport([
        `${header},Descrizione,Valuta,Importo`,
        '12.09.2024,LUGANO,CHF,-20.85',
        '23.09.2024,MILANO,CHF,-15.00',
      ]);
      expect(interpretation).toMatchObject({ date: header, currency: 'Valuta' });
      expect(rows).toEqual(['2024-09-12 -20.85 CHF LUGANO', '2024-09-23 -15 CHF MILANO']);
    },
  );

  it('is read as the date if it has dates', async () => {
    const { interpretation } = await readExport(['Text;Valuta;Betrag', 'Miete;13.01.2026;-8,00']);
    expect(interpretation.date).toBe('Valuta');
  });
});

it('the CSV reader does not use an empty date column if the dates are in a column with an unknown header', async () => {
  const { rows, interpretation } = await readExport([
    'Date,Value,Description,Amount',
    ',13.03.2026,Tea,-5.00',
    ',14.03.2026,Pie,-6.00',
  ]);
  expect(rows).toEqual(['2026-03-13 -5 Tea', '2026-03-14 -6 Pie']);
  expect(interpretation.date).toBe('Value');
});
