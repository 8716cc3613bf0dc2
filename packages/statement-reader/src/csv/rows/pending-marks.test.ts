import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('a row that may be pending or declined', () => {
  it.each([
    ['Type', 'Posted', 'Pending'],
    ['Umsatztyp', 'Gebucht', 'Vorgemerkt'],
    ['Verdict', 'Approved', 'Declined'],
    ['Pending', '', 'Pending'],
    ['Scheduled', 'No', 'Yes'],
    ['Deleted', 'false', 'true'],
    ['Decline Reason', '', 'INSUFFICIENT_FUNDS'],
    ['Posted Date', '01/16/2026', 'Pending'],
    ['Gebucht', 'Ja', 'Nein'],
    ['Settled', 'Yes', 'No'],
    ['Reversed', 'N', 'Y'],
    ['Failed', '0', '1'],
    ['Reden van weigering', '', 'Onvoldoende saldo'],
    ['Motif du refus', '', 'Provision insuffisante'],
    ['Type', 'Purchase', 'Card hold'],
    ['Type', 'Betaling', 'Reservering'],
    ['Tipo', 'Compra', 'Retención'],
    ['İşlem tipi', 'Havale', 'Provizyon'],
    ['Typ', 'Kortköp', 'Reserverat'],
    ['Typ', 'Kortköp', 'Reserverat belopp'],
    ['Typ', 'Kortköp', 'Reserverat\u00a0belopp'],
    ['Typ', 'Kortköp', 'Kortreservation'],
    ['Type', 'Varekjøp', 'Reservert beløp'],
    ['Type', 'Varekjøp', 'Reservasjon'],
    ['Type', 'Dankort', 'Reserveret beløb'],
    ['Laji', 'Korttiosto', 'Katevaraus'],
    ['Laji', 'Korttiosto', 'Varattu'],
    ['Type', 'Purchase', 'HOLD'],
    ['Transaction Type', 'Purchase', 'Reservation'],
    ['Transaction Type', 'Purchase', 'Authorization Hold'],
    ['Umsatzart', 'Kartenzahlung', 'Reservierung'],
    ['Nature', 'Paiement carte', 'Réservation'],
    ['Tipo', 'Compra', 'Autorización'],
    ['Tipo operazione', 'Pagamento', 'Preautorizzazione'],
    ['Typ transakcji', 'Zakup', 'Autoryzacja'],
    ['Prévu', 'non', 'oui'],
    ['Geplant', 'nein', 'ja'],
    ['Void Reason', '', 'Duplicate'],
  ])('requires an option if column "%s" has "%s" in another row and "%s" in this row', async (header, other, mark) => {
    const lines = [`Date,Description,${header},Amount`, `01/15/2026,Coffee,${other},-3.50`];
    const { doubt } = await readExport([...lines, `01/16/2026,Hotel,${mark},-200.00`]);
    expect(doubt).toMatchObject({
      message: `A row may be pending, or may not have happened: line 3 has "${mark}" in the column "${header}".`,
      requiresOption: true,
    });
  });

  it.each(['HOLD', 'Reservation', 'Kartenreservierung', 'Réservation', 'Autorización', 'Rezervace'])(
    'skips a row with the status "%s"',
    async (status) => {
      const lines = ['Date,Description,Status,Amount', '01/15/2026,Coffee,Booked,-3.50', '01/17/2026,Tea,Booked,-2.50'];
      const { doubt, rows } = await readExport([...lines, `01/16/2026,Hotel,${status},-200.00`]);
      expect(doubt?.requiresOption).toBeUndefined();
      expect(rows[2]).toBe('line 4 skipped: it is pending');
    },
  );

  it.each([
    ['Description', 'Payee', 'Reservation'],
    ['Type', 'Nights', 'Reservation'],
    ['Category', 'Text', 'Reservierung'],
  ])('requires no option if column "%s" beside column "%s" has "%s"', async (header, other, text) => {
    const lines = [`Date,${header},${other},Amount`, '01/15/2026,Coffee,3,-3.50', `01/16/2026,${text},2,-200.00`];
    expect((await readExport(lines)).doubt?.requiresOption).toBeUndefined();
  });

  it.each([
    'Post Date',
    'Datum Buchung',
    'Settlement Date',
    'Settled Date',
    'Cleared Date',
    'Clearing Date',
    '入账日期',
  ])('requires an option if another row has a day in column "%s" and this row has none', async (header) => {
    const lines = [`Transaction Date,${header},Description,Amount`, '01/15/2026,01/16/2026,Coffee,-3.50'];
    const { doubt } = await readExport([...lines, '01/16/2026,,Hotel,-200.00']);
    expect(doubt?.message).toBe(
      `A row may be pending, or may not have happened: line 3 has an empty cell in the column "${header}".`,
    );
    const without = await readExport([lines[0] ?? '', '01/16/2026,,Hotel,-200.00']);
    expect(without.doubt?.requiresOption).toBeUndefined();
  });

  it('requires no option for an empty settlement date if the file has another column for the day of booking', async () => {
    const lines = ['Run Date,Settlement Date,Description,Amount', '01/15/2026,01/16/2026,Buy,-3.50'];
    const { doubt } = await readExport([...lines, '01/16/2026,,Dividend,2.00']);
    expect(doubt?.requiresOption).toBeUndefined();
  });

  it.each([
    'Trade Date,Settled Date,Symbol,Quantity,Description,Amount',
    'Date,Settled Date,ISIN,Shares,Description,Amount',
    'Run Date,Settled Date,Action,Type,Description,Amount',
  ])('requires no option for an empty settled date in a file of a broker: %s', async (header) => {
    const lines = [header, '01/15/2026,01/16/2026,VTI,1,Buy,-3.50', '01/16/2026,,VTI,,Dividend,2.00'];
    expect((await readExport(lines)).doubt?.requiresOption).toBeUndefined();
  });

  it('requires an option if its settled date is empty in an export of a bank that has no other date of booking', async () => {
    const lines = ['Date,Payee,Amount,Settled Date', '2026-03-17,Hotel,-200.00,', '2026-03-15,Coles,-12.00,2026-03-16'];
    expect((await readExport(lines)).doubt).toEqual({
      message: 'A row may be pending, or may not have happened: line 2 has an empty cell in the column "Settled Date".',
      remedy: 'Take such rows out of the file. If they are final, use --final-status "pending".',
      requiresOption: true,
    });
    expect((await readExport(lines, { finalStatuses: ['pending'] })).doubt?.requiresOption).toBeUndefined();
  });

  it('requires an option if its status is empty, and another row has a final status', async () => {
    const { doubt } = await readExport(['Date,Text,Status,Amount', '2026-01-15,A,Posted,-5.00', '2026-01-16,B,,-6.00']);
    expect(doubt?.message).toContain('line 3 has an empty cell in the column "Status"');
    const onlyPending = ['Date,Text,Status,Amount', '2026-01-15,A,Pending,-5.00', '2026-01-16,B,,-6.00'];
    expect((await readExport(onlyPending)).rows).toEqual(['line 2 skipped: it is pending', '2026-01-16 -6 B']);
  });

  it('is recorded if --final-status names the word that marks it as pending', async () => {
    const lines = ['Date,Text,Type,Amount', '2026-01-15,A,Posted,-5.00', '2026-01-16,B,Pending,-6.00'];
    const { doubt, rows } = await readExport(lines, { finalStatuses: ['pending'] });
    expect(doubt?.requiresOption).toBeUndefined();
    expect(rows).toHaveLength(2);
  });

  it('requires no option if the balance includes it', async () => {
    const lines = [
      'Date,Text,Type,Amount,Balance',
      '2026-01-15,A,Posted,-5.00,95.00',
      '2026-01-16,B,Pending,-6.00,89.00',
    ];
    expect((await readExport([...lines, '2026-01-17,C,Posted,-9.00,80.00'])).doubt?.requiresOption).toBeUndefined();
  });

  it.each(['Refused', 'Retención'])('requires no option for the description "%s"', async (text) => {
    const { doubt } = await readExport(['Date,Description,Amount', `2026-01-15,${text},-5.00`]);
    expect(doubt?.requiresOption).toBeUndefined();
  });
});

