import { describe, expect, it } from 'vitest';
import { creating, ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { balancesOf, paid, writeRows } from '../../../test-support/pairs-in-test.js';

const bench = ImportBench.setUp();
const cheque = '01/22/2026,,554.99,debit,,Checking';

/** Records a transfer that is equal to a row in account, side, amount and day, as a person does. */
async function transferByHand(...flags: string[]): Promise<void> {
  for (const name of ['Checking', 'Platinum Card']) bench.api.addAccount({ name });
  const sides = ['--from-account', 'Checking', '--to-account', 'Platinum Card'];
  const transfer = ['transfers', 'add', '--amount', '554.99', ...sides, '--occurred-on', '2026-01-22', ...flags];
  expect(await bench.machine.run(transfer)).toMatchObject({ code: 0 });
}

describe('a transfer made by hand', () => {
  it('swallows no cheque without a text of its day and amount', async () => {
    await transferByHand();
    expect(summaryOf(await bench.importing(await writeRows(cheque), ...creating))).toMatchObject({
      created: 1,
      replayed: 0,
    });
    expect(balancesOf(bench.api)).toEqual([-1109.98, 554.99]);
  });

  it.each(['Card Payment', 'Card Payment (arrived 2026-01-24)', 'Card Payment [import 2026-01-22]'])(
    'swallows no row of its text: %s',
    async (description) => {
      await transferByHand('--description', description);
      expect(summaryOf(await bench.importing(await writeRows(paid), ...creating))).toMatchObject({
        created: 1,
        replayed: 0,
      });
    },
  );
});

describe('a transfer made of two rows without any text', () => {
  const arrival = '01/22/2026,,554.99,credit,,Platinum Card';

  it('explains these rows again, one by one or both, and no other of their day and amount', async () => {
    const pairing = [...creating, '--pair-transfers'];
    expect(summaryOf(await bench.importing(await writeRows(cheque, arrival), ...pairing))).toMatchObject({
      created: 2,
    });
    for (const rows of [[cheque], [arrival], [arrival, cheque]]) {
      const run = await bench.importing(await writeRows(...rows), ...pairing);
      expect(summaryOf(run)).toMatchObject({ created: 0, replayed: rows.length });
    }
    expect(summaryOf(await bench.importing(await writeRows(cheque, cheque), ...creating))).toMatchObject({
      created: 1,
      replayed: 1,
    });
    const other = cheque.replace(',,554.99', ',Cheque 319,554.99');
    expect(summaryOf(await bench.importing(await writeRows(other), ...creating))).toMatchObject({ created: 1 });
    expect(balancesOf(bench.api)).toEqual([-1664.97, 554.99]);
  });
});
