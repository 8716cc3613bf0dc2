import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('the net amount next to a fee column', () => {
  it.each([
    ['Brutto', 'Gebühr', 'Netto'],
    ['Brut', 'Frais', 'Net'],
    ['Avant commission', 'Commission', 'Net'],
    ['Bruto', 'Tarifa', 'Neto'],
    ['Bruto', 'Comisión', 'Neto'],
    ['Lordo', 'Tariffa', 'Netto'],
    ['Bruto', 'Kosten', 'Netto'],
  ])('is recorded if the headers are %s, %s, %s', async (gross, fee, net) => {
    const { rows, interpretation } = await readExport([
      `"Datum","Name","Status","Währung","${gross}","${fee}","${net}"`,
      '"31.01.2024","Spotify","Abgeschlossen","EUR","-9,99","0,00","-9,99"',
      '"30.01.2024","Kunde","Abgeschlossen","EUR","100,00","-3,20","96,80"',
    ]);
    expect(rows).toEqual(['2024-01-31 -9.99 EUR', '2024-01-30 +96.8 EUR']);
    expect(interpretation.amount).toBe(net);
    expect(interpretation.fees).toBeUndefined();
  });
});

describe('the text of a row', () => {
  it.each([
    'Beschreibung',
    'Beschreibung1',
    'Description 1',
    'お取り扱い内容',
    '入出金内容',
    '入出金先内容',
    '摘要',
    '商品',
    '적요',
    'Lançamento',
    'Operazione',
    'Dettagli',
    'Zahlungsempfänger*in',
  ])('is found in the column "%s"', async (header) => {
    const { rows, interpretation } = await readExport([`Date,${header},Amount`, '2024-01-16,Tea,-5.00']);
    expect(interpretation.description).toBe(header);
    expect(rows).toEqual(['2024-01-16 -5 Tea']);
  });

  it.each(['利用店名・商品名', '交易对方', 'Estabelecimento'])(
    'is read as the merchant in the column "%s"',
    async (header) => {
      const { interpretation } = await readExport([`Date,${header},Amount`, '2024-01-16,Tea,-5.00']);
      expect(interpretation).toMatchObject({ merchant: header });
      expect(interpretation.description).toBeUndefined();
    },
  );

  it('is read from "Mededelingen", and the merchant from "Naam / Omschrijving", in a Dutch export', async () => {
    const { interpretation } = await readExport([
      '"Datum";"Naam / Omschrijving";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen"',
      '"20240131";"Albert Heijn 1234";"Af";"23,45";"Betaalautomaat";"Pasvolgnr: 001"',
    ]);
    expect(interpretation).toMatchObject({ merchant: 'Naam / Omschrijving', description: 'Mededelingen' });
  });

  it('is found in the column with the most letters if no header names a text', async () => {
    const { rows } = await readExport(['Date,Amount,Kind,Xyz', '2024-01-16,-5.00,POS,Tea at the lake']);
    expect(rows).toEqual(['2024-01-16 -5 Tea at the lake']);
  });

  it('is found in another column with letters if the column "Description" is empty', async () => {
    const { rows } = await readExport(['Date,Amount,Description,', '2024-01-16,-5.00,,Tea at the lake']);
    expect(rows).toEqual(['2024-01-16 -5 Tea at the lake']);
  });

  it('is reported as missing if no column has letters', async () => {
    const { interpretation } = await readExport(['Date,Amount,Booking code', '2024-01-16,-5.00,17']);
    expect(interpretation.description).toBe('none: rows will have no text');
  });
});

describe('an amount', () => {
  it.each([
    'Kwota transakcji (waluta rachunku)',
    'valor (R$)',
    'Valor R$',
    'TRANSACTION_NET_AMOUNT',
    '入出金(円)',
    '金额(元)',
  ])('is found in the column "%s"', async (header) => {
    const { rows, interpretation } = await readExport([`Date;Description;${header}`, '2024-01-16;Tea;-5']);
    expect(interpretation.amount).toBe(header);
    expect(rows).toEqual(['2024-01-16 -5 Tea']);
  });

  it.each([
    ['Débito (R$)', 'Crédito (R$)'],
    ['Debit Amount', 'Credit Amount'],
    ['DR', 'CR'],
    ['支払い金額', '預かり金額'],
    ['출금액', '입금액'],
    ['출금액(원)', '입금액(원)'],
    ['Belastungsbetrag', 'Gutschriftsbetrag'],
    ['Montant débité', 'Montant crédité'],
    ['Importo addebito', 'Importo accredito'],
    ['Разход', 'Приход'],
    ['Дебет', 'Кредит'],
    ['Výběr', 'Vklad'],
    ['Çıkan', 'Giren'],
  ])('is found in the columns "%s" and "%s"', async (debit, credit) => {
    const { rows, interpretation } = await readExport([
      `Date;Description;${debit};${credit}`,
      '2024-01-16;Tea;5;',
      '2024-01-17;Pay;;7',
    ]);
    expect(interpretation).toMatchObject({ debit, credit });
    expect(rows).toEqual(['2024-01-16 -5 Tea', '2024-01-17 +7 Pay']);
  });
});

