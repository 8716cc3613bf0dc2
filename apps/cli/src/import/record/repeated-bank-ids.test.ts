import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

const row = (id: string, amount: string, name: string, day: string) =>
  `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
const ofx = (...rows: string[]) =>
  writeStatement(
    `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join('\n')}</BANKTRANLIST></STMTRS></OFX>`,
    'statement.ofx',
  );
const flags = ['--account', 'Checking', '--yes'];

describe('transaction ids that start again at 1 in each file', () => {
  const january = () => ofx(row('1', '1900', 'Pay', '20260116'), row('2', '-850.50', 'Rent', '20260117'));
  const february = () => ofx(row('1', '1900', 'Pay', '20260216'), row('2', '-850.50', 'Rent', '20260217'));
  const withoutIds = [...flags, '--id-column', ''];

  it('cause failed rows whose reason names --id-column "" before --record-again', async () => {
    await bench.importing(await january(), ...flags);
    const run = await bench.importing(await february(), ...flags);
    const [, rent] = bench.api.movements;
    const reason = `the bank's transaction id of this row was recorded before with other details: movement ${rent?.id} has another day. If the bank used this id for another transaction, import the file with --id-column "". If it is the same transaction, correct this movement, or void it and import the file with --record-again`;
    expect(summaryOf(run)).toMatchObject({ created: 0, failed: 2, failures: [{}, { reason }] });
  });

  it('cause a failed row; the reason names --id-column "" if amount and text differ, but not if only the amount differs', async () => {
    await bench.importing(await january(), ...flags);
    const other = await bench.importing(await ofx(row('2', '-4', 'Bus', '20260117')), ...flags);
    expect(other.stdout).toContain('If the bank used this id for another transaction');
    const changed = await bench.importing(await ofx(row('2', '-4', 'Rent', '20260117')), ...flags);
    expect(summaryOf(changed)).toMatchObject({ failed: 1 });
    expect(changed.stdout).not.toContain('--id-column');
  });

  it('are ignored with --id-column "", so that each file is recorded once', async () => {
    await bench.importing(await january(), ...flags);
    expect(summaryOf(await bench.importing(await february(), ...withoutIds))).toMatchObject({ created: 2, failed: 0 });
    expect(summaryOf(await bench.importing(await february(), ...withoutIds))).toMatchObject({
      created: 0,
      replayed: 2,
    });
    expect(bench.api.movements.map(({ externalId }) => externalId)).toEqual(['1', '2', undefined, undefined]);
  });

  it('are not needed to recognize a recorded file: an import of it with --id-column "" exits 6', async () => {
    await bench.importing(await january(), ...flags);
    const run = await bench.importing(await january(), ...withoutIds);
    expect(run.code).toBe(6);
    expect(run.stderr).toContain('--skip-recorded');
    expect(bench.api.movements).toHaveLength(2);
  });
});
