import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('the CSV reader with exports of banking apps', () => {
  it('skips reverted and pending rows with a reason', async () => {
    const { rows } = await readExport([
      'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      'CARD_PAYMENT,Current,2024-01-17 09:00:00,,Fuel,-40.00,0.00,EUR,PENDING,',
      'CARD_PAYMENT,Current,2024-01-16 10:00:00,2024-01-17 03:04:05,Grocer,-12.50,0.00,EUR,COMPLETED,987.50',
      'CARD_PAYMENT,Current,2024-01-15 10:00:00,,Cinema,-9.99,0.00,EUR,REVERTED,',
      'TOPUP,Current,2024-01-15 09:00:00,2024-01-15 09:00:01,Top-Up,1000.00,0.00,EUR,COMPLETED,1000.00',
    ]);
    expect(rows).toEqual([
      'line 2 skipped: it is pending',
      '2024-01-17 -12.5 EUR Grocer',
      'line 4 skipped: it did not happen ("REVERTED")',
      '2024-01-15 +1000 EUR Top-Up',
    ]);
  });

  it('reads a currency column, and dates such as 16-01-2024', async () => {
    const { rows, interpretation } = await readExport([
      '"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To"',
      'CARD-1,16-01-2024,-12.50,EUR,"Card transaction of 12.50 EUR issued by Grocer",,987.50,,',
      'TRANSFER-2,15-01-2024,1000.00,EUR,"Received money from ACME","SALARY",1000.00,,',
    ]);
    expect(rows.map((row) => row.slice(0, 20))).toEqual(['2024-01-16 -12.5 EUR', '2024-01-15 +1000 EUR']);
    expect(interpretation.id).toBe('TransferWise ID');
  });

  it('reads the net amounts and the ids of a payment service, and not the ids of related transactions', async () => {
    const { rows, interpretation } = await readExport([
      '"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Entgelt","Netto","Transaktionscode","Zugehöriger Transaktionscode","Guthaben"',
      '"16.01.2024","10:00:00","CET","Grocer","Zahlung","Abgeschlossen","EUR","-12,50","0,00","-12,50","5AB12345CD678901E","","987,50"',
      '"15.01.2024","10:00:00","CET","Acme","Zahlung","Abgeschlossen","EUR","1.000,00","0,00","1.000,00","9XY12345CD678901F","5AB12345CD678901E","1.000,00"',
    ]);
    expect(rows).toEqual(['2024-01-16 -12.5 EUR', '2024-01-15 +1000 EUR']);
    expect(interpretation).toMatchObject({ id: 'Transaktionscode', amount: 'Netto' });
  });

  it('reads the amount in the currency of the account, not the foreign amount next to it', async () => {
    const { rows, interpretation } = await readExport([
      '"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"',
      '"2024-01-16","Shop","","MasterCard Payment","","-11.50","-12.50","USD","0.92"',
      '"2024-01-15","Acme","DE1","Income","Salary","1000.0","","",""',
    ]);
    expect(rows).toEqual(['2024-01-16 -11.5 EUR', '2024-01-15 +1000 EUR Salary']);
    expect(interpretation).toMatchObject({ amount: 'Amount (EUR)', merchant: 'Payee' });
  });

  it('reads the day of a timestamp as written, without converting it to another time zone', async () => {
    const { rows } = await readExport([
      'id,timestamp,amount,currency,description,status',
      '1,2024-01-16T23:30:00.000+05:30,-12.50,INR,Shop,SUCCESS',
      '2,2024-01-15T00:00:00Z,1000.00,INR,Salary,SUCCESS',
    ]);
    expect(rows).toEqual(['2024-01-16 -12.5 INR Shop', '2024-01-15 +1000 INR Salary']);
  });
});

it('the CSV reader finds the headers of Venmo above a row with only the balance, and skips pending and canceled rows', async () => {
  const { interpretation, rows } = await readExport([
    'Username,ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (fee),Destination,Beginning Balance,Disclaimer',
    'my_username,,,,,,,,,,,"$0",',
    ',123456789012345,2018-07-06T19:04:07,Payment,Complete,Dinner,Ann,Me,+ $22.00,,Venmo balance,,',
    ',123456789012346,2018-07-07T20:14:07,Payment,Pending,Gift,Me,Bob,- $10.00,,,,',
    ',123456789012347,2018-07-08T20:14:07,Payment,Cancelled,Gift,Me,Bob,- $11.00,,,,',
  ]);
  expect(interpretation).toMatchObject({ date: 'Datetime', amount: 'Amount (total)', status: 'Status' });
  expect(rows).toEqual([
    '2018-07-06 +22 Dinner',
    'line 4 skipped: it is pending',
    'line 5 skipped: it did not happen ("Cancelled")',
  ]);
});

