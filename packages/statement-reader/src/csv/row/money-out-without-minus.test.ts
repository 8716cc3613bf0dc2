import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';
import { moneyOutOf } from '../words/money-out-kinds.js';

const header =
  'Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Currency (Result),Total,Currency (Total),Notes,ID';
const deposit = 'Deposit,2024-01-02 09:00:00,,,,,,,,,,500.00,EUR,Bank Transfer,a1b2c3d4-0001';
const buy = 'Market buy,2024-01-03 10:00:12.123,US0378331005,AAPL,Apple,1.5,185.2,USD,1.1,,EUR,252.54,EUR,,EOF00000001';
const withdrawal = 'Withdrawal,2024-01-09 12:30:00,,,,,,,,,,-100.00,EUR,Sent to Bank Account,a1b2c3d4-0002';
const failure =
  'line 3 failure: "Market buy" names a purchase, but the only purchase of the file has no minus: put a minus before its amount if it is an expense, or use --direction-column "" if it is an income';

describe('a purchase without a minus, if other amounts have a minus,', () => {
  it('fails, and the other rows of the export of Trading 212 are read', async () => {
    const { rows, interpretation } = await readExport([header, deposit, buy, withdrawal]);
    expect(rows).toEqual(['2024-01-02 +500 EUR Bank Transfer', failure, '2024-01-09 -100 EUR Sent to Bank Account']);
    expect(interpretation['other rows']).toBe('1 fails');
  });

  it('fails with --minus expense, and with --all-incomes even if no amount of the file has a minus', async () => {
    for (const options of [{ minusMeans: 'expense' }, { allIncomes: true }] as const) {
      const { rows } = await readExport([header, deposit, buy, withdrawal], options);
      expect(rows[1]).toBe(failure);
    }
    const { rows } = await readExport([header, deposit, buy], { allIncomes: true });
    expect(rows[1]).toBe(failure);
  });

  it('is an income only if --direction-column "" says that the signs are right', async () => {
    const { rows } = await readExport([header, deposit, buy, withdrawal], { columns: { direction: '' } });
    expect(rows[1]).toBe('2024-01-03 +252.54 EUR');
  });

  it('fails if a column "Type" names the purchase, even if this column does not decide the direction of the rows', async () => {
    const lines = ['Date,Type,Details,Amount', '2026-01-13,Buy,Apple,250.00', '2026-01-14,Withdrawal,Bank,-100.00'];
    const { rows } = await readExport([...lines, '2026-01-15,Deposit,Bank,500.00']);
    expect(rows[0]).toMatch(/^line 2 failure: "Buy" names a purchase/);
    expect(rows.slice(1)).toEqual(['2026-01-14 -100 Bank', '2026-01-15 +500 Bank']);
  });

  it.each([
    ['Dato;Transaksjonstype;Verdipapir;Beløp', 'INNSKUDD', 'KJØPT', 'UTTAK'],
    ['Data;Operazione;Titolo;Importo', 'Versamento', 'Sottoscrizione', 'Imposta di bollo'],
    ['Date;Type;Description;Amount', 'Contribution', 'Investment', 'Fee'],
    ['Datum;Typ;Wertpapier;Betrag', 'Einzahlung', 'Sparplanausführung', 'Auszahlung'],
    ['Date;Opération;Titre;Montant', 'Versement', 'Souscription', 'Frais'],
  ])('fails under the headers "%s"', async (headers, moneyIn, kind, charge) => {
    const lines = [headers, `02.03.2026;${moneyIn};;1000,00`, `13.03.2026;${kind};Fund;900,00`];
    const { rows } = await readExport([...lines, `15.03.2026;${charge};;-10,00`]);
    expect(rows[1]).toContain(`line 3 failure: "${kind}" names a purchase`);
    expect(rows.filter((row) => !row.includes('failure'))).toHaveLength(2);
  });

  it.each([
    ['Datum;Buchungstext;Betrag', 'Einzahlung', 'Wertpapierkauf ASML', 'Depotgebühr'],
    ['Datum;Buchungstext;Betrag', 'Einzahlung', 'Kauf', 'Depotgebühr'],
    ['Date;Libellé;Montant', 'Versement', "Achat d'actions LVMH", 'Frais de garde'],
    ['Fecha;Concepto;Importe', 'Ingreso', 'Compra de valores BBVA', 'Comisión'],
    ['Datum;Omschrijving;Bedrag', 'Storting', 'Aankoop effecten ASML', 'Bewaarloon'],
    ['Date;Description;Amount', 'Cash in', 'Purchase of shares VWRL', 'Custody'],
  ])('fails in a file with the headers "%s", which has only descriptions', async (headers, moneyIn, text, charge) => {
    const lines = [headers, `02.03.2026;${moneyIn};1000,00`, `13.03.2026;${text};450,00`, `14.03.2026;${moneyIn};5,00`];
    const { rows } = await readExport([...lines, `15.03.2026;${charge};-1,00`]);
    expect(rows[1]).toContain(`line 3 failure: "${text}" names a purchase`);
    expect(rows.filter((row) => !row.includes('failure'))).toHaveLength(3);
  });

  it.each([
    ['Best Buy', 'Wertpapierkauf'],
    ['Einkaufswagen GmbH', 'Kauf ETF'],
    ['Buy Me a Coffee', 'Aktienkauf'],
    ['Compra Online Ltd', 'Compra'],
  ])(
    'is not recognized in the description "%s", and the purchase "%s" with a minus is an expense',
    async (income, purchase) => {
      const lines = ['Date,Description,Amount', `2026-01-13,${income},25.00`, `2026-01-14,${purchase},-90.00`];
      const { rows } = await readExport([...lines, '2026-01-15,Salary,500.00']);
      expect(rows).toEqual([`2026-01-13 +25 ${income}`, `2026-01-14 -90 ${purchase}`, '2026-01-15 +500 Salary']);
    },
  );

  it.each([
    ['Wertpapierkauf Storno ASML', 'Wertpapierkauf ASML'],
    ['Wertpapierkauf ASML storniert', 'Wertpapierkauf ASML'],
    ['Wertpapierkauf Rückabwicklung ASML', 'Wertpapierkauf ASML'],
    ['Stock purchase reversal ASML', 'Stock purchase ASML'],
    ['Share purchase cancelled VWRL', 'Share purchase VWRL'],
    ["Achat d'actions annulation LVMH", "Achat d'actions LVMH"],
    ['Compra de valores anulación BBVA', 'Compra de valores BBVA'],
    ['Acquisto titoli storno ENI', 'Acquisto titoli ENI'],
  ])('is read as an income if the description "%s" names a reversal', async (reversal, purchase) => {
    const lines = ['Date,Description,Amount', '2026-01-12,Deposit,1000.00', `2026-01-13,${reversal},450.00`];
    const fee = '2026-01-15,Custody,-1.00';
    expect((await readExport([...lines, fee])).rows[1]).toBe(`2026-01-13 +450 ${reversal}`);
    const { rows } = await readExport([...lines, `2026-01-14,${purchase},-450.00`, fee]);
    expect(rows[1]).toBe(`2026-01-13 +450 ${reversal}`);
    expect(rows[2]).toBe(`2026-01-14 -450 ${purchase}`);
  });

  it('fails together with a reversal that has a minus, because the signs of the file are incomplete', async () => {
    const lines = ['Date,Description,Amount', '2026-01-12,Deposit,1000.00', '2026-01-13,Wertpapierkauf ASML,450.00'];
    const { rows } = await readExport([...lines, '2026-01-14,Wertpapierkauf Storno ASML,-450.00']);
    expect(rows[1]).toContain('line 3 failure: "Wertpapierkauf ASML" names a purchase');
    expect(rows[2]).toContain('line 4 failure: "Wertpapierkauf Storno ASML" names a purchase');
  });

  it.each(['Wertpapierkauf Absolute Return Fonds', 'Wertpapierkauf Bonus Reverse Zertifikat'])(
    'fails if its text only looks like that of a reversal: %s',
    async (text) => {
      const lines = ['Date,Description,Amount', '2026-01-12,Deposit,1000.00', `2026-01-13,${text},450.00`];
      expect((await readExport([...lines, '2026-01-15,Custody,-1.00'])).rows[1]).toContain('names a purchase');
    },
  );

  it('fails together with a purchase that has a minus, because that purchase may be a reversal', async () => {
    const reversal = buy.replace('252.54', '-252.54');
    const { rows } = await readExport([header, deposit, buy, reversal, buy, withdrawal]);
    expect(rows.filter((row) => row.includes('"Market buy" names a purchase'))).toHaveLength(3);
    expect(rows[1]).toContain('but most purchases of the file have no minus: put a minus before each purchase');
  });

  it('is read as a refund if the file has at least as many purchases with a minus as without', async () => {
    const lines = [
      'Date,Type,Details,Amount',
      '2026-01-13,Card purchase,Shop,-25.00',
      '2026-01-14,Card purchase,Shop,9.00',
    ];
    const { rows } = await readExport([...lines, '2026-01-15,Transfer,Pay,500.00']);
    expect(rows).toEqual(['2026-01-13 -25 Shop', '2026-01-14 +9 Shop', '2026-01-15 +500 Pay']);
  });

  it('is not recognized in exports of Fidelity, whose purchases have a minus and are expenses', async () => {
    const { rows } = await readExport([
      'Run Date,Action,Symbol,Amount ($)',
      '01/15/2026,YOU BOUGHT APPLE INC (AAPL) (Cash),AAPL,-250.00',
      '01/16/2026,DIVIDEND RECEIVED,AAPL,3.20',
    ]);
    expect(rows[0]).toBe('2026-01-15 -250 YOU BOUGHT APPLE INC (AAPL) (Cash)');
  });

  it('is an expense if a minus means income, as in exports of cards', async () => {
    const lines = ['Date,Type,Details,Amount', '2026-01-13,Purchase,Shop,25.00', '2026-01-14,Payment,Bank,-9.00'];
    const { rows } = await readExport(lines, { minusMeans: 'income' });
    expect(rows).toEqual(['2026-01-13 -25 Shop', '2026-01-14 +9 Bank']);
  });
});