it('the CSV reader requires no option for the type "Authorization" if the status of the row is final', async () => {
  const { doubt } = await readExport(['Date,Text,Type,Status,Amount', '2026-01-15,A,Authorization,Completed,-5.00']);
  expect(doubt?.requiresOption).toBeUndefined();
});

it.each([
  'BIEDRONKA transakcja nierozliczona',
  'CB EN ATTENTE UBER',
  'Reservert transaksjon KIWI',
  'Reservert KAFE',
  'Reserverat belopp KAFFE',
  'Retenido BAR',
  'Zárolás KAVE',
  'Köpreservation HOTELL',
  'Katevaraus Prisma',
  'Prel. ICA',
  'AUTH HOLD HILTON',
  'UBER TRIP Pending',
  'Em processamento UBER',
  'Non contabilizzato ESSO',
  'Függőben OTP',
  'Provizyon MIGROS',
])('the CSV reader requires an option for the text "%s", which marks a pending card payment', async (text) => {
  const { doubt } = await readExport(['Date,Description,Amount', `2026-01-15,${text},-5.00`]);
  expect(doubt).toMatchObject({ message: expect.stringContaining(`"${text}"`), requiresOption: true });
});

describe('the newest rows, if they do not change the balance', () => {
  const headers = 'Date,Description,Amount,Available balance,Ledger balance';
  const shop = '2026-03-13,Shop,-45.10,54.90,54.90';
  const pay = '2026-03-14,Salary,1500.00,1554.90,1554.90';
  const hotel = '2026-03-15,HOTEL,-120.00,1434.90,1554.90';
  const pending = (line: number) => ({
    message: `The newest row, line ${line}, does not change the balance, and may be pending.`,
    remedy: 'Take such rows out of the file. If they are final, use --ignore-balance.',
    requiresOption: true,
  });

  it('require an option, even if they change the available balance, in both orders of the rows', async () => {
    expect((await readExport([headers, shop, pay, hotel])).doubt).toEqual(pending(4));
    expect((await readExport([headers, hotel, pay, shop])).doubt).toEqual(pending(2));
    const spanish = headers.replace('Available balance,Ledger balance', 'Saldo disponible,Saldo contable');
    expect((await readExport([spanish, shop, pay, hotel])).doubt).toEqual(pending(4));
    const taxi = '2026-03-15,TAXI,-10.00,1424.90,1554.90';
    const fuel = '2026-03-14,Fuel,-54.90,1500.00,1500.00';
    const bar = '2026-03-15,Bar,-5.00,1495.00,1500.00';
    const two = await readExport([headers, shop, pay, fuel, bar, taxi.replace('1554.90', '1500.00')]);
    expect(two.doubt?.message).toBe('The newest rows, lines 5, 6, do not change the balance, and may be pending.');
    expect(
      (await readExport([headers, shop, pay, hotel], { ignoresBalance: true })).doubt?.requiresOption,
    ).toBeUndefined();
  });

  it('require no option if the ledger balance is the same in all rows, or if one balance is written for each day', async () => {
    const constant = [shop, pay, hotel].map((row) => row.replace(/[^,]+$/, '1434.90'));
    expect((await readExport([headers, ...constant])).doubt?.requiresOption).toBeUndefined();
    const daily = ['2026-03-13,A,-5.00,95.00', '2026-03-14,B,-10.00,75.00', '2026-03-14,C,-10.00,75.00'];
    const read = await readExport(['Date,Description,Amount,Balance', ...daily]);
    expect(read.doubt?.requiresOption).toBeUndefined();
  });
});

