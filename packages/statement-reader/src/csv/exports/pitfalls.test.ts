import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';
import type { KnownAccount } from '../../options.js';

describe('the status', () => {
  it.each(['Unsuccessful', 'Blocked', 'Declined', 'FAILED', 'Cancelled', 'Canceled'])(
    '"%s" causes its row to be skipped, because the payment did not happen',
    async (status) => {
      const { rows } = await readExport([
        'Date,Amount,Status',
        `2024-01-16,-5.00,${status}`,
        '2024-01-17,-6,Completed',
      ]);
      expect(rows).toEqual([`line 2 skipped: it did not happen ("${status}")`, '2024-01-17 -6']);
    },
  );

  it.each(['Reversed', 'RETURNED', 'Chargeback', 'zurückgebucht', 'devuelto'])(
    '"%s" causes its row to be skipped as reversed, and is quoted in the reason',
    async (status) => {
      const { rows, interpretation } = await readExport([
        'Date,Amount,Status',
        `2024-01-16,-5.00,${status}`,
        '2024-01-17,-6,Completed',
      ]);
      expect(rows).toEqual([`line 2 skipped: it was reversed ("${status}")`, '2024-01-17 -6']);
      expect(interpretation.status).toBe('Status');
    },
  );
});

describe('an amount', () => {
  it('is read if a space follows the decimal comma', async () => {
    const { rows } = await readExport(['Datum;Text;Betrag', '22.01.2026;Auto;-18 668, 63', '23.01.2026;Tee;-5,00']);
    expect(rows).toEqual(['2026-01-22 -18668.63 Auto', '2026-01-23 -5 Tee']);
  });

  it('without a currency is shown with two decimal places in the totals, or without decimal places if it is a whole number', async () => {
    const { interpretation } = await readExport(['Date,Text,Amount', '2026-01-02,Shop,-284.70', '2026-01-03,Pay,5.00']);
    expect(interpretation.totals).toBe('2 rows, 2026-01-02 to 2026-01-03, expenses 284.70, incomes 5');
  });
});

describe('the fee of a row with the status "Reversed"', () => {
  it('is not reported as an unrecorded fee', async () => {
    const file = ['Date,Amount,Fee,Status', '2024-01-16,-5.00,-1,Reversed', '2024-01-17,-6,0,Completed'];
    expect((await readExport(file)).interpretation.fees).toBeUndefined();
  });
});

describe('a balance among the rows', () => {
  it.each([
    'Balance brought forward',
    'BALANCE CARRIED FORWARD',
    'Brought forward',
    'Opening Bal.',
    'Opening balance',
    'Closing Balance 31/01/2024',
    'Zwischensaldo',
    'Neuer Saldo zu Ihren Lasten',
    'Übertrag auf nächste Seite',
    'Zůstatek na konci období',
    'Egyenleg',
    'Dönem sonu bakiyesi',
    '差引残高',
    'Stan konta na dzień 31.01.2026',
    'Saldo total da fatura',
    'A nuevo',
    'Available credit',
    'Credit limit',
    'Total amount due',
    'Minimum payment due',
    'Net change',
    'Saldo anterior',
    'Saldo inicial',
    'Saldo iniziale',
    'Saldo finale',
    'Anfangssaldo',
    'Alter Kontostand',
    'Saldovortrag',
    'Solde précédent',
    'Solde initial',
    'Ancien solde au 31.12.2023',
    'Report à nouveau',
    'Beginsaldo',
    'Saldo początkowe',
    'Saldo poprzednie',
    'Počáteční zůstatek',
    'Počáteční stav',
    'Nyitó egyenleg',
    'Ingående saldo',
    'Inngående saldo',
    'Primosaldo',
    'Входящий остаток',
    '前期繰越',
  ])('with the name "%s" is skipped even if the row has a day and an amount', async (text) => {
    const { rows } = await readExport(['Date,Amount,Description', `2024-01-16,100.00,${text}`, '2024-01-17,-6,Tea']);
    expect(rows).toEqual([`line 2 skipped: it is a balance ("${text}")`, '2024-01-17 -6 Tea']);
    const named = await readExport(['Date,Amount,Payee', `2024-01-16,100.00,${text}`, '2024-01-17,-6,Tea']);
    expect(named.rows[0]).toBe(`line 2 skipped: it is a balance ("${text}")`);
  });

  it.each(['Balance Ltd', 'New Balance Shoes', 'Report Media', 'Forward Coffee'])(
    'is not assumed for the merchant "%s"',
    async (text) => {
      const { rows } = await readExport(['Date,Amount,Description', `2024-01-16,-100.00,${text}`]);
      expect(rows).toEqual([`2024-01-16 -100 ${text}`]);
    },
  );
});

