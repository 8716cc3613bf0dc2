import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

it('the description continues in the columns without a header to its right, as in exports of PKO BP', async () => {
  const { rows, reading } = await readExport([
    '"Data operacji","Typ transakcji","Kwota","Waluta","Saldo po transakcji","Opis transakcji","","",""',
    '"2026-02-10","Płatność kartą","-89.90","PLN","+3410.10","Tytuł: 000483849 742","Lokalizacja: LIDL KRAKOW","2026-02-08","89.90"',
    '"2026-02-09","Przelew na konto","+6200.00","PLN","+3500.00","Rachunek nadawcy: 12 1020","Nazwa nadawcy: FIRMA","Tytuł: PENSJA",""',
  ]);
  expect(rows).toEqual([
    '2026-02-10 -89.9 PLN Tytuł: 000483849 742 Lokalizacja: LIDL KRAKOW',
    '2026-02-09 +6200 PLN Rachunek nadawcy: 12 1020 Nazwa nadawcy: FIRMA Tytuł: PENSJA',
  ]);
  expect(reading.description).toBe('column "Opis transakcji" (guessed), and the columns without a header to its right');
  expect(reading['not used']).toBe('"Typ transakcji", "Saldo po transakcji"');
});

it('a column without a header does not continue the description if an option names it as the merchant column', async () => {
  const lines = ['Date,Amount,Description,', '2026-01-13,-5,Card,', '2026-01-14,-6,Card,Bakery'];
  const { rows, reading } = await readExport(lines, { columns: { merchant: 'column 4' } });
  expect(rows).toEqual(['2026-01-13 -5 Card', '2026-01-14 -6 Card']);
  expect(reading.merchant).toBe('column "column 4"');
});

it('the description of an mBank export is the title, and not the type of the transaction', async () => {
  const { rows } = await readExport([
    '#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo po operacji;',
    '2017-04-10;2017-04-10;ZAKUP PRZY UŻYCIU KARTY;"AUCHAN WROCLAW";"  ";\'\';-77,75;69 284,07;',
    '2017-04-11;2017-04-11;ZAKUP PRZY UŻYCIU KARTY;"LIDL";"  ";\'\';-20,00;69 264,07;',
  ]);
  expect(rows).toEqual(['2017-04-10 -77.75 AUCHAN WROCLAW', '2017-04-11 -20 LIDL']);
});
