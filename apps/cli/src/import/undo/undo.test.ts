import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, summaryOf, writeManyRows } from '../../../test-support/import-in-test.js';
import { arrived, paid, writeRows } from '../../../test-support/pairs-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
const flags = ['--account', 'Checking', '--yes'];
const undoing = (path: string, ...more: string[]) => bench.importing(path, ...flags, '--undo', ...more);
const voided = () => bench.api.movements.filter(({ voidedAt }) => typeof voidedAt === 'string');

const columns = ['--date-column', 'Date', '--amount-column', 'Amount', '--description-column', 'Description'];

beforeEach(() => {
  bench.api.addAccount({ name: 'Checking' });
  bench.api.hasBulk = true;
});

describe('import --undo', () => {
  it('voids the records that an earlier import of the same file created, and no record of another file', async () => {
    const path = await writeManyRows(230);
    await bench.importing(await writeStatement('Date,Description,Amount\n2026-01-13,Other,-9.00\n'), ...flags);
    await bench.importing(path, ...flags);
    const run = await undoing(path);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toEqual({ rows: 230, voided: 230, alreadyVoided: 0, corrected: 0, notRecorded: 0 });
    expect(run.stderr).toContain('The import of this file recorded 230 records (26565.00 USD of expenses).');
    expect(bench.api.movements.filter(({ voidedAt }) => voidedAt === undefined)).toMatchObject([
      { description: 'Other' },
    ]);
  });

  it('voids nothing when it is run a second time, and counts the rows of the file that were never recorded', async () => {
    const path = await writeManyRows(3);
    await bench.importing(path, ...flags);
    await undoing(path);
    const writes = bench.api.writes.length;
    expect(summaryOf(await undoing(path))).toMatchObject({ voided: 0, alreadyVoided: 3 });
    expect(summaryOf(await undoing(await writeManyRows(5)))).toMatchObject({
      voided: 0,
      alreadyVoided: 3,
      notRecorded: 2,
    });
    expect(bench.api.writes.slice(writes).filter((write) => write.endsWith('/void'))).toEqual([]);
    expect(bench.api.movements).toHaveLength(3);
  });

  it('does not void movements that were corrected after the import, unless --even-corrected is set', async () => {
    const path = await writeManyRows(3);
    await bench.importing(path, ...flags);
    Object.assign(bench.api.movements[1] as object, { version: 2, amountDecimal: '7.00' });
    expect(summaryOf(await undoing(path))).toMatchObject({ voided: 2, corrected: 1 });
    expect(voided()).toHaveLength(2);
    expect(summaryOf(await undoing(path, '--even-corrected'))).toMatchObject({ voided: 1, alreadyVoided: 2 });
    expect(voided()).toHaveLength(3);
  });

  it('prints the number and the total of the records that it would void, and voids none without a confirmation', async () => {
    const path = await writeManyRows(2);
    await bench.importing(path, ...flags);
    const run = await bench.importing(path, ...['--account', 'Checking', '--undo'], ...columns);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Void 2 records (3.00 USD of expenses)? This cannot be undone.');
    const dry = await undoing(path, '--dry-run');
    expect([dry.code, summaryOf(dry)]).toMatchObject([0, { voided: 0 }]);
    expect(voided()).toEqual([]);
  });

  it('voids the remaining records when it is run again after Ctrl-C interrupted it', async () => {
    const path = await writeManyRows(60);
    await bench.importing(path, ...flags);
    bench.api.fault = () => {
      if (voided().length === 20) bench.machine.interruption.abort();
      return undefined;
    };
    const run = await undoing(path);
    expect(run.code).toBe(130);
    const { voided: first } = summaryOf(run) as { voided: number };
    expect(run.stderr).toContain(
      `Interrupted: ${60 - first} of 60 records are not voided. Run the undo again to void the rest.`,
    );
    expect(first).toBe(voided().length);
    await bench.replaceMachine();
    bench.api.fault = () => undefined;
    expect(summaryOf(await undoing(path))).toMatchObject({ voided: 60 - first, alreadyVoided: first });
  });

  it.each(['--record-again', '--skip-recorded', '--create-accounts'])('exits 2 if %s is set', async (flag) => {
    expect((await undoing(await writeManyRows(1), flag)).code).toBe(2);
  });

  it('exits 2 if the server is too old to undo an import', async () => {
    const path = await writeManyRows(1);
    await bench.importing(path, ...flags);
    bench.api.hasBulk = false;
    const run = await undoing(path);
    expect([run.code, run.stderr.includes('This server is too old to undo an import.')]).toEqual([2, true]);
  });

  it('states in its prompt that a later import records the rows again only with --record-again', async () => {
    const path = await writeManyRows(1);
    await bench.importing(path, ...flags);
    const run = await bench.importing(path, ...['--account', 'Checking', '--undo'], ...columns);
    expect(run.stderr).toContain('A later import of the file records them again only with --record-again.');
  });

  it('is required by --even-corrected: an import with --even-corrected but without --undo exits 2', async () => {
    expect((await bench.importing(await writeManyRows(1), ...flags, '--even-corrected')).code).toBe(2);
  });
});