describe('the signs of the amounts', () => {
  it('are refused as ambiguous if payments to the card have a minus, even if there are as many payments as purchases', async () => {
    const file = ['Date,Description,Amount', '2024-01-16,Grocer,52.10', '2024-01-17,PAYMENT THANK YOU,-52.10'];
    await expect(readExport(file)).rejects.toMatchObject({ remedy: expect.stringContaining('--minus income') });
  });

  it.each([
    'BETALING MODTAGET TAK',
    'INNBETALING BANKGIRO',
    'MAKSU VASTAANOTETTU KIITOS',
    'ADDEBITO IN C/C SALDO E.C.',
    'HARTELIJK BEDANKT VOOR UW BETALING',
    'OTRZYMANO WPŁATĘ',
    'BEFIZETÉSÉT KÖSZÖNJÜK',
  ])('are refused as ambiguous if "%s" has a minus, and purchases have none', async (text) => {
    const rows = ['2024-01-16,Grocer,45.10', `2024-01-17,${text},-500.00`, '2024-01-18,Fuel,38.00'];
    await expect(readExport(['Date,Description,Amount', ...rows])).rejects.toMatchObject({
      message: `A minus may mean money in, as on some card statements. See the sign of "${text}".`,
    });
  });

  describe('with a minus before a payment to the card', () => {
    const ofType = (type: KnownAccount['type']) => ({ findAccount: async () => ({ type }) });
    const header = 'Date,Description,Amount';
    const purchases = ['2024-01-14,Grocer,45.10', '2024-01-15,Fuel,38.00', '2024-01-16,Cinema,12.00'];
    const asks = 'A minus may mean money in, as on some card statements.';

    it('or only refunds show that a minus is an income in a month of a credit card without purchases', async () => {
      const payment = '2024-01-17,MOBILE PAYMENT - THANK YOU,-100.00';
      const refund = '2024-01-16,AMAZON REFUND,-5.00';
      const read = async (lines: string[], type: KnownAccount['type']) =>
        (await readExport([header, ...lines], ofType(type))).rows;
      expect(await read([payment, '2024-01-14,DELTA AIR LINES,-225.00'], 'credit_card')).toEqual([
        '2024-01-17 +100 MOBILE PAYMENT - THANK YOU',
        '2024-01-14 +225 DELTA AIR LINES',
      ]);
      expect(await read([refund], 'credit_card')).toEqual(['2024-01-16 +5 AMAZON REFUND']);
      await expect(read([payment, refund], 'checking')).rejects.toMatchObject({
        message: `${asks} See the sign of "MOBILE PAYMENT - THANK YOU".`,
      });
      await expect(read(['2024-01-29,CASHBACK BONUS REDEMPTION,-12.99'], 'credit_card')).rejects.toMatchObject({
        message: `${asks} See the sign of "CASHBACK BONUS REDEMPTION".`,
      });
      const expenses = [
        '2024-01-14,KROGER,-35.00',
        '2024-01-15,SHELL,-30.00',
        '2024-01-16,COMCAST PAYMENT THANK YOU,-80.00',
      ];
      await expect(read(expenses, 'credit_card')).rejects.toMatchObject({
        message: `${asks} See the sign of "COMCAST PAYMENT THANK YOU".`,
      });
      expect(await read(expenses, 'checking')).toHaveLength(3);
      await expect(read(['2024-01-14,DELTA AIR LINES,-225.00', refund], 'credit_card')).rejects.toMatchObject({
        message: `${asks} See the sign of "AMAZON REFUND".`,
      });
    });

    it.each([
      'ONLINE PAYMENT - THANK YOU',
      'Payment Thank You-Mobile',
      'Pagamento recebido',
      'BETALING MODTAGET TAK',
      'GRACIAS POR SU PAGO EN LINEA',
      'MERCI POUR VOTRE PAIEMENT',
      'ZAHLUNG/ÜBERWEISUNG ERHALTEN BESTEN DANK',
      'ADDEBITO IN C/C SALVO BUON FINE',
      'PRELEVEMENT AUTOMATIQUE ENREGISTRE-MERCI',
      '前回分口座振替金額',
      'REFUND BOOKSHOP',
      'Storno LIBRERIA',
      'Återbetalning bokhandel',
      'זיכוי - זארה',
    ])('show that a minus is an income if the account is a credit card: %s', async (text) => {
      const file = [header, ...purchases, `2024-01-17,${text},-500.00`];
      const { rows, interpretation, question } = await readExport(file, ofType('credit_card'));
      expect(rows).toEqual([
        '2024-01-14 -45.1 Grocer',
        '2024-01-15 -38 Fuel',
        '2024-01-16 -12 Cinema',
        `2024-01-17 +500 ${text}`,
      ]);
      expect(interpretation.signs).toBe(
        `- is income (1 row), others are expenses (3 rows), as on the statement of a credit card: see "${text}"`,
      );
      expect(question?.message).toBe('The columns were guessed.');
    });

    it('show that a minus is an income if codes of both directions contradict the signs, as in exports of Apple Card', async () => {
      const file = [
        'Transaction Date,Description,Type,Amount (USD)',
        '01/14/2024,Grocer,Purchase,45.10',
        '01/15/2024,Fuel,Purchase,38.00',
        '01/16/2024,Cinema,Purchase,12.00',
        '01/17/2024,Daily Cash Adjustment,Debit,0.12',
        '01/18/2024,ACH deposit,Payment,-40.00',
        '01/19/2024,Store refund,Credit,-12.00',
      ];
      const { rows, question } = await readExport(file, ofType('credit_card'));
      expect(rows).toEqual([
        '2024-01-14 -45.1 USD Grocer',
        '2024-01-15 -38 USD Fuel',
        '2024-01-16 -12 USD Cinema',
        '2024-01-17 -0.12 USD Daily Cash Adjustment',
        '2024-01-18 +40 USD ACH deposit',
        '2024-01-19 +12 USD Store refund',
      ]);
      expect(question?.message).toBe('The columns were guessed.');
      await expect(readExport(file.slice(0, -1), ofType('credit_card'))).rejects.toThrow(asks);
      const transfer = '01/20/2024,Transfer from checking,Transfer,300.00';
      await expect(readExport([...file, transfer], ofType('credit_card'))).rejects.toThrow(asks);
      await expect(readExport(file, ofType('checking'))).rejects.toThrow(asks);
    });

    it('are refused if the categories of both directions contradict the signs, but not if only one category does', async () => {
      const rows = [
        '2024-01-14,Expenses,Grocer,15.00',
        '2024-01-15,Income,ACME,-1250.00',
        '2024-01-16,Expenses,Fuel,85.00',
      ];
      const headers = 'Date,Category,Description,Amount';
      await expect(readExport([headers, ...rows])).rejects.toThrow(asks);
      const correction = [
        '2024-01-14,Food,Grocer,-15.00',
        '2024-01-15,Income,ACME correction,-12.50',
        '2024-01-16,Rent,,-9.00',
      ];
      expect((await readExport([headers, ...correction])).rows[1]).toBe('2024-01-15 -12.5 ACME correction');
    });

    it.each([
      ['the account is no credit card', 'checking', [...purchases, '2024-01-17,PAYMENT THANK YOU,-500.00']],
      ['the type of the account is unknown', undefined, [...purchases, '2024-01-17,PAYMENT THANK YOU,-500.00']],
      ['the payment may be to a merchant', 'credit_card', [...purchases, '2024-01-17,AUTOPAY,-500.00']],
      ['only two amounts have no minus', 'credit_card', [...purchases.slice(1), '2024-01-17,PAYMENT THANK YOU,-5']],
      [
        'more than a third of the amounts have a minus',
        'credit_card',
        [...purchases, '2024-01-17,PAYMENT THANK YOU,-5', '2024-01-18,Refund,-9'],
      ],
      [
        'a refund has no minus',
        'credit_card',
        [...purchases, '2024-01-17,COUNCIL TAX PAYMENT RECEIVED WITH THANKS,-5', '2024-01-18,ZARA REFUND,9'],
      ],
      [
        'a cash-back bonus has no minus',
        'credit_card',
        [...purchases, '2024-01-17,PAYMENT THANK YOU,-5', '2024-01-18,CASHBACK REWARD,9'],
      ],
      [
        'an amount has a plus',
        'credit_card',
        [...purchases, '2024-01-17,PAYMENT THANK YOU,-5', '2024-01-18,Refund,+9'],
      ],
    ] as const)('are refused as ambiguous if %s', async (_, type, rows) => {
      await expect(readExport([header, ...rows], ofType(type))).rejects.toThrow(asks);
    });

    it.each([
      'LATE FEE - PAYMENT NOT RECEIVED',
      'RETURNED PAYMENT - THANK YOU',
      'NSF - PAYMENT THANK YOU',
      'PAYMENT RECEIVED CANCELLED',
      'Cancelamento pagamento recebido',
      'REVERSAL OF PAYMENT RECEIVED',
      'Payment received fee',
      'Rückbuchung Zahlungseingang',
      'OPŁATA - WPŁATA OTRZYMANA PO TERMINIE',
      'FRAIS PAIEMENT REÇU EN RETARD',
      'DEVOLUCION PAGO RECIBIDO',
      'TARIFA PAGAMENTO RECEBIDO EM ATRASO',
      'REFUND FEE',
      'Refund reversed',
    ])('are refused as ambiguous if the row is no payment: %s', async (text) => {
      const rows = ['2024-01-14,Credit,29.00', '2024-01-15,Transfer,38.00', '2024-01-16,Cash reward,12.00'];
      const file = [header, ...rows, `2024-01-17,${text},-29.00`];
      await expect(readExport(file, ofType('credit_card'))).rejects.toThrow(asks);
    });

    it('are refused as ambiguous if the merchant of a purchase has a name such as Thank You Bakery', async () => {
      const rows = ['Card payment,Thank You Bakery,-12.00', ...['1', '2', '3'].map((n) => `Cashback,,0.${n}`)];
      const file = ['Date,Description,Merchant,Amount', ...rows.map((row, index) => `2024-01-${14 + index},${row}`)];
      await expect(readExport(file, ofType('credit_card'))).rejects.toThrow(asks);
    });

    it('are refused as ambiguous with --all-incomes', async () => {
      const file = [header, ...purchases, '2024-01-17,PAYMENT THANK YOU,-500.00'];
      await expect(readExport(file, { ...ofType('credit_card'), allIncomes: true })).rejects.toThrow(asks);
    });
  });

  it.each([
    ['no Debit has a minus', 'Debit,45.10 Credit,500.00 Reversal,-20.00 Debit,11.00'],
    ['most Debits have no minus', 'Debit,45.10 Credit,500.00 Debit,-20.00 Cheque,3.00 Debit,11.00'],
    ['half of the Credits have a minus', 'Sale,45.10 Sale,60.00 Credit,-60.00 Payment,-500.00 Credit,10.00'],
  ])('require an option if %s, and another word of the column is unknown', async (_, cells) => {
    const rows = cells.split(' ').map((cell, index) => `2026-03-1${index},Shop ${index},${cell}`);
    const { question } = await readExport(['Date,Description,Type,Amount', ...rows]);
    expect(question).toMatchObject({
      message: 'Words of the column "Type" contradict the signs of some amounts. The signs would decide the direction.',
      requiresOption: true,
    });
  });

  it('are refused as ambiguous if the column Type contradicts the sign of a row, and no row has a description', async () => {
    const rows = ['2026-03-13,Reservation,145.10', '2026-03-14,Reservation,120.00', '2026-03-15,Refund,-15.00'];
    await expect(readExport(['Date,Type,Payout', ...rows])).rejects.toMatchObject({
      message: 'A minus may mean money in, as on some card statements.',
    });
  });

  it('are refused as ambiguous in a card statement even if most amounts have a minus', async () => {
    const rows = ['PAYMENT THANK YOU,-500.00', 'Refund,-20.00', 'Refund,-30.00', 'Grocer,52.10'];
    const file = [
      'Date,Cardholder,Description,Amount',
      ...rows.map((row, index) => `2024-01-${16 + index},ANN,${row}`),
    ];
    await expect(readExport(file)).rejects.toMatchObject({
      message: 'A minus may mean money in, as on some card statements. See the sign of "PAYMENT THANK YOU".',
      remedy: expect.stringContaining('--minus income'),
    });
    const answered = await readExport(file, { minusMeans: 'income' });
    expect(answered.rows[0]).toBe('2024-01-16 +500 PAYMENT THANK YOU');
  });

  it('are refused as ambiguous in an export of Plaid, which writes purchases without a sign', async () => {
    const file = [
      'date,name,amount,iso_currency_code,payment_channel',
      '2024-01-16,Grocer,52.10,USD,in store',
      '2024-01-17,Refund,-5.00,USD,online',
    ];
    await expect(readExport(file)).rejects.toMatchObject({ remedy: expect.stringContaining('--minus income') });
    const { rows } = await readExport(file, { minusMeans: 'income' });
    expect(rows).toEqual(['2024-01-16 -52.1 USD', '2024-01-17 +5 USD']);
  });

  it('are read from codes such as CR in a column without a header to the right of the amount', async () => {
    const rows = ['5.00,', '6.00,CR', '7.00,'].map((row) => `2024-01-16,Shop,${row}`);
    const read = await readExport(['Date,Description,Amount,', ...rows]);
    expect(read.rows).toEqual(['2024-01-16 -5 Shop', '2024-01-16 +6 Shop', '2024-01-16 -7 Shop']);
  });

  it('decide the direction if "Debit" and "Credit" in a column "Type" each occur both with and without a minus', async () => {
    const rows = ['Debit,-5.00', 'Credit,-6.00', 'Debit,100.00', 'Credit,3.00'];
    const read = await readExport(['Date,Type,Amount', ...rows.map((row) => `2024-01-16,${row}`)]);
    expect(read.rows).toEqual(['2024-01-16 -5', '2024-01-16 -6', '2024-01-16 +100', '2024-01-16 +3']);
  });

  it('are read with a minus as an expense if most amounts have a minus and nothing indicates a card statement', async () => {
    const file = ['Date,Description,Amount', '2024-01-16,Grocer,-5', '2024-01-16,Baker,-6', '2024-01-17,Salary,9'];
    expect((await readExport(file)).rows).toEqual([
      '2024-01-16 -5 Grocer',
      '2024-01-16 -6 Baker',
      '2024-01-17 +9 Salary',
    ]);
  });
});

