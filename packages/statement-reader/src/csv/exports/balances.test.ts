import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const balance = (line: number, text: string) =>
  `line ${line} failure: "${text}" looks like a balance and not like a transaction`;
const skipped = (line: number, text: string) => `line ${line} skipped: it is a balance ("${text}")`;

describe('a balance of the day or the period', () => {
  it('in a German footer is skipped even if its label is not in the description column', async () => {
    const { rows } = await readExport([
      'Buchungstag;Valuta;Auftraggeber/Zahlungsempfänger;Empfänger/Zahlungspflichtiger;Konto-Nr.;IBAN;Vorgang/Verwendungszweck;Kundenreferenz;Währung;Umsatz; ',
      '31.01.2024;31.01.2024;Max Muster;REWE;;DE1;Kartenzahlung;;EUR;45,67;S',
      '30.01.2024;30.01.2024;Max Muster;ACME;;DE2;Lohn;;EUR;2.500,00;H',
      '',
      '01.01.2024;;;;;;;Anfangssaldo;EUR;1.000,00;H',
      '31.01.2024;;;;;;;Endsaldo;EUR;3.454,33;H',
    ]);
    expect(rows).toEqual([
      '2024-01-31 -45.67 EUR Kartenzahlung',
      '2024-01-30 +2500 EUR Lohn',
      skipped(5, 'Anfangssaldo'),
      skipped(6, 'Endsaldo'),
    ]);
  });

  it('is skipped if spaces separate the letters of its label, or its day is 00/00/0000', async () => {
    const { rows } = await readExport([
      'Data,Lançamento,Detalhes,N° documento,Valor,Tipo Lançamento',
      '01/02/2024,Saldo Anterior,,,"1.000,00",Entrada',
      '02/02/2024,Pix - Enviado,JOAO,123,"-55,10",Saída',
      '15/02/2024,Recebimento de Proventos,ACME,124,"2.000,00",Entrada',
      '00/00/0000,Saldo do dia,,,"2.944,90",',
      '29/02/2024,S A L D O,,,"2.944,90",',
    ]);
    expect(rows).toEqual([
      skipped(2, 'Saldo Anterior'),
      '2024-02-02 -55.1 Pix - Enviado',
      '2024-02-15 +2000 Recebimento de Proventos',
      skipped(5, 'Saldo do dia'),
      skipped(6, 'S A L D O'),
    ]);
  });

  it.each([
    'S A L D O',
    'SALDO  FINAL',
    'Solde precedent',
    'Saldo poczatkowe',
    'Devreden bakiye',
    'Alkusaldo',
    'Početno stanje',
    'Počiatočný zostatok',
    'Sold inițial',
    'Остаток на начало периода',
    'Вхідний залишок',
    'Υπόλοιπο',
    '期初余额',
    '이월잔액',
    'Số dư đầu kỳ',
    '上期结余',
    'Υπόλοιπο από μεταφορά',
    'A/c b/f',
    'Devir',
    'Likutis laikotarpio pradžioje',
    'Upphafsstaða',
    'Nyitó',
    'Report',
    'Vortrag',
  ])('with the name "%s" makes its row fail if the row would be recorded as an expense', async (text) => {
    const { rows } = await readExport(['Date,Amount,Remark', `2024-01-16,-100.00,${text}`, '2024-01-17,-6,Tea']);
    expect(rows).toEqual([balance(2, text), '2024-01-17 -6 Tea']);
  });

  it.each([
    ['Ngày,Diễn giải,Số tiền', 'Số dư đầu kỳ'],
    ['Ngày,Nội dung,Số tiền', 'Số dư đầu kỳ'],
    ['Data,Mokėjimo paskirtis,Suma', 'Likutis laikotarpio pradžioje'],
    ['Dagsetning,Skýring,Upphæð', 'Upphafsstaða'],
  ])('is skipped below the headers "%s" if it is the opening balance "%s"', async (headers, text) => {
    const lines = [headers, `2026-01-15,${text},1000.00`, '2026-01-16,X,-20.00', '2026-01-17,Y,-30.00'];
    const { rows } = await readExport(lines);
    expect(rows).toEqual([skipped(2, text), '2026-01-16 -20 X', '2026-01-17 -30 Y']);
  });

  it.each(['Report Fees', 'Devir Cafe', 'Vortrag im Museum'])('is not recognized in "%s"', async (text) => {
    const { rows } = await readExport(['Date,Amount,Details', `2024-01-16,-100.00,${text}`, '2024-01-17,-6,Tea']);
    expect(rows).toEqual([`2024-01-16 -100 ${text}`, '2024-01-17 -6 Tea']);
  });

  it('is not returned as a row if it follows the transactions of its day, as in exports of the bank Itaú', async () => {
    const { rows, interpretation } = await readExport([
      'data;lançamento;ag./origem;valor (R$);saldos (R$)',
      '01/11/2024;SALDO ANTERIOR;;;1.000,00',
      '15/11/2024;PIX TRANSF JOAO15/11;;-50,00;',
      '15/11/2024;SALDO TOTAL DISPONÍVEL DIA;;;950,00',
      '18/11/2024;SALARIO;;2.000,00;',
    ]);
    expect(rows).toEqual(['2024-11-15 -50 PIX TRANSF JOAO15/11', '2024-11-18 +2000 SALARIO']);
    expect(interpretation['left out']).toContain('line 4 "SALDO TOTAL DISPONÍVEL DIA" (balance)');
  });

  it.each([
    '|SALDO FINALE',
    '- SALDO FINALE',
    '** Closing Balance **',
    '| Closing balance',
    '>Ending balance',
    '=Saldo final',
  ])('is skipped if punctuation precedes its label, as in "%s"', async (text) => {
    const { rows } = await readExport([
      'Date;Description;Amount',
      '2026-02-01;Salary;2000.00',
      '2026-02-13;Rent;-900.00',
      `2026-02-28;${text};3359.05`,
    ]);
    expect(rows).toEqual(['2026-02-01 +2000 Salary', '2026-02-13 -900 Rent', skipped(4, text)]);
  });

  it('makes its row fail if its label is the Lithuanian "Likutis" or a Hebrew name', async () => {
    for (const text of ['יתרה קודמת', 'Likutis']) {
      const { rows } = await readExport(['Date,Amount,Remark', `2024-01-16,-100.00,${text}`, '2024-01-17,-6,Tea']);
      expect(rows).toEqual([balance(2, text), '2024-01-17 -6 Tea']);
    }
  });

  it('is not returned as a row if "#" is before its label, as mBank writes it', async () => {
    const { rows, interpretation } = await readExport([
      '#Data księgowania;#Opis operacji;#Kwota;#Saldo po operacji',
      '2026-01-01;Wypłata;-12,62;29775,01',
      '2026-01-03;Odsetki;4,25;29779,26',
      ';#Saldo końcowe;29779,26;',
    ]);
    expect(rows).toEqual(['2026-01-01 -12.62 Wypłata', '2026-01-03 +4.25 Odsetki']);
    expect(interpretation['left out']).toBe('line 4 "#Saldo końcowe" (balance)');
  });

  it('is ignored when the signs of the transactions are counted', async () => {
    const { interpretation } = await readExport([
      'Date,Amount,Remark',
      '2024-01-16,100.00,Opening balance',
      '2024-01-17,-6,Tea',
    ]);
    expect(interpretation.signs).toContain('amounts without a minus are incomes (0 rows)');
  });

  it('is not assumed for a row with the account "Current balance" and the category "Saldo"', async () => {
    const { rows } = await readExport(
      ['Date,Amount,Description,Account,Category', '2024-01-16,-5,Tea,Current balance,Saldo'],
      { hasOneAccount: false, columns: { account: 'Account' } },
    );
    expect(rows).toEqual(['2024-01-16 -5 Tea']);
  });
});

