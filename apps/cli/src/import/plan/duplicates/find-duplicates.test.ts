import { describe, expect, it } from 'vitest';
import { refusal } from '../../../../test-support/fake-api.js';
import { creating, ImportBench, isMovementsUrl, summaryOf } from '../../../../test-support/import-in-test.js';
import { writeHousehold } from '../../../../test-support/pairs-in-test.js';
import { writeStatement } from '../../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const flags = ['--account', 'Checking', '--yes'];

/** Imports with an API key other than that of the test machine. */
const throughAnotherKey = (path: string, ...more: string[]) =>
  bench.machine.run(['import', path, '-o', 'json', ...more], { env: { CENTAVO_TOKEN: 'other-token' } });

/** Writes a file of `count` rows, one for each day. */
function writeDays(count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);
    return `${day},Row ${index},-${index + 1}.50`;
  });
  return writeStatement(['Date,Description,Amount', ...rows].join('\n'));
}

const addByHand = (day: string, amount: string, text: string) =>
  bench.machine.run([
    ...'movements add --type expense --account Checking --occurred-on'.split(' '),
    ...[day, '--amount', amount, '--description', text],
  ]);

describe('a file that was imported with another API key', () => {
  it('is recognized even if the server is too old to list voided movements', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    const issues = [{ path: 'query.includeVoided', code: 'UNKNOWN_FIELD', message: 'Unknown.' }];
    bench.api.fault = ({ url }) =>
      url.searchParams.has('includeVoided') ? refusal(400, 'VALIDATION_ERROR', { details: { issues } }) : undefined;
    const again = await throughAnotherKey(path, ...flags);
    expect(again.stderr).toContain('5 of 5 compared rows seem to be in Checking already');
  });

  it('is refused with exit code 6; the message names the account, the API key, --skip-recorded and --record-again', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(100);
    await bench.importing(path, ...flags);
    const sent = bench.api.requests.length;
    const again = await throughAnotherKey(path, ...flags);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain(
      '100 of 100 compared rows seem to be in Checking already, recorded by key id-of-test-token, but not from this file:',
    );
    expect(again.stderr).toContain('  line 3  2025-01-02  -2.5 USD  "Row 1", recorded as "Row 1"\n');
    expect(again.stderr).toContain('  and 95 more\n');
    expect(again.stderr).toMatch(/try: Use --skip-recorded to record only the other rows\. Use --record-again/);
    expect(bench.api.movements).toHaveLength(100);
    // One request each for the accounts, the transfers, the movements of the period, and a look-up of all 100 keys. The
    // fake API behaves like an old server, which refuses this look-up, so each key then needs its own request.
    expect(bench.api.requests.length - sent).toBe(104);
  });

  it('is recorded again with --record-again, without a search for duplicates', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(30);
    await bench.importing(path, ...flags);
    const sent = bench.api.writes.length;
    const again = await throughAnotherKey(path, ...flags, '--record-again');
    expect(summaryOf(again)).toMatchObject({ created: 30 });
    expect(bench.api.writes.slice(sent).filter((write) => write === 'POST /movements')).toHaveLength(30);
    expect(summaryOf(await throughAnotherKey(path, ...flags))).toMatchObject({ created: 0, replayed: 30 });
  });

  it('is skipped or recorded as the user answers, and the import exits 6 if the user declines both', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(3);
    await bench.importing(path, ...flags);
    const named = ['--account', 'Checking', '--date-column', 'Date', '--amount-column', 'Amount'];
    const asking = (...answers: boolean[]) =>
      bench.machine.run(['import', path, ...named], { answers, env: { CENTAVO_TOKEN: 'other-token' } });
    const refused = await asking(false, false);
    expect(refused.code).toBe(6);
    expect(refused.questions).toEqual(['Omit these rows and record the others?', 'Record these rows again?']);
    expect(refused.stderr).toContain('3 of 3 compared rows seem to be in Checking already');
    expect(bench.api.movements).toHaveLength(3);
    expect((await asking(true)).code).toBe(0);
    expect(bench.api.movements).toHaveLength(3);
    expect((await asking(false, true)).code).toBe(0);
    expect(bench.api.movements).toHaveLength(6);
  });

  it('makes a dry run print its plan, and exit 6 with the error message of an import without --dry-run', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    const run = await throughAnotherKey(path, ...flags, '--dry-run');
    expect(run.code).toBe(6);
    expect(summaryOf(run)).toMatchObject({ dryRun: true, rows: 5, wouldRecord: 5 });
    const refused = await throughAnotherKey(path, ...flags);
    expect(refused.stderr).toContain('5 of 5 compared rows seem to be in Checking already');
    expect(run.stderr).toContain(refused.stderr.slice(refused.stderr.indexOf('centavo: ')));
    expect(bench.api.movements).toHaveLength(5);
  });

  it('is recognized at the beginning of a longer file, or if its rows have no description', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeDays(30), ...flags);
    expect((await throughAnotherKey(await writeDays(60), ...flags)).code).toBe(6);
    const bare = await writeStatement('Date,Amount\n2026-01-13,-5.00\n2026-01-14,-6.00\n');
    await bench.importing(bare, ...flags);
    expect((await throughAnotherKey(bare, ...flags)).code).toBe(6);
  });

  it('is recognized if all rows are on one day, and the server returns the movements of this day in several pages', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const rows = Array.from({ length: 450 }, (_, index) => `2026-01-13,Row ${index},-${index + 1}.00`);
    const path = await writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    await bench.importing(path, ...flags);
    const again = await throughAnotherKey(path, ...flags);
    expect(again.stderr).toContain('At least 200 of 450 compared rows');
  });

  it('is recognized with --pair-transfers', async () => {
    const path = await writeHousehold();
    await bench.importing(path, ...creating);
    const again = await throughAnotherKey(path, ...creating, '--pair-transfers');
    expect(again.code).toBe(6);
    expect(again.stderr).toContain('3 of 3 compared rows seem to be in Checking, Platinum Card already');
    expect(bench.api.records.transfers).toEqual([]);
  });

  it('is recognized by the rows that are not in transfers', async () => {
    const path = await writeHousehold();
    await bench.importing(path, ...creating, '--pair-transfers');
    const again = await throughAnotherKey(path, ...creating, '--pair-transfers');
    expect(again.stderr).toContain('1 of 2 compared rows seems to be in Checking already');
    expect(bench.api.movements).toHaveLength(3);
  });
});

