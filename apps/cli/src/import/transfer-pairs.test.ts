import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { refusal, tracker } from '../../test-support/fake-api.js';
import { creating, ImportBench, summaryOf } from '../../test-support/import-in-test.js';
import {
  arrived,
  balanceOf,
  balancesOf,
  paid,
  rightBalances,
  shop,
  writeHousehold,
  writeRows,
} from '../../test-support/pairs-in-test.js';
import { findRealStatement, writeStatement } from '../../test-support/statement-files.js';

const bench = ImportBench.setUp();

describe('two rows of one transfer', () => {
  it('become one transfer on the day of the outgoing row, and both rows count as created', async () => {
    const run = await bench.pairing(await writeHousehold());
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toEqual({ rows: 3, created: 3, replayed: 0, failed: 0, skipped: 0, failures: [] });
    expect(bench.api.records.transfers).toMatchObject([
      {
        amountDecimal: '554.99',
        occurredOn: '2026-01-22',
        description: expect.stringMatching(
          /^Card Payment \/ Thank You \(arrived 2026-01-24\) \[import [0-9a-f]{12} [0-9a-f]{12}\]$/,
        ),
      },
    ]);
    expect(bench.api.movements).toHaveLength(3);
    expect(balancesOf(bench.api)).toEqual(rightBalances);
    expect(run.stderr).toContain('2 rows form 1 transfer.');
  });

  it('become a transfer without a category, and the import creates no category for them', async () => {
    await bench.pairing(await writeHousehold());
    expect(bench.api.categories.map(({ name }) => name)).toEqual(['Desconocido', 'Shopping']);
  });

  it('become two movements if they are too many days apart; a later import without --pair-transfers replays them', async () => {
    const path = await writeHousehold();
    expect(summaryOf(await bench.pairing(path, '--pair-window-days', '1'))).toMatchObject({ created: 3 });
    expect(bench.api.records.transfers).toEqual([]);
    const without = await bench.importing(path, ...creating);
    expect(summaryOf(without)).toMatchObject({ created: 0, replayed: 3 });
  });

  it('fail together if the transfer is refused, and are recorded by the next import', async () => {
    bench.api.fault = ({ url }) => (url.pathname.endsWith('/transfers') ? refusal(400, 'VALIDATION_ERROR') : undefined);
    const path = await writeHousehold();
    const first = await bench.pairing(path);
    expect(first.code).toBe(1);
    expect(summaryOf(first)).toMatchObject({ created: 1, failed: 2, failures: [{ line: 3 }, { line: 4 }] });
    bench.api.fault = () => undefined;
    expect(summaryOf(await bench.pairing(path))).toMatchObject({ created: 2, replayed: 1, failed: 0 });
    expect(balancesOf(bench.api)).toEqual(rightBalances);
  });

  it('become movements, and are listed as ambiguous, if a third row fits one of them', async () => {
    const other = '01/23/2026,Refund,554.99,credit,Shopping,Silver Card';
    const run = await bench.pairing(await writeRows(paid, arrived, other));
    expect(run.stderr).toContain('Not paired, because it is not clear which rows belong together:');
    expect(run.stderr).toContain('2026-01-22  554.99 USD  from Checking (line 2): fits lines 3, 4');
    expect(summaryOf(run)).toMatchObject({ created: 3 });
    expect(bench.api.records.transfers).toEqual([]);
  });
});

describe('a pair of rows with at least one new account', () => {
  const inCurrency = (currencyCode: string) => Object.assign(bench.api.trackers[0] ?? {}, { currencyCode });
  /** Returns the paths of the requests that look up the currency of the tracker. */
  const lookups = () =>
    bench.api.requests.map(({ path }) => path).filter((path) => /^\/(context|trackers)$/.test(path));

  it.each(['USD', 'EUR'])('becomes a transfer in %s, the currency of the tracker', async (currencyCode) => {
    inCurrency(currencyCode);
    bench.api.addAccount({ name: 'Checking', currencyCode });
    expect(summaryOf(await bench.pairing(await writeHousehold(), '--dry-run'))).toMatchObject({ wouldPair: 1 });
    const run = await bench.pairing(await writeHousehold());
    expect(summaryOf(run)).toMatchObject({ created: 3, failed: 0 });
    expect(bench.api.records.transfers).toMatchObject([{ currencyCode }]);
    expect(balancesOf(bench.api)).toEqual(rightBalances);
  });

  it('becomes a transfer in the currency of the tracker that --tracker names, not of the active tracker', async () => {
    const id = randomUUID();
    bench.api.trackers.push(tracker({ id, name: 'Abroad', currencyCode: 'EUR', isActive: false }));
    bench.api.addAccount({ name: 'Checking', currencyCode: 'EUR', trackerId: id });
    await bench.pairing(await writeHousehold(), '--tracker', 'Abroad');
    expect(bench.api.records.transfers).toHaveLength(1);
  });

  it.each([
    [{ currencyCode: 'EUR' }, []],
    [{}, ['--currency', 'EUR']],
  ])('becomes no transfer if the two accounts have different currencies: %j %j', async (fields, flags) => {
    bench.api.addAccount({ name: 'Checking', ...fields });
    const run = await bench.pairing(await writeHousehold(), ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 3, failed: 0 });
    expect(bench.api.records.transfers).toEqual([]);
    expect(run.stderr).toContain('No transfers found');
  });

  it.each([
    ['JPY', '80', '80 JPY'],
    ['JPY', '5', '5 JPY'],
    ['KWD', '1.5', '1.500 KWD'],
    ['KWD', '0.005', '0.005 KWD'],
  ])('is shown with the decimal places of %s: %s as %s', async (currencyCode, amount, shown) => {
    inCurrency(currencyCode);
    const rows = [paid, arrived].map((row) => row.replace('554.99', amount));
    const run = await bench.pairing(await writeRows(...rows));
    expect(run.stderr).toContain(`2026-01-22  ${shown}  from Checking (line 2)`);
    expect(bench.api.records.transfers).toMatchObject([{ currencyCode }]);
  });

  it('causes one request to /context and one to /trackers, but neither of them if --currency is set', async () => {
    const path = await writeHousehold();
    await bench.pairing(path, '--dry-run', '--currency', 'USD');
    expect(lookups()).toEqual([]);
    await bench.pairing(path);
    expect(lookups().sort()).toEqual(['/context', '/trackers']);
  });

  it('makes the import exit 4 if the API key may not read the currency of the tracker', async () => {
    bench.api.addAccount({ name: 'Checking' });
    bench.api.fault = ({ url }) => (url.pathname.endsWith('/context') ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined);
    const run = await bench.pairing(await writeHousehold());
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('Only a user session can create the account "Platinum Card".');
    expect(run.stderr).toContain('centavo login');
    expect(bench.api.writes).toEqual([]);
  });

  it('makes the import exit 2 if --currency is an unknown code', async () => {
    const run = await bench.pairing(await writeHousehold(), '--currency', 'usd');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--currency "usd" is not an ISO 4217 currency code.');
    expect(run.stderr).toContain('Use a code such as USD.');
    expect(bench.api.requests).toEqual([]);
  });

  it('becomes a movement and a failed row if one of the rows has an unknown currency code', async () => {
    const rows = ['2026-01-22,Out,-80,QQQ,Checking', '2026-01-22,In,80,USD,Savings'];
    const path = await writeStatement(['Date,Description,Amount,Currency,Account', ...rows].join('\n'));
    const run = await bench.pairing(path);
    expect(summaryOf(run)).toMatchObject({ created: 1, failures: [{ line: 2 }] });
    expect(run.stdout).toContain('is not an ISO 4217 currency code');
  });
});