describe('a minus before an amount', () => {
  const rows = (pay: string) => [
    'Date,Description,Amount',
    '2024-01-13,SHOP,25.00',
    '2024-01-14,RENT,500.00',
    `2024-01-15,ACME PAYROLL,${pay}`,
    '2024-01-16,CAFE,4.00',
  ];

  it('makes the reader refuse the file if the amount is a wage, because some apps write a minus before incomes', async () => {
    await expect(readExport(rows('-900.00'))).rejects.toThrow('See the sign of "ACME PAYROLL".');
    expect((await readExport(rows('-900.00'), { minusMeans: 'income' })).rows).toContain(
      '2024-01-15 +900 ACME PAYROLL',
    );
  });

  it('does not make the reader refuse the file if the amount is a fee, and a wage has no minus', async () => {
    const [header, ...others] = rows('900.00');
    const { rows: read } = await readExport([header ?? '', ...others, '2024-01-17,PAYROLL FEE,-5.00']);
    expect(read).toContain('2024-01-15 +900 ACME PAYROLL');
  });
});

describe('a column with the date of the export in each row', () => {
  it('is not read as the date of the transactions if another column has several days', async () => {
    const lines = ['Made,Booked at,Text,Amount', '2024-02-27,2024-01-13,A,-5.00', '2024-02-27,2024-01-14,B,-6.00'];
    const { rows } = await readExport(lines);
    expect(rows).toEqual(['2024-01-13 -5 A', '2024-01-14 -6 B']);
  });
});