describe('a file of which an earlier import recorded all rows but one', () => {
  /** Writes a file of ten rows. The third row has the category `category`, and the other rows have `Food`. */
  const writeWithCategory = (category: string) => {
    const rows = Array.from(
      { length: 10 },
      (_, index) => `2025-01-${10 + index},Row ${index},-${index + 1}.50,${index === 2 ? category : 'Food'}`,
    );
    return writeStatement(['Date,Description,Amount,Category', ...rows].join('\n'));
  };

  it('is refused with exit code 6 if the remaining row differs from a movement only in its category', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeWithCategory('Food'), ...flags);
    const path = await writeWithCategory('Travel');
    const again = await bench.importing(path, ...flags);
    expect(again).toMatchObject({ code: 6 });
    expect(again.stderr).toContain('1 of 10 compared rows seems to be in Checking already');
    expect(bench.api.movements).toHaveLength(10);
    expect(summaryOf(await bench.importing(path, ...flags, '--skip-recorded'))).toMatchObject({
      replayed: 9,
      skipped: 1,
    });
  });
});

describe('a file with a row that an earlier import recorded on another day', () => {
  const days = Array.from({ length: 8 }, (_, index) => `2025-01-${10 + index},Row ${index},-${index + 1}.50`);
  const write = (...more: string[]) => writeStatement(['Date,Description,Amount', ...days, ...more].join('\n'));

  it('is refused with exit code 6 if the file no longer contains the row with the recorded day', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await write('2025-01-14,HOTEL BERLIN,-80.00'), ...flags);
    const path = await write('2025-01-16,HOTEL BERLIN,-80.00', '2025-01-17,Bar,-9.00');
    const again = await bench.importing(path, ...flags);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain('recorded as "HOTEL BERLIN" on 2025-01-14');
    expect(summaryOf(await bench.importing(path, ...flags, '--skip-recorded'))).toMatchObject({
      created: 1,
      skipped: 1,
    });
  });

  it('is imported without a question if the file still contains the row with the recorded day, or if both day and text have changed', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await write('2025-01-14,HOTEL BERLIN,-80.00'), ...flags);
    const both = await write('2025-01-14,HOTEL BERLIN,-80.00', '2025-01-16,HOTEL BERLIN,-80.00');
    expect(summaryOf(await bench.importing(both, ...flags))).toMatchObject({ created: 1, replayed: 9 });
    const other = await write('2025-01-15,Dentist,-80.00');
    expect(summaryOf(await bench.importing(other, ...flags))).toMatchObject({ created: 1, replayed: 8 });
  });
});

