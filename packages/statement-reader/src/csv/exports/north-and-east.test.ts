import { expect, it } from 'vitest';
import { encode, readExport } from '../../../test-support/read-export.js';

it('the CSV reader reads a Swedish account below a line about the file', async () => {
  const { rows, interpretation } = await readExport(
    encode(
      [
        '* Transaktioner Period 2024-01-01 – 2024-01-31 Skapad 2024-01-31 10:00 CET',
        'Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo',
        '1,8327,1234567,Privatkonto,SEK,2024-01-16,2024-01-15,2024-01-16,KORTKÖP,"ICA NÄRA",-12.50,987.50',
        '2,8327,1234567,Privatkonto,SEK,2024-01-15,2024-01-15,2024-01-15,LÖN,"ACME",1000.00,1000.00',
      ],
      'windows-1252',
    ),
  );
  expect(rows).toEqual(['2024-01-16 -12.5 SEK ICA NÄRA', '2024-01-15 +1000 SEK ACME']);
  expect(interpretation.encoding).toBe('windows-1252');
});

it('the CSV reader reads a Nordic account with dates such as 2024/01/16', async () => {
  const { rows } = await readExport([
    'Bokføringsdato;Beløp;Avsender;Mottaker;Navn;Tittel;Valuta;Betalingstype',
    '2024/01/16;-1012,5;;;REMA;REMA 1000;NOK;Varekjøp',
    'Reservert;-40;;;ESSO;ESSO;NOK;Varekjøp',
    '2024/01/15;5000;;;ACME;Lønn;NOK;Lønn',
  ]);
  expect(rows.map((row) => row.slice(0, 26))).toEqual([
    '2024-01-16 -1012.5 NOK REM',
    'line 3 skipped: it is pend',
    '2024-01-15 +5000 NOK Lønn',
  ]);
});