it.each([
  'Testo di contabilizzazione',
  "Testo d'avviso",
  'Détails de comptabilisation',
  'Booking details',
  'Description1',
  'Umsatztext',
])('the CSV reader reads the description from the column "%s"', async (header) => {
  const { rows } = await readExport([`Date;${header};Amount`, '2024-01-16;Tea;-5.00']);
  expect(rows).toEqual(['2024-01-16 -5 Tea']);
});

it.each([
  ['Betrag', 'Betrag in EUR'],
  ['Amount', 'Amount USD'],
  ['Amount', 'Billed Amount'],
  ['Amount', 'Converted amount'],
  ['Betrag', 'Gegenwert EUR'],
  ['Betrag', 'Abrechnungsbetrag'],
  ['Montant', 'Montant débité'],
  ['Montant', 'Contrevaleur EUR'],
  ['Amount', 'Amount (account currency)'],
  ['Amount', 'Charged (EUR)'],
  ['Amount', 'EUR equivalent'],
  ['Betrag', 'Betrag in Kontowährung'],
])('the CSV reader refuses to choose between the amounts of "%s" and "%s"', async (first, second) => {
  const lines = [`Date;Text;${first};${second}`, '2024-01-16;Uber;-10.00;-9.31'];
  await expect(readExport(lines)).rejects.toMatchObject({
    message: `It is not clear which column has the amount: "${first}" or "${second}".`,
    remedy: 'Name it with --amount-column.',
  });
  expect((await readExport(lines, { columns: { amount: second } })).rows[0]).toContain('-9.31');
  const equal = Array.from({ length: 100 }, (_, index) => `2024-01-16;Shop ${index};-1.00;-1.00`);
  await expect(readExport(lines.toSpliced(1, 0, ...equal))).rejects.toMatchObject({
    message: `It is not clear which column has the amount: "${first}" or "${second}".`,
  });
});

it('the CSV reader accepts two columns with the same amounts in different spellings', async () => {
  const { rows } = await readExport([
    'Date;Text;Amount;Amount (EUR)',
    '16.01.2024;Uber;-10,80;-10,8 €',
    '17.01.2024;Rent;-1 035,00;-1035,00',
  ]);
  expect(rows.map((row) => row.slice(0, 16))).toEqual(['2024-01-16 -10.8', '2024-01-17 -1035']);
});

it('the CSV reader prefers the column "Amount in account currency" to the column "Amount"', async () => {
  const { rows } = await readExport(['Date,Text,Amount,Amount in account currency', '2024-01-16,Uber,-10.00,-9.31']);
  expect(rows).toEqual(['2024-01-16 -9.31 Uber']);
});

it.each([
  'Execution date',
  'Auftragsdatum',
  'Data tranzactie',
  'Uitvoeringsdatum',
  'Data oper',
  'Data lanç.',
  'Date compta',
  'F. operativa',
  'Abschlussdatum',
  'Datum des Abschlusses',
  'Data di completamento',
  'Fecha de finalización',
])('the CSV reader prefers the date "%s" to the value date', async (header) => {
  const { interpretation } = await readExport([`${header};Value date;Text;Amount`, '2024-01-16;2024-01-18;Tea;-5.00']);
  expect(interpretation.date).toBe(header);
});

it('the CSV reader refuses MM/DD/YYYY and DD/MM/YYYY in one file as mixed formats, not as ambiguous dates', async () => {
  const file = ['Date,Description,Amount', '01/13/2024,A,-1.00', '13/01/2024,B,-2.00'];
  await expect(readExport(file)).rejects.toMatchObject({
    message: 'The file mixes dates written as MM/DD/YYYY with dates written as DD/MM/YYYY, such as "13/01/2024".',
    remedy:
      'Export the statement again, and do not open it in a spreadsheet program before the import. --date-format MM/DD/YYYY or --date-format DD/MM/YYYY reads each date that fits it, even if the date was written in the other format, so some days may be wrong. All other dates fail.',
  });
});