describe('the CSV reader with exports of aggregators', () => {
  it('reads the direction of amounts without a sign from a column with the words debit and credit', async () => {
    const { rows } = await readExport([
      '"Date","Description","Original Description","Amount","Transaction Type","Category","Account Name","Labels","Notes"',
      '"1/16/2024","Grocer","GROCER 123","12.50","debit","Groceries","Checking","",""',
      '"1/15/2024","Acme","ACME PAYROLL","1000.00","credit","Paycheck","Checking","",""',
    ]);
    expect(rows).toEqual(['2024-01-16 -12.5 Grocer', '2024-01-15 +1000 Acme']);
  });

  it('reads outflow and inflow columns if each row has zero in one of them', async () => {
    const { rows, interpretation } = await readExport([
      '"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo","Outflow","Inflow","Cleared"',
      '"Checking","","16.01.2024","Grocer","Food: Groceries","Food","Groceries","bread",12.50€,0.00€,"Uncleared"',
      '"Checking","","15.01.2024","Acme","Inflow: Ready","Inflow","Ready","salary",0.00€,1000.00€,"Cleared"',
    ]);
    expect(rows).toEqual(['2024-01-16 -12.5 bread', '2024-01-15 +1000 salary']);
    expect(interpretation).toMatchObject({ debit: 'Outflow', credit: 'Inflow', merchant: 'Payee' });
  });

  it('reads dates and signed amounts next to columns of notes and tags', async () => {
    const { rows } = await readExport([
      'Date,Merchant,Category,Account,Original Statement,Notes,Amount,Tags',
      '2024-01-16,Grocer,Groceries,Checking (...1234),GROCER 123,,-12.50,',
      '2024-01-15,Acme,Paychecks,Checking (...1234),ACME PAYROLL,,1000.00,',
    ]);
    expect(rows.map((row) => row.slice(0, 16))).toEqual(['2024-01-16 -12.5', '2024-01-15 +1000']);
  });

  it('reads the net amount beside gross and fee columns, and skips a row that does not change the balance', async () => {
    const { rows, interpretation } = await readExport([
      '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Balance","Balance Impact"',
      '"16/01/2024","10:00:00","GMT","Shop","Payment","Completed","EUR","-12,50","0,00","-12,50","1.084,60","Debit"',
      '"15/01/2024","10:00:00","GMT","Buyer","Sale","Completed","EUR","1.100,00","-2,90","1.097,10","1.097,10","Credit"',
      '"14/01/2024","10:00:00","GMT","Shop","Authorization","Completed","EUR","-5,00","0,00","-5,00","0,00","Memo"',
    ]);
    expect(rows.map((row) => row.slice(0, 22))).toEqual([
      '2024-01-16 -12.5 EUR',
      '2024-01-15 +1097.1 EUR',
      'line 4 skipped: it doe',
    ]);
    expect(interpretation).toMatchObject({ amount: 'Net', direction: 'Balance Impact' });
  });
});

