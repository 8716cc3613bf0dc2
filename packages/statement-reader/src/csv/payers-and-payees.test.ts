import { describe, expect, it } from 'vitest';
import { mappingsInMemory, openCsvInTest as open } from '../../test-support/open-csv-in-test.js';

type Opened = Awaited<ReturnType<typeof open>>;

async function readTransactions({ rows }: Opened) {
  const found = [];
  for await (const row of rows()) if (row.outcome === 'transaction') found.push(row.transaction);
  return found;
}

const merchantsOf = async (statement: Opened) =>
  (await readTransactions(statement)).map(({ merchantName }) => merchantName);
const lineOf = (statement: Opened, label: string) =>
  statement.interpretation?.lines.find(([name]) => name === label)?.[1] ?? null;

const giro = [
  '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
  '"17.01.24";"17.01.24";"Gebucht";"ANNA";"REWE";"VISA Debitkartenumsatz";"Ausgang";"DE1";"-12,5";"";"";""',
  '"16.01.24";"16.01.24";"Gebucht";"ACME";"ANNA";"Lohn";"Eingang";"DE2";"1.000";"";"";""',
  '"15.01.24";"15.01.24";"Gebucht";"ANNA";"";"VISA Debitkartenumsatz";"Ausgang";"DE1";"-3";"";"";""',
  '"14.01.24";"14.01.24";"Gebucht";"";"ANNA";"Zinsen";"Eingang";"DE1";"0,5";"";"";""',
].join('\n');

describe('columns of payers and payees', () => {
  it('give the payee of an expense and the payer of an income as the merchant, and none for an empty cell', async () => {
    const statement = await open(giro);
    expect(await merchantsOf(statement)).toEqual(['REWE', 'ACME', null, null]);
    expect(lineOf(statement, 'merchant')).toBe(
      'column "Zahlungsempfänger*in" for expenses, "Zahlungspflichtige*r" for incomes (guessed)',
    );
    expect(lineOf(statement, 'payer')).toBeNull();
    expect(lineOf(statement, 'not used')).not.toContain('Zahlung');
  });

  it.each([
    ['Zahlungspflichtiger', 'Zahlungsempfänger'],
    ['Payer', 'Payee'],
    ['Payer Name', 'Payee Name'],
    ['Source name', 'Target name'],
    ['Nazwa nadawcy', 'Nazwa odbiorcy'],
  ])('are recognized by the headers "%s" and "%s", in any order', async (payer, payee) => {
    const rows = ['2026-01-13,Tea,Ann,Grocer,-5.00', '2026-01-14,Pay,Acme,Ann,7.00'];
    const statement = await open([`Date,Details,${payer},${payee},Amount`, ...rows].join('\n'));
    expect(await merchantsOf(statement)).toEqual(['Grocer', 'Acme']);
    const swapped = await open([`Date,Details,${payee},${payer},Amount`, '2026-01-13,Tea,Grocer,Ann,-5.00'].join('\n'));
    expect(await merchantsOf(swapped)).toEqual(['Grocer']);
  });

  it.each(['Zahlungspflichtige*r', 'Zahlungsempfänger*in'])('give no merchant if only "%s" exists', async (header) => {
    const rows = ['2026-01-13,Tea,Ann,-5.00', '2026-01-14,Pay,Ann,7.00'];
    expect(await merchantsOf(await open([`Date,Details,${header},Amount`, ...rows].join('\n')))).toEqual([null, null]);
  });

  it('are not used if the file has a column "Merchant"', async () => {
    const file = 'Date,Amount,Description,Payer Name,Payee Name,Merchant\n2026-01-13,-5.00,Card,,Ann,Grocer\n';
    const statement = await open(file);
    expect(await merchantsOf(statement)).toEqual(['Grocer']);
    expect(lineOf(statement, 'merchant')).toBe('column "Merchant" (guessed)');
  });

  it('are not used if an option names a merchant column for all rows, or has an empty value', async () => {
    const named = await open(giro, { columns: { merchant: 'Zahlungsempfänger*in' } });
    expect(await merchantsOf(named)).toEqual(['REWE', 'ANNA', null, 'ANNA']);
    expect(lineOf(named, 'merchant')).toBe('column "Zahlungsempfänger*in"');
    expect(await merchantsOf(await open(giro, { columns: { merchant: '' } }))).toEqual([null, null, null, null]);
  });

  it('do not repeat the payee as the description if the file has no other text', async () => {
    const file = 'Datum;Zahlungspflichtige*r;Zahlungsempfänger*in;Betrag\n13.01.2026;Ann;Grocer;-5,00\n';
    expect(await readTransactions(await open(file))).toMatchObject([{ description: null, merchantName: 'Grocer' }]);
  });

  it('give the payee or the payer as the merchant, depending on the direction that the balances show', async () => {
    const rows = [
      '2026-01-13,Start,Acme,Ann,100.00,100.00',
      '2026-01-14,Tea,Ann,Grocer,5.00,95.00',
      '2026-01-15,Pay,Acme,Ann,7.00,102.00',
    ];
    const statement = await open(['Date,Details,Payer,Payee,Amount,Balance', ...rows].join('\n'));
    expect(await readTransactions(statement)).toMatchObject([
      { direction: 'expense', merchantName: 'Grocer' },
      { direction: 'income', merchantName: 'Acme' },
    ]);
  });

  it('are saved with the mapping; an option for the merchant replaces both of them', async () => {
    const mappings = mappingsInMemory();
    await (await open(giro, {}, mappings)).interpretation?.save?.();
    const next = await open(giro, {}, mappings);
    expect(await merchantsOf(next)).toEqual(['REWE', 'ACME', null, null]);
    expect(lineOf(next, 'merchant')).toBe(
      'column "Zahlungsempfänger*in" for expenses, "Zahlungspflichtige*r" for incomes',
    );
    const named = await open(giro, { columns: { merchant: 'Zahlungsempfänger*in' } }, mappings);
    expect(await merchantsOf(named)).toEqual(['REWE', 'ANNA', null, 'ANNA']);
  });

  it('put the payee into the identity of each row, and an option that reverses the directions does not change the identities', async () => {
    const identities = async (statement: Opened) => (await readTransactions(statement)).map(({ identity }) => identity);
    const found = await identities(await open(giro));
    expect(found.map((identity) => identity?.merchantName)).toEqual(['REWE', 'ANNA', null, 'ANNA']);
    expect(await identities(await open(giro, { minusMeans: 'income' }))).toEqual(found);
  });
});