describe('debits with and without a minus', () => {
  const file = ['Datum;Text;Soll;Haben', '2024-01-15;Miete;-800,00;', '2024-01-16;Storno Miete;800,00;'];

  it('require an option if about half of the debits have a minus', async () => {
    const { question } = await readExport(file);
    expect(question).toMatchObject({ message: expect.stringContaining('1 of 2 amounts'), requiresOption: true });
    const { rows, question: answered } = await readExport(file, { minusMeans: 'expense' });
    expect(rows).toEqual(['2024-01-15 -800 Miete', '2024-01-16 +800 Storno Miete']);
    expect(answered?.requiresOption).not.toBe(true);
  });

  it('are expenses if they have the sign of most debits, and otherwise incomes', async () => {
    const more = ['16', '17', '18'].map((day) => `2024-01-${day};Strom;-5,00;`);
    const { rows, question } = await readExport([...file, ...more, '2024-01-19;Lohn;0,00;9,00']);
    expect(rows.slice(0, 2)).toEqual(['2024-01-15 -800 Miete', '2024-01-16 +800 Storno Miete']);
    expect(question?.requiresOption).not.toBe(true);
  });

  it('require no option if the balances agree with the amounts', async () => {
    const balances = ['Saldo', '100,00', '-700,00', '-680,00', '-690,00'];
    const lines = [
      'Datum;Text;Soll;Haben',
      '2024-01-14;Lohn;;5,00',
      '2024-01-15;Miete;800,00;',
      '2024-01-16;Storno;-20,00;',
      '2024-01-17;Tee;10,00;',
    ];
    const { question, interpretation } = await readExport(lines.map((line, index) => `${line};${balances[index]}`));
    expect(interpretation.balance).toContain('agrees');
    expect(question?.requiresOption).not.toBe(true);
  });
});