describe('other money out without a minus, if other amounts have a minus,', () => {
  const headers = 'Date,Type,Details,Amount';
  const others = ['2026-01-14,Card payment,Shop,-25.00', '2026-01-15,Deposit,Employer,500.00'];

  it.each([
    ['Cash withdrawal', 'withdrawal'],
    ['Auszahlung', 'withdrawal'],
    ['Card debit', 'sent payment'],
    ['Payment sent', 'sent payment'],
    ['Gebühr', 'fee'],
    ['Entnahme', 'withdrawal'],
    ['Payout', 'withdrawal'],
  ])('fails, and the other rows are read: %s', async (kind, noun) => {
    const { rows } = await readExport([headers, `2026-01-13,${kind},Bank,100.00`, ...others]);
    expect(rows).toEqual([
      `line 2 failure: "${kind}" names a ${noun}, but the only ${noun} of the file has no minus: put a minus before its amount if it is an expense, or use --direction-column "" if it is an income`,
      '2026-01-14 -25 Shop',
      '2026-01-15 +500 Employer',
    ]);
  });

  it('is named in the plural if the file has several such rows', async () => {
    const rows = ['2026-01-12,ATM withdrawal,Bank,40.00', '2026-01-13,Withdrawal,Bank,100.00', ...others];
    expect((await readExport([headers, ...rows])).rows[0]).toBe(
      'line 2 failure: "ATM withdrawal" names a withdrawal, but most withdrawals of the file have no minus: put a minus before each withdrawal that is an expense, or use --direction-column "" if the signs of all withdrawals are right',
    );
  });

  it('is an income with --direction-column "", and an expense after a minus was put before its amount', async () => {
    const withdrawal = '2026-01-13,Withdrawal,Bank,100.00';
    const right = await readExport([headers, withdrawal, ...others], { columns: { direction: '' } });
    expect(right.rows[0]).toBe('2026-01-13 +100 Bank');
    const corrected = await readExport([headers, withdrawal.replace('100', '-100'), ...others]);
    expect(corrected.rows[0]).toBe('2026-01-13 -100 Bank');
  });

  it('is an income if most rows of the kind have a minus, or if it has a plus, or a text that names a refund', async () => {
    for (const [more, row] of [
      [['2026-01-11,Fee,Month,-2.00', '2026-01-12,Fee,Month,-2.00'], '2026-01-13,Fee,Month,2.00'],
      [[], '2026-01-13,Fee,Month,+2.00'],
      [[], '2026-01-13,Fee,Fee refund January,2.00'],
      [[], '2026-01-13,Withdrawal,Reversal ATM 4711,2.00'],
    ] as const) {
      const { rows } = await readExport([headers, ...more, row, ...others]);
      expect(rows.filter((line) => line.startsWith('2026-01-13 +2'))).toHaveLength(1);
    }
  });

  it('is judged apart from purchases: a withdrawal with a minus is read even if a purchase has none', async () => {
    const rows = ['2026-01-12,Market buy,Apple,250.00', '2026-01-13,Withdrawal,Bank,-100.00', ...others];
    expect((await readExport([headers, ...rows])).rows).toEqual([
      expect.stringContaining('"Market buy" names a purchase'),
      '2026-01-13 -100 Bank',
      '2026-01-14 -25 Shop',
      '2026-01-15 +500 Employer',
    ]);
  });

  it('is an expense if the column of kinds shows the direction of each row', async () => {
    const { rows } = await readExport([
      headers,
      '2026-01-13,Withdrawal,ATM,100.00',
      '2026-01-14,Withdrawal,ATM,60.00',
      '2026-01-15,Deposit,Employer,500.00',
    ]);
    expect(rows).toEqual(['2026-01-13 -100 ATM', '2026-01-14 -60 ATM', '2026-01-15 +500 Employer']);
  });

  it('is an income if the balances agree with the signs, and fails if they do not', async () => {
    const withBalance = (fee: string, afterFee: string, last: string) => [
      `${headers},Balance`,
      '2026-01-13,Deposit,Employer,100.00,100.00',
      '2026-01-14,Card payment,Shop,-25.00,75.00',
      `2026-01-15,Fee,Bank,${fee},${afterFee}`,
      `2026-01-16,Deposit,Employer,500.00,${last}`,
    ];
    const agreeing = await readExport(withBalance('1.00', '76.00', '576.00'));
    expect(agreeing.rows[2]).toBe('2026-01-15 +1 Bank');
    const contradicting = await readExport(withBalance('1.00', '74.00', '574.00'));
    expect(contradicting.rows[2]).toMatch(/^line 4 failure: "Fee" names a fee/);
  });
});

