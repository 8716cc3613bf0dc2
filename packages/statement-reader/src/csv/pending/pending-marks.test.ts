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
    const { question } = await readExport([...lines, `01/16/2026,Hotel,${mark},-200.00`]);
    expect(question).toMatchObject({
      message: `A row may be pending, or may not have happened: line 3 has "${mark}" in the column "${header}".`,
      requiresOption: true,
    });
  });

  it.each([
    'HOLD',
    'Purchase authorisation',
    'Reservation',
    'Kartenreservierung',
    'Réservation',
    'Autorización',
    'Rezervace',
  ])('is skipped if its status is "%s"', async (status) => {
    const lines = ['Date,Description,Status,Amount', '01/15/2026,Coffee,Booked,-3.50', '01/17/2026,Tea,Booked,-2.50'];
    const { question, rows } = await readExport([...lines, `01/16/2026,Hotel,${status},-200.00`]);
    expect(question?.requiresOption).toBeUndefined();
    expect(rows[2]).toBe('line 4 skipped: it is pending');
  });

  it.each([
    ['Description', 'Payee', 'Reservation'],
    ['Type', 'Nights', 'Reservation'],
    ['Type', 'Check-in date', 'Reservation'],
    ['Type', 'Checkout date', 'Reservation'],
    ['Type', 'Room nights', 'Reservation'],
    ['Type', 'Property ID', 'Reservation'],
    ['Type', 'Arrival', 'Reservation'],
    ['Type', 'Tee time', 'Reservation'],
    ['Type', 'Confirmation Code', 'Reservation'],
    ['Category', 'Text', 'Reservierung'],
  ])('requires no option if column "%s" beside column "%s" has "%s"', async (header, other, text) => {
    const lines = [`Date,${header},${other},Amount`, '01/15/2026,Coffee,3,-3.50', `01/16/2026,${text},2,-200.00`];
    expect((await readExport(lines)).question?.requiresOption).toBeUndefined();
  });

  it('requires no option in a payout statement of Booking.com, and is recorded with the date of the payout', async () => {
    const { question, rows } = await readExport([
      'Type,Statement Descriptor,Reference number,Check-in date,Checkout date,Payout date,Reservation status,Room nights,Property ID,Property name,Currency,Net amount',
      'Reservation,BDC,4411,2026-03-11,2026-03-12,2026-03-16,ok,1,77,Flat,EUR,145.10',
      'Reservation,BDC,4412,2026-03-12,2026-03-13,2026-03-16,ok,1,77,Flat,EUR,120.00',
      'Other,BDC,4413,2026-03-12,2026-03-13,2026-03-16,ok,1,77,Flat,EUR,-15.00',
    ]);
    expect(question?.requiresOption).toBeUndefined();
    expect(rows).toEqual(['2026-03-16 +145.1 EUR Flat', '2026-03-16 +120 EUR Flat', '2026-03-16 -15 EUR Flat']);
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
    const { question } = await readExport([...lines, '01/16/2026,,Hotel,-200.00']);
    expect(question?.message).toBe(
      `A row may be pending, or may not have happened: line 3 has an empty cell in the column "${header}".`,
    );
    const without = await readExport([lines[0] ?? '', '01/16/2026,,Hotel,-200.00']);
    expect(without.question?.requiresOption).toBeUndefined();
  });

  it('requires no option for an empty settlement date if the file has another column for the day of booking', async () => {
    const lines = ['Run Date,Settlement Date,Description,Amount', '01/15/2026,01/16/2026,Buy,-3.50'];
    const { question } = await readExport([...lines, '01/16/2026,,Dividend,2.00']);
    expect(question?.requiresOption).toBeUndefined();
  });

  it.each([
    'Trade Date,Settled Date,Symbol,Quantity,Description,Amount',
    'Date,Settled Date,ISIN,Shares,Description,Amount',
    'Run Date,Settled Date,Action,Type,Description,Amount',
  ])('requires no option for an empty settled date in a file of a broker: %s', async (header) => {
    const lines = [header, '01/15/2026,01/16/2026,VTI,1,Buy,-3.50', '01/16/2026,,VTI,,Dividend,2.00'];
    expect((await readExport(lines)).question?.requiresOption).toBeUndefined();
  });

  it('requires an option if its settled date is empty, and the export of the bank has no other column for the day of booking', async () => {
    const lines = ['Date,Payee,Amount,Settled Date', '2026-03-17,Hotel,-200.00,', '2026-03-15,Coles,-12.00,2026-03-16'];
    expect((await readExport(lines)).question).toEqual({
      message: 'A row may be pending, or may not have happened: line 2 has an empty cell in the column "Settled Date".',
      remedy: 'Take such rows out of the file. If they are final, use --final-status "pending".',
      requiresOption: true,
    });
    expect((await readExport(lines, { finalStatuses: ['pending'] })).question?.requiresOption).toBeUndefined();
  });

  it('requires an option if its status is empty, and another row has a final status', async () => {
    const { question } = await readExport([
      'Date,Text,Status,Amount',
      '2026-01-15,A,Posted,-5.00',
      '2026-01-16,B,,-6.00',
    ]);
    expect(question?.message).toContain('line 3 has an empty cell in the column "Status"');
    const onlyPending = ['Date,Text,Status,Amount', '2026-01-15,A,Pending,-5.00', '2026-01-16,B,,-6.00'];
    expect((await readExport(onlyPending)).rows).toEqual(['line 2 skipped: it is pending', '2026-01-16 -6 B']);
  });

  it('is recorded if --final-status names the word that marks it as pending', async () => {
    const lines = ['Date,Text,Type,Amount', '2026-01-15,A,Posted,-5.00', '2026-01-16,B,Pending,-6.00'];
    const { question, rows } = await readExport(lines, { finalStatuses: ['pending'] });
    expect(question?.requiresOption).toBeUndefined();
    expect(rows).toHaveLength(2);
  });

  it('requires no option if the balance includes it', async () => {
    const lines = [
      'Date,Text,Type,Amount,Balance',
      '2026-01-15,A,Posted,-5.00,95.00',
      '2026-01-16,B,Pending,-6.00,89.00',
    ];
    expect((await readExport([...lines, '2026-01-17,C,Posted,-9.00,80.00'])).question?.requiresOption).toBeUndefined();
  });

  it.each(['Refused', 'Retención'])('requires no option for the description "%s"', async (text) => {
    const { question } = await readExport(['Date,Description,Amount', `2026-01-15,${text},-5.00`]);
    expect(question?.requiresOption).toBeUndefined();
  });
});