describe('a file with several amount columns', () => {
  it('is read with the amount that includes the tax, because this amount was paid', async () => {
    for (const tax of ['VAT', 'Tax', 'MwSt.', 'IVA', 'TVA', 'BTW', 'GST', 'Moms']) {
      const { rows, interpretation } = await readExport([
        `Date,Description,Net,${tax},Gross`,
        '2024-01-16,Chair,-100,-20,-120',
      ]);
      expect(rows).toEqual(['2024-01-16 -120 Chair']);
      expect(interpretation.amount).toBe('Gross');
    }
  });

  it('is refused if no tax or fee column explains the difference between gross and net', async () => {
    const file = ['Date,Description,Gross,Net', '2024-01-16,Chair,-120,-100'];
    await expect(readExport(file)).rejects.toMatchObject({
      message: expect.stringContaining('Gross'),
      remedy: expect.stringContaining('--amount-column'),
    });
    expect((await readExport(file, { columns: { amount: 'Gross' } })).rows).toEqual(['2024-01-16 -120 Chair']);
  });

  it('is refused if its amounts are "Net" and "VAT", but read with "Amount" if they are "Amount", "VAT", "Fee" and "Gross"', async () => {
    await expect(readExport(['Date,Net,VAT', '2024-01-16,-100,-20'])).rejects.toMatchObject({
      remedy: expect.stringContaining('--amount-column'),
    });
    const { interpretation } = await readExport(['Date,Amount,VAT,Fee,Gross', '2024-01-16,-100,-20,0,-120']);
    expect(interpretation.amount).toBe('Amount');
  });

  it('is refused if it has gross amounts, net amounts, fees and taxes', async () => {
    const file = ['Date,Description,Gross,VAT,Fee,Net', '2024-01-16,Chair,-120,-20,-1,-121'];
    await expect(readExport(file)).rejects.toMatchObject({ remedy: expect.stringContaining('--amount-column') });
  });

  it('is read with the settled amount and its currency', async () => {
    const { rows, interpretation } = await readExport([
      'Date,Description,Amount,Currency,Settled Amount,Settled Currency',
      '2024-01-16,Shop,-12.50,USD,-11.50,EUR',
      '2024-01-17,Baker,-3.00,EUR,-3.00,EUR',
    ]);
    expect(rows).toEqual(['2024-01-16 -11.5 EUR Shop', '2024-01-17 -3 EUR Baker']);
    expect(interpretation).toMatchObject({ amount: 'Settled Amount', currency: 'Settled Currency' });
  });
});