describe('the kind of a transaction', () => {
  it.each([
    'Market buy',
    'BUY - LIMIT',
    'Buy to open',
    'Kauf',
    'Wertpapierkauf',
    'Achat',
    'Compra',
    'Køb',
    'YOU BOUGHT XY INC',
    'Sparplanausführung',
    'Dividend Reinvestment',
    'Investment',
    'Souscription',
    'Suscripción fondo',
    'Aplicação',
    'Sottoscrizione',
    'Gekocht',
    'Kupiono',
    'KJØPT',
    'Købt',
    'Köpt',
    'Ostettu',
    'Rahastomerkintä',
    'Jegyzés',
    '申购',
  ])('is a purchase: %s', (text) => expect(moneyOutOf(text)).toBe('purchase'));

  it.each([
    '',
    'Market sell',
    'Buy/Sell',
    'Verkauf',
    'Purchase return',
    'Storno Kauf',
    'Deposit',
    'Best Buy gift card refund of May',
    'Subscription',
    'Order execution',
    'Return on investment',
    'Investment income',
    'Pr Yr Div Reinvest',
  ])('is not certainly a purchase: "%s"', (text) => expect(moneyOutOf(text)).toBe(undefined));

  it.each([
    [
      'withdrawal',
      'Withdrawal',
      'Cash withdrawal',
      'ATM WITHDRAWAL',
      'Withdrawal to bank',
      'Auszahlung',
      'Bargeldauszahlung',
    ],
    [
      'withdrawal',
      'Retrait',
      "Retrait d'espèces",
      'Retiro',
      'Retiro en cajero automático',
      'Prelievo',
      'Prelievo bancomat',
    ],
    [
      'withdrawal',
      'Entnahme',
      'Privatentnahme',
      'Kivét',
      'Készpénzkivét',
      'Pénzfelvétel',
      'Retragere numerar',
      'Ανάληψη',
    ],
    ['withdrawal', 'Payout', 'PAYOUT', 'Cash out', 'Cash-Out', 'Cashout', 'Cash out to bank'],
    ['withdrawal', 'Opname', 'Geldopname', 'Wypłata', 'Wypłata z bankomatu', 'Uttag', 'Úttekt', 'Výběr', 'Saque'],
    [
      'payment',
      'Card debit',
      'Direct Debit',
      'Payment sent',
      'Transfer out',
      'Outgoing transfer',
      'Virement émis',
      'Sent',
    ],
    [
      'fee',
      'Fee',
      'Fees',
      'Bank fee',
      'Monthly fee',
      'Gebühr',
      'Kontoführungsgebühr',
      'Entgelt',
      'Frais bancaires',
      'Opłata',
    ],
  ])('is money out, a %s', (moneyOut, ...texts) => {
    expect(texts.map(moneyOutOf)).toEqual(texts.map(() => moneyOut));
  });

  it.each([
    ['Payment', 'Debit', 'Transfer', 'Bill payment', 'Payment received', 'Fee refund', 'Withdrawal reversal'],
    [
      'Deposit/Withdrawal',
      'Innborgun/Úttekt',
      'Wypłata wynagrodzenia',
      'Auszahlung Darlehen',
      'Interest withdrawal',
      'Gehaltsauszahlung',
    ],
    ['Stripe payout', 'Dividend payout', 'Loan payout', 'Failed payout', 'Cash'],
    ['Tuition fee', 'Commission', 'Reintegro', 'Salary', 'Failed withdrawal', 'Coffee'],
  ])('may be money in: %s', (...texts) => {
    expect(texts.map(moneyOutOf)).toEqual(texts.map(() => undefined));
  });
});
