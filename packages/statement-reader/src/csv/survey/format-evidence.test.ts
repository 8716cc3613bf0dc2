import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const readLines = async (...lines: string[]) => (await readExport(lines)).rows;

describe('the order of day and month', () => {
  const inJune = ['Data;Descrizione;Importo', '03/06/2026;Bar;-1,50', '05/06/2026;Stipendio;100,00'];
  const inJuneOfUsa = ['Data;Descrizione;Importo', '6/3/2026;Bar;-1,50', '6/5/2026;Stipendio;100,00'];
  const inJuneWithCommas = ['Date,Details,Amount', '6/3/2026,Bar,-1.50', '6/5/2026,Stipendio,100.00'];

  it.each([
    ['Periodo: 01/06/2026 - 30/06/2026', inJune, 'DD/MM/YYYY'],
    ['Dal;01/06/2026;al;30/06/2026', inJune, 'DD/MM/YYYY'],
    ['Periodo: 01.06.2026 - 30.06.2026', inJune, 'DD/MM/YYYY'],
    ['Period: 2026-06-01 to 2026-06-30', inJune, 'DD/MM/YYYY'],
    ['Date range: 06/01/2026 - 06/30/2026', inJune, 'DD/MM/YYYY'],
    ['Periodo: 04/06/2026 - 30/06/2026', inJune, 'DD/MM/YYYY'],
    ['Periodo: 01/06/2026 - 30/06/2026', inJuneOfUsa, 'MM/DD/YYYY'],
    ['Statement Period: May 10, 2026 - Jun 9, 2026', inJuneOfUsa, 'MM/DD/YYYY'],
    ['Statement Period: May 10, 2026 - Jun 9, 2026', inJuneWithCommas, 'MM/DD/YYYY'],
    ['Periodo: 1 de junio de 2026 al 30 de junio de 2026', inJune, 'DD/MM/YYYY'],
    ['Desde;01/06/2026\nHasta;30/06/2026', inJune, 'DD/MM/YYYY'],
    ['Start date: 2026-06-01\nEnd date: 2026-06-30', inJune, 'DD/MM/YYYY'],
  ])('is the one with which the rows are in the period above the headers: %s, %j', async (period, rows, format) => {
    const { rows: read, interpretation } = await readExport([...period.split('\n'), '', ...rows]);
    expect(read).toEqual(['2026-06-03 -1.5 Bar', '2026-06-05 +100 Stipendio']);
    expect(interpretation['date format']).toBe(`${format} (according to the period above the headers)`);
  });

  it.each([
    ['its own order is not certain', ['Periodo: 01/06/2026 - 10/06/2026'], inJune],
    ['it is only the day of the export', ['Data: 30/06/2026'], inJune],
    ['its days have different orders', ['Periodo: 06/16/2026 - 30/06/2026'], inJune],
    ['its dates have no labels', ['Printed 01/06/2026', 'Account opened 30/06/2026'], inJune],
    ['the rows are in it with both orders', ['Periodo: 01/01/2026 - 31/12/2026'], inJune],
    ['the rows are in it with neither order', ['Offer valid: 15/06/2026 - 30/06/2026'], inJune],
    ['it is longer than about a year', ['Loan term 15/03/2020 - 15/03/2040'], inJune],
    ['it is of interest and not of the statement', ['Interest period: 15/05/2026 - 30/06/2026'], inJune],
    ['with the other order, some rows are only a few weeks outside', ['Periodo: 15/04/2026 - 30/06/2026'], inJune],
    ['another line is between its two lines', ['Desde: 01/06/2026', 'Tipo: A', 'Hasta: 30/06/2026'], inJune],
    ['another period is not certain', ['Periodo: 01/06/2026 - 30/06/2026', 'Periodo: 01/06/2026 - 03/06/2026'], inJune],
    ['another line has another period', ['01/06/2026 - 30/06/2026', '15/03/2026 - 20/04/2026'], inJune],
  ])('is asked if the line above the headers is no evidence, because %s', async (_, lines, rows) => {
    await expect(readExport([...lines, '', ...rows])).rejects.toMatchObject({
      message: 'The date "05/06/2026" can be read as MM/DD/YYYY and as DD/MM/YYYY.',
    });
  });

  it('is asked if the month of the period is another one in Croatian than in Polish', async () => {
    const rows = ['Data;Descrizione;Importo', '07/06/2026;Bar;-1,50', '07/08/2026;Bar;-1,50'];
    await expect(readExport(['Period: 1 lip 2026 - 31 lip 2026', '', ...rows])).rejects.toMatchObject({
      message: expect.stringContaining('can be read as'),
    });
  });

  it('is asked if the period contradicts another column of dates', async () => {
    const rows = ['Data;Data valuta;Descrizione;Importo', '03/06/2026;01/31/2026;Bar;-1,50'];
    await expect(readExport(['Periodo: 01/06/2026 - 30/06/2026', '', ...rows])).rejects.toMatchObject({
      message: expect.stringContaining('can be read as'),
    });
  });
});