describe('a column with the words "credit" and "debit"', () => {
  it.each(['card_funding', 'Card Type', 'Kartentyp', 'Payment Method', 'Account type'])(
    'is not read as the direction if its header is "%s"',
    async (header) => {
      const { interpretation, question } = await readExport([
        `Date,Description,Amount,${header}`,
        '2024-01-16,Ticket,25.00,credit',
        '2024-01-17,Ticket,30.00,debit',
      ]);
      expect(interpretation.direction).toBeUndefined();
      expect(question).not.toBeNull();
    },
  );

  it('is read as the direction if its header is unknown', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount,Movement kind',
      '2024-01-16,Ticket,25.00,credit',
      '2024-01-17,Ticket,30.00,debit',
    ]);
    expect(rows).toEqual(['2024-01-16 +25 Ticket', '2024-01-17 -30 Ticket']);
  });
});

describe('debit/credit codes', () => {
  const file = (header: string, ...letters: string[]) => [
    `Date,Amount,${header}`,
    ...letters.map((letter, index) => `2024-01-${16 + index},${index + 5}.00,${letter}`),
  ];

  it.each([
    ['D', 'C'],
    ['W', 'D'],
    ['C', 'A'],
    ['D', 'H'],
    ['d.', 'a'],
  ])('get their meaning from both codes of the column: %s is money out, and %s is money in', async (out, into) => {
    const { rows, interpretation } = await readExport(file('Type', out, into, into));
    expect(rows).toEqual(['2024-01-16 -5', '2024-01-17 +6', '2024-01-18 +7']);
    expect(interpretation.direction).toBe('Type');
    expect((await readExport(file('', out, into))).rows).toEqual(['2024-01-16 -5', '2024-01-17 +6']);
  });

  it.each([
    ['D/C', 'D', '-'],
    ['Debit/Credit Indicator', 'C', '+'],
    ['Débito/Crédito', 'C', '+'],
    ['D/W', 'D', '+'],
    ['Deposit or Withdrawal', 'D', '+'],
    ['Cargo/Abono', 'C', '-'],
    ['Dare/Avere', 'A', '+'],
    ['Debe/Haber', 'D', '-'],
  ])('get their meaning from the header "%s" if the column has only the code "%s"', async (header, letter, side) => {
    const columns = { direction: header };
    expect((await readExport(file(header, letter), { columns })).rows).toEqual([`2024-01-16 ${side}5`]);
  });

  it.each([['D'], ['C'], ['A'], ['D', 'C', 'W'], ['W', 'C']])(
    'are refused if they may mean either direction, such as "%s"',
    async (...letters) => {
      await expect(readExport(file('Type', ...letters))).rejects.toMatchObject({
        message: expect.stringContaining(`"${letters[0]}"`),
        remedy: expect.stringContaining('--expense-word'),
      });
    },
  );

  it('follow --income-word D: D is an income, W is an expense, and a file with C is refused', async () => {
    expect((await readExport(file('Type', 'D'), { incomeWords: ['D'] })).rows).toEqual(['2024-01-16 +5']);
    expect((await readExport(file('Type', 'D', 'W'), { incomeWords: ['D'] })).rows).toEqual([
      '2024-01-16 +5',
      '2024-01-17 -6',
    ]);
    await expect(readExport(file('Type', 'D', 'C'), { incomeWords: ['D'] })).rejects.toThrow(/^"C" in the column/);
  });

  it('are ignored if no option names their column and the amounts have signs', async () => {
    const { rows, interpretation } = await readExport(['Date,Amount,Type', '2024-01-16,-5.00,D', '2024-01-17,-6.00,D']);
    expect(rows).toEqual(['2024-01-16 -5', '2024-01-17 -6']);
    expect(interpretation.direction).toBeUndefined();
  });

  it('make a row fail if the sign of its amount contradicts its code', async () => {
    const { rows } = await readExport([...file('D/C', 'D', 'C'), '2024-01-18,-7.00,D']);
    expect(rows[2]).toBe('line 4 failure: the sign of "-7.00" contradicts "D"');
  });
});

it('the CSV reader refuses a text file that is not a table', async () => {
  const file = [
    'From: 01/09/2026 to 03/10/2026',
    '',
    'Account: XXXX 1234',
    '',
    'Date: 02/10/2026',
    'Description: TEA',
    'Amount: -1.12',
  ];
  await expect(readExport(file)).rejects.toMatchObject({
    message: 'The file is not a table, because most of its first lines have only one cell.',
  });
});