it('the CSV reader reads the columns of money out and money in of a Norwegian account', async () => {
  const { rows } = await readExport([
    '"Dato";"Forklaring";"Rentedato";"Ut fra konto";"Inn på konto"',
    '"16.01.2024";"REMA 1000";"17.01.2024";"12,50";""',
    '"15.01.2024";"Lønn";"15.01.2024";"";"1000,00"',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 REMA 1000', '2024-01-15 +1000 Lønn']);
});

it('the CSV reader reads a Finnish account with a plus sign before credits', async () => {
  const { rows } = await readExport([
    'Kirjauspäivä;Arvopäivä;Määrä EUROA;Laji;Selitys;Saaja/Maksaja',
    '16.01.2024;16.01.2024;-12,50;162;KORTTIOSTO;K-MARKET',
    '15.01.2024;15.01.2024;+1000,00;588;PALKKA;ACME OY',
  ]);
  expect(rows.map((row) => row.slice(0, 16))).toEqual(['2024-01-16 -12.5', '2024-01-15 +1000']);
});

it('the CSV reader reads the column "Staða" (balance or status) of an Icelandic export as the balance', async () => {
  const { rows, interpretation } = await readExport([
    'Dagsetning;Skýring;Fjárhæð;Staða',
    '17.08.2026;Millifærsla;1.240.000,00;3.482.910,00',
    '15.08.2026;Þjónustugjald;-1.850,00;2.242.910,00',
  ]);
  expect(rows).toEqual(['2026-08-17 +1240000 Millifærsla', '2026-08-15 -1850 Þjónustugjald']);
  expect(interpretation.balance).toBe('the balance column agrees on 2 of 2 rows');
});

it('the CSV reader reads the direction words "Úttekt" and "Innborgun" of an Icelandic export, and not its references', async () => {
  const { rows, interpretation } = await readExport([
    'Dagsetning;Tilvísun;Skýring;Tegund;Upphæð',
    '17.08.2026;100000000001;Bónus;Úttekt;1.240,00',
    '15.08.2026;100000000002;Laun;Innborgun;850.000,00',
  ]);
  expect(rows).toEqual(['2026-08-17 -1240 Bónus', '2026-08-15 +850000 Laun']);
  expect(interpretation).toMatchObject({ direction: 'Tegund', 'not used': '"Tilvísun"' });
});

it('the CSV reader reads the direction of an Icelandic export from its signs if "Tegund" has kinds of transactions', async () => {
  const { rows, interpretation } = await readExport([
    'Dagsetning;Skýring;Tegund;Upphæð',
    '17.08.2026;Bónus;Úttekt;-1.240,00',
    '15.08.2026;Laun;Innborgun;850.000,00',
    '14.08.2026;Jón;Millifærsla;-1.000,00',
  ]);
  expect(rows).toEqual(['2026-08-17 -1240 Bónus', '2026-08-15 +850000 Laun', '2026-08-14 -1000 Jón']);
  expect(interpretation).toMatchObject({ 'not used': '"Tegund"' });
});

it('the CSV reader reports a withdrawal without a minus in an Icelandic export as failed if other rows have a minus', async () => {
  const { rows } = await readExport([
    'Dagsetning;Skýring;Tegund;Upphæð',
    '17.08.2026;Bónus;Úttekt;1.240,00',
    '15.08.2026;Laun;Innborgun;850.000,00',
    '14.08.2026;Jón;Millifærsla;-1.000,00',
  ]);
  expect(rows[0]).toMatch(/^line 2 failure: "Úttekt" names a withdrawal/);
  expect(rows.slice(1)).toEqual(['2026-08-15 +850000 Laun', '2026-08-14 -1000 Jón']);
});

const polish = [
  'mBank S.A. Bankowość Detaliczna;',
  'Lista operacji;',
  '',
  '#Klient;',
  'JAN KOWALSKI;',
  '#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;',
  '2024-01-16;"ŻABKA Łódź, ul. Główna";"eKonto 1234";"Żywność i chemia";-1 012,50 PLN;;',
  '2024-01-15;"Wynagrodzenie za styczeń";"eKonto 1234";"Wpływy";5 000,00 PLN;;',
];

it.each(['windows-1250', 'iso-8859-2', 'utf-8'])(
  'the CSV reader reads a Polish account with hashes before its headers, in %s',
  async (encoding) => {
    const file = encoding === 'utf-8' ? Buffer.from(polish.join('\n')) : encode(polish, encoding);
    const { rows, interpretation } = await readExport(file);
    expect(rows).toEqual([
      '2024-01-16 -1012.5 PLN ŻABKA Łódź, ul. Główna',
      '2024-01-15 +5000 PLN Wynagrodzenie za styczeń',
    ]);
    expect(interpretation.encoding).toBe(encoding);
  },
);

it('the CSV reader reads a Czech account in Windows-1250', async () => {
  const { rows } = await readExport(
    encode(
      [
        '"Datum provedení";"Částka";"Měna";"Protistrana";"Zpráva pro příjemce";"Poznámka"',
        '"16. 1. 2024";"-1 012,50";"CZK";"Tesco Říčany";"Nákup v obchodě";""',
        '"15. 1. 2024";"5 000,00";"CZK";"Zaměstnavatel";"Výplata";"mzda"',
      ],
      'windows-1250',
    ),
  );
  expect(rows.map((row) => row.slice(0, 22))).toEqual(
    ['2024-01-16 -1012.5 CZK', '2024-01-15 +5000 CZK'].map((text) => expect.stringContaining(text)),
  );
});

const russian = [
  '"Дата операции";"Дата платежа";"Номер карты";"Статус";"Сумма операции";"Валюта операции";"Сумма платежа";"Валюта платежа";"Категория";"Описание"',
  '"16.01.2024 19:20:11";"17.01.2024";"*1234";"OK";"-1012,50";"RUB";"-1012,50";"RUB";"Супермаркеты";"Пятёрочка"',
  '"15.01.2024 10:00:00";"15.01.2024";"";"OK";"5000,00";"RUB";"5000,00";"RUB";"Пополнения";"Зарплата"',
  '"14.01.2024 10:00:00";"";"*1234";"FAILED";"-99,00";"RUB";"-99,00";"RUB";"Кино";"Билет"',
];

it.each(['windows-1251', 'koi8-r', 'utf-8'])(
  'the CSV reader reads a Russian account in %s, and skips a payment that did not happen',
  async (encoding) => {
    const file = encoding === 'utf-8' ? Buffer.from(russian.join('\n')) : encode(russian, encoding);
    const { rows, interpretation } = await readExport(file);
    expect(rows).toEqual([
      '2024-01-16 -1012.5 RUB Пятёрочка',
      '2024-01-15 +5000 RUB Зарплата',
      'line 4 skipped: it did not happen ("FAILED")',
    ]);
    expect(interpretation.encoding).toBe(encoding);
  },
);

it('the CSV reader reads the export of a Hungarian account, with dates that begin with the year, and a column of direction words', async () => {
  const { rows } = await readExport([
    'Könyvelés dátuma;Típus;Partner;Összeg;Bevétel/Kiadás;Közlemény',
    '2024. 01. 16.;Vásárlás;SPAR;12 500;Kiadás;Bevásárlás',
    '2024. 01. 15.;Utalás;ACME;500 000;Bevétel;Fizetés',
  ]);
  expect(rows).toEqual(['2024-01-16 -12500 Bevásárlás', '2024-01-15 +500000 Fizetés']);
});

it('the CSV reader reads an Indian account with digits grouped as lakhs, and a row of stars between the headers and the rows', async () => {
  const { rows, interpretation } = await readExport([
    'DETAILED STATEMENT,,,,,,',
    'Account Number,: 000123,,,,,',
    ',,,,,,',
    'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
    '********,********,********,********,********,********,********',
    '16/01/24,UPI-GROCER,0000001,16/01/24,"1,12,500.50",,"8,87,499.50"',
    '15/01/24,NEFT SALARY,0000002,15/01/24,,"10,00,000.00","10,00,000.00"',
    'STATEMENT SUMMARY :-,,,,,,',
    'Opening Balance,Dr Count,Cr Count,Debits,Credits,Closing Bal,',
  ]);
  expect(rows).toEqual(['2024-01-16 -112500.5 UPI-GROCER', '2024-01-15 +1000000 NEFT SALARY']);
  expect(interpretation['left out']).toMatch(
    /^line 5 "\*+" \(note\), line 8 "STATEMENT SUMMARY :-" \(note\), line 9 ".*" \(balance\), line 1 /,
  );
});

it('the CSV reader reads a Japanese account in Shift_JIS', async () => {
  // "日付,摘要,お支払金額,お預り金額,差引残高" and two rows, as bytes, because Node.js cannot encode Shift_JIS.
  const hex =
    '93fa95742c9397762c82a88e7895a58be08a7a2c82a8976182e88be08a7a2c8db788f88e638d820d0a' +
    '323032342f30312f31362c8354837e83622c2231323530222c2c22383735302220'.replace(/20$/, '') +
    '0d0a323032342f30312f31352c8b8b975e2c2c223130303030222c2231303030302220'.replace(/20$/, '') +
    '0d0a';
  const { rows, interpretation } = await readExport(Buffer.from(hex, 'hex'));
  expect(interpretation.encoding).toBe('shift_jis');
  expect(rows.map((row) => row.slice(0, 18).trim())).toEqual(
    ['2024-01-16 -1250', '2024-01-15 +10000'].map((text) => expect.stringContaining(text)),
  );
});

it('the CSV reader reads the amount in the currency of the account, not the amount in the currency of the transaction', async () => {
  const { rows, interpretation } = await readExport([
    'Data transakcji;Szczegóły transakcji;Kwota operacji;Waluta operacji;Kwota w walucie rachunku;Waluta rachunku',
    '15-11-2024;Hotel;-100,00;EUR;-430,00;PLN',
    '18-11-2024;Pensja;2000,00;PLN;2000,00;PLN',
  ]);
  expect(interpretation).toMatchObject({ amount: 'Kwota w walucie rachunku', currency: 'Waluta rachunku' });
  expect(rows).toEqual(['2024-11-15 -430 PLN Hotel', '2024-11-18 +2000 PLN Pensja']);
});

it('the CSV reader reads the amount and the currency of the transaction if no amount is in the currency of the account', async () => {
  const { interpretation } = await readExport([
    'Data transakcji;Kwota operacji;Waluta operacji;Waluta rachunku',
    '15-11-2024;-100,00;EUR;PLN',
  ]);
  expect(interpretation).toMatchObject({ amount: 'Kwota operacji', currency: 'Waluta operacji' });
});
