import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => bench.api.addAccount({ name: 'Checking' }));

const row = (id: string, amount: string, name: string) =>
  `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260113<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
const ofx = (...rows: string[]) =>
  writeStatement(
    `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${rows.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    'statement.ofx',
  );
const flags = ['--account', 'Checking', '--yes'];

/** Imports with another API key, which has separate idempotency keys. */
const importingWithOtherKey = (path: string) =>
  bench.machine.run(['import', path, '-o', 'json', ...flags], { env: { CENTAVO_TOKEN: 'other-token' } });

describe("the bank's id of a row", () => {
  it('is stored as externalId, unless it occurs twice in the file', async () => {
    await bench.importing(
      await ofx(row('F1', '-5', 'Shop'), row('F2', '-6', 'Cafe'), row('F2', '-7', 'Bar')),
      ...flags,
    );
    const ids = bench.api.movements.map(({ amountDecimal, externalId }) => [amountDecimal, externalId]);
    expect(Object.fromEntries(ids)).toEqual({ 5: 'F1', 6: undefined, 7: undefined });
  });

  it('identifies the rows that another API key recorded, so that they count as replayed', async () => {
    const path = await ofx(row('F1', '-5', 'Shop'), row('F2', '-6', 'Cafe'));
    await bench.importing(path, ...flags);
    const run = await importingWithOtherKey(path);
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toMatchObject({ rows: 2, created: 0, replayed: 2, failed: 0 });
    expect(bench.api.movements).toHaveLength(2);
  });

  it('causes a failure that names the movement if the row and the movement have different amounts', async () => {
    await bench.importing(await ofx(row('F1', '-5', 'Shop')), ...flags);
    const run = await importingWithOtherKey(await ofx(row('F1', '-8', 'Shop')));
    expect(run.code).toBe(1);
    expect(summaryOf(run)).toMatchObject({ created: 0, failed: 1 });
    expect(run.stdout).toContain(String(bench.api.movements[0]?.id));
    expect(bench.api.movements).toHaveLength(1);
  });

  it('causes a failed row if the API key may not read the movement', async () => {
    await bench.importing(await ofx(row('F1', '-5', 'Shop')), ...flags);
    bench.api.fault = ({ url }) =>
      /\/movements\/(?!bulk)/.test(url.pathname) ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
    const run = await importingWithOtherKey(await ofx(row('F1', '-5', 'Shop')));
    expect(summaryOf(run)).toMatchObject({ created: 0, failed: 1 });
  });
});