describe('the newest rows', () => {
  const file = [
    'Posting Date,Description,Amount,Balance',
    '01/16/2026,UBER,-10.00,',
    '01/15/2026,LIDL,-5.00,90.00',
    '01/14/2026,PAY,50.00,95.00',
  ];

  it('require an option if they are the only rows without a balance, because they may be pending', async () => {
    const { doubt } = await readExport(file);
    expect(doubt).toEqual({
      message: 'The newest row, line 2, has no balance, and may be pending.',
      remedy: 'Take such rows out of the file. If they are final, use --ignore-balance.',
      requiresOption: true,
    });
    expect((await readExport(file, { ignoresBalance: true })).doubt?.requiresOption).toBeUndefined();
    const oldestFirst = await readExport([file[0] ?? '', ...file.slice(1).reverse()]);
    expect(oldestFirst.doubt?.message).toBe('The newest row, line 4, has no balance, and may be pending.');
  });

  it('are named as pending if the type of one of them says so, even if --ignore-balance accepts the missing balance', async () => {
    const ica = [
      'Datum;Text;Typ;Budgetgrupp;Belopp;Saldo',
      '2026-03-17;ICA KVANTUM;Reserverat belopp;Mat;-120,00 kr;',
      '2026-03-16;COOP;Korttransaktion;Mat;-50,00 kr;950,00 kr',
      '2026-03-15;LÖN;Insättning;;1000,00 kr;1000,00 kr',
    ];
    const message =
      'A row may be pending, or may not have happened: line 2 has "Reserverat belopp" in the column "Typ".';
    expect((await readExport(ica)).doubt?.message).toBe(message);
    expect((await readExport(ica, { ignoresBalance: true })).doubt).toMatchObject({ message, requiresOption: true });
    const accepted = await readExport(ica, { ignoresBalance: true, finalStatuses: ['reserverat belopp'] });
    expect(accepted.doubt?.requiresOption).toBeUndefined();
    const booked = ica.map((line) => line.replace('-120,00 kr;', '-120,00 kr;830,00 kr'));
    expect((await readExport(booked)).doubt?.requiresOption).toBeUndefined();
  });

  it('require no option if the bank writes a balance only in the last row of each day', async () => {
    const daily = [
      '2026-01-14,A,50.00,95.00',
      '2026-01-15,B,-5.00,',
      '2026-01-15,C,-5.00,85.00',
      '2026-01-16,D,-1.00,84.00',
    ];
    const { doubt } = await readExport(['Date,Description,Amount,Balance', ...daily]);
    expect(doubt?.message ?? '').not.toContain('may be pending');
  });
});

