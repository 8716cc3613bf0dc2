import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

async function readStatus(header: string, status: string): Promise<string | undefined> {
  const file = [`Date,Amount,${header}`, `2024-01-16,-5.00,${status}`];
  return (await readExport(file)).rows[0];
}

describe('a status', () => {
  it.each([
    ['Status', 'Udført'],
    ['Contabilizzazione', 'CONTABILIZZATO'],
    ['交易状态', '交易成功'],
    ['当前状态', '支付成功'],
    ['当前状态', '已转账'],
    ['当前状态', '已存入零钱'],
    ['当前状态', '对方已收钱'],
    ['Stato', 'Contabilizzata'],
    ['Statut', 'Comptabilisée'],
    ['Estado', 'Contabilizada'],
    ['Status', 'Efetivada'],
    ['Status', 'Bokfört'],
    ['ステータス', '確定'],
    ['Trạng thái', 'Thành công'],
    ['Stare', 'Finalizat'],
    ['Κατάσταση', 'Ολοκληρωμένη'],
    ['סטטוס', 'בוצע'],
    ['الحالة', 'مكتملة'],
    ['Būsena', 'Įvykdyta'],
    ['Etat', 'Réalisé'],
    ['État', 'Réalisée'],
    ['Stanje', 'Provedeno'],
    ['Stanje', 'Knjiženo'],
    ['Olek', 'Täidetud'],
    ['Statuss', 'Izpildīts'],
    ['Състояние', 'Осчетоводена'],
    ['Состояние', 'Проведено'],
    ['Стан', 'Виконано'],
    ['Állapot', 'Teljesült'],
    ['Staða', 'Bókað'],
    ['สถานะ', 'สำเร็จ'],
    ['Keadaan', 'Berjaya'],
    ['Situação', 'Lançado'],
    ['Situacao', 'Efetivada'],
    ['Tila', 'Kirjattu'],
    ['Result', 'Completed'],
    ['Outcome', 'Completed'],
    ['Settlement', 'Settled'],
  ])('in the column "%s" marks its row as booked: "%s"', async (header, status) => {
    expect(await readStatus(header, status)).toBe('2024-01-16 -5');
    const { reading } = await readExport([`Date,Amount,${header}`, `2024-01-16,-5.00,${status}`]);
    expect(reading.status).toBe(header);
    expect(reading['unknown status']).toBeUndefined();
  });

  it.each([
    ['Status', 'Venter', 'it is pending'],
    ['Stato', 'In sospeso', 'it is pending'],
    ['Status', 'Preliminär', 'it is pending'],
    ['Status', 'Reserveret', 'it is pending'],
    ['ステータス', '未確定', 'it is pending'],
    ['Trạng thái', 'Đang xử lý', 'it is pending'],
    ['Stare', 'În așteptare', 'it is pending'],
    ['Κατάσταση', 'Σε εκκρεμότητα', 'it is pending'],
    ['סטטוס', 'ממתין', 'it is pending'],
    ['الحالة', 'معلقة', 'it is pending'],
    ['Būsena', 'Rezervuota', 'it is pending'],
    ['Etat', 'A venir', 'it is pending'],
    ['État', 'À venir', 'it is pending'],
    ['Stanje', 'U obradi', 'it is pending'],
    ['Stanje', 'V obdelavi', 'it is pending'],
    ['Olek', 'Ootel', 'it is pending'],
    ['Statuss', 'Apstrādē', 'it is pending'],
    ['Състояние', 'Чакаща', 'it is pending'],
    ['Состояние', 'Холд', 'it is pending'],
    ['Стан', 'В обробці', 'it is pending'],
    ['Állapot', 'Folyamatban', 'it is pending'],
    ['Staða', 'Óbókað', 'it is pending'],
    ['สถานะ', 'รอดำเนินการ', 'it is pending'],
    ['Settlement', 'Unsettled', 'it is pending'],
    ['Situação', 'Agendado', 'it is pending'],
    ['Situacao', 'Agendada', 'it is pending'],
    ['Tila', 'Katevaraus', 'it is pending'],
    ['Contabilizzazione', 'NON CONTABILIZZATO', 'it is pending'],
    ['Status', 'Afvist', 'it did not happen ("Afvist")'],
    ['Result', 'Declined', 'it did not happen ("Declined")'],
    ['Outcome', 'Failed', 'it did not happen ("Failed")'],
    ['Status', 'Slettet', 'it did not happen ("Slettet")'],
    ['交易状态', '交易关闭', 'it did not happen ("交易关闭")'],
    ['当前状态', '已全额退款', 'it was reversed ("已全额退款")'],
    ['Status', 'Refunded', 'it was reversed ("Refunded")'],
  ])('in the column "%s" causes its row to be skipped: "%s", because %s', async (header, status, reason) => {
    expect(await readStatus(header, status)).toBe(`line 2 skipped: ${reason}`);
  });
});

it.each([
  ['Stanje', '95.00'],
  ['Settlement', '2024-01-18'],
  ['Result', '-5.00'],
])('the CSV reader does not read the status from the column "%s" if it contains "%s"', async (header, cell) => {
  const { reading, rows } = await readExport([`Date,Amount,${header}`, `2024-01-16,-5.00,${cell}`], {
    columns: { date: 'Date', amount: 'Amount' },
  });
  expect(reading.status).toBeUndefined();
  expect(rows).toEqual(['2024-01-16 -5']);
});

