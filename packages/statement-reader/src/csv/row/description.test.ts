import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';
import { readInTest } from '../../../test-support/read-statement.js';

it('the description continues in the columns without a header to its right, as in exports of PKO BP', async () => {
  const { rows, interpretation } = await readExport([
    '"Data operacji","Typ transakcji","Kwota","Waluta","Saldo po transakcji","Opis transakcji","","",""',
    '"2026-02-10","Płatność kartą","-89.90","PLN","+3410.10","Tytuł: 000483849 742","Lokalizacja: LIDL KRAKOW","2026-02-08","89.90"',
    '"2026-02-09","Przelew na konto","+6200.00","PLN","+3500.00","Rachunek nadawcy: 12 1020","Nazwa nadawcy: FIRMA","Tytuł: PENSJA",""',
  ]);
  expect(rows).toEqual([
    '2026-02-10 -89.9 PLN Tytuł: 000483849 742 Lokalizacja: LIDL KRAKOW',
    '2026-02-09 +6200 PLN Rachunek nadawcy: 12 1020 Nazwa nadawcy: FIRMA Tytuł: PENSJA',
  ]);
  expect(interpretation.description).toBe(
    'column "Opis transakcji" (guessed), and the columns without a header to its right',
  );
  expect(interpretation['not used']).toBe('"Typ transakcji", "Saldo po transakcji"');
});

it('a column without a header does not continue the description if an option names it as the merchant column', async () => {
  const lines = ['Date,Amount,Description,', '2026-01-13,-5,Card,', '2026-01-14,-6,Card,Bakery'];
  const { rows, interpretation } = await readExport(lines, { columns: { merchant: 'column 4' } });
  expect(rows).toEqual(['2026-01-13 -5 Card', '2026-01-14 -6 Card']);
  expect(interpretation.merchant).toBe('column "column 4"');
});

it('the description of an mBank export is the title, and not the type of the transaction', async () => {
  const { rows } = await readExport([
    '#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo po operacji;',
    '2017-04-10;2017-04-10;ZAKUP PRZY UŻYCIU KARTY;"AUCHAN WROCLAW";"  ";\'\';-77,75;69 284,07;',
    '2017-04-11;2017-04-11;ZAKUP PRZY UŻYCIU KARTY;"LIDL";"  ";\'\';-20,00;69 264,07;',
  ]);
  expect(rows).toEqual(['2017-04-10 -77.75 AUCHAN WROCLAW', '2017-04-11 -20 LIDL']);
});

it('the description of a file without headers includes two columns if each row fills exactly one of them, as in files of LCL', async () => {
  const lines = [
    '15/06/2026;-10;Carte;;CB  Revolut 29/05/26;;0;Divers',
    '15/06/2026;350;Virement;;;VIR.PERMANENT Mlle S;;',
    '16/06/2026;-16,97;Virement;;PRLV SEPA ASSURANCE LCL;;;',
  ];
  const rows = [
    '2026-06-15 -10 CB  Revolut 29/05/26',
    '2026-06-15 +350 VIR.PERMANENT Mlle S',
    '2026-06-16 -16.97 PRLV SEPA ASSURANCE LCL',
  ];
  const longest = await readExport(lines);
  expect(longest.rows).toEqual(rows);
  expect(longest.interpretation.description).toBe('column "column 5" (guessed) and "column 6"');
  expect(longest.interpretation['not used']).toBe('"column 3", "column 4", "column 7", "column 8"');
  // The first row has only four cells. The description column is therefore column 3, the kind of the transaction, and import keys are
  // derived from its text.
  const short = await readExport(['31/05/2026;1489,65;;00451 098285A', ...lines]);
  expect(short.rows.slice(1)).toEqual([
    '2026-06-15 -10 Carte CB  Revolut 29/05/26',
    '2026-06-15 +350 Virement VIR.PERMANENT Mlle S',
    '2026-06-16 -16.97 Virement PRLV SEPA ASSURANCE LCL',
  ]);
  expect(short.interpretation.description).toBe('column "column 3" (guessed) and "column 5" and "column 6"');
  const { transactions } = await readInTest(lines.join('\n'));
  expect(transactions.map(({ identity }) => identity?.description)).toEqual([
    'CB  Revolut 29/05/26',
    null,
    'PRLV SEPA ASSURANCE LCL',
  ]);
  const named = await readExport(lines, { columns: { description: 'column 5' } });
  expect(named.rows[1]).toBe('2026-06-15 +350');
});

it.each([
  ['a row fills both columns', '17/06/2026;-5;Carte;;CB LIDL;AVOIR;;'],
  ['a row fills neither column', '17/06/2026;-5;Carte;;;;0;Divers'],
])('the description of a file without headers has no further columns if %s', async (_case, line) => {
  const { rows, interpretation } = await readExport([
    '15/06/2026;-10,00;Carte;;CB  Revolut 29/05/26;;0;Divers',
    '15/06/2026;350;Virement;;;VIR;;',
    line,
  ]);
  expect(interpretation.description).toBe('column 3');
  expect(rows[1]).toBe('2026-06-15 +350 Virement');
});
