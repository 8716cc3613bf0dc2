import { describe, expect, it } from 'vitest';
import { refusal } from '../../../test-support/fake-api.js';
import { creating, ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { findRealStatement, writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

const header = 'Date,Description,Amount,Transaction Type,Category,Account Name';
const shop = '01/20/2026,Shop,12.00,debit,Shopping,Checking';
const paid = '01/22/2026,Card Payment,554.99,debit,Payments,Checking';
const arrived = '01/24/2026,Thank You,554.99,credit,Payments,Platinum Card';
const household = [header, shop, paid, arrived].join('\n');
const write = (...rows: string[]) => writeStatement([header, ...rows].join('\n'));
const pairing = (path: string, ...flags: string[]) => bench.importing(path, ...creating, '--pair-transfers', ...flags);

/** Signed sum of every movement of an account, which is what its balance has moved by. */
function balanceOf(name: string): number {
  const account = bench.api.accounts.find((candidate) => candidate.name === name);
  const own = bench.api.movements.filter(({ accountId }) => accountId === account?.id);
  const cents = own.map(
    ({ type, amountDecimal }) => Math.round(Number(amountDecimal) * 100) * (type === 'income' ? 1 : -1),
  );
  return cents.reduce((sum, amount) => sum + amount, 0) / 100;
}
const balances = () => [balanceOf('Checking'), balanceOf('Platinum Card')];
const right = [-566.99, 554.99];

describe('two rows of one transfer', () => {
  it('become one transfer of the day that the money left, and both count', async () => {
    const run = await pairing(await writeStatement(household));
    expect(run.code).toBe(0);
    expect(summaryOf(run)).toEqual({ rows: 3, created: 3, replayed: 0, failed: 0, skipped: 0, failures: [] });
    expect(bench.api.records.transfers).toMatchObject([
      {
        amountDecimal: '554.99',
        occurredOn: '2026-01-22',
        description: 'Card Payment / Thank You (arrived 2026-01-24)',
      },
    ]);
    expect(bench.api.movements).toHaveLength(3);
    expect(balances()).toEqual(right);
    expect(run.stderr).toContain('1 transfer stands for 2 rows.');
  });

  it('have no category, so none is made for them', async () => {
    await pairing(await writeStatement(household));
    expect(bench.api.categories.map(({ name }) => name)).toEqual(['Desconocido', 'Shopping']);
  });

  it('stay two movements without the flag, and further apart than the window', async () => {
    const path = await writeStatement(household);
    expect(summaryOf(await pairing(path, '--pair-window-days', '1'))).toMatchObject({ created: 3 });
    expect(bench.api.records.transfers).toEqual([]);
    const without = await bench.importing(path, ...creating);
    expect(summaryOf(without)).toMatchObject({ created: 0, replayed: 3 });
  });

  it('are refused together where the transfer is, and recorded by the next run', async () => {
    bench.api.fault = ({ url }) => (url.pathname.endsWith('/transfers') ? refusal(400, 'VALIDATION_ERROR') : undefined);
    const path = await writeStatement(household);
    const first = await pairing(path);
    expect(first.code).toBe(1);
    expect(summaryOf(first)).toMatchObject({ created: 1, failed: 2, failures: [{ line: 3 }, { line: 4 }] });
    bench.api.fault = () => undefined;
    expect(summaryOf(await pairing(path))).toMatchObject({ created: 2, replayed: 1, failed: 0 });
    expect(balances()).toEqual(right);
  });

  it('that could be others too are left alone and listed', async () => {
    const other = '01/23/2026,Refund,554.99,credit,Shopping,Silver Card';
    const run = await pairing(await write(paid, arrived, other));
    expect(run.stderr).toContain('Left alone, because more than one row would fit:');
    expect(run.stderr).toContain('2026-01-22  554.99  from Checking (line 2): fits line 3, 4');
    expect(summaryOf(run)).toMatchObject({ created: 3 });
    expect(bench.api.records.transfers).toEqual([]);
  });
});

describe('the confirmation of pairs', () => {
  const asked = ['--create-accounts', '--create-categories', '--pair-transfers', '--date-column', 'Date'];
  const named = [...asked, '--amount-column', 'Amount', '--direction-column', 'Transaction Type'];

  it('shows them first; what is not accepted records nothing and makes no account', async () => {
    const path = await writeStatement(household);
    const flags = [...named, '--account-column', 'Account Name', '--category-column', 'Category'];
    const run = await bench.machine.run(['import', path, ...flags], { answers: [false] });
    expect(run.code).toBe(2);
    expect(run.questions).toEqual(['Are these transfers between own accounts?']);
    expect(run.stderr).toContain('2026-01-22  554.99  from Checking (line 3) to Platinum Card (line 4)');
    expect(bench.api.writes).toEqual([]);
    const unasked = await bench.importing(path, ...flags);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('Accept them with --yes');
    expect(bench.api.writes).toEqual([]);
  });

  it('is not asked for where there is none, or by a dry run, which only shows them', async () => {
    const run = await pairing(await writeStatement(household), '--dry-run');
    expect(summaryOf(run)).toMatchObject({ dryRun: true, rows: 3, wouldRecord: 3, wouldPair: 1, created: 0 });
    expect(bench.api.writes).toEqual([]);
    expect(await bench.importing(await write(shop), ...named)).toMatchObject({ code: 0 });
  });

  it.each([
    [['--pair-window-days', '3'], 'needs --pair-transfers'],
    [['--pair-transfers', '--pair-window-days', 'few'], 'is not a number of days'],
  ])('has no window that is wrong: %j', async (flags, message) => {
    const run = await bench.importing(await writeStatement(household), ...flags);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });
});

describe('a second import', () => {
  it('finds the transfer again and sends nothing for its rows', async () => {
    const path = await writeStatement(household);
    await pairing(path);
    const sent = bench.api.writes.length;
    const again = await pairing(path);
    expect(summaryOf(again)).toMatchObject({ created: 0, replayed: 3, failed: 0 });
    expect(again.stderr).toContain('2 rows are in transfers that are recorded already.');
    expect(bench.api.writes.slice(sent)).toEqual(['POST /movements']);
    expect(balances()).toEqual(right);
  });

  it('without the flag doubles none of them either', async () => {
    const path = await writeStatement(household);
    await pairing(path);
    expect(summaryOf(await bench.importing(path, ...creating))).toMatchObject({ created: 0, replayed: 3, failed: 0 });
    expect(balances()).toEqual(right);
  });

  it('with the flag leaves rows that are movements already what they are, even if they were corrected', async () => {
    const path = await writeStatement(household);
    await bench.importing(path, ...creating);
    for (const movement of bench.api.movements) Object.assign(movement, { description: 'corrected' });
    const run = await pairing(path);
    expect(summaryOf(run)).toMatchObject({ created: 0, replayed: 3, failed: 0 });
    expect(run.stderr).toContain('1 pair of rows had been recorded as movements before');
    expect(bench.api.records.transfers).toEqual([]);
    expect(bench.api.movements).toHaveLength(3);
  });

  it('of an export that now has the other row leaves the first a movement, and adds the other as one', async () => {
    await pairing(await write(shop, paid));
    expect(summaryOf(await pairing(await write(shop, paid, arrived)))).toMatchObject({ created: 1, replayed: 2 });
    expect(bench.api.records.transfers).toEqual([]);
    expect(balances()).toEqual(right);
    expect(summaryOf(await pairing(await write(shop, paid, arrived)))).toMatchObject({ created: 0, replayed: 3 });
  });

  it('of an export that has only one row of a transfer knows it', async () => {
    await pairing(await writeStatement(household));
    for (const row of [paid, arrived]) {
      expect(summaryOf(await pairing(await write(row)))).toMatchObject({ rows: 1, created: 0, replayed: 1 });
    }
    expect(balances()).toEqual(right);
  });

  it('of an export with one more row like them adds only that one', async () => {
    await pairing(await writeStatement(household));
    const again = arrived.replace('Thank You', 'Cashback');
    expect(summaryOf(await pairing(await write(shop, paid, arrived, again)))).toMatchObject({
      created: 1,
      replayed: 3,
    });
    expect(balances()).toEqual([-566.99, 1109.98]);
  });

  it('takes no row for half of a transfer that has only a part of its text', async () => {
    await pairing(await writeStatement(household));
    const row = await write(paid.replace('Card Payment', 'Card'));
    expect(summaryOf(await bench.importing(row, ...creating))).toMatchObject({ created: 1, replayed: 0 });
  });

  it('of a pair whose incoming row was a movement before doubles no money', async () => {
    await bench.importing(await write(arrived), ...creating);
    expect(summaryOf(await pairing(await write(shop, paid, arrived)))).toMatchObject({ created: 2, replayed: 1 });
    expect(bench.api.records.transfers).toEqual([]);
    expect(balances()).toEqual(right);
  });

  it('of equal rows knows one for each transfer, and records the other', async () => {
    await pairing(await writeStatement(household));
    expect(summaryOf(await pairing(await write(paid, paid)))).toMatchObject({ created: 1, replayed: 1 });
    expect(balances()).toEqual([-1121.98, 554.99]);
  });

  it('after a crash at any request goes on to the same end', async () => {
    const rows = [shop, paid, arrived, '01/27/2026,Out,70,debit,x,Checking', '01/27/2026,In,70,credit,x,Platinum Card'];
    const path = await write(...rows);
    for (let survived = 0; ; survived += 1) {
      bench.api.reset();
      await bench.replaceMachine();
      let writes = 0;
      // From here on nothing is answered, as when the program is killed.
      bench.api.fault = ({ url }) => {
        if (!/\/(movements|transfers)$/.test(url.pathname)) return undefined;
        writes += 1;
        return writes > survived ? Response.error() : undefined;
      };
      const crashed = await pairing(path);
      bench.api.fault = () => undefined;
      const { code, stdout } = await pairing(path);
      expect([code, summaryOf({ stdout })]).toMatchObject([0, { rows: 5, failed: 0 }]);
      expect(balances()).toEqual([-636.99, 624.99]);
      expect(bench.api.records.transfers).toHaveLength(2);
      expect(bench.api.movements).toHaveLength(5);
      if (crashed.code === 0) break;
    }
  });
});

describe('a key that may not read movements', () => {
  const unreadable = () => {
    bench.api.fault = ({ url }) =>
      url.searchParams.get('kind') === 'transfer' ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
  };

  it('makes no pairs, because it could not tell them from those that are there', async () => {
    unreadable();
    const run = await pairing(await writeStatement(household));
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('movements:read');
    expect(bench.api.movements).toEqual([]);
  });

  it('imports without pairs as before, and is told', async () => {
    unreadable();
    const run = await bench.importing(await writeStatement(household), ...creating);
    expect(summaryOf(run)).toMatchObject({ created: 3 });
    expect(run.stderr).toContain('movements:read');
  });
});

describe('the statement of a household', () => {
  const path = findRealStatement('personal-transactions.csv');
  const note = path === undefined ? ' (skipped: the file is not beside the repository)' : '';

  it.skipIf(path === undefined)(`has 50 transfers among its 808 rows, and the same balances${note}`, async () => {
    const first = await pairing(path ?? '');
    expect(summaryOf(first)).toMatchObject({ rows: 808, created: 808, failed: 0 });
    expect(first.stderr).toContain('50 pairs of rows become transfers');
    expect(first.stderr).not.toContain('Left alone');
    expect(bench.api.records.transfers).toHaveLength(50);
    expect(bench.api.movements).toHaveLength(808);
    const right = [11251.86, 12143.62, 4794];
    expect(['Checking', 'Platinum Card', 'Silver Card'].map(balanceOf)).toEqual(right);
    expect(summaryOf(await pairing(path ?? ''))).toMatchObject({ created: 0, replayed: 808, failed: 0 });
    expect(bench.api.movements).toHaveLength(808);
  });
});