describe('an amount with exactly three digits after its only comma or point', () => {
  it.each([
    ['the headers have the symbol 円', '日付,内容,出金金額(円),入金金額(円)', '2026/03/05,店,"5,000",'],
    ['the currency column has KRW', 'Date,Text,Amount,Currency', '2026-03-05,Shop,"-5,000",KRW'],
    ['the amount has the symbol 円', 'Date,Text,Amount', '2026-03-05,Shop,"-5,000円"'],
    ['the header has the code ISK', 'Date,Text,Amount (ISK)', '2026-03-05,Shop,-5.000'],
    ['the header has the code CLP', 'Fecha,Detalle,Monto CLP', '2026-03-05,Tienda,-5.000'],
    ['the header has the code HUF', 'Datum,Leiras,Osszeg HUF', '2026-03-05,Bolt,-5.000'],
    ['the column has COP, and the amounts have $', 'Date,Text,Amount,Currency', '2026-03-05,Shop,-$ 5.000,COP'],
    [
      'a line above the headers has COP, and the header has $',
      'Moneda: COP',
      '',
      'Fecha,Detalle,Valor ($)',
      '2026-03-05,Tienda,-5.000',
    ],
    ['the currency column has IDR', 'Date,Text,Amount,Currency', '2026-03-05,Toko,-5.000,IDR'],
    ['a line above the headers has the code CLP', 'Moneda: CLP', '', 'Fecha,Detalle,Monto', '2026-03-05,Tienda,-5.000'],
  ])('has the thousands separator of a currency without usual decimals if %s', async (_, ...lines) => {
    expect(await readLines(...lines)).toEqual([expect.stringMatching(/^2026-03-05 -5000 /)]);
  });

  it.each([
    ['the currency is unknown', 'Date,Text,Amount', '2026-03-05,Shop,"-5,000"'],
    ['the currency has two decimals', 'Date,Text,Amount (EUR)', '2026-03-05,Shop,"-5,000"'],
    [
      'the only other amount is the filler 0.00',
      'Date;Text;Amount (EUR);Fee',
      '2026-03-05;Shop;-5.000;0.00',
      '2026-03-06;Shop;0.00;0.00',
    ],
    ['the currency has three decimals', 'Date,Text,Amount (KWD)', '2026-03-05,Shop,"-5,000"'],
    ['the symbol ¥ can also mean the yuan', 'Date,Text,Amount (¥)', '2026-03-05,Shop,"-5,000"'],
    [
      'another row has another currency',
      'Date,Text,Amount,Ccy',
      '2026-03-05,A,"-5,000",JPY',
      '2026-03-06,B,"-6,000",EUR',
    ],
    ['banks write the currency without this separator', 'Date,Text,Amount (JPY)', '2026-03-05,Shop,-5.000'],
    [
      'only the look of a stated balance shows it',
      'Opening balance;14300.55',
      '',
      'Fecha;Concepto;Importe',
      '2026-06-03;Alquiler;-5.000',
    ],
    [
      'only the look of the balances shows it',
      'Fecha;Concepto;Importe;Saldo',
      '2026-06-03;Alquiler;-5.000;895000.00',
      '2026-06-13;Luz;-1.200;880000.00',
    ],
  ])('is asked for if %s', async (_, ...lines) => {
    await expect(readExport(lines)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The amount "-\d\D\d{3}" can have a thousands separator, or three decimal places\.$/,
      ),
    });
  });

  it.each([
    ['thousands', ['-5.000;895000.00', '-1.200;893800.00', '12.500;906300.00'], ['-5000', '-1200', '+12500']],
    ['decimals', ['-5.000;895.00', '-1.200;893.80', '12.500;906.30'], ['-5', '-1.2', '+12.5']],
  ])('separates %s if only then the balances differ by the amounts', async (_, cells, amounts) => {
    const rows = cells.map((cell, index) => `2026-06-1${index};Row;${cell}`);
    const read = await readLines('Fecha;Concepto;Importe;Saldo', ...rows);
    expect(read).toEqual(amounts.map((amount, index) => `2026-06-1${index} ${amount} Row`));
  });

  it.each([
    ['"-8,450","46,451"', '-384,"46,067"', ['-8450', '-384']],
    ['-8.450;46.451', '-384;46.067', ['-8450', '-384']],
  ])('separates thousands if whole amounts fit the balances only then: %s, %s', async (first, second, amounts) => {
    const delimiter = first.includes(';') ? ';' : ',';
    const cells = [
      ['Date', 'Text', 'Amount', 'Balance'],
      ['2026-06-11', 'Row', first],
      ['2026-06-12', 'Row', second],
    ];
    const read = await readLines(...cells.map((line) => line.join(delimiter)));
    expect(read).toEqual(amounts.map((amount, index) => `2026-06-1${index + 1} ${amount} Row`));
  });

  it.each([
    ['JPY', '"-5,000"', '-5000'],
    ['TWD', '"-5,000"', '-5000'],
    ['KWD', '-5.000', '-5'],
    ['CLP', '-5.000', '-5000'],
    ['COP', '-$ 5.000', '-5000'],
    ['ISK', '-5.000 kr.', '-5000'],
  ])('has the separators of the account currency %s', async (currency, amount, expected) => {
    const { rows } = await readExport(['Date,Text,Amount', `2026-03-05,Shop,${amount}`], {
      findAccount: async () => ({ currencyCode: currency }),
    });
    expect(rows).toEqual([`2026-03-05 ${expected} Shop`]);
  });

  it('has the separators of the account currency if a line above the headers names this currency by its abbreviation', async () => {
    const { rows } = await readExport(['Account currency: KD', '', 'Date,Text,Amount', '2026-03-05,Shop,-5.000'], {
      findAccount: async () => ({ currencyCode: 'KWD' }),
    });
    expect(rows).toEqual(['2026-03-05 -5 Shop']);
  });

  it.each([
    ['EUR', '2026-03-05,Shop,"-5,000"'],
    ['JPY', '2026-03-05,Shop,-5.000'],
    ['USD', '2026-03-05,Shop,-$ 5.000'],
    ['COP', '2026-03-05,Shop,-5.000 kr'],
    ['COP', '2026-03-05,Shop,-$ 5.000\n2026-03-06,Shop,-$ 12.50'],
    ['JPY', '2026-03-05,Shop,"-5,000"\n2026-03-06,Shop,-6.000'],
  ])('is asked for if the account currency %s does not decide: %j', async (currency, rows) => {
    await expect(
      readExport(['Date,Text,Amount', ...rows.split('\n')], { findAccount: async () => ({ currencyCode: currency }) }),
    ).rejects.toMatchObject({ message: expect.stringContaining('can have a thousands separator') });
  });

  it.each([
    ['a column names a unit', 'Date;Text;Amount;Unidad', '2026-03-05;Deposit;-5.125;UF'],
    ['the currency column has an unknown currency', 'Date;Text;Amount;Moneda', '2026-03-05;Buy;-5.125;BTC'],
    [
      'a line above the headers has another currency',
      'Moneda: CLF',
      '',
      'Date;Text;Amount',
      '2026-03-05;Deposit;-5.125',
    ],
    ['a line above the headers has a unit', 'Account: Gold (grams)', '', 'Date;Text;Amount', '2026-03-05;Buy;-5.125'],
  ])('is asked for although the account is in pesos if %s', async (_, ...lines) => {
    await expect(readExport(lines, { findAccount: async () => ({ currencyCode: 'CLP' }) })).rejects.toMatchObject({
      message: 'The amount "-5.125" can have a thousands separator, or three decimal places.',
    });
  });

  it.each([
    ['the account', 'Date;Text;Debit;Credit', ';;;;'],
    ['the balances', 'Date;Text;Debit;Credit;Balance', ';95000;96250;92750'],
  ])('is read according to %s if the file fills empty cells with 0.00', async (source, headers, balances) => {
    const [, first = '', second = '', third = ''] = balances.split(';');
    const rows = [`5.000;0.00;${first}`, `0.00;1.250;${second}`, `3.500;0.00;${third}`];
    const read = await readExport([headers, ...rows.map((row, index) => `2026-03-1${index};Shop;${row}`)], {
      findAccount: async () => (source === 'the account' ? { currencyCode: 'CLP' } : undefined),
    });
    expect(read.rows).toEqual(['2026-03-10 -5000 Shop', '2026-03-11 +1250 Shop', '2026-03-12 -3500 Shop']);
  });

  it.each([
    ['a currency', 'Fecha;Texto;Importe;Moneda', '15/01/2026;A;-5.000;PYG', '16/01/2026;B;-12.99;USD'],
    ['the balances', 'Fecha;Texto;Importe;Saldo', '15/01/2026;A;-12.50;95000.00', '16/01/2026;B;-5.000;90000.00'],
    ['its third decimal place, a zero,', 'Fecha;Texto;Importe', '15/01/2026;A;-12.50', '16/01/2026;B;-5.000'],
  ])('is asked for if %s contradicts the other amounts', async (_, ...lines) => {
    await expect(readExport(lines)).rejects.toMatchObject({
      message: 'The amount "-5.000" can have a thousands separator, or three decimal places.',
    });
  });

  it.each([
    ['its third decimal place is not a zero', 'Date,Text,Amount', '-12.50', '-1.125', '-1.125'],
    ['another amount has three decimal places', 'Date,Text,Amount', '-0.250', '-5.000', '-5'],
    ['its currency has three decimal places', 'Date,Text,Amount,Currency', '-12.50,USD', '-5.000,KWD', '-5 KWD'],
  ])('is read beside amounts that show the separator if %s', async (_, headers, first, second, read) => {
    const rows = await readLines(headers, `2026-03-05,A,${first}`, `2026-03-06,B,${second}`);
    expect(rows[1]).toBe(`2026-03-06 ${read} B`);
  });

  it('is asked for if the balances differ by the amounts, but have decimals that the currency does not have', async () => {
    const rows = ['2026-06-01;A;-5.000;895', '2026-06-03;B;-12.000;883', '2026-06-04;C;2.500;885.5'];
    await expect(readLines('Fecha;Detalle;Monto (CLP);Saldo', ...rows)).rejects.toMatchObject({
      message: expect.stringContaining('can have a thousands separator, or three decimal places.'),
    });
  });

  it('is read without a question for the account currency if another amount shows the separator', async () => {
    const findAccount = async () => Promise.reject(new Error('no question'));
    const { rows } = await readExport(['Date,Text,Amount', '2026-03-05,A,"-5,000"', '2026-03-06,B,-6.50'], {
      findAccount,
    });
    expect(rows).toEqual(['2026-03-05 -5000 A', '2026-03-06 -6.5 B']);
  });

  it('separates decimals of a currency without decimals if the balances differ by the amounts', async () => {
    const rows = ['2026-06-01,A,-500.000,89500.000', '2026-06-03,B,-120.000,89380.000'];
    const read = await readLines('Fecha,Detalle,Monto (CLP),Saldo', ...rows);
    expect(read).toEqual(['2026-06-01 -500 CLP A', '2026-06-03 -120 CLP B']);
  });
});