describe('a file with transaction ids and a row that an earlier import recorded on another day with another id', () => {
  type Row = readonly [day: number, amount: string, id: string, text: string];
  const writeOfx = (...rows: readonly Row[]) => {
    const entries = rows.map(
      ([day, amount, id, text]) =>
        `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>202601${day}<TRNAMT>${amount}<FITID>${id}<NAME>${text}</STMTTRN>`,
    );
    return writeStatement(
      `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${entries.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
      'bank.ofx',
    );
  };
  const writeCsv = (...rows: readonly Row[]) => {
    const lines = rows.map(([day, amount, id, text]) => `2026-01-${day},${text},${amount},TX000000${id}`);
    return writeStatement(['Date,Description,Amount,Transaction ID', ...lines].join('\n'));
  };
  const shop: Row = [13, '-12.50', 'A1', 'Shop'];
  const salary: Row = [14, '1500.00', 'A2', 'Salary'];
  const pending: Row = [15, '-45.00', 'A3', 'SHELL OIL 123456'];
  const booked: Row = [17, '-45.00', 'A9', 'SHELL OIL 123456 HOUSTON TX'];
  /** New rows, so that a single matching row is less than a fifth of the compared rows. */
  const newRows = Array.from({ length: 6 }, (_, index): Row => [15, `-${index + 1}.10`, `N${index}`, `New ${index}`]);

  describe.each([
    ['OFX', writeOfx],
    ['CSV', writeCsv],
  ])('in %s', (_format, write) => {
    it.each([
      ['without new rows', []],
      ['with many new rows', newRows],
    ])('is refused with exit code 6 if no row has the earlier transaction id: %s', async (_rows, more) => {
      bench.api.addAccount({ name: 'Checking' });
      await bench.importing(await write(shop, salary, pending), ...flags);
      const path = await write(shop, salary, ...more, booked);
      const again = await bench.importing(path, ...flags);
      expect(again.code).toBe(6);
      expect(again.stderr).toContain('recorded as "SHELL OIL 123456" on 2026-01-15');
      expect(bench.api.movements).toHaveLength(3);
      expect(summaryOf(await bench.importing(path, ...flags, '--skip-recorded'))).toMatchObject({
        created: more.length,
        replayed: 2,
        skipped: 1,
      });
    });

    it.each([
      ['below', (rows: readonly Row[], others: readonly Row[]) => [...others, ...rows]],
      ['above', (rows: readonly Row[], others: readonly Row[]) => [...rows, ...others]],
    ])('is refused with exit code 6 if the rows of the earlier import are %s 20,000 new rows', async (_place, join) => {
      bench.api.addAccount({ name: 'Checking' });
      await bench.importing(await write(shop, salary, pending), ...flags);
      const others = Array.from(
        { length: 20_000 },
        (_, index): Row => [12, `-${index}.37`, `M${index}`, `Shop ${index}`],
      );
      const path = await write(...join([shop, salary, booked], others));
      const again = await bench.importing(path, ...flags);
      expect(again.code).toBe(6);
      expect(again.stderr).toContain('recorded as "SHELL OIL 123456" on 2026-01-15');
      expect(bench.api.movements).toHaveLength(3);
    });

    it('is imported without a question if a row has the earlier transaction id', async () => {
      bench.api.addAccount({ name: 'Checking' });
      await bench.importing(await write(shop, salary, pending), ...flags);
      const path = await write(booked, shop, salary, pending);
      expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 1, replayed: 3 });
    });

    it('is imported without a question if the recorded day is before the first day of the file', async () => {
      bench.api.addAccount({ name: 'Checking' });
      await bench.importing(await write([13, '-2.50', 'A1', 'Kiosk'], salary), ...flags);
      const path = await write(salary, [15, '-12.50', 'A3', 'LIDL'], [16, '-2.50', 'A4', 'Kiosk']);
      expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 2, replayed: 1 });
    });
  });

  it('is imported without a question if a row has the earlier transaction id, even if the day of its movement was corrected', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeOfx(shop, salary, pending), ...flags);
    Object.assign(bench.api.movements.find(({ externalId }) => externalId === 'A3') ?? {}, {
      occurredOn: '2026-01-16',
    });
    const path = await writeOfx(booked, pending, salary, shop);
    const run = await bench.importing(path, ...flags);
    expect(run.code).not.toBe(6);
    expect(summaryOf(run)).toMatchObject({ created: 1 });
  });
});

describe('a file with the booking of a payment that an earlier file contained as an authorization', () => {
  const write = (...rows: readonly string[]) => writeStatement(['Date,Description,Amount', ...rows].join('\n'));
  const bakery = '2026-03-10,Bakery,-1.00';
  const kiosk = '2026-03-13,Kiosk,-2.00';
  const hotel = '2026-03-14,HOTEL ROMA,-120.00';
  const bar = '2026-03-17,Bar,-3.00';

  it.each(['AUTH 99812', 'Authorization 4711', 'Hold 4711', 'Réservation carte', 'Reservierung', 'Autorización 4711'])(
    'is refused with exit code 6 if the recorded text is "%s", and no row of the file has this text',
    async (text) => {
      bench.api.addAccount({ name: 'Checking' });
      await bench.importing(await write(bakery, `2026-03-12,${text},-120.00`, kiosk), ...flags);
      const path = await write(bakery, kiosk, hotel, bar);
      const again = await bench.importing(path, ...flags);
      expect(again.code).toBe(6);
      expect(again.stderr).toContain(`recorded as "${text}" on 2026-03-12`);
      expect(summaryOf(await bench.importing(path, ...flags, '--skip-recorded'))).toMatchObject({
        created: 1,
        replayed: 2,
        skipped: 1,
      });
    },
  );

  it.each([
    [
      'has the name of a merchant that begins with "Auth"',
      '2026-03-12,Authentic Pizza,-120.00',
      [bakery, kiosk, hotel],
    ],
    ['is later than the row', '2026-03-15,AUTH 99812,-120.00', [bakery, kiosk, hotel, bar]],
    ['is also in the file', '2026-03-12,AUTH 99812,-120.00', [bakery, '2026-03-12,AUTH 99812,-120.00', kiosk, hotel]],
    ['is earlier than the first row of the file', '2026-03-12,AUTH 99812,-120.00', [kiosk, hotel]],
  ])('is imported without a question if the recorded payment %s', async (_reason, recorded, rows) => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await write(bakery, recorded, kiosk), ...flags);
    const run = await bench.importing(await write(...rows), ...flags);
    expect(run.code).toBe(0);
    expect(bench.api.movements.filter(({ description }) => description === 'HOTEL ROMA')).toHaveLength(1);
  });
});

describe('a file that begins one day after a recorded payment, and has a row with the amount of this payment', () => {
  const write = (...rows: readonly string[]) => writeStatement(['Date,Description,Amount', ...rows].join('\n'));
  const earlier = ['2026-03-10,Bakery,-1.00', '2026-03-12,HOTEL ROMA,-120.00', '2026-03-13,Kiosk,-2.00'];

  it.each([
    ['the same text', 'HOTEL ROMA'],
    ['a longer text', 'CARD HOTEL ROMA ROMA IT'],
  ])('is refused with exit code 6 if this row has %s, and another row is a replay', async (_text, text) => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await write(...earlier), ...flags);
    const path = await write('2026-03-13,Kiosk,-2.00', `2026-03-14,${text},-120.00`, '2026-03-17,Bar,-3.00');
    const again = await bench.importing(path, ...flags);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain('recorded as "HOTEL ROMA" on 2026-03-12');
    expect(summaryOf(await bench.importing(path, ...flags, '--skip-recorded'))).toMatchObject({
      created: 1,
      replayed: 1,
      skipped: 1,
    });
  });

  it('is refused with exit code 6 if this row has a transaction id, but the recorded payment has none', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await write(...earlier), ...flags);
    const rows = ['2026-03-13,Kiosk,-2.00,TX000000B1', '2026-03-14,HOTEL ROMA,-120.00,TX000000B2'];
    const later = await writeStatement(['Date,Description,Amount,Transaction ID', ...rows].join('\n'));
    const again = await bench.importing(later, ...flags);
    expect(again.stderr).toContain('recorded as "HOTEL ROMA" on 2026-03-12');
    expect(again.code).toBe(6);
  });

  it.each<[why: string, earlier: readonly string[], rows: readonly string[]]>([
    [
      'the payment recurs in the account',
      ['2026-03-11,Coffee Bar,-2.50', '2026-03-12,Coffee Bar,-2.50', '2026-03-13,Kiosk,-2.00'],
      ['2026-03-13,Kiosk,-2.00', '2026-03-14,Coffee Bar,-2.50'],
    ],
    [
      'the payment of the first day is a replay',
      ['2026-03-12,Coffee Bar,-2.50', '2026-03-13,Coffee Bar,-2.50'],
      ['2026-03-13,Coffee Bar,-2.50', '2026-03-14,Coffee Bar,-2.50'],
    ],
    [
      'the payment recurs in the file',
      ['2026-03-12,Coffee Bar,-2.50', '2026-03-13,Kiosk,-2.00'],
      ['2026-03-13,Kiosk,-2.00', '2026-03-14,Coffee Bar,-2.50', '2026-03-24,Coffee Bar,-2.50'],
    ],
    [
      'no row is a replay',
      ['2026-03-12,HOTEL ROMA,-120.00'],
      ['2026-03-13,HOTEL ROMA,-120.00', '2026-03-14,Kiosk,-2.00'],
    ],
    ['the text is different', earlier, ['2026-03-13,Kiosk,-2.00', '2026-03-14,Dentist,-120.00']],
    ['the payment is four days earlier', earlier, ['2026-03-13,Kiosk,-2.00', '2026-03-16,HOTEL ROMA,-120.00']],
  ])('is imported without a question if %s', async (_why, recorded, rows) => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await write(...recorded), ...flags);
    const newRows = rows.filter((row) => !recorded.includes(row));
    const run = await bench.importing(await write(...rows), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: newRows.length, replayed: rows.length - newRows.length });
  });
});

describe('an import that possible duplicates do not stop', () => {
  it('replays the rows that its API key has recorded, even if the file has new rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeDays(25), ...flags);
    expect(summaryOf(await bench.importing(await writeDays(25), ...flags))).toMatchObject({ replayed: 25 });
    expect(summaryOf(await bench.importing(await writeDays(50), ...flags))).toMatchObject({ created: 25 });
  });

  it('replays the rows that were recorded before the API key was rotated', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(25);
    await bench.importing(path, ...flags);
    bench.api.keyOwners.set('other-token', 'test-token');
    expect(summaryOf(await throughAnotherKey(path, ...flags))).toMatchObject({ created: 0, replayed: 25 });
  });

  it('records all five rows of a day, although a movement entered by hand equals one of them', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await addByHand('2025-01-01', '1.50', 'Row 0');
    const rows = Array.from({ length: 5 }, (_, index) => `2025-01-01,Row ${index},-${index + 1}.50`);
    const path = await writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 5 });
  });

  it('records rows that differ from recorded movements in text, direction, day or account', async () => {
    for (const name of ['Checking', 'Savings']) bench.api.addAccount({ name });
    await bench.importing(await writeDays(3), '--account', 'Savings', '--yes');
    await addByHand('2025-01-01', '1.50', 'Another');
    await addByHand('2025-01-03', '2.50', 'Row 1');
    await bench.machine.run([
      ...'movements add --type income --account Checking --occurred-on 2025-01-03 --amount 3.50'.split(' '),
      ...['--description', 'Row 2'],
    ]);
    expect(summaryOf(await throughAnotherKey(await writeDays(3), ...flags))).toMatchObject({ created: 3 });
  });

  it('replays the rows of an export of the same tracker, which contain the ids of their movements', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await addByHand('2026-01-13', '5', 'Tea');
    const path = await writeStatement((await bench.machine.run('movements export')).stdout);
    expect(summaryOf(await throughAnotherKey(path, '--yes'))).toMatchObject({ created: 0, replayed: 1 });
  });

  it('records all rows, and warns once about possible duplicates, if the API key may not read movements', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    bench.api.fault = ({ url, body }) =>
      isMovementsUrl(url) && body.type === undefined ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
    const again = await throughAnotherKey(path, ...flags);
    expect(summaryOf(again)).toMatchObject({ created: 5 });
    expect(again.stderr.split('movements:read')).toHaveLength(2);
    expect(again.stderr).toContain(
      'It may record a row a second time if the row is one side of a recorded transfer, or was recorded from another file, by hand, or by another user or key',
    );
  });

  it('reports in a dry run that it cannot find duplicates, if the API key may not record movements', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeDays(5);
    await bench.importing(path, ...flags);
    bench.api.fault = ({ body }) => (body.type === undefined ? undefined : refusal(403, 'INSUFFICIENT_SCOPE'));
    const run = await throughAnotherKey(path, ...flags, '--dry-run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('This API key may not record');
  });
});

describe('an import of transactions that an earlier file contained', () => {
  const ofx = (...rows: readonly (readonly [day: string, amount: string, id: string, texts: string])[]) => {
    const entries = rows.map(
      ([day, amount, id, texts]) =>
        `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}120000<TRNAMT>${amount}<FITID>${id}${texts}</STMTTRN>`,
    );
    return writeStatement(
      `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${entries.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
      'bank.ofx',
    );
  };
  const month = [
    '2026-01-13,GROCER Ltd.,London,-20.00',
    '2026-01-14,Salary,Employer,500.00',
    '2026-01-15,Coffee,,-3.00',
  ];
  const csv = (...rows: string[]) => writeStatement(['Date,Description,Merchant,Amount', ...rows].join('\n'));
  const grocer = (id: string) => ['20260113', '-20.00', id, '<NAME>London Grocer<MEMO>Ltd'] as const;
  const salary = (id: string) => ['20260114', '500.00', id, '<NAME>Employer<MEMO>SALARY'] as const;
  const coffee = (id: string) => ['20260115', '-3.00', id, '<NAME>COFFEE'] as const;
  const kiosk = (id: string) => ['20260120', '-7.00', id, '<NAME>Kiosk'] as const;

  it('exits 6 for an OFX file if the earlier file is a CSV file; with --skip-recorded, it records only the new transactions', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await csv(...month), ...flags);
    const path = await ofx(grocer('C0'), salary('C1'), coffee('C2'), kiosk('C3'));
    const refused = await bench.importing(path, ...flags);
    expect(refused).toMatchObject({ code: 6, stdout: '' });
    expect(refused.stderr).toContain('3 of 3 compared rows');
    expect(refused.stderr).toContain('2026-01-13  -20 USD  "Ltd London Grocer", recorded as "GROCER Ltd. London"');
    expect(bench.api.movements).toHaveLength(3);
    const run = await bench.importing(path, ...flags, '--skip-recorded');
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ rows: 4, created: 1, replayed: 0, skipped: 3, alreadyRecorded: 3 });
    expect(run.stderr).toContain('3 skipped: already recorded, but not from this file');
    const again = await bench.importing(path, ...flags, '--skip-recorded');
    expect(summaryOf(again)).toMatchObject({ created: 0, replayed: 1, alreadyRecorded: 3 });
    expect(bench.api.movements).toHaveLength(4);
  });

  it('plans only the new transactions in a dry run with --skip-recorded', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await csv(...month), ...flags);
    const path = await ofx(grocer('C0'), salary('C1'), coffee('C2'), kiosk('C3'));
    const run = await bench.importing(path, ...flags, '--skip-recorded', '--dry-run');
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ wouldRecord: 1, skipped: 3, alreadyRecorded: 3 });
  });

  it('exits 6 if the bank has changed the ids of the transactions', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await ofx(grocer('A0'), salary('A1')), ...flags);
    const run = await bench.importing(await ofx(grocer('B0'), salary('B1'), kiosk('B2')), ...flags);
    expect(run).toMatchObject({ code: 6, stdout: '' });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('records only the new transactions if the recorded transactions have kept their transaction ids', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await ofx(grocer('A0'), coffee('A1')), ...flags);
    // The new coffee is listed before the recorded coffee.
    const path = await ofx(grocer('A0'), coffee('A2'), coffee('A1'), kiosk('A3'));
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 2, replayed: 2 });
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 4 });
  });

  it.each([
    ['first', ['A2', 'A1']],
    ['last', ['A1', 'A2']],
  ])('with --skip-recorded, records the new one of two equal rows if it is %s in the file', async (_, ids) => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await ofx(coffee('A1')), ...flags);
    const path = await ofx(...ids.map((id) => coffee(id)));
    const run = await bench.importing(path, ...flags, '--skip-recorded');
    expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 1, skipped: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('with --skip-recorded, records one of two equal payments if the earlier file contained only one of them', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await csv('2026-01-15,Coffee,,-3.00'), ...flags);
    const path = await ofx(coffee('C1'), coffee('C2'));
    const run = await bench.importing(path, ...flags, '--skip-recorded');
    expect(summaryOf(run)).toMatchObject({ created: 1, alreadyRecorded: 1 });
  });

  it('records transactions of the next month, although one has the amount and text of an earlier transaction', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await ofx(grocer('A0'), coffee('A1')), ...flags);
    const next = await ofx(['20260213', '-20.00', 'D0', '<NAME>London Grocer<MEMO>Ltd'], kiosk('D1'));
    expect(summaryOf(await bench.importing(next, ...flags))).toMatchObject({ created: 2 });
  });

  it('creates no transfer from a row that --skip-recorded omits', async () => {
    for (const name of ['Checking', 'Savings']) bench.api.addAccount({ name });
    await addByHand('2026-01-13', '80', 'To savings');
    const path = await writeStatement(
      'Date,Amount,Account,Description\n2026-01-13,-80.00,Checking,To savings\n2026-01-14,80.00,Savings,From checking\n',
    );
    const run = await bench.importing(path, '--yes', '--pair-transfers', '--skip-recorded');
    expect(summaryOf(run)).toMatchObject({ created: 1, alreadyRecorded: 1 });
    expect(bench.api.records.transfers).toEqual([]);
  });

  it('exits 2 with --skip-recorded if the API key may not read movements, or if --record-again is set', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await csv(...month);
    expect(await bench.importing(path, ...flags, '--skip-recorded', '--record-again')).toMatchObject({ code: 2 });
    bench.api.fault = ({ url, body }) =>
      isMovementsUrl(url) && body.type === undefined ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
    const run = await bench.importing(path, ...flags, '--skip-recorded');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('This key may not read movements (movements:read)');
    expect(bench.api.movements).toEqual([]);
  });
});

