import { describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../../test-support/import-in-test.js';
import { writeStatement } from '../../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const flags = ['--account', 'Checking', '--yes'];

type Row = readonly [day: string, amount: string, text: string];

const writeCsv = (...rows: readonly Row[]) =>
  writeStatement(
    ['Date,Description,Amount', ...rows.map(([day, amount, text]) => `2026-03-${day},${text},${amount}`)].join('\n'),
  );
const writeOfx = (...rows: readonly Row[]) => {
  const entries = rows.map(
    ([day, amount, text], index) =>
      `<STMTTRN><TRNTYPE>${amount.startsWith('-') ? 'DEBIT' : 'CREDIT'}<DTPOSTED>202603${day}<TRNAMT>${amount}<FITID>202603${day}00${index}<NAME>${text}</STMTTRN>`,
  );
  return writeStatement(
    `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>322271627<ACCTID>5512<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${entries.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    'bank.ofx',
  );
};
/** Writes a QIF file. The first transaction has splits with the given amounts. */
const writeQif = (splits: readonly string[], ...rows: readonly Row[]) => {
  const records = rows.map(([day, amount, text], index) => {
    const parts = index === 0 ? splits.map((part, number) => `SPart ${number}\n$${part}\n`).join('') : '';
    return `D03/${day}/2026\nT${amount}\nP${text}\n${parts}^\n`;
  });
  return writeStatement(`!Type:Bank\n${records.join('')}`, 'bank.qif');
};
/** Writes a CAMT.053 file with one batch of two payments. */
const writeBatch = () => {
  const balance = (code: string, amount: string, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const payment = (amount: string, text: string) =>
    `<TxDtls><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
  return writeStatement(
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>USD</Ccy></Acct>${balance('OPBD', '500.00', '2026-03-13')}${balance('CLBD', '400.00', '2026-03-13')}<Ntry><Amt Ccy="USD">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-13</Dt></BookgDt><NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>${payment('60.00', 'Wages Mary Miller')}${payment('40.00', 'Wages John Smith')}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
    'bank.xml',
  );
};

const shop: Row = ['13', '-100.00', 'Whole Foods'];
const others: readonly Row[] = [
  ['14', '-12.00', 'Lidl'],
  ['15', '-13.00', 'Aldi'],
];
const splits = ['-60.00', '-40.00'];

const amountsOf = () =>
  bench.api.movements.map(({ type, amountDecimal }) => `${type === 'expense' ? '-' : ''}${amountDecimal}`).sort();

/**
 * Imports the first file. Then expects that the second file is refused, and that its import with `--skip-recorded` records nothing. Returns
 * the stderr of the refused import.
 */
async function importTwo(first: string, second: string, ...more: readonly string[]) {
  bench.api.addAccount({ name: 'Checking' });
  expect((await bench.importing(first, ...flags, ...more)).code).toBe(0);
  const recorded = amountsOf();
  const refused = await bench.importing(second, ...flags);
  expect(refused.code).toBe(6);
  expect(amountsOf()).toEqual(recorded);
  expect(summaryOf(await bench.importing(second, ...flags, '--skip-recorded'))).toMatchObject({ created: 0 });
  expect(amountsOf()).toEqual(recorded);
  return refused.stderr;
}

describe('a file with the total of a transaction whose parts are recorded', () => {
  it('is refused with exit code 6, and --skip-recorded leaves out the total', async () => {
    const message = await importTwo(await writeQif(splits, shop, ...others), await writeOfx(shop, ...others));
    expect(message).toContain('3 of 3 compared rows');
    expect(message).toContain('"Whole Foods", recorded as "Whole Foods" of -60 USD and "Whole Foods" of -40 USD');
  });

  it('is refused if it has only this row, and the name of the payee is longer', async () => {
    await importTwo(await writeQif(splits, shop), await writeCsv(['13', '-100.00', 'CARD 1234 WHOLE FOODS AUSTIN']));
  });

  it('is refused if the parts are the payments of a batch, and no text is similar', async () => {
    await importTwo(await writeBatch(), await writeCsv(['13', '-100.00', 'Collective order 4711']));
  });

  it('is refused if the parts are an amount and its fee', async () => {
    const withFee = await writeStatement(
      'Date,Description,Amount,Fee,Balance\n2026-03-13,Cash withdrawal,-100.00,2.00,398.00\n2026-03-14,Lidl,-12.00,0.00,386.00\n2026-03-15,Aldi,-13.00,0.00,373.00\n',
    );
    const merged = await writeOfx(['13', '-102.00', 'Cash withdrawal'], ...others);
    await importTwo(withFee, merged, '--fee-column', 'Fee');
  });

  it('is refused if a part has the opposite direction', async () => {
    const salary: Row = ['13', '1500.00', 'ACME Payroll'];
    await importTwo(await writeQif(['2000.00', '-500.00'], salary), await writeOfx(salary));
  });

  it('is refused if other movements of the day have a similar text', async () => {
    const qif = await writeQif(splits, shop, ['13', '-7.00', 'Whole Foods']);
    const csv = await writeCsv(shop, ['13', '-8.50', 'Whole Foods']);
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(qif, ...flags);
    const refused = await bench.importing(csv, ...flags);
    expect(refused.stderr).toContain('1 of 2 compared rows');
    expect(summaryOf(await bench.importing(csv, ...flags, '--skip-recorded'))).toMatchObject({
      created: 1,
      skipped: 1,
    });
    expect(amountsOf()).toEqual(['-40', '-60', '-7', '-8.5']);
  });
});

describe('a file with the parts of a transaction whose total is recorded', () => {
  it('is refused with exit code 6, and --skip-recorded leaves out the parts', async () => {
    const message = await importTwo(await writeOfx(shop, ...others), await writeQif(splits, shop, ...others));
    expect(message).toContain('4 of 4 compared rows');
    expect(message).toContain('-60 USD  "Whole Foods", recorded as a part of "Whole Foods" of -100 USD');
  });

  it('is refused if it has no other rows', async () => {
    await importTwo(await writeOfx(shop), await writeQif(splits, shop));
  });

  it('is refused if the parts are the payments of a batch, and no text is similar', async () => {
    await importTwo(await writeCsv(['13', '-100.00', 'Collective order 4711']), await writeBatch());
  });
});

describe('a file is imported without a question', () => {
  it.each<[why: string, earlier: readonly Row[], rows: readonly Row[]]>([
    [
      'if the texts differ, and other rows of the day match nothing',
      [shop],
      [
        ['13', '-60.00', 'Shell'],
        ['13', '-40.00', 'Dentist'],
        ['13', '-3.00', 'Kiosk'],
      ],
    ],
    [
      'if the texts differ, although rows on separate lines of the file add up to a payment of the day',
      [['13', '-100.00', 'Cash machine'], others[0] as Row],
      [
        ['13', '-60.00', 'Shell'],
        ['13', '-40.00', 'Dentist'],
        ['14', '-3.00', 'Kiosk'],
      ],
    ],
    [
      'if its rows add up to a payment of another day',
      [shop],
      [
        ['14', '-60.00', 'Whole Foods'],
        ['14', '-40.00', 'Whole Foods'],
      ],
    ],
    [
      'if its rows have the texts of a payment of the day, but another sum',
      [shop],
      [
        ['13', '-60.00', 'Whole Foods'],
        ['13', '-40.01', 'Whole Foods'],
      ],
    ],
    [
      'if a row is the sum of recorded payments, but the file also has a row for each of these payments',
      [
        ['13', '-60.00', 'Whole Foods'],
        ['13', '-40.00', 'Whole Foods'],
      ],
      [['13', '-60.00', 'Whole Foods'], ['13', '-40.00', 'Whole Foods'], shop],
    ],
  ])('%s', async (_why, earlier, rows) => {
    bench.api.addAccount({ name: 'Checking' });
    await bench.importing(await writeCsv(...earlier), ...flags);
    const run = await bench.importing(await writeCsv(...rows), ...flags);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ rows: rows.length, failed: 0 });
  });

  it('if the user has split a recorded payment by hand, and imports the file again', async () => {
    bench.api.addAccount({ name: 'Checking' });
    const path = await writeCsv(shop, ...others);
    await bench.importing(path, ...flags);
    Object.assign(bench.api.movements.find(({ amountDecimal }) => amountDecimal === '100') ?? {}, {
      amountDecimal: '60',
    });
    await bench.machine.run([
      ...'movements add --type expense --account Checking --occurred-on 2026-03-13 --amount 40 --description'.split(
        ' ',
      ),
      'Whole Foods',
    ]);
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 3 });
  });
});