describe('an import with --pair-transfers', () => {
  const pairing = ['--create-accounts', '--create-categories', '--pair-transfers', '--date-column', 'Date'];
  const named = [...pairing, '--amount-column', 'Amount', '--direction-column', 'Transaction Type'];

  it('lists the pairs before it asks for a confirmation, and records nothing if the user declines', async () => {
    const path = await writeHousehold();
    const flags = [...named, '--account-column', 'Account Name', '--category-column', 'Category'];
    const run = await bench.machine.run(['import', path, ...flags], { answers: [false] });
    expect(run.code).toBe(2);
    expect(run.questions).toEqual(['Are these transfers between your own accounts?']);
    expect(run.stderr).toContain('2026-01-22  554.99 USD  from Checking (line 3) to Platinum Card (line 4)');
    expect(bench.api.writes).toEqual([]);
    const withoutAnswer = await bench.importing(path, ...flags);
    expect(withoutAnswer.code).toBe(2);
    expect(withoutAnswer.stderr).toContain('Accept them with --yes');
    expect(bench.api.writes).toEqual([]);
  });

  it('does not ask in a dry run, which counts the pairs, and does not ask if there is no pair', async () => {
    const run = await bench.pairing(await writeHousehold(), '--dry-run');
    expect(summaryOf(run)).toMatchObject({ dryRun: true, rows: 3, wouldRecord: 3, wouldPair: 1, created: 0 });
    expect(bench.api.writes).toEqual([]);
    expect(await bench.importing(await writeRows(shop), ...named)).toMatchObject({ code: 0 });
  });

  it.each([
    [['--pair-window-days', '3'], 'needs --pair-transfers'],
    [['--pair-transfers', '--pair-window-days', 'few'], 'is not a number of days'],
  ])('exits 2 for an invalid --pair-window-days: %j', async (flags, message) => {
    const run = await bench.importing(await writeHousehold(), ...flags);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });
});

describe('an import with an API key that may not read movements', () => {
  const unreadable = () => {
    bench.api.fault = ({ url }) =>
      url.searchParams.get('kind') === 'transfer' ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
  };

  it('exits 2 with --pair-transfers, and records nothing', async () => {
    unreadable();
    const run = await bench.pairing(await writeHousehold());
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('movements:read');
    expect(bench.api.movements).toEqual([]);
  });

  it('records the rows without --pair-transfers, and names the missing scope', async () => {
    unreadable();
    const run = await bench.importing(await writeHousehold(), ...creating);
    expect(summaryOf(run)).toMatchObject({ created: 3 });
    expect(run.stderr).toContain('movements:read');
  });
});

describe('the statement of a household', () => {
  const path = findRealStatement('personal-transactions.csv');
  const note = path === undefined ? ' (skipped: the file is not beside the repository)' : '';

  it.skipIf(path === undefined)(
    `is imported with the right balances, and 50 pairs of its 808 rows become transfers${note}`,
    async () => {
      const first = await bench.pairing(path ?? '');
      expect(summaryOf(first)).toMatchObject({ rows: 808, created: 808, failed: 0 });
      expect(first.stderr).toContain('50 pairs of rows become transfers');
      expect(first.stderr).not.toContain('Not paired');
      expect(bench.api.records.transfers).toHaveLength(50);
      expect(bench.api.movements).toHaveLength(808);
      const right = [11251.86, 12143.62, 4794];
      expect(['Checking', 'Platinum Card', 'Silver Card'].map((name) => balanceOf(bench.api, name))).toEqual(right);
      expect(summaryOf(await bench.pairing(path ?? ''))).toMatchObject({ created: 0, replayed: 808, failed: 0 });
      expect(bench.api.movements).toHaveLength(808);
    },
  );
});
