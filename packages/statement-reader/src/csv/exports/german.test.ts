import { expect, it } from 'vitest';
import { encode, readExport } from '../../../test-support/read-export.js';

it('the CSV reader reads a German account in Windows-1252 with a preamble, two date columns, and a balance in the last line', async () => {
  const lines = [
    'Umsätze Girokonto;Zeitraum: 30 Tage;',
    'Neuer Kontostand;987,50 EUR;',
    '',
    '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
    '"offen";"--";"Kartenverfügung";"Tankstelle Köln";"-40,00";',
    '"16.01.2024";"17.01.2024";"Lastschrift / Belastung";"Auftraggeber: REWE Buchungstext: Müllers Einkauf";"-12,50";',
    '"15.01.2024";"15.01.2024";"Übertrag / Überweisung";"Auftraggeber: ACME Buchungstext: Lohn";"1.000,00";',
    '"Alter Kontostand";"-10,00 EUR";',
  ];
  const { rows, interpretation } = await readExport(encode(lines, 'windows-1252'));
  expect(rows).toEqual([
    'line 5 skipped: it is pending',
    '2024-01-16 -12.5 EUR Auftraggeber: REWE Buchungstext: Müllers Einkauf',
    '2024-01-15 +1000 EUR Auftraggeber: ACME Buchungstext: Lohn',
  ]);
  expect(interpretation).toMatchObject({
    encoding: 'windows-1252',
    'left out':
      'line 8 "Alter Kontostand" (balance), line 1 "Umsätze Girokonto" (preamble), line 2 "Neuer Kontostand" (preamble); 1 blank',
  });
});

it('the CSV reader reads a German account with two-digit years, a status, and a currency symbol after the amount', async () => {
  const { rows } = await readExport([
    '"Girokonto";"DE02120300000000202051"',
    '"Kontostand vom 31.01.2024:";"987,50 €"',
    '""',
    '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)"',
    '"17.01.24";"";"Vorgemerkt";"ANNA";"Tankstelle";"Tanken";"Ausgang";"DE1";"-40"',
    '"16.01.24";"16.01.24";"Gebucht";"ANNA";"REWE";"Einkauf";"Ausgang";"DE1";"-12,5 €"',
    '"15.01.24";"15.01.24";"Gebucht";"ACME";"ANNA";"Lohn";"Eingang";"DE2";"1.000 €"',
  ]);
  expect(rows).toEqual(['line 5 skipped: it is pending', '2024-01-16 -12.5 Einkauf', '2024-01-15 +1000 Lohn']);
});

it('the CSV reader reads debit and credit columns with a minus sign before debits, and leaves out a closing balance', async () => {
  const { rows, interpretation } = await readExport([
    'Umsätze Girokonto;;;Kundennummer: 123',
    '01.01.2024 - 31.01.2024',
    'Letzter Kontostand;;;;1.000,00;EUR',
    'Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;Soll;Haben;Währung',
    '16.01.2024;16.01.2024;SEPA-Lastschrift;Stadtwerke;Abschlag;DE1;X;NOTPROVIDED;-42,50;;EUR',
    '15.01.2024;15.01.2024;Gutschrift;ACME;Lohn;DE2;X;NOTPROVIDED;;1.000,00;EUR',
    'Kontostand;31.01.2024;;;957,50;EUR',
  ]);
  expect(rows).toEqual(['2024-01-16 -42.5 EUR Abschlag', '2024-01-15 +1000 EUR Lohn']);
  expect(interpretation['left out']).toBe(
    'line 7 "Kontostand" (balance), line 1 "Umsätze Girokonto" (preamble), line 2 "01.01.2024 - 31.01.2024" (preamble), line 3 "Letzter Kontostand" (preamble)',
  );
});

it('the CSV reader reads the direction from S and H in a last column without a header, and leaves out the opening balance', async () => {
  const { rows, interpretation } = await readExport([
    'Volksbank;;;;',
    'Buchungstag;Valuta;Auftraggeber/Zahlungsempfänger;Vorgang/Verwendungszweck;Währung;Umsatz; ',
    '16.01.2024;16.01.2024;REWE;Einkauf;EUR;12,50;S',
    '15.01.2024;15.01.2024;ACME;Lohn;EUR;1.000,00;H',
    '01.01.2024;;;;EUR;500,00;H',
    '01.01.2024;;;Anfangssaldo;EUR;500,00;H',
  ]);
  expect(interpretation).toMatchObject({
    direction: 'column 7',
    signs: 'the words of column "column 7" decide the direction',
  });
  expect(rows.slice(0, 2)).toEqual(['2024-01-16 -12.5 EUR Einkauf', '2024-01-15 +1000 EUR Lohn']);
  expect(rows[3]).toBe('line 6 skipped: it is a balance ("Anfangssaldo")');
});

it('the CSV reader reads a sign after the amount, and a text over two lines', async () => {
  const { rows } = await readExport([
    'Datum;Text;Betrag',
    '16.01.2024;Einkauf;1.234,56-',
    ';bei REWE in Köln;',
    '15.01.2024;Lohn;1.000,00+',
  ]);
  expect(rows).toEqual(['2024-01-16 -1234.56 Einkauf bei REWE in Köln', '2024-01-15 +1000 Lohn']);
});

it('the CSV reader reads an amount column after a balance column, each with its currency', async () => {
  const { rows } = await readExport([
    'Umsatzanzeige;Datei erstellt am: 31.01.2024 10:00',
    '',
    'IBAN;DE02 1203 0000 0000 2020 51',
    'Saldo;987,50;EUR',
    '',
    'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
    '16.01.2024;16.01.2024;REWE;Lastschrift;Einkauf;987,50;EUR;-12,50;EUR',
    '15.01.2024;15.01.2024;ACME;Gehalt;Lohn;1.000,00;EUR;1.000,00;EUR',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 EUR Einkauf', '2024-01-15 +1000 EUR Lohn']);
});

it('the CSV reader reads a Swiss account with apostrophes in amounts, and leaves out the disclaimer below the rows', async () => {
  const { rows, interpretation } = await readExport([
    'Datum von:;01.01.2024',
    'Datum bis:;31.01.2024',
    'Konto:;CH9300762011623852957',
    'Währung:;CHF',
    '',
    'Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie',
    "16.01.2024;Buchung;MIGROS;;-1'012.50;;Lebensmittel",
    '15.01.2024;Buchung;LOHN;5’000.00;;;Einkommen',
    '',
    'Disclaimer:',
    'Der Dokumentinhalt wurde durch Filtereinstellungen generiert.',
  ]);
  expect(rows).toEqual(['2024-01-16 -1012.5 CHF MIGROS', '2024-01-15 +5000 CHF LOHN']);
  expect(interpretation['left out']).toMatch(
    /^line 10 "Disclaimer:" \(note\), line 11 ".*" \(note\), line 1 .*; 1 preamble, 2 blank$/,
  );
});
