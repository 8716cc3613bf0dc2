import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

const row = (day: string, amount: string, id: string, name: string) =>
  `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
const statement = (start: string, end: string, rows: string) =>
  `<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>111<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>${start}<DTEND>${end}\n${rows}</BANKTRANLIST></STMTRS>`;
const write = () =>
  writeStatement(
    [
      'OFXHEADER:100\n\n<OFX>',
      statement('20260301', '20260315', row('20260313', '-45.10', 'f1', 'REWE') + row('20260314', '1500', 'f2', 'Pay')),
      statement('20260310', '20260331', row('20260314', '1500', 'g1', 'Pay') + row('20260317', '-38.00', 'g2', 'ARAL')),
      '</OFX>',
    ].join('\n'),
    'march.ofx',
  );
const importing = (path: string, ...flags: string[]) =>
  bench.importing(path, '--account', 'Checking', '--yes', ...flags);

describe('an import of a file with two statements of overlapping periods that contain the same row under different ids', () => {
  it('exits 2, names the row, and records nothing, even with --yes', async () => {
    const refused = await importing(await write());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('1 row equals a row of an earlier statement of the same days: line 7, 2026-03-14');
    expect(refused.stderr).toContain('Use --skip-recorded to leave it out.');
    expect(bench.api.movements).toEqual([]);
  });

  it('leaves the row out with --skip-recorded, and replays all other rows in the next import', async () => {
    const path = await write();
    expect(summaryOf(await importing(path, '--skip-recorded'))).toMatchObject({ created: 3, skipped: 1, failed: 0 });
    expect(summaryOf(await importing(path, '--skip-recorded'))).toMatchObject({ created: 0, replayed: 3, skipped: 1 });
  });

  it('records both rows with --record-again, and voids both with --undo', async () => {
    const path = await write();
    expect(summaryOf(await importing(path, '--record-again'))).toMatchObject({ created: 4, skipped: 0, failed: 0 });
    bench.api.hasBulk = true;
    const undone = await importing(path, '--undo');
    expect(undone.code).toBe(0);
    expect(bench.api.movements.filter(({ voidedAt }) => voidedAt === undefined)).toEqual([]);
  });
});