describe('an import of recorded transactions, some with a changed text and day', () => {
  const csv = `Date,Description,Amount
2026-01-10,Kiosk,-1.10
2026-01-13,Corner shop,-5.10
2026-01-14,Baker,-6.20
2026-01-20,Pay,900.00
2026-01-24,Cinema,-9.90
`;
  const transaction = ([day, amount, name]: readonly string[]) =>
    `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${day}${amount}<NAME>${name}</STMTTRN>`;
  const ofx = (rows: readonly (readonly string[])[]) => {
    const account = '<CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>77<ACCTTYPE>CHECKING</BANKACCTFROM>';
    const list = `<BANKTRANLIST>${rows.map(transaction).join('')}</BANKTRANLIST>`;
    return `OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>${account}${list}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
  };
  const shifted = [
    ['20260112', '-1.10', 'CARD 4710'],
    ['20260115', '-5.10', 'CARD 4711'],
    ['20260114', '-6.20', 'CARD 4712'],
    ['20260121', '900.00', 'ACME'],
    ['20260125', '-9.90', 'CARD 4713'],
  ];

  it('exits 6 and lists the days and texts of both files; with --skip-recorded, records only the new row', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeStatement(csv), ...flags);
    const path = await writeStatement(ofx([...shifted, ['20260116', '-7.30', 'NEW']]), 'statement.ofx');
    const again = await bench.importing(path, ...flags);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain('5 of 5 compared rows seem to be in Checking already');
    expect(again.stderr).toContain('"CARD 4711", recorded as "Corner shop" on 2026-01-13');
    expect(bench.api.movements).toHaveLength(5);
    expect(summaryOf(await bench.importing(path, ...flags, '--skip-recorded'))).toMatchObject({ created: 1 });
    const all = await bench.importing(path, ...flags, '--record-again');
    expect(summaryOf(all)).toMatchObject({ created: 5, replayed: 1 });
  });

  it.each([
    ['only two rows match, on other days and with other texts', shifted.slice(0, 2)],
    ['5 of 9 rows match', [...shifted, ...[1, 2, 3, 4].map((cents) => ['20260116', `-8.0${cents}`, `NEW ${cents}`])]],
    [
      'only two rows are within three days of a movement with the same amount',
      shifted.map(([, amount = '', name = '']) => ['20260117', amount, name]),
    ],
    ['only one row matches', [1, 2, 3].map((day) => [`2026012${4 + day}`, '-9.90', `CARD ${day}`])],
  ])('records all rows, because they may be new payments, if %s', async (_rows, rows) => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeStatement(csv), ...flags);
    const path = await writeStatement(ofx(rows), 'statement.ofx');
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: rows.length });
  });

  it.each([3, 4])('exits 6 if each of %i rows has a new text and is one day later than recorded', async (count) => {
    bench.api.addAccount({ name: 'Checking' });
    const write = (firstDay: number, text: string) => {
      const rows = Array.from(
        { length: count },
        (_, row) => `2026-01-${firstDay + 2 * row},${text} ${row},-2${row}.50`,
      );
      return writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    };
    await bench.importing(await write(10, 'Shop'), ...flags);
    const again = await bench.importing(await write(11, 'CARD'), ...flags);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain(`${count} of ${count} compared rows seem to be in Checking already`);
    expect(bench.api.movements).toHaveLength(count);
  });

  it('records new rows of later days, although their amounts equal those of recorded rows', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const write = (...days: readonly number[]) => {
      const rows = days.flatMap((day) =>
        ['3.00', '2.50', '9.90'].map((price) => `2026-01-${day},Shop ${day},-${price}`),
      );
      return writeStatement(['Date,Description,Amount', ...rows].join('\n'));
    };
    await bench.importing(await write(13, 14, 15), ...flags);
    const run = await bench.importing(await write(15, 16, 17), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 6, replayed: 3 });
  });

  it('recognizes one row as recorded although its text and day have changed, if all other rows are unchanged', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeStatement(csv), ...flags);
    const rows = csv
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',') as [string, string, string]);
    const same = rows.map(([day, text, amount]) => [day.replaceAll('-', ''), amount, text]);
    const path = await writeStatement(
      ofx([...same.slice(0, 2), ['20260115', '-6.20', 'CARD 4712'], ...same.slice(3)]),
      'statement.ofx',
    );
    expect((await bench.importing(path, ...flags)).stderr).toContain('5 of 5 compared rows');
    expect(summaryOf(await bench.importing(path, ...flags, '--skip-recorded'))).toMatchObject({ created: 0 });
  });

  it('records a single new row with --skip-recorded, although a movement with another text and day has the same amount', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeStatement(csv), ...flags);
    await addByHand('2026-01-16', '7.30', 'Bus');
    const path = await writeStatement(`${csv}2026-01-17,Tram,-7.30\n`);
    expect(summaryOf(await bench.importing(path, ...flags, '--skip-recorded'))).toMatchObject({ created: 1 });
  });

  it('replays the rows of a recorded file after the descriptions of their movements were edited', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeStatement(csv);
    await bench.importing(path, ...flags);
    for (const movement of bench.api.movements) Object.assign(movement, { description: 'Renamed' });
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 5 });
  });
});