describe('a CSV export', () => {
  it.each(['utf16le', 'utf16le with a byte order mark'])('is read in the encoding %s', async (encoding) => {
    const text = 'Date\tDescription\tAmount\r\n2024-01-16\tCafé\t-12.50\r\n';
    const file = Buffer.from((encoding.endsWith('mark') ? '\ufeff' : '') + text, 'utf16le');
    expect((await readExport(file)).rows).toEqual(['2024-01-16 -12.5 Café']);
  });

  it('is read without blank rows, repeated headers, totals and notes, which the reader reports as left out', async () => {
    const { rows, interpretation } = await readExport([
      'Date,Description,Amount',
      '2024-01-16,Grocer,-12.50',
      ',,',
      'Date,Description,Amount',
      '2024-01-17,Baker,-2.50',
      'Total,,-15.00',
      'This is no invoice.',
    ]);
    expect(rows).toEqual(['2024-01-16 -12.5 Grocer', '2024-01-17 -2.5 Baker']);
    expect(interpretation).toMatchObject({
      rows: '2',
      'left out':
        'line 4 "Date" (repeated header), line 6 "Total" (total), line 7 "This is no invoice." (note); 1 blank',
    });
  });

  it('is read, and each unreadable row that may be a transaction fails with its line and reason', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount',
      '2024-01-16,Grocer,-12.50',
      ',Baker,-2.50',
      '2024-01-18,Cinema,',
      '2024-01-19,Opening balance,100.00',
      'soon,Fuel,-40.00',
      '2024-01-20',
    ]);
    expect(rows.slice(1)).toEqual([
      'line 3 failure: it has no date',
      'line 4 failure: it has no amount',
      'line 5 failure: "Opening balance" looks like a balance and not like a transaction',
      'line 6 failure: "soon" is not a date written as YYYY-MM-DD',
      'line 7 failure: it has 1 cell, but there are 3 headers: insert the missing delimiters in this line of the file, or record the row manually if it is a transaction',
    ]);
  });

  it('with dates such as 16-01-24 is read if they are closer together as DD-MM-YY than as YY-MM-DD, and otherwise refused', async () => {
    const file = (dates: readonly string[]) => ['Date,Amount', ...dates.map((date) => `${date},-1.00`)];
    expect((await readExport(file(['16-01-24', '17-01-24', '03-02-24']))).rows[0]).toBe('2024-01-16 -1');
    const front = file(['24-01-16', '24-01-17', '24-02-03']);
    expect((await readExport(front, { dateFormat: 'YY-MM-DD' })).rows[0]).toBe('2024-01-16 -1');
    await expect(readExport(front)).rejects.toMatchObject({ remedy: expect.stringContaining('YY-MM-DD') });
    await expect(readExport(file(['24-01-24']))).rejects.toMatchObject({ remedy: expect.stringContaining('YY-MM-DD') });
  });

  it('is refused if no date can be read, and the error quotes a value of the date column', async () => {
    await expect(readExport(['Date,Amount', '45307,-5.00'])).rejects.toMatchObject({
      message: 'No value in the column "Date" is a date in a known format. The column has, for example, "45307".',
    });
  });

  it.each(["'01/02", '16 Sep', '24-DEC', 'Sep 16'])('is refused if its dates have no year: %s', async (date) => {
    await expect(readExport(['Date,Amount', `${date},-5.00`])).rejects.toMatchObject({
      message: `No value in the column "Date" is a date in a known format. The column has, for example, "${date}".`,
      remedy: 'The dates have no year. Write the year into each date of the file.',
    });
  });

  it('is refused, with advice to write Gregorian dates, if its years may be of the Persian calendar', async () => {
    const persian = ['تاریخ,شرح,برداشت,واریز', '1404/07/01,حقوق,0,1000000', '1404/07/13,خرید,50000,0'];
    await expect(readExport(persian)).rejects.toMatchObject({
      remedy: expect.stringContaining('Replace the dates in the file by Gregorian dates'),
    });
  });

  it.each(['R8.01.13', 'H31/4/30', 'R8年1月13日', '令和8年1月13日', '令和元年5月1日'])(
    'is refused, with advice to write Gregorian dates, if its years are of a Japanese era: %s',
    async (date) => {
      await expect(readExport(['Date,Amount', `${date},-5.00`])).rejects.toMatchObject({
        message: `No value in the column "Date" is a date in a known format. The column has, for example, "${date}".`,
        remedy: expect.stringMatching(
          /Japanese era\. Replace the dates in the file by Gregorian dates, such as 2026-01-13/,
        ),
      });
    },
  );

  it.each(['1768262400', '1768262400.123', '1768262400000'])(
    'is refused, with advice to write dates such as 2026-01-13, if its dates are Unix timestamps: %s',
    async (time) => {
      await expect(readExport(['Date,Amount', `${time},-5.00`])).rejects.toMatchObject({
        message: `No value in the column "Date" is a date in a known format. The column has, for example, "${time}".`,
        remedy: expect.stringMatching(/time since 1970.* Replace the dates in the file by dates such as 2026-01-13/),
      });
    },
  );

  it.each(['46035', '46035.75', '20000'])(
    'is refused, with advice to format the column as dates, if a date is the serial number of a spreadsheet program: %s',
    async (serial) => {
      await expect(readExport(['Date,Amount', `${serial},-5.00`])).rejects.toMatchObject({
        message: `No value in the column "Date" is a date in a known format. The column has, for example, "${serial}".`,
        remedy:
          'Such a number is how a spreadsheet program stores a date. In that program, format the column as dates and export the file again, or name another column with --date-column.',
      });
    },
  );

  it.each(['12345', '60001', 'soon', '4603'])(
    'is refused, with advice to name the date column or to set the date format, if its only date is "%s"',
    async (text) => {
      await expect(readExport(['Date,Amount', `${text},-5.00`])).rejects.toMatchObject({
        remedy: 'Name the column with --date-column, or set its format with --date-format.',
      });
    },
  );
});

