import { beforeEach, describe, expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();
beforeEach(() => {
  bench.api.addAccount({ name: 'Platinum', type: 'credit_card' });
  bench.api.addAccount({ name: 'Checking' });
});

const card = 'Date,Amount,Description\n2026-01-13,5.00,Grocer\n2026-01-14,6.00,Baker\n2026-01-15,-11.00,Bill\n';
const named = ['--date-column', 'Date', '--amount-column', 'Amount', '--account', 'Platinum'];
const sides = () => bench.api.movements.map(({ type }) => type);

describe('a credit card whose amounts have a minus in few rows', () => {
  it.each([['--no-input'], ['--yes'], ['--dry-run']])(
    'is not guessed at: with %s nothing is recorded, and the flag is named that settles it',
    async (flag) => {
      const run = await bench.importing(await writeStatement(card), ...named, flag);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('Platinum is a credit card, and of its amounts 1 of 3 have a minus.');
      expect(run.stderr).toContain('--minus income');
      expect(bench.api.movements).toEqual([]);
    },
  );

  it('is not settled by --yes on a terminal either, which accepts what is shown and answers nothing', async () => {
    const path = await writeStatement(card);
    const run = await bench.machine.run(['import', path, ...named, '--yes'], { answers: [true] });
    expect(run).toMatchObject({ code: 2, questions: [] });
  });

  it.each([
    [true, ['expense', 'expense', 'income']],
    [false, ['income', 'income', 'expense']],
  ])('is read as a person answers (%s)', async (answer, expected) => {
    const run = await bench.machine.run(['import', await writeStatement(card), ...named], { answers: [answer] });
    expect(run.code).toBe(0);
    expect(run.questions).toEqual([expect.stringContaining('money that came back?')]);
    expect(sides()).toEqual(expected);
  });

  it.each([
    ['income', ['expense', 'expense', 'income']],
    ['expense', ['income', 'income', 'expense']],
  ])('is read as --minus %s says', async (side, expected) => {
    const path = await writeStatement(card);
    expect(await bench.importing(path, ...named, '--minus', side, '--save-mapping')).toMatchObject({ code: 0 });
    expect(sides()).toEqual(expected);
    expect(summaryOf(await bench.importing(path, ...named))).toMatchObject({ created: 0, replayed: 3 });
  });

  it('is asked about where as many have a minus, and not where most have', async () => {
    const equal = await writeStatement('Date,Amount\n2026-01-13,5.00\n2026-01-15,-11.00\n');
    expect(await bench.importing(equal, ...named)).toMatchObject({ code: 2 });
    const most = await writeStatement('Date,Amount\n2026-01-13,-5.00\n2026-01-14,-6.00\n2026-01-15,11.00\n');
    expect(await bench.importing(most, ...named)).toMatchObject({ code: 0 });
  });

  it('is no question in an account of another kind, nor where a column or a word tells the side', async () => {
    expect(await bench.importing(await writeStatement(card), ...named, '--account', 'Checking')).toMatchObject({
      code: 0,
    });
    const words = await writeStatement(
      'Date,Amount,Type\n2026-01-13,5.00,credit\n2026-01-14,6.00,credit\n2026-01-15,-7.00,debit\n',
    );
    const run = await bench.importing(words, ...named, '--direction-column', 'Type');
    expect(summaryOf(run)).toMatchObject({ created: 3 });
  });

  it('is asked about for a card that is going to be made, which is not made before', async () => {
    const run = await bench.importing(
      await writeStatement(card),
      ...named,
      '--account',
      'New Card',
      '--create-accounts',
    );
    expect(run.code).toBe(2);
    expect(bench.api.writes).toEqual([]);
  });
});

describe('a credit card among the accounts that rows name', () => {
  const columns = ['--date-column', 'Date', '--amount-column', 'Amount', '--account-column', 'Account'];
  const mixed = (...cardAmounts: string[]) =>
    writeStatement(
      [
        'Date,Amount,Account',
        ...Array.from({ length: 5 }, (_, index) => `2026-01-1${index},-${index + 1}.00,Checking`),
        ...cardAmounts.map((amount) => `2026-01-20,${amount},Platinum`),
      ].join('\n'),
    );

  it.each([
    [['5.00', '6.00', '-11.00'], '1 of 3'],
    [['5.00', '6.00'], '0 of 2'],
  ])(
    'whose own amounts %j are mostly without a minus is not guessed at, whatever the others have',
    async (amounts, told) => {
      const run = await bench.importing(await mixed(...amounts), ...columns, '--yes');
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(`Platinum is a credit card, and of its amounts ${told} have a minus.`);
      expect(run.stderr).toContain('--minus expense for every row of the file, or import the rows of the card alone');
      expect(bench.api.movements).toEqual([]);
    },
  );

  it('is read as a person answers, who is told that it is for the whole file', async () => {
    const path = await mixed('5.00', '-11.00');
    const run = await bench.machine.run(['import', path, ...columns], { answers: [false] });
    expect(run.code).toBe(0);
    expect(run.questions).toEqual([expect.stringContaining('The answer is for every row of the file.')]);
    expect(sides()).toEqual([...Array.from({ length: 5 }, () => 'expense'), 'income', 'expense']);
    expect(summaryOf(await bench.importing(path, ...columns, '--minus', 'expense'))).toMatchObject({ replayed: 7 });
  });

  it('is no question where most of its amounts have a minus, or the account is of another kind', async () => {
    const run = await bench.importing(await mixed('-5.00', '-6.00', '11.00'), ...columns);
    expect(summaryOf(run)).toMatchObject({ created: 8 });
    bench.api.addAccount({ name: 'Savings' });
    const path = await writeStatement('Date,Amount,Account\n2026-01-13,5,Savings\n2026-01-14,-6,Checking\n');
    expect(summaryOf(await bench.importing(path, ...columns))).toMatchObject({ created: 2 });
  });

  it('is asked about alone in its file as with --account', async () => {
    const path = await writeStatement('Date,Amount,Account\n2026-01-13,5,Platinum\n2026-01-14,-6,Platinum\n');
    const run = await bench.importing(path, ...columns, '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('with --minus income or --minus expense.');
  });
});

describe('a file that only cards have the columns of', () => {
  const cardFile = (header: string) =>
    `Date,Amount,Description,${header}\n2026-01-13,5.00,Grocer,A\n2026-01-14,6.00,Baker,A\n2026-01-15,-11.00,Bill,A\n`;
  const toChecking = ['--date-column', 'Date', '--amount-column', 'Amount', '--account', 'Checking'];

  it.each(['Card Member', 'Portador', 'Cardholder Name', 'Karteninhaber', 'Parcela', 'Titulaire de la carte'])(
    'by "%s" is not guessed at either, whatever kind its account is said to be of',
    async (header) => {
      const path = await writeStatement(cardFile(header));
      const run = await bench.importing(path, ...toChecking, '--yes');
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(
        `The file is of a card, by its column "${header}", and of its amounts 1 of 3 have a minus.`,
      );
      expect(run.stderr).toContain('--minus income');
      expect(bench.api.movements).toEqual([]);
    },
  );

  it('is read as a person answers, or as the flag says', async () => {
    const path = await writeStatement(cardFile('Card Member'));
    expect(await bench.machine.run(['import', path, ...toChecking], { answers: [true] })).toMatchObject({ code: 0 });
    expect(sides()).toEqual(['expense', 'expense', 'income']);
    expect(summaryOf(await bench.importing(path, ...toChecking, '--minus', 'income'))).toMatchObject({ replayed: 3 });
  });

  it('is asked about where its rows name their accounts, too', async () => {
    const path = await writeStatement(cardFile('Card Member,Account').replaceAll(',A\n', ',A,Checking\n'));
    const columns = ['--date-column', 'Date', '--amount-column', 'Amount', '--account-column', 'Account'];
    expect(await bench.importing(path, ...columns, '--yes')).toMatchObject({ code: 2 });
  });
});
