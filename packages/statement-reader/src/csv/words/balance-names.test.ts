import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const payments = ['2024-01-15,Bar,-4.50', '2024-01-16,Pay,2000.00'];

async function rowsOf(lines: readonly string[]): Promise<readonly string[]> {
  return (await readExport(['Date,Description,Amount', ...lines])).rows;
}

it.each([
  'Anfangsbestand',
  'Endbestand',
  'Bilans otwarcia',
  'Vorige stand',
  'Vortrag vom Vormonat',
  'Vortrag Vormonat',
  'Stand Vormonat',
  'Kassenbestand',
  'Startguthaben',
  'Suma y sigue',
  'Report solde précédent',
  'Funds brought forward',
  'Carried over from June',
  'Zostatok z minulého obdobia',
  'Schlussbestand',
  'Υπόλοιπο έναρξης',
  'ΥΠΟΛΟΙΠΟ ΛΗΞΗΣ',
  'Υπόλοιπο λήξης',
  'BALANCE BROUGHT FWD',
  'Balance carried fwd',
  'Carried Fwd',
  'Bal b/fwd',
  'BAL C/FWD',
  'Last statement balance',
  'BALANCE FROM LAST STATEMENT',
  'Balance carried down',
  'Amount b/f',
  'Cleared balance',
  'Available funds',
  'Stan początkowy',
  'Stan końcowy',
  'Riporto',
  'Openingsbalans',
  'Προηγούμενο υπόλοιπο',
  'Algjääk',
  '承前结余',
  'رصيد سابق',
  `Initial balance 'Cash'`,
  'Montant de votre ancien solde',
  'Votre ancien solde',
  'Solde précédent relevé de compte au 1er mars 2026',
  'Übertrag vom letzten Auszug',
  'Eröffnungssaldo 01.03.2026',
  'Saldo laut letztem Kontoauszug vom 28.02.2026',
  'Saldo precedente estratto conto',
  'Nuovo saldo al 31/03/2026',
  'Saldo a cuenta nueva',
  'SDO CTA/APL AUTOMATICAS',
  'Stanje prethodno',
  'Saldo vorige afschrift',
  'Vanha saldo',
  'Tidligere saldo',
  'Ny saldo',
  'Zůstatek minulého výpisu',
  'Saldo wg poprzedniego wyciągu',
  'Dönem başı bakiye',
  'Balance as at 01/03/2026',
  'Your previous balance',
  'SOLD FINAL ZI',
  '前月より繰越',
  'CREDITO DISPONIBLE',
  'TOTAL DA FATURA ANTERIOR',
  'Skuld från föregående faktura',
  'Saldo letzte Abrechnung',
])('the CSV reader leaves out the balance "%s" above the first or below the last transaction', async (name) => {
  const balance = `2024-01-15,${name},1000.00`;
  expect((await rowsOf([balance, ...payments]))[0]).toBe(`line 2 skipped: it is a balance ("${name}")`);
  expect((await rowsOf([...payments, balance]))[2]).toBe(`line 4 skipped: it is a balance ("${name}")`);
});

it.each([
  ['NEW BALANCE 574', -89.9],
  ['New Balance LA', -89.9],
  ['Restzahlung Saldo altes Konto Umzug', 50],
  ['Solde ancien loyer février', -50],
  ['Remboursement ancien solde', 50],
  ['Sold old bike', 50],
])('the CSV reader reads the payment "%s" above the first transaction', async (name, amount) => {
  expect((await rowsOf([`2024-01-15,${name},${amount}`, ...payments]))[0]).toContain(name);
  expect((await rowsOf([`2024-01-15,${name},${amount}`, ...payments]))[0]).not.toContain('line');
});

describe('a row with the word "Übertrag"', () => {
  it.each(['Übertrag', 'Uebertrag'])('fails if it has no other text: "%s"', async (name) => {
    const [first] = await rowsOf([`2024-01-15,${name},1000.00`, ...payments]);
    expect(first).toBe(`line 2 failure: "${name}" looks like a balance and not like a transaction`);
  });

  it('is left out if its balance is equal to the balance of the row above it', async () => {
    const lines = ['Date,Description,Amount,Balance', '2024-01-14,Übertrag,9.00,9.00', '2024-01-15,Bar,-4.00,5.00'];
    const same = [...lines, '2024-01-16,Übertrag,5.00,5.00', '2024-01-17,Tea,-1.00,4.00'];
    expect((await readExport(same)).rows[2]).toBe('line 4 skipped: it is a balance ("Übertrag")');
  });

  it('is a transaction if it has another text', async () => {
    const { rows } = await readExport(['Date,Description,Kind,Amount', '2024-01-15,Savings,Übertrag,-5.00']);
    expect(rows).toEqual(['2024-01-15 -5 Savings']);
  });
});

describe('a category that names an opening balance', () => {
  it.each(['Opening Balance', `Initial balance 'Cash'`])('makes the row fail: "%s"', async (category) => {
    const { rows } = await readExport(['Date,Payee,Category,Amount', `2024-01-01,Checking,${category},1000.00`]);
    expect(rows).toEqual([`line 2 failure: "${category}" looks like a balance and not like a transaction`]);
  });

  it('causes the row to be left out if the row has no other text and is above the first transaction', async () => {
    const lines = ['Date,Payee,Category,Amount', '2024-01-01,,Opening Balance,1000.00', '2024-01-02,Bar,Food,-5.00'];
    expect((await readExport(lines)).rows[0]).toBe('line 2 skipped: it is a balance ("Opening Balance")');
  });

  it.each(['Balance', 'Balance transfers', 'Initial costs'])('is not assumed in "%s"', async (category) => {
    const { rows } = await readExport(['Date,Payee,Category,Amount', `2024-01-01,Shop,${category},-5.00`]);
    expect(rows).toEqual(['2024-01-01 -5']);
  });
});

it.each([
  'Totaal bij',
  'Totaal af',
  'Suma wpływów',
  'Suma wydatków',
  'Anzahl Buchungen',
  'Exchange rate USD/EUR',
  '合计金额',
])(
  'the CSV reader reports the total "%s" as failed if it is the first or last row, and the rows do not add up to it',
  async (name) => {
    const total = `2024-01-15,${name},1000.00`;
    const failure = `"${name}" looks like a total and not like a transaction`;
    expect((await rowsOf([total, ...payments]))[0]).toBe(`line 2 failure: ${failure}`);
    expect((await rowsOf([...payments, total]))[2]).toBe(`line 4 failure: ${failure}`);
  },
);