it('the columns "Expense amount" and "Income amount" of a Toshl export are debits and credits', async () => {
  const { rows } = await readExport([
    'Date,Account,Category,Expense amount,Income amount,Currency,Description',
    '7/13/26,Cash,Food,12.50,0,EUR,Kebab',
    '7/14/26,Cash,Salary,0,"1,200.00",EUR,July pay',
  ]);
  expect(rows).toEqual(['2026-07-13 -12.5 EUR Kebab', '2026-07-14 +1200 EUR July pay']);
});

describe('the CSV reader with an export of Money Manager', () => {
  it.each(['Exp.', 'Exp', 'Expense'])(
    'reads "%s" as an expense, and transfers as money out of or into the account',
    async (word) => {
      const { rows, interpretation } = await readExport([
        'Date,Account,Category,Subcategory,Note,EUR,Income/Expense,Description,Amount,Currency',
        `03/15/2026 10:00:00,Cash,Food,,Lunch,12.00,${word},,12.00,EUR`,
        '03/14/2026 10:00:00,Cash,Salary,,Pay,1200.00,Income,,1200.00,EUR',
        '03/13/2026 10:00:00,Cash,Savings,,Put aside,100.00,Transfer-Out,,100.00,EUR',
        '03/12/2026 10:00:00,Cash,Savings,,Take back,40.00,Transfer-In,,40.00,EUR',
      ]);
      expect(rows).toEqual([
        '2026-03-15 -12 EUR Lunch',
        '2026-03-14 +1200 EUR Pay',
        '2026-03-13 -100 EUR Put aside',
        '2026-03-12 +40 EUR Take back',
      ]);
      expect(interpretation.direction).toBe('Income/Expense');
    },
  );
});

describe('an export of DEGIRO', () => {
  const dutch = 'Datum,Tijd,Valutadatum,Product,ISIN,Omschrijving,FX,Mutatie,,Saldo,,Order Id';
  const rows = [
    '15-03-2026,10:00,15-03-2026,APPLE,US0378331005,Dividend,,USD,"2,00",USD,"2,00",',
    '14-03-2026,10:00,14-03-2026,ASML,NL0010273215,DEGIRO Transactiekosten,,EUR,"-3,00",EUR,"47,00",abc',
    '14-03-2026,10:00,14-03-2026,ASML,NL0010273215,Koop 1 @ 450 EUR,,EUR,"-450,00",EUR,"50,00",abc',
    '13-03-2026,09:00,13-03-2026,,,iDEAL storting,,EUR,"500,00",EUR,"500,00",',
  ];

  it.each([dutch, 'Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id'])(
    'is read with the amounts and the balances from the columns to the right of their currencies: %s',
    async (headers) => {
      const read = await readExport([headers, ...rows]);
      expect(read.interpretation).toMatchObject({
        amount: 'column 9',
        balance: 'the balance column agrees on 4 of 4 rows',
      });
      expect(read.rows).toEqual([
        '2026-03-15 +2 USD Dividend',
        '2026-03-14 -3 EUR DEGIRO Transactiekosten',
        '2026-03-14 -450 EUR Koop 1 @ 450 EUR',
        '2026-03-13 +500 EUR iDEAL storting',
      ]);
    },
  );

  it('requires an option if a row is missing, because the balances then contradict the amounts', async () => {
    const later = ['"-5,00",EUR,"35,00"', '"-7,00",EUR,"40,00"'].map(
      (amounts) => `16-03-2026,09:00,16-03-2026,,,Terugstorting,,EUR,${amounts},`,
    );
    const { question } = await readExport([dutch, ...later, ...rows.filter((row) => !row.includes('Koop'))]);
    expect(question).toMatchObject({ requiresOption: true });
  });
});

it('the CSV reader uses the currency of the source for the source amount of Wise, and that of the target for the target amount', async () => {
  const headers =
    'ID,Status,Direction,Finished on,Source name,Source amount (after fees),Source currency,Target name,Target amount (after fees),Target currency';
  const row = 'TRANSFER-1002,COMPLETED,IN,2026-03-14 10:01:00,Ann,40.00,GBP,Me,47.00,EUR';
  const read = async (amount: string) => (await readExport([headers, row], { columns: { amount } })).rows;
  expect(await read('Source amount (after fees)')).toEqual(['2026-03-14 +40 GBP']);
  expect(await read('Target amount (after fees)')).toEqual(['2026-03-14 +47 EUR']);
});