it('the CSV reader reports unknown words in a column "Stanje", and numbers in a column "Status", as unknown statuses', async () => {
  for (const [header, cell] of [
    ['Stanje', 'Frobnicirano'],
    ['Status', '7'],
  ]) {
    const { reading } = await readExport([`Date,Amount,${header}`, `2024-01-16,-5.00,${cell}`], {
      columns: { date: 'Date', amount: 'Amount' },
    });
    expect(reading['unknown status']).toContain(cell);
  }
});

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
    'HOTEL ROMA (hold)',
    'HOTEL ROMA (on hold)',
    'HOTEL ROMA (preauth)',
    'HOTEL ROMA - AUTHORISATION',
  ])('requires --final-status to import a pending row: "%s"', async (text) => {
    const { doubt } = await readExport(file(text));
    expect(doubt).toMatchObject({
      message: `The text of a row says that it is pending: line 3, "${text}". The bank may still change or drop such rows.`,
      remedy: expect.stringMatching(/^Take them out of the file\. If they are final, use --final-status "[^"]+"\.$/),
      requiresOption: true,
    });
    const finalStatuses = [/"([^"]+)"/.exec(doubt?.remedy ?? '')?.[1] ?? ''];
    expect((await readExport(file(text), { finalStatuses })).doubt?.requiresOption).toBeUndefined();
  });

  it.each(['DECLINED - HOTEL', 'Declined: GRAND HOTEL BUDAPEST 123 MAIN STREET'])(
    'requires --final-status to import a declined row: "%s"',
    async (text) => {
      const { doubt } = await readExport(file(text));
      expect(doubt).toEqual({
        message: `A row may be pending, or may not have happened: line 3 has "${text}" in the column "Description".`,
        remedy: 'Take such rows out of the file. If they are final, use --final-status "declined".',
        requiresOption: true,
      });
      const confirmed = await readExport(file(text), { finalStatuses: ['Declined'] });
      expect(confirmed.doubt?.requiresOption).toBeUndefined();
    },
  );

  it.each([
    'Pending Ltd',
    'The Pending Tray',
    'Deposit for pending invoice 5',
    'Depending - on',
    'Spending - card',
    'Pendleton',
    'Scheduled payment to ACME',
    'Declined payment fee',
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
    expect((await readExport(file(text))).doubt?.requiresOption).toBeUndefined();
  });

  it('needs no option if the balance includes the row', async () => {
    const counted = [
      'Date,Description,Amount,Balance',
      '2024-01-16,Pay,9.00,9.00',
      '2024-01-17,PENDING - Tea,-5.00,4.00',
    ];
    expect((await readExport(counted)).doubt?.requiresOption).toBeUndefined();
  });
});

describe('an unknown status', () => {
  const file = ['Date,Amount,Status', '2024-01-16,-5.00,Completed', '2024-01-17,-6.00,Frobnicated'];

  it('requires --final-status or --skip-status if another status of the file is known', async () => {
    const { doubt, reading } = await readExport(file);
    expect(doubt).toEqual({
      message:
        'The meaning of "Frobnicated" in the column "Status" is unknown: rows with this word may be pending, or may not have happened.',
      remedy: 'Use --final-status "Frobnicated" if it is final, or --skip-status "Frobnicated" to leave out its rows.',
      requiresOption: true,
    });
    expect(reading['unknown status']).toBe('"Frobnicated": counted as booked');
  });

  it('is accepted if --final-status names it; a row with the known status "Pending" is read with --final-status PENDING', async () => {
    expect((await readExport(file, { finalStatuses: ['frobnicated'] })).doubt?.requiresOption).toBeUndefined();
    const pending = ['Date,Amount,Status', '2024-01-16,-5.00,Completed', '2024-01-17,-6.00,Pending'];
    expect((await readExport(pending, { finalStatuses: ['PENDING'] })).rows[1]).toBe('2024-01-17 -6');
  });

  it('causes its row to be skipped with --skip-status, and is quoted in the reason', async () => {
    const { doubt, rows } = await readExport(file, { skippedStatuses: ['frobnicated'] });
    expect(doubt?.requiresOption).toBeUndefined();
    expect(rows).toEqual(['2024-01-16 -5', 'line 3 skipped: its status is "Frobnicated"']);
  });

  const unknown = (...words: readonly string[]) => [
    'Date,Amount,Status',
    ...words.map((word, index) => `2024-01-${10 + index},-5.00,${word}`),
  ];

  it('requires an option if its column is guessed and has several words, all of them unknown', async () => {
    const { doubt } = await readExport(unknown('Frobnicated', 'Grombled', 'Grombled'));
    expect(doubt).toEqual({
      message:
        'The meaning of "Frobnicated", "Grombled" in the column "Status" is unknown: rows with these words may be pending, or may not have happened.',
      remedy:
        'Use --final-status WORD for each of these words that is final, and --skip-status WORD for each other word, to leave out its rows. If the column has no statuses, use --status-column "".',
      requiresOption: true,
    });
  });

  it.each([
    ['a single word', unknown('Grombled', 'Grombled')],
    ['many words', unknown(...Array.from({ length: 20 }, (_, index) => `Word ${index}`))],
  ])('is reported but requires no option if its guessed column has %s and no known status', async (_, rows) => {
    const { doubt, reading } = await readExport(rows);
    expect(doubt?.requiresOption).toBeUndefined();
    expect(reading['unknown status']).toContain('counted as booked');
  });

  it('is reported but requires no option in a column "Info", unless an option names this column', async () => {
    const notes = ['Date,Amount,Info', '2024-01-16,-5.00,N', '2024-01-17,-6.00,J'];
    const { doubt, reading } = await readExport(notes);
    expect(doubt?.requiresOption).toBeUndefined();
    expect(reading['unknown status']).toBe('"N", "J": counted as booked');
    const named = await readExport(notes, { columns: { status: 'Info' } });
    expect(named.doubt?.requiresOption).toBe(true);
  });
});
