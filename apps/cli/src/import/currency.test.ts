import { describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import { writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();

describe('a CAMT.053 statement in XXX, which is no currency', () => {
  const entry = '<Amt Ccy="XXX">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-02</Dt></BookgDt>';
  const statement = `<Document xmlns="camt.053"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>NL01</IBAN></Id></Acct><Ntry>${entry}</Ntry></Stmt></BkToCstmrStmt></Document>`;
  const path = () => writeStatement(statement, 'bank.xml');

  it('exits 2, names --currency, and records nothing', async () => {
    bench.api.addAccount({ name: 'Giro', currencyCode: 'EUR' });
    const run = await bench.importing(await path(), '--account', 'Giro', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Say --currency EUR if the amounts are in EUR.');
    expect(bench.api.writes).toEqual([]);
  });

  it('is recorded in the currency of --currency, which must be that of the account', async () => {
    bench.api.addAccount({ name: 'Giro', currencyCode: 'EUR' });
    const other = await bench.importing(await path(), '--account', 'Giro', '--currency', 'USD');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('The statement of NL01 is in USD, but the account Giro is in EUR.');
    const run = await bench.importing(await path(), '--account', 'Giro', '--currency', 'EUR');
    expect(summaryOf(run)).toMatchObject({ created: 1, failed: 0 });
    expect(bench.api.movements).toMatchObject([{ type: 'expense', amountDecimal: '5' }]);
  });

  it('creates its account with --currency, and names the flag without it', async () => {
    const refused = await bench.importing(await path(), '--create-accounts');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('"XXX" is not an ISO 4217 currency code (--currency names one)');
    await bench.importing(await path(), '--create-accounts', '--currency', 'EUR');
    expect(bench.api.accounts).toMatchObject([{ name: 'NL01', currencyCode: 'EUR' }]);
    expect(bench.api.movements).toHaveLength(1);
  });
});

describe('rows in RUR, the former code of the rouble', () => {
  const path = () => writeStatement('Date,Amount,Currency\n2026-01-13,-5.00,RUR\n2026-01-14,-6.00,DEM\n');
  const importing = async (currency: string, ...flags: string[]) => {
    bench.api.addAccount({ name: 'Giro', currencyCode: currency });
    return summaryOf(await bench.importing(await path(), '--account', 'Giro', '--yes', ...flags));
  };

  it('fail, and name --currency, in an account in RUB', async () => {
    expect(await importing('RUB')).toMatchObject({
      created: 0,
      failures: [
        { line: 2, reason: 'it is in RUR, but the account Giro is in RUB: say --currency RUB if RUR means RUB here' },
        { line: 3, reason: 'it is in DEM, but the account Giro is in RUB' },
      ],
    });
  });

  it('are recorded with --currency RUB, without other replaced codes', async () => {
    expect(await importing('RUB', '--currency', 'RUB')).toMatchObject({ created: 1, failures: [{ line: 3 }] });
  });

  it('fail in an account in another currency, whatever --currency says', async () => {
    expect(await importing('EUR', '--currency', 'EUR')).toMatchObject({
      created: 0,
      failures: [{ line: 2, reason: 'it is in RUR, but the account Giro is in EUR' }, { line: 3 }],
    });
  });
});