describe('a further import of a file after some or all of its records were voided', () => {
  const again = (path: string, ...more: string[]) => bench.importing(path, ...flags, '--record-again', ...more);
  const open = () => bench.api.movements.filter(({ voidedAt }) => voidedAt === undefined);

  it('records nothing, reports the number of voided records, and names --record-again, even with --quiet', async () => {
    const path = await writeManyRows(3);
    await bench.importing(path, ...flags);
    await undoing(path);
    const run = await bench.importing(path, ...flags, '--quiet');
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 3 });
    expect(run.stderr).toContain('3 of the replayed rows were recorded before and voided later');
    expect(run.stderr).toContain('again, import the file with --record-again.');
    expect(open()).toEqual([]);
  });

  it('with --record-again, records the rows once after each undo, and a further --undo voids these records', async () => {
    const path = await writeManyRows(3);
    await bench.importing(path, ...flags);
    for (const round of [1, 2]) {
      expect(summaryOf(await undoing(path))).toMatchObject({ voided: 3, alreadyVoided: 0, notRecorded: 0 });
      expect(summaryOf(await again(path))).toMatchObject({ created: 3, replayed: 0 });
      expect(summaryOf(await again(path))).toMatchObject({ created: 0, replayed: 3 });
      expect(bench.api.movements).toHaveLength(3 + round * 3);
    }
    const run = await bench.importing(path, ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 3 });
    expect(run.stderr).not.toContain('voided');
    expect(open()).toHaveLength(3);
  });

  it('with --record-again, records only the rows whose movements were voided', async () => {
    const path = await writeManyRows(3);
    await bench.importing(path, ...flags);
    Object.assign(bench.api.movements[1] as object, { voidedAt: '2026-01-20T00:00:00.000Z' });
    expect((await bench.importing(path, ...flags)).stderr).toContain('1 of the replayed rows was recorded before');
    expect(summaryOf(await again(path))).toMatchObject({ created: 1, replayed: 2 });
    expect(open()).toHaveLength(3);
  });

  it('reports the row whose movement was voided, although the file has another row of the same day and amount', async () => {
    const path = await writeStatement('Date,Description,Amount\n2026-01-13,Shop,-5.00\n2026-01-13,Cafe,-5.00');
    await bench.importing(path, ...flags);
    Object.assign(bench.api.movements[0] as object, { voidedAt: '2026-01-20T00:00:00.000Z' });
    const run = await bench.importing(path, ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 2 });
    expect(run.stderr).toContain('1 of the replayed rows was recorded before and voided later');
    expect(summaryOf(await again(path))).toMatchObject({ created: 1, replayed: 1 });
    expect((await bench.importing(path, ...flags)).stderr).not.toContain('voided');
  });

  it('with --record-again and --minus income, records the rows of voided expenses once, as incomes', async () => {
    const path = await writeManyRows(3);
    await bench.importing(path, ...flags);
    await undoing(path);
    const refused = await bench.importing(path, ...flags, '--minus', 'income');
    expect(refused.stderr).toContain('3 of the replayed rows were recorded before and voided later');
    expect(summaryOf(await again(path, '--minus', 'income'))).toMatchObject({ created: 3 });
    expect(summaryOf(await again(path, '--minus', 'income'))).toMatchObject({ created: 0, replayed: 3 });
    expect(open().map(({ type }) => type)).toEqual(['income', 'income', 'income']);
    expect(summaryOf(await undoing(path, '--minus', 'income'))).toMatchObject({ voided: 3, notRecorded: 0 });
    expect(open()).toEqual([]);
  });

  it('with --record-again, records rows that have a FITID (the transaction ID in OFX) only the first time', async () => {
    const rows = ['A1', 'A2'].map(
      (id) => `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260113<TRNAMT>-5.00<FITID>${id}<NAME>${id}</STMTTRN>`,
    );
    const account = '<CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM>';
    const text = `OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>${account}<BANKTRANLIST>${rows.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
    const path = await writeStatement(text, 'bank.ofx');
    await bench.importing(path, ...flags);
    await undoing(path);
    expect(summaryOf(await again(path))).toMatchObject({ created: 2 });
    expect(summaryOf(await again(path))).toMatchObject({ created: 0, replayed: 2 });
    const run = await bench.importing(path, ...flags);
    expect([summaryOf(run), run.stderr.includes('voided')]).toMatchObject([{ replayed: 2 }, false]);
    expect(open().map(({ externalId }) => externalId)).toEqual(['A1', 'A2']);
  });

  it('with --pair-transfers and --record-again, records a pair of rows as a transfer', async () => {
    bench.api.addAccount({ name: 'Platinum Card' });
    const path = await writeRows(paid, arrived);
    const paired = ['--yes', '--pair-transfers'];
    await bench.importing(path, ...paired);
    expect(summaryOf(await bench.importing(path, ...paired, '--undo'))).toMatchObject({ voided: 1 });
    expect(open()).toEqual([]);
    const run = await bench.importing(path, ...paired);
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 2 });
    expect(run.stderr).toContain('2 of the replayed rows were recorded before and voided later');
    expect(summaryOf(await bench.importing(path, ...paired, '--record-again'))).toMatchObject({ created: 2 });
    expect(summaryOf(await bench.importing(path, ...paired, '--record-again'))).toMatchObject({ created: 0 });
    expect(open()).toHaveLength(2);
    expect(summaryOf(await bench.importing(path, ...paired, '--undo'))).toMatchObject({ voided: 1 });
    expect(open()).toEqual([]);
  });

  it('without --pair-transfers, records the rows of a voided transfer only with --record-again', async () => {
    bench.api.addAccount({ name: 'Platinum Card' });
    const path = await writeRows(paid, arrived);
    await bench.importing(path, '--yes', '--pair-transfers');
    await bench.importing(path, '--yes', '--pair-transfers', '--undo');
    const run = await bench.importing(path, '--yes');
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 2, failed: 0 });
    expect(run.stderr).toContain('2 of the replayed rows were recorded before and voided later');
    expect(open()).toEqual([]);
    expect(summaryOf(await bench.importing(path, '--yes', '--record-again'))).toMatchObject({ created: 2 });
    expect(open().map(({ transferGroupId }) => transferGroupId ?? null)).toEqual([null, null]);
    expect(summaryOf(await bench.importing(path, '--yes', '--record-again'))).toMatchObject({
      created: 0,
      replayed: 2,
    });
    expect(summaryOf(await bench.importing(path, '--yes'))).toMatchObject({ created: 0, replayed: 2 });
    expect(open()).toHaveLength(2);
  });
});

it('import --undo --pair-transfers voids both movements of a pair of rows if they were not recorded as a transfer', async () => {
  bench.api.addAccount({ name: 'Platinum Card' });
  await bench.importing(await writeRows(paid), '--yes');
  const path = await writeRows(paid, arrived);
  const paired = ['--yes', '--pair-transfers'];
  expect(summaryOf(await bench.importing(path, ...paired))).toMatchObject({ created: 1, replayed: 1 });
  const run = await bench.importing(path, ...paired, '--undo');
  expect(summaryOf(run)).toMatchObject({ voided: 2, notRecorded: 0 });
});