describe('a balance column', () => {
  const rows = ['02,Pay,1000.00,1500.00', '03,Shop,-20.00,1480.00', '05,Cafe,-5.00,1475.00', '07,Pub,-15.00,700.00'];
  const read = (header: string) =>
    readExport([`Date,Description,Amount,${header}`, ...rows.map((row) => `2026-01-${row}`)]);

  it.each(['Balance', 'Cash Balance', 'CURRENT BALANCE', 'Ending Balance', 'Total', 'Guthaben'])(
    'with the header "%s" is compared with the amounts, so that a missing row is reported',
    async (header) => {
      const { interpretation, question } = await read(header);
      expect(interpretation.balance).toBe('the balance column agrees on 3 of 4 rows');
      expect(question).toMatchObject({
        message: expect.stringContaining('1 of 4 rows: the balance before line 5'),
        requiresOption: true,
      });
    },
  );

  it('is not detected if its numbers do not change by the amounts of the rows', async () => {
    const file = ['Date,Description,Amount,Total', '2026-01-02,A,-5.00,5.00', '2026-01-03,B,-7.00,7.00'];
    expect((await readExport([...file, '2026-01-04,C,-9.00,9.00'])).interpretation.balance).toBeUndefined();
  });
});

describe('a total', () => {
  const total = (line: number, text: string) =>
    `line ${line} failure: "${text}" looks like a total and not like a transaction`;

  it.each(['TOTAL', 'Summe:', 'Suma', 'Totale', 'Итого', '合計', '합계', 'Grand total'])(
    'with the text "%s" makes its row fail even if the row has a day and an amount',
    async (text) => {
      const { rows } = await readExport([
        'Fecha;Concepto;Importe',
        '15/01/2024;Compra;-45,30',
        `31/01/2024;${text};-45,30`,
      ]);
      expect(rows).toEqual(['2024-01-15 -45.3 Compra', total(3, text)]);
    },
  );

  it.each([
    'Zwischensumme',
    'Umsätze gesamt',
    'Subtotal Groceries',
    'Sous-total',
    'Monthly total',
    'Page total',
    'Total for card ending 1234',
    'TOTAL PURCHASES',
    'Endsumme',
    'Umsatzsumme',
    'Summe Soll',
    'Somme',
    '小计',
    'Tổng cộng',
    'รวม',
    'Kokku',
    'Kopā',
    'Iš viso',
    'Jumlah',
    'Samtals',
    'Σύνολο',
    'סה״כ',
  ])('with the text "%s" is skipped if the rows above it add up to it', async (text) => {
    const { rows } = await readExport([
      'Date;Description;Amount',
      '2026-01-15;Lidl;-5.00',
      '2026-01-16;Aldi;-7.00',
      `2026-01-31;${text};-12.00`,
    ]);
    expect(rows.slice(2)).toEqual([`line 4 skipped: it is a total ("${text}")`]);
  });

  it.each([
    ['Összes terhelés', 'Összes jóváírás'],
    ['支出合計', '収入合計'],
    ['Σύνολο χρεώσεων', 'Σύνολο πιστώσεων'],
    ['Obraty debet', 'Obraty kredit'],
    ['Toplam borç', 'Toplam alacak'],
    ['Ukupno isplate', 'Ukupno uplate'],
    ['Итого расход', 'Итого приход'],
    ['Total cheltuieli', 'Total venituri'],
  ])('of expenses or incomes is not recorded if its text is "%s" or "%s"', async (expenses, incomes) => {
    const { rows } = await readExport([
      'Datum;Text;Betrag',
      '13.01.2026;Coop 4411;-20,00',
      '14.01.2026;Buss 9;-5,50',
      '15.01.2026;ACME;1000,00',
      `31.01.2026;${expenses};-25,50`,
      `31.01.2026;${incomes};1000,00`,
    ]);
    expect(rows.slice(0, 3)).toEqual(['2026-01-13 -20 Coop 4411', '2026-01-14 -5.5 Buss 9', '2026-01-15 +1000 ACME']);
    expect(rows).toHaveLength(5);
    for (const row of rows.slice(3)) expect(row).toMatch(/it is a total|looks like a total/);
  });

  it.each([
    ['Total', 'Fuel'],
    ['Somme Leuze', ''],
    ['Kopa & Partner', ''],
    ['Total Care', ''],
    ['TOTAL ENERGIES', ''],
    ['Total Tankstelle Berlin', ''],
    ['Summe & Co', ''],
  ])('is not assumed for a row with the description "%s" and the kind of shop "%s"', async (text, category) => {
    const { rows } = await readExport(['Date,Amount,Description,Kind of shop', `2024-01-16,-5.00,${text},${category}`]);
    expect(rows).toEqual([`2024-01-16 -5 ${text}`]);
  });
});
