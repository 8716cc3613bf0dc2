import { describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../../test-support/import-in-test.js';
import { writeStatement } from '../../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const flags = ['--account', 'Checking', '--yes'];

const january = [
  '2026-01-26,Payroll ACME Corp,2100.00',
  '2026-01-29,City Water Utility,-61.20',
  '2026-01-31,Whole Foods Market,-84.37',
  '2026-01-31,Shell Service Station,-40.00',
];
const writeCsv = (rows: readonly string[]) => writeStatement(['Date,Description,Amount', ...rows].join('\n'));

type Row = readonly [day: string, amount: string, text: string];

const february: readonly Row[] = [
  ['20260202', '-950.00', 'Elm Street Apartments'],
  ['20260205', '-29.99', 'Anytime Fitness'],
  ['20260210', '2100.00', 'ACME CORP PAYROLL'],
];

/** Writes the OFX file of February, which begins with some rows of January. */
const writeOfx = (first: readonly Row[]) => {
  const entries = [...first, ...february].map(
    ([day, amount, text], index) =>
      `<STMTTRN><TRNTYPE>${amount.startsWith('-') ? 'DEBIT' : 'CREDIT'}<DTPOSTED>${day}120000<TRNAMT>${amount}<FITID>${day}${index}<NAME>${text}</STMTTRN>`,
  );
  return writeStatement(
    `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>322271627<ACCTID>5512<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260131<DTEND>20260228\n${entries.join('\n')}\n</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`,
    'february.ofx',
  );
};

describe('an OFX file whose first rows are in the period of an imported CSV file', () => {
  it.each<[rows: string, first: readonly Row[], message: string, recordedCount: number]>([
    [
      'both are recorded with the same texts',
      [
        ['20260131', '-84.37', 'WHOLE FOODS MARKET'],
        ['20260131', '-40.00', 'SHELL SERVICE STATION'],
      ],
      '2 of 2 compared rows',
      2,
    ],
    [
      'both are recorded with other texts',
      [
        ['20260131', '-84.37', 'POS PURCHASE 004711'],
        ['20260131', '-40.00', 'DEBIT CARD 99812'],
      ],
      '2 of 2 compared rows',
      2,
    ],
    [
      'one is recorded with the same text',
      [
        ['20260131', '-84.37', 'WHOLE FOODS MARKET'],
        ['20260131', '-7.50', 'METRO PARKING'],
      ],
      '1 of 2 compared rows',
      1,
    ],
    [
      'one is recorded with another text',
      [
        ['20260131', '-7.50', 'METRO PARKING'],
        ['20260131', '-40.00', 'DEBIT CARD 99812'],
      ],
      '1 of 2 compared rows',
      1,
    ],
    [
      'one is recorded with the same text, and one with another text',
      [
        ['20260131', '-84.37', 'WHOLE FOODS MARKET'],
        ['20260131', '-40.00', 'DEBIT CARD 99812'],
      ],
      '2 of 2 compared rows',
      2,
    ],
    [
      'two of three are recorded, one of them with another text',
      [
        ['20260131', '-84.37', 'WHOLE FOODS MARKET'],
        ['20260131', '-40.00', 'DEBIT CARD 99812'],
        ['20260131', '-7.50', 'METRO PARKING'],
      ],
      '2 of 3 compared rows',
      2,
    ],
    [
      'both are recorded with similar texts, but one day later',
      [
        ['20260130', '-84.37', 'WHOLE FOODS MARKET 10244'],
        ['20260130', '-40.00', 'SHELL SERVICE STATION'],
      ],
      '2 of 2 compared rows',
      2,
    ],
    [
      'there is only one, which is recorded with another text',
      [['20260131', '-40.00', 'DEBIT CARD 99812']],
      '1 of 1',
      1,
    ],
  ])('is refused with exit code 6 if %s', async (_rows, first, message, recordedCount) => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeCsv(january), ...flags);
    const path = await writeOfx(first);
    const refused = await bench.importing(path, ...flags);
    expect(refused).toMatchObject({ code: 6, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(bench.api.movements).toHaveLength(january.length);
    const run = await bench.importing(path, ...flags, '--skip-recorded');
    expect(summaryOf(run)).toMatchObject({
      created: first.length + february.length - recordedCount,
      alreadyRecorded: recordedCount,
    });
  });

  it.each<[rows: string, first: readonly Row[]]>([
    [
      'none of them is recorded',
      [
        ['20260131', '-12.00', 'CORNER BAKERY'],
        ['20260131', '-7.50', 'METRO PARKING'],
      ],
    ],
    [
      'they have the amounts and texts of recorded rows, but are after all of these rows',
      [
        ['20260201', '-84.37', 'WHOLE FOODS MARKET'],
        ['20260201', '-40.00', 'SHELL SERVICE STATION'],
      ],
    ],
    [
      'one has the amount of a recorded row, but another text and another day',
      [
        ['20260130', '-40.00', 'METRO PARKING'],
        ['20260131', '-12.00', 'CORNER BAKERY'],
      ],
    ],
  ])('is imported without a question if %s', async (_rows, first) => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeCsv(january), ...flags);
    const run = await bench.importing(await writeOfx(first), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: first.length + february.length, replayed: 0 });
  });
});

describe('a payment that was recorded by hand one day before the bank booked it', () => {
  const record = async (text: string) => {
    bench.api.addAccount({ name: 'Checking' });
    const flagsOfAdd = '--type expense --account Checking --occurred-on 2026-02-04 --amount 29.99 --description'.split(
      ' ',
    );
    await bench.machine.run(['movements', 'add', ...flagsOfAdd, text]);
  };

  it('makes the import exit with code 6 if the texts are similar', async () => {
    await record('Fitness');
    const run = await bench.importing(await writeOfx([]), ...flags);
    expect(run).toMatchObject({ code: 6, stdout: '' });
    expect(run.stderr).toContain('"Anytime Fitness", recorded as "Fitness"');
  });

  it('does not stop the import if the texts differ', async () => {
    await record('Shoes');
    const run = await bench.importing(await writeOfx([]), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: february.length });
  });
});

describe('a CSV file that repeats the last day of an imported CSV file', () => {
  const after = ['2026-02-02,Elm Street Apartments,-950.00', '2026-02-05,Anytime Fitness,-29.99'];

  it('is imported without a question if its rows are unchanged', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeCsv(january), ...flags);
    const run = await bench.importing(await writeCsv([...january.slice(2), ...after]), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 2, replayed: 2 });
  });

  it('is refused with exit code 6 if the bank has replaced the text of one row', async () => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeCsv(january), ...flags);
    const rows = ['2026-01-31,Whole Foods Market,-84.37', '2026-01-31,FUEL PUMP 12,-40.00', ...after];
    const run = await bench.importing(await writeCsv(rows), ...flags);
    expect(run).toMatchObject({ code: 6, stdout: '' });
    expect(run.stderr).toContain('"FUEL PUMP 12", recorded as "Shell Service Station"');
  });
});
