import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('a text that marks its row as pending or declined', () => {
  const file = (text: string) => ['Date,Description,Amount', '2024-01-16,Salary,9.00', `2024-01-17,${text},-5.00`];

  it.each([
    'PENDING - COFFEE SHOP',
    'Pending: Uber',
    'Tesco (pending)',
    '[Vorgemerkt] REWE',
    'Tienda - pendiente',
    '* PENDING * Grocer',
    'Pending Transaction: HOTEL',
    'PENDING TRANSACTION',
    'Vorgemerkte Buchung HOTEL',
    'Vorgemerkt REWE',
    'Reserverat: HOTELL',
    'Pre-authorised: HOTEL',
    'Authorisation hold - HOTEL',
    'AUTH ONLY HOTEL',
    'Temporary authorization HOTEL',
    'Vormerkung REWE',
    'Scheduled: HOTEL',
    'Autorisation en cours HOTEL',
    'Not yet posted: HOTEL',
    'Processing: HOTEL',
    'HOLD: HOTEL',
    'Card authorisation HOTEL',
    'Autorisierung HOTEL',
    'Noch nicht gebucht HOTEL',
    'Preautorizzazione HOTEL',
    'Préautorisation HOTEL',
    'Preautorización HOTEL',
    'Bloqueo temporal HOTEL',
    'Kortköp reserverat HOTELL',
    'Zablokowano HOTEL',
    'Nog niet geboekt: HOTEL',
    'À venir : HOTEL',
    'HOTEL ROMA (authorisation)',
    'HOTEL ROMA [Authorization]',
    'HOTEL ADLON (noch nicht gebucht)',
    'HOTEL ROMA (hold)',
    'HOTEL ROMA (on hold)',
    'HOTEL ROMA (preauth)',
    'HOTEL ROMA - AUTHORISATION',
    'HOTEL ADLON noch nicht ausgeführt',
    'HOTEL ROMA not yet settled',
  ])('requires --final-status to import a pending row: "%s"', async (text) => {
    const { question } = await readExport(file(text));
    expect(question).toMatchObject({
      message: `The text of a row says that it is pending: line 3, "${text}". The bank may still change or drop such rows.`,
      remedy: expect.stringMatching(/^Take them out of the file\. If they are final, use --final-status "[^"]+"\.$/),
      requiresOption: true,
    });
    const finalStatuses = [/"([^"]+)"/.exec(question?.remedy ?? '')?.[1] ?? ''];
    expect((await readExport(file(text), { finalStatuses })).question?.requiresOption).toBeUndefined();
  });

  it.each([
    ['DECLINED - HOTEL', 'declined'],
    ['Declined: GRAND HOTEL BUDAPEST 123 MAIN STREET', 'declined'],
    ['HOTEL - DECLINED', 'declined'],
    ['HOTEL (declined)', 'declined'],
    ['HOTEL - DECLINED (INSUFFICIENT FUNDS)', 'declined'],
    ['Zahlung abgelehnt', 'abgelehnt'],
  ])('requires --final-status to import a declined row: "%s"', async (text, word) => {
    const { question } = await readExport(file(text));
    expect(question).toEqual({
      message: `A row may be pending, or may not have happened: line 3 has "${text}" in the column "Description".`,
      remedy: `Take such rows out of the file. If they are final, use --final-status "${word}".`,
      requiresOption: true,
    });
    const confirmed = await readExport(file(text), { finalStatuses: [word.toUpperCase()] });
    expect(confirmed.question?.requiresOption).toBeUndefined();
  });

  it.each([
    'Pending Ltd',
    'The Pending Tray',
    'Deposit for pending invoice 5',
    'Depending - on',
    'Spending - card',
    'Pendleton',
    'Scheduled payment to ACME',
    'Declined payment fee',
    'Fee (card declined twice)',
    'NSF fee - declined',
    'Chargeback dispute - declined',
    'Rücklastschrift (abgelehnt)',
    'Transfer to savings - Scheduled',
    'Not yet a Cafe',
    'DECLINED - NSF FEE',
    'PRE-AUTHORIZED DEBIT HYDRO',
    'Temporary Tattoo Shop',
    'Vorgemerktes Buch',
    'Processing fee March',
    'Hold Fast Coffee',
    'Card authorisation fee',
    'Autorisierungsservice GmbH',
    'Avenir: Assurance',
  ])('is not recognized in "%s"', async (text) => {
    expect((await readExport(file(text))).question?.requiresOption).toBeUndefined();
  });

  it('needs no option if the balance includes the row', async () => {
    const withBalances = [
      'Date,Description,Amount,Balance',
      '2024-01-16,Pay,9.00,9.00',
      '2024-01-17,PENDING - Tea,-5.00,4.00',
    ];
    expect((await readExport(withBalances)).question?.requiresOption).toBeUndefined();
  });
});

describe('rows below a section title such as "Pending Transactions"', () => {
  const lines = (title: string) => [
    'Date,Description,Amount',
    title,
    '2024-03-14,Hotel,-50.00',
    'Posted Transactions',
    '2024-03-13,Shop,-20.00',
  ];

  it.each(['Pending Transactions', 'PENDING', 'Vorgemerkte Umsätze', '"Pending transactions:"'])(
    'require an option if the title is %s',
    async (title) => {
      const { question } = await readExport(lines(title));
      expect(question).toMatchObject({
        message: `A title says that a row is pending: line 3, below "${title.replaceAll('"', '')}". The bank may still change or drop such rows.`,
        requiresOption: true,
      });
    },
  );

  it('can be imported with --final-status pending, or without an option if the title is a whole sentence', async () => {
    const final = await readExport(lines('Pending Transactions'), { finalStatuses: ['pending'] });
    expect(final.question?.requiresOption).toBeUndefined();
    const other = await readExport(lines('Pending Transactions are not shown here'));
    expect(other.question?.requiresOption).toBeUndefined();
  });
});