describe('a row that may have been excluded in the app that wrote the file', () => {
  it.each([
    ['Ignore', '', 'ignore'],
    ['Excluded', 'false', 'true'],
    ['Hidden', 'No', 'Yes'],
    ['Ausgeblendet', '', 'x'],
  ])('requires an option if column "%s" has "%s" in another row and "%s" in this row', async (header, other, mark) => {
    const lines = [`Date,Description,Status,${header},Amount`, `01/15/2026,Coffee,posted,${other},-3.50`];
    const { doubt } = await readExport([...lines, `01/16/2026,Copy,posted,${mark},-3.50`]);
    expect(doubt).toEqual({
      message: `A row may have been excluded by the user of an app: line 3 has "${mark}" in the column "${header}".`,
      remedy: `Take such rows out of the file. If they are transactions of the account, use --final-status "${header.toLowerCase()}", which is the name of the column.`,
      requiresOption: true,
    });
    const finalStatuses = [header.toLowerCase()];
    const accepted = await readExport([...lines, `01/16/2026,Copy,posted,${mark},-3.50`], { finalStatuses });
    expect(accepted.doubt?.requiresOption).toBeUndefined();
    const same = await readExport([...lines, `01/16/2026,Copy,posted,${other},-3.50`]);
    expect(same.doubt?.requiresOption).toBeUndefined();
  });
});

it('the CSV reader suggests --final-status "void" if a row has "Yes" in the column "Void"', async () => {
  const { doubt } = await readExport([
    'Date,Text,Amount,Void',
    '2026-01-13,Grocer,-20.00,No',
    '2026-01-14,Hotel,-80.00,Yes',
  ]);
  expect(doubt).toMatchObject({
    message: expect.stringContaining('line 3 has "Yes" in the column "Void"'),
    remedy:
      'Take such rows out of the file. If they are final, use --final-status "void", which is the name of the column.',
  });
});
