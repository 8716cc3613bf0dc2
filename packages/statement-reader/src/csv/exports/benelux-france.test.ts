import { expect, it } from 'vitest';
import { encode, readExport } from '../../../test-support/read-export.js';

it('the CSV reader reads a Dutch account with the direction words Af and Bij, and dates without separators', async () => {
  const { rows, interpretation } = await readExport([
    '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen"',
    '"20240116","ALBERT HEIJN 1234","NL69INGB0123456789","","BA","Af","12,50","Betaalautomaat","Pasvolgnr: 001 16-01-2024 10:00"',
    '"20240115","ACME BV","NL69INGB0123456789","NL02ABNA0123456789","OV","Bij","1000,00","Overschrijving","Salaris"',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 EUR Pasvolgnr: 001 16-01-2024 10:00', '2024-01-15 +1000 EUR Salaris']);
  expect(interpretation).toMatchObject({ direction: 'Af Bij', 'date format': 'YYYYMMDD', decimals: '1.234,56' });
});

it('the CSV reader reads a Dutch account with a plus sign before credits and a balance in each row', async () => {
  const { rows } = await readExport([
    '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Omschrijving-1","Omschrijving-2"',
    '"NL44RABO0123456789","EUR","RABONL2U","000000000000001","2024-01-16","2024-01-16","-12,50","+987,50","","Jumbo","Jumbo Utrecht"," "',
    '"NL44RABO0123456789","EUR","RABONL2U","000000000000002","2024-01-15","2024-01-15","+1000,00","+1000,00","NL02","Acme","Salaris"," "',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 EUR Jumbo Utrecht', '2024-01-15 +1000 EUR Salaris']);
});

it('the CSV reader finds the unsigned amounts of a file without headers, such as that of Triodos, by the balance', async () => {
  const { rows } = await readExport([
    '"02-05-2026","NL12TRIO0123456789","845,20","Debet","Huur","NL99INGB0001234567","BA","Huur mei","2.274,80"',
    '"04-05-2026","NL12TRIO0123456789","63,47","Debet","ALBERT HEIJN","NL99INGB0001234567","BA","ALBERT HEIJN 1032","2.211,33"',
    '"15-05-2026","NL12TRIO0123456789","2.450,20","Credit","Werkgever","NL99INGB0001234567","ET","Salaris mei","4.661,53"',
    '"18-05-2026","NL12TRIO0123456789","30,19","Debet","KPN","NL99INGB0001234567","BA","KPN factuur","4.631,34"',
  ]);
  expect(rows.map((row) => row.split(' ').slice(0, 2).join(' '))).toEqual([
    '2026-05-02 -845.2',
    '2026-05-04 -63.47',
    '2026-05-15 +2450.2',
    '2026-05-18 -30.19',
  ]);
});

it('the CSV reader detects the amount by the balances before and after each row, in a file with tabs and no headers', async () => {
  const { rows, interpretation, mustConfirm } = await readExport([
    '123456789\tEUR\t20240115\t0,50\t1000,50\t20240115\t1000,00\tSEPA Overboeking ACME Salaris',
    '123456789\tEUR\t20240116\t1000,50\t988,00\t20240116\t-12,50\tBEA Betaalpas Jumbo',
  ]);
  expect(rows).toEqual([
    '2024-01-15 +1000 EUR SEPA Overboeking ACME Salaris',
    '2024-01-16 -12.5 EUR BEA Betaalpas Jumbo',
  ]);
  expect(interpretation).toMatchObject({ date: 'column 3', amount: 'column 7', description: 'column 8' });
  expect(mustConfirm).toBe(true);
});

it('the CSV reader reads a Belgian statement that begins with lines about the filters of the export', async () => {
  const { rows } = await readExport([
    'Boekingsdatum vanaf;01/01/2024',
    'Rekening;BE68 5390 0754 7034',
    'Laatste saldo;987,50 EUR',
    '',
    'Rekening;Boekingsdatum;Rekeninguittrekselnummer;Transactienummer;Naam tegenpartij bevat;Transactie;Valutadatum;Bedrag;Devies',
    'BE68 5390 0754 7034;16/01/2024;1;2;COLRUYT;AANKOOP BANCONTACT;16/01/2024;-12,5;EUR',
    'BE68 5390 0754 7034;15/01/2024;1;1;ACME;STORTING;15/01/2024;1.000;EUR',
  ]);
  expect(rows.map((row) => row.slice(0, 17).trim())).toEqual(['2024-01-16 -12.5', '2024-01-15 +1000']);
});

it('the CSV reader reports that a fee in the fee column of a Belgian export is not recorded', async () => {
  const { interpretation } = await readExport([
    'Datum verrichting;Omschrijving;Bedrag;Kosten op verrichting',
    '22/01/2026;Winkel;-20,00;-0,50',
  ]);
  expect(interpretation.fees).toBe('1 row has a "Kosten op verrichting" that is not recorded');
});

it('the CSV reader reads a French account in Windows-1252 with debit and credit columns, and a text over several lines', async () => {
  const lines = [
    'Téléchargement du 31/01/2024;',
    '',
    'Compte Chèques n° 12345678901;',
    'Solde au 31/01/2024 987,50 €',
    '',
    'Liste des opérations du compte entre le 01/01/2024 et le 31/01/2024;',
    '',
    'Date;Libellé;Débit euros;Crédit euros;',
    '16/01/2024;"PAIEMENT PAR CARTE \nCARREFOUR MARCHÉ ";1\u00a0012,50;;',
    '15/01/2024;"VIREMENT ACME\nSALAIRE";;5\u00a0000,00;',
  ];
  const { rows, interpretation } = await readExport(encode(lines, 'windows-1252'));
  expect(rows).toEqual([
    '2024-01-16 -1012.5 EUR PAIEMENT PAR CARTE \r\nCARREFOUR MARCHÉ'.replace('\r', ''),
    '2024-01-15 +5000 EUR VIREMENT ACME\nSALAIRE',
  ]);
  expect(interpretation).toMatchObject({ debit: 'Débit euros', credit: 'Crédit euros', encoding: 'windows-1252' });
});

it('the CSV reader reads narrow no-break spaces between thousands, and the currency after the amount', async () => {
  const { rows } = await readExport([
    'Date opération;Date valeur;Libellé;Montant',
    '16/01/2024;17/01/2024;LOYER;−1\u202f012,50\u202f€',
    '15/01/2024;15/01/2024;SALAIRE;5\u202f000,00\u202f€',
  ]);
  expect(rows).toEqual(['2024-01-16 -1012.5 LOYER', '2024-01-15 +5000 SALAIRE']);
});

it('the CSV reader reads dates with French month names', async () => {
  const { rows, interpretation } = await readExport([
    'Date;Libellé;Montant',
    '16 janv. 2024;LOYER;-12,50',
    '1er févr. 2024;SALAIRE;5000,00',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 LOYER', '2024-02-01 +5000 SALAIRE']);
  expect(interpretation['date format']).toBe('DD MMM YYYY');
});

it('the CSV reader reads the booking date of ING Belgium, and not the value date', async () => {
  const { interpretation, rows } = await readExport([
    'Rekeningnummer;Boekingsdatum;Valutadatum;Bedrag;Munteenheid;Omschrijving',
    'BE1;23/11/2020;21/11/2020;-31,80;EUR;Winkel',
  ]);
  expect(interpretation.date).toBe('Boekingsdatum');
  expect(rows).toEqual(['2020-11-23 -31.8 EUR Winkel']);
});
