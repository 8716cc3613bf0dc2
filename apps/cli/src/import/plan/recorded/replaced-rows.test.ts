import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../../test-support/fake-api.js';
import { ImportBench, summaryOf } from '../../../../test-support/import-in-test.js';
import { writeStatement } from '../../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

const row = (id: string, amount: string, more = '') =>
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260113<TRNAMT>${amount}<FITID>${id}${more}<NAME>RENT JANUARY</STMTTRN>`;
const ofx = (...rows: string[]) =>
  writeStatement(
    `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    'statement.ofx',
  );
const rent = row('F1', '-950');
const correctRent = row('F2', '-905', '<CORRECTFITID>F1<CORRECTACTION>REPLACE');
const flags = ['--account', 'Checking', '--yes'];
const amounts = () => bench.api.movements.map(({ amountDecimal }) => amountDecimal);

describe('a row that replaces another row of the file', () => {
  it('is recorded instead of it, and a second import records nothing', async () => {
    const path = await ofx(rent, correctRent);
    const run = await bench.importing(path, ...flags);
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 1, skipped: 1, failed: 0 });
    expect(run.stderr).toContain('1 skipped: the transaction "F2" in line 6 replaces it');
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 0, replayed: 1, failed: 0 });
    expect(amounts()).toEqual(['905']);
  });

  it('fails if an earlier import recorded the other row, until its movement is voided', async () => {
    await bench.importing(await ofx(rent), ...flags);
    const path = await ofx(rent, correctRent);
    for (const more of [['--dry-run'], []]) {
      const run = await bench.importing(path, ...flags, ...more);
      expect(run.code).toBe(1);
      expect(summaryOf(run).failures).toEqual([
        {
          line: 6,
          reason: `it replaces the transaction "F1", which is recorded as movement ${bench.api.movements[0]?.id}. Correct that movement yourself, or void it and import the file again`,
        },
      ]);
    }
    expect(amounts()).toEqual(['950']);
    await bench.machine.run(['movements', 'void', String(bench.api.movements[0]?.id), '--yes']);
    expect(summaryOf(await bench.importing(path, ...flags))).toMatchObject({ created: 1, failed: 0 });
  });

  it('fails if the other row is already recorded and the credential may not read movements', async () => {
    await bench.importing(await ofx(rent), ...flags);
    bench.api.fault = ({ url }) =>
      url.pathname.endsWith('/movements') && url.search !== '' ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
    const run = await bench.importing(await ofx(rent, correctRent), ...flags);
    expect(summaryOf(run).failures).toMatchObject([
      { reason: expect.stringContaining('which an earlier import recorded. Correct that movement yourself') },
    ]);
    expect(amounts()).toEqual(['950']);
  });
});