describe('amounts that a spreadsheet program may have changed from 12.500 pesos to 12.5', () => {
  const headers = 'Fecha;Detalle;Monto';
  const changed = ['2026-06-01;A;-12.5', '2026-06-03;B;-8.35', '2026-06-04;C;250'];
  const read = (lines: readonly string[], currencyCode = 'COP', options = {}) =>
    readExport(lines, { findAccount: async () => ({ currencyCode }), ...options });

  it.each([
    ['of the account', headers],
    ['in the header', 'Fecha;Detalle;Monto (COP)'],
  ])('are refused if the currency %s is usually written whole', async (_, line) => {
    await expect(read([line, ...changed])).rejects.toMatchObject({
      message:
        'All amounts are below 1000 COP, and "-12.5" has decimal places. It may be a thousand times as large, because a spreadsheet program removed zeros.',
      remedy: expect.stringContaining('If the amounts are right, use --decimal-separator .'),
    });
  });

  it('are read as they are written if an option sets the separator', async () => {
    const { rows } = await read([headers, ...changed], 'COP', { decimalSeparator: '.' });
    expect(rows).toEqual(['2026-06-01 -12.5 A', '2026-06-03 -8.35 B', '2026-06-04 +250 C']);
  });

  it.each([
    ['the currency is usually written with decimals', 'EUR', changed],
    ['an amount is above 1000', 'COP', [...changed, '2026-06-05;D;1000']],
    ['an amount ends with a zero that the program would have removed', 'COP', [...changed, '2026-06-05;D;7.50']],
    ['a group of thousands would begin with a zero', 'COP', [...changed, '2026-06-05;D;0.45']],
  ])('are read as they are written if %s', async (_, currency, lines) => {
    expect((await read([headers, ...lines], currency)).rows[0]).toBe('2026-06-01 -12.5 A');
  });
});
