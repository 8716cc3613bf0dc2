import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('rows of several accounts in one table', () => {
  const swedish = (second: string) => [
    'Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Beskrivning,Belopp,Bokfört saldo',
    '1,8327,1234567,Privatkonto,SEK,2024-01-16,ICA,-12.50,987.50',
    `2,8327,${second},Privatkonto,SEK,2024-01-15,LÖN,1000.00,1000.00`,
  ];

  it('need --account-column, because --yes would record all of them in one account', async () => {
    const { question } = await readExport(swedish('7654321'));
    expect(question).toEqual({
      message: 'The column "Kontonummer" names several accounts: "1234567", "7654321".',
      remedy: expect.stringContaining('--account-column "Kontonummer"'),
      requiresOption: true,
    });
  });

  it('need --account-column in an export of mBank, whose account column is to the right of the date', async () => {
    const { question } = await readExport([
      '#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;',
      '2026-05-13;"BIEDRONKA";"eKonto 1111 ... 5387";"Żywność";-120,00 PLN;;',
      '2026-05-14;"ODSETKI";"eMax plus 2211 ... 5388";"Wpływy";50,00 PLN;;',
    ]);
    expect(question).toMatchObject({
      message: 'The column "#Rachunek" names several accounts: "eKonto 1111 ... 5387", "eMax plus 2211 ... 5388".',
      requiresOption: true,
    });
  });

  it('are accepted if --account-column is empty or names the column of account numbers', async () => {
    expect(
      (await readExport(swedish('7654321'), { columns: { account: '' } })).question?.requiresOption,
    ).toBeUndefined();
    const named = { columns: { account: 'Kontonummer' }, hasOneAccount: false };
    expect((await readExport(swedish('7654321'), named)).question?.requiresOption).toBeUndefined();
  });

  it.each([
    ['dateOp;label;amount;accountNum;accountLabel', '2025-01-15;CARTE Amazon;-29,99;ACC001;Compte', 'ACC001', 'ACC002'],
    ['date,name,amount,account_id', '2024-01-08,Uber,-6.33,g554pPN', 'g554', 'AMbx'],
    ['Bank account,Date,Description,Amount', 'DE8937,2026-01-05,Salary,2500.00', 'DE89', 'DE02'],
    ['Numer rachunku/karty;Data transakcji;Opis;Kwota', 'PL00111122223333;2026-06-15;Sklep;-12,50', '3333', '4444'],
    [
      'Datum provedení;Číslo účtu;Název účtu;Číslo protiúčtu;Zaúčtovaná částka',
      '27.05.2018;123456789/1234;Name;5555/0100;-1,00',
      '123456789',
      '123456780',
    ],
    [
      'Tranzakció dátuma;Partner számlaszáma;Számlaszám;Tranzakció összege',
      '2019.04.19.;1111-2222;3333-4444;-350',
      '3333',
      '5555',
    ],
    [
      'Uitvoeringsdatum;Bedrag;Tegenpartij van de verrichting;Details;Rekeningnummer',
      '19/04/2019;-3,50;BE11;Kosten;BE22000033334444',
      'BE22',
      'BE33',
    ],
  ])(
    'are recognized by the column of account numbers in a file with the headers %s',
    async (headers, row, one, other) => {
      const { question } = await readExport([headers, row, row.replace(one, other)]);
      expect(question).toMatchObject({
        message: expect.stringContaining('names several accounts: '),
        requiresOption: true,
      });
      const { question: ofOne } = await readExport([headers, row, row]);
      expect(ofOne?.message ?? '').not.toContain('several accounts');
    },
  );

  it('are recognized by different IBANs; one IBAN in two spellings is one account', async () => {
    const dutch = (second: string) => [
      'Datum,Rekening,Omschrijving,Bedrag',
      '2024-01-16,NL99INGB9999999999,Kosten,"-1,25"',
      `2024-01-17,${second},Loon,"20,00"`,
    ];
    expect((await readExport(dutch('NL99INGB9999999998'))).question).toMatchObject({
      message: 'The column "Rekening" names several accounts: "NL99INGB9999999999", "NL99INGB9999999998".',
      requiresOption: true,
    });
    expect((await readExport(dutch('nl99 ingb 9999 9999 99'))).question?.requiresOption).toBeUndefined();
  });

  it('need no option if the account column has names and no numbers', async () => {
    const app = ['Date,Account Name,Amount', '2024-01-16,Checking,-1.25', '2024-01-17,Platinum Card,-2.00'];
    expect((await readExport(app)).question?.requiresOption).toBeUndefined();
  });

  it.each([
    ['Date,Account,Amount', 'Joint Checking (...1234),-1.25', 'Visa (...9876),-2.00', '"Account"'],
    ['Datum;Konto;Betrag', 'Girokonto 12345678;-1,25', 'Visa 4748XXXXXXXX1234;-2,00', '"Konto"'],
    ['Date,Wallet,Amount', 'Cash,-1.25', 'Bank 12345678,-2.00', '"Wallet"'],
    [
      'Date,Merchant,Account,Account Mask,Amount',
      'Shop,Checking,1234,-1.25',
      'Cafe,Checking,9876,-2.00',
      '"Account Mask"',
    ],
  ])('need an option if a file with the columns %s names two accounts', async (headers, first, second, column) => {
    const rows = [first, second].map((cells) => `2024-01-16${headers.includes(';') ? ';' : ','}${cells}`);
    const { question } = await readExport([headers, ...rows]);
    expect(question).toMatchObject({
      message: expect.stringContaining(`The column ${column} names several accounts: `),
      requiresOption: true,
    });
    expect(
      (await readExport([headers, ...rows], { columns: { account: '' } })).question?.requiresOption,
    ).toBeUndefined();
    const one = [headers, rows[0] ?? '', (rows[0] ?? '').replace('-16', '-17')];
    expect((await readExport(one)).question?.requiresOption).toBeUndefined();
  });

  it.each([
    ['Account', 'Date,Payee,Memo,Outflow,Inflow', '€100.00,€0.00', '€0.00,€100.00', 'Checking', 'Savings'],
    ['Account Name', 'Date,Description,Category,Amount', '-100.00', '100.00', 'Checking', 'Visa'],
    ['Konto', 'Date,Text,Category,Amount', '-100.00', '100.00', 'Girokonto', 'Tagesgeld'],
    ['Pocket', 'Date,Text,Category,Amount', '-100.00', '100.00', 'Main', 'Holiday'],
  ])(
    'need a confirmation (--yes), but no other option, if column "%s" has only names, and two rows are both sides of a transfer',
    async (...given) => {
      const [header, headers, out, into, first, second] = given;
      const lines = [`${header},${headers}`, `${first},2026-01-13,Shop,,${out.replace('100', '8')}`];
      const transfer = [`${first},2026-01-14,Transfer,,${out}`, `${second},2026-01-14,Transfer,,${into}`];
      const { question } = await readExport([...lines, ...transfer]);
      expect(question?.requiresOption).toBeUndefined();
      expect(question?.message).toBe(
        `The column "${header}" names several accounts: "${first}", "${second}". Both sides of a transfer between them are in the file.`,
      );
      const guessed = 'The columns were guessed.';
      const purchases = [`${first},2026-01-14,Shop,,${out}`, `${second},2026-01-14,Shop,,${out}`];
      expect((await readExport([...lines, ...purchases])).question?.message).toBe(guessed);
      const twoDays = [`${first},2026-01-14,Shop,,${out}`, `${second},2026-01-15,Refund,,${into}`];
      expect((await readExport([...lines, ...twoDays])).question?.message).toBe(guessed);
    },
  );

  it('need an option in an export of GnuCash, which has a row for each side of a transaction', async () => {
    const { question } = await readExport(
      [
        'Date,Transaction ID,Description,Full Account Name,Account Name,Amount With Sym,Amount Num.',
        '15/03/2026,a1b2c3d4e5f6,Groceries,Assets:Checking,Checking,-€50.00,-50.00',
        '15/03/2026,a1b2c3d4e5f6,Groceries,Expenses:Food,Food,€50.00,50.00',
      ],
      { columns: { amount: 'Amount Num.' } },
    );
    expect(question).toMatchObject({
      message: 'The column "Full Account Name" names several accounts: "Assets:Checking", "Expenses:Food".',
      requiresOption: true,
    });
  });

  it('are not assumed if all rows have the same account number, and another column names accounts of counterparties', async () => {
    const { question } = await readExport([
      'Kontonummer,Date,Payee,Account,Amount',
      '12345678,2024-01-16,ICA,111,-12.50',
      '12345678,2024-01-15,ACME,222,10.00',
    ]);
    expect(question?.requiresOption).toBeUndefined();
  });

  it('are recognized by the column "Product" of Revolut', async () => {
    const lines = ['Type,Product,Started Date,Description,Amount', 'CARD_PAYMENT,Current,2024-01-15,Lidl,-5.00'];
    const { question } = await readExport([...lines, 'INTEREST,Savings,2024-01-16,Interest,3.00']);
    expect(question?.message).toBe('The column "Product" names several accounts: "Current", "Savings".');
  });

  it('are recognized by a column "Product" to the right of the date if it has kinds of accounts', async () => {
    const lines = ['Date,Product,Description,Amount,Currency', '2026-03-13,Current,To Savings,-100.00,EUR'];
    const { question } = await readExport([...lines, '2026-03-13,Savings,From Current,100.00,EUR']);
    expect(question).toMatchObject({
      message: 'The column "Product" names several accounts: "Current", "Savings".',
      requiresOption: true,
    });
    const shares = await readExport([
      'Date,Product,Description,Amount,Currency',
      '2026-03-13,ASML,Buy 1,-100.00,EUR',
      '2026-03-13,APPLE,Sell 1,100.00,EUR',
    ]);
    expect(shares.question?.message).toBe('The columns were guessed.');
  });

  it.each(['Space', 'Spaces', 'Vault', 'Vault name', 'Pot', 'Pot name', 'Sub-account', 'Subaccount'])(
    'are recognized by a column "%s" if it names a part of the account in every row',
    async (header) => {
      const lines = [`Date,${header},Payee,Amount`, '2026-03-13,Main,Shop,-45.10', '2026-03-15,Main,Hotel,-120.00'];
      const holidays = '2026-03-14,Holidays,Interest,1.10';
      const { question } = await readExport([...lines, holidays]);
      expect(question).toMatchObject({
        message: `The column "${header}" names several accounts: "Main", "Holidays".`,
        remedy: expect.stringContaining(`use --account-column "${header}" without --account`),
        requiresOption: true,
      });
      const guessed = 'The columns were guessed.';
      const joined = await readExport([...lines, holidays], { columns: { account: '' } });
      expect(joined.question?.requiresOption).toBeUndefined();
      expect((await readExport(lines)).question?.message).toBe(guessed);
      const withEmpty = await readExport([...lines, holidays, '2026-03-16,,Shop,-8.00']);
      expect(withEmpty.question?.message).toBe(guessed);
    },
  );

  it.each(['Pot', 'Bucket'])(
    'are recognized by a column "%s" if both sides of a transfer to a pot are in the file',
    async (header) => {
      const lines = [`Date,Description,Amount,${header}`, '2026-03-13,Transfer,-100.00,', '2026-03-14,Shop,-45.10,'];
      const { question } = await readExport([...lines, '2026-03-13,Transfer,100.00,Holidays']);
      expect(question).toMatchObject({
        message: `The column "${header}" names a pot in some rows: "Holidays". Both sides of a transfer to or from a pot are in the file.`,
        requiresOption: true,
      });
      const oneSide = await readExport([...lines, '2026-03-15,Transfer,-20.00,Holidays']);
      expect(oneSide.question?.message).toBe('The columns were guessed.');
    },
  );

  it('are not assumed if a column "Bucket" has the categories of a budget', async () => {
    const lines = ['Date,Bucket,Payee,Amount', '2026-03-13,Needs,Shop,-45.10', '2026-03-15,Wants,Hotel,-120.00'];
    expect(
      (await readExport([...lines, '2026-03-16,Income,Employer,900.00'])).question?.requiresOption,
    ).toBeUndefined();
  });

  it('are recognized by a column "Account Number" to the right of the date if all rows fill it', async () => {
    const lines = ['Date,Type,Description,Value,Account Name,Account Number', '15/01/2026,POS,Lidl,-5.00,SMITH J,60-1'];
    const { question } = await readExport([...lines, '14/01/2026,INT,Int,3.00,SMITH J,60-2']);
    expect(question?.message).toBe('The column "Account Number" names several accounts: "60-1", "60-2".');
    const withEmpty = await readExport([...lines, '14/01/2026,INT,Int,3.00,SMITH J,60-2', '13/01/2026,INT,Int,3.00,,']);
    expect(withEmpty.question?.requiresOption).toBeUndefined();
  });

  it('are not assumed if all rows have the same account number, or if the numbers belong to payees', async () => {
    expect((await readExport(swedish('1234567'))).question?.requiresOption).toBeUndefined();
    const counterparties = [
      'Date,Payee,Account number,Amount',
      '2024-01-16,ICA,111,-12.50',
      '2024-01-15,ACME,222,10.00',
    ];
    expect((await readExport(counterparties)).question?.requiresOption).toBeUndefined();
  });
});