it('the CSV reader requires no option for the type "Authorization" if the status of the row is final', async () => {
  const { question } = await readExport(['Date,Text,Type,Status,Amount', '2026-01-15,A,Authorization,Completed,-5.00']);
  expect(question?.requiresOption).toBeUndefined();
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
  const { question } = await readExport(['Date,Description,Amount', `2026-01-15,${text},-5.00`]);
  expect(question).toMatchObject({ message: expect.stringContaining(`"${text}"`), requiresOption: true });
});

describe('a row that may have been excluded in the app that wrote the file', () => {
  it.each([
    ['Ignore', '', 'ignore'],
    ['Excluded', 'false', 'true'],
    ['Hidden', 'No', 'Yes'],
    ['Ausgeblendet', '', 'x'],
  ])('requires an option if column "%s" has "%s" in another row and "%s" in this row', async (header, other, mark) => {
    const lines = [`Date,Description,Status,${header},Amount`, `01/15/2026,Coffee,posted,${other},-3.50`];
    const { question } = await readExport([...lines, `01/16/2026,Copy,posted,${mark},-3.50`]);
    expect(question).toEqual({
      message: `A row may have been excluded by the user of an app: line 3 has "${mark}" in the column "${header}".`,
      remedy: `Take such rows out of the file. If they are transactions of the account, use --final-status "${header.toLowerCase()}", which is the name of the column.`,
      requiresOption: true,
    });
    const finalStatuses = [header.toLowerCase()];
    const accepted = await readExport([...lines, `01/16/2026,Copy,posted,${mark},-3.50`], { finalStatuses });
    expect(accepted.question?.requiresOption).toBeUndefined();
    const same = await readExport([...lines, `01/16/2026,Copy,posted,${other},-3.50`]);
    expect(same.question?.requiresOption).toBeUndefined();
  });
});

it('the CSV reader suggests --final-status "void" if a row has "Yes" in the column "Void"', async () => {
  const { question } = await readExport([
    'Date,Text,Amount,Void',
    '2026-01-13,Grocer,-20.00,No',
    '2026-01-14,Hotel,-80.00,Yes',
  ]);
  expect(question).toMatchObject({
    message: expect.stringContaining('line 3 has "Yes" in the column "Void"'),
    remedy:
      'Take such rows out of the file. If they are final, use --final-status "void", which is the name of the column.',
  });
});
