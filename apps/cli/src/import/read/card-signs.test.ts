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
const recordedTypes = () => bench.api.movements.map(({ type }) => type);

describe('an import of a file with signed amounts', () => {
  it.each([['--no-input'], ['--yes'], ['--dry-run']])(
    'exits 2 with %s, names --minus, and records nothing if most amounts of a card have no minus',
    async (flag) => {
      const run = await bench.importing(await writeStatement(card), ...named, flag);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('Platinum is a credit card, and 1 of its 3 amounts has a minus.');
      expect(run.stderr).toContain('--minus income');
      expect(bench.api.movements).toEqual([]);
    },
  );

  it('asks nothing and records purchases as expenses if a payment to the credit card has a minus', async () => {
    const file = `${card.replace('Bill', 'ONLINE PAYMENT - THANK YOU')}2026-01-16,7.00,Cinema\n`;
    const path = await writeStatement(file);
    const run = await bench.importing(path, ...named, '--no-input');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('as on the statement of a credit card: see "ONLINE PAYMENT - THANK YOU"');
    expect(recordedTypes()).toEqual(['expense', 'expense', 'income', 'expense']);
    const other = await bench.importing(path, ...named, '--account', 'Checking', '--no-input');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('A minus may mean money in, as on some card statements.');
  });

  it('exits 2 with --yes on a terminal, without a prompt, if most amounts of a card have no minus', async () => {
    const path = await writeStatement(card);
    const run = await bench.machine.run(['import', path, ...named, '--yes'], { answers: [true] });
    expect(run).toMatchObject({ code: 2, questions: [] });
  });

  it.each([
    [true, ['expense', 'expense', 'income']],
    [false, ['income', 'income', 'expense']],
  ])(
    'asks whether a minus means an income if the account is a card, and applies the answer %s',
    async (answer, expected) => {
      const run = await bench.machine.run(['import', await writeStatement(card), ...named], { answers: [answer] });
      expect(run.code).toBe(0);
      expect(run.questions).toEqual([
        expect.stringContaining('Does a minus mean an income, such as a refund or a payment to the card?'),
      ]);
      expect(recordedTypes()).toEqual(expected);
    },
  );

  it.each([
    ['income', ['expense', 'expense', 'income']],
    ['expense', ['income', 'income', 'expense']],
  ])('records amounts with a minus in the direction that --minus names: %s', async (side, expected) => {
    const path = await writeStatement(card);
    expect(await bench.importing(path, ...named, '--minus', side, '--save-mapping')).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(expected);
    expect(summaryOf(await bench.importing(path, ...named))).toMatchObject({ created: 0, replayed: 3 });
  });

  it('exits 2 for a card, but not for a checking account, if most amounts have a minus and one of them is a "PAYMENT THANK YOU"', async () => {
    const rows = '2026-01-13,-500.00,PAYMENT THANK YOU\n2026-01-14,-6.00,Refund\n2026-01-15,52.10,Grocer\n';
    const run = await bench.importing(await writeStatement(`Date,Amount,Description\n${rows}`), ...named);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Platinum is a credit card, "PAYMENT THANK YOU" has a minus, and 2 of its 3 amounts');
    const checking = [...named.slice(0, -1), 'Checking'];
    expect(await bench.importing(await writeStatement(`Date,Amount,Description\n${rows}`), ...checking)).toMatchObject({
      code: 0,
    });
  });

  it('exits 2 for a card if half of the amounts have a minus, but not if most amounts have a minus', async () => {
    const equal = await writeStatement('Date,Amount\n2026-01-13,5.00\n2026-01-15,-11.00\n');
    expect(await bench.importing(equal, ...named)).toMatchObject({ code: 2 });
    const most = await writeStatement('Date,Amount\n2026-01-13,-5.00\n2026-01-14,-6.00\n2026-01-15,11.00\n');
    expect(await bench.importing(most, ...named)).toMatchObject({ code: 0 });
  });

  it('asks no question if a column has words for the direction, such as "debit", or if the account is a checking account', async () => {
    expect(await bench.importing(await writeStatement(card), ...named, '--account', 'Checking')).toMatchObject({
      code: 0,
    });
    const words = await writeStatement(
      'Date,Amount,Type\n2026-01-13,5.00,credit\n2026-01-14,6.00,credit\n2026-01-15,-7.00,debit\n',
    );
    const run = await bench.importing(words, ...named, '--direction-column', 'Type');
    expect(summaryOf(run)).toMatchObject({ created: 3 });
  });

  it('exits 2 for a bank account if at most one in five amounts has a minus and no balance column confirms the signs', async () => {
    const rows = [1, 2, 3, 4].map((day) => `2026-01-1${day},${day}.00,Shop ${day}`);
    const path = (...more: string[]) => writeStatement(['Date,Amount,Description', ...rows, ...more].join('\n'));
    const toChecking = [...named, '--account', 'Checking', '--yes'];
    const run = await bench.importing(await path('2026-01-15,-10.00,Bill'), ...toChecking);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      'The file may be a card statement, because few amounts have a minus, and 1 of its 5 amounts',
    );
    expect(run.stderr).toContain('Use --minus income or --minus expense.');
    const more = await path('2026-01-15,-10.00,Bill', '2026-01-16,-10.00,Bill');
    expect(await bench.importing(more, ...toChecking)).toMatchObject({ code: 0 });
    const balances = [1, 3, 6, 10, 0].map(
      (balance, index) => `2026-02-1${index},${[1, 2, 3, 4, -10][index]},${balance}`,
    );
    const proven = await writeStatement(['Date,Amount,Balance', ...balances].join('\n'));
    expect(await bench.importing(proven, ...toChecking)).toMatchObject({ code: 0 });
  });

  it('exits 2 and creates no account, even with --create-accounts, if the meaning of a minus is ambiguous', async () => {
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

describe('an import of a file of four to nine amounts, of which at most one in three has a minus', () => {
  const toChecking = ['--account', 'Checking', '--yes'];
  const write = (...rows: readonly string[]) =>
    writeStatement(['Date,Description,Amount', ...rows.map((row, index) => `2026-03-1${index},${row}`)].join('\n'));
  const card = ['AMAZON,45.10', 'SHELL,38.00', 'ZARA 22,-20.00', 'NETFLIX,15.49', 'IKEA 3,-60.00', 'LIDL,7.00'];

  it.each([
    ['1 of its 4 amounts has', card.slice(0, 4)],
    ['2 of its 6 amounts have', card],
  ])('exits 2 because no row shows that a minus is an expense: %s a minus', async (shares, rows) => {
    const path = await write(...rows);
    const run = await bench.importing(path, ...toChecking);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      `The file may be a card statement, because no row shows that a minus is an expense, and ${shares} a minus.`,
    );
    expect(run.stderr).toContain('Use --minus income or --minus expense.');
    expect(bench.api.movements).toEqual([]);
    expect(await bench.importing(path, ...toChecking, '--minus', 'income')).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(rows.map((row) => (row.includes('-') ? 'income' : 'expense')));
  });

  it.each([
    ['an amount without a minus is a transfer', ['Transfer from Anna,45.10', ...card.slice(1)]],
    ['an amount with a minus is a rent', ['Anna,45.10', 'Ben,38.00', 'Carla,20.00', 'Rent,-900.00']],
    ['half of the amounts have a minus', ['Anna,45.10', 'Ben,38.00', 'Pizzeria,-60.00', 'Cinema,-12.00']],
    ['the file has three amounts', ['Anna,45.10', 'Ben,38.00', 'Pizzeria,-60.00']],
    ['an income has a plus', ['Anna,+45.10', 'Ben,+38.00', 'Carla,+20.00', 'Pizzeria,-60.00']],
  ])('asks no question if %s', async (_reason, rows) => {
    expect(await bench.importing(await write(...rows), ...toChecking)).toMatchObject({ code: 0 });
  });

  it('exits 2 if a payment with a minus equals the balance before the oldest row, because the balance may be a debt', async () => {
    const rows = [
      '13,AMAZON,45.10,145.10',
      '14,SHELL,38.00,183.10',
      '15,DIRECT DEBIT,-100.00,83.10',
      '16,LIDL,7.00,90.10',
    ];
    const lines = ['Date,Description,Amount,Balance', ...rows.map((row) => `2026-03-${row}`)];
    const path = await writeStatement(lines.join('\n'));
    expect(await bench.importing(path, ...toChecking)).toMatchObject({ code: 2 });
    expect(await bench.importing(path, ...toChecking, '--minus', 'income')).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(['expense', 'expense', 'income', 'expense']);
  });

  it('asks no question for a savings account', async () => {
    bench.api.addAccount({ name: 'Savings', type: 'savings' });
    const rows = ['Birthday gift,45.10', 'Pocket money,38.00', 'Sold bike,15.49', 'Ice cream,-2.00'];
    expect(await bench.importing(await write(...rows), '--account', 'Savings', '--yes')).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(['income', 'income', 'income', 'expense']);
  });

  it('asks about a cash account, because the amounts without a minus may be purchases', async () => {
    bench.api.addAccount({ name: 'Wallet', type: 'cash' });
    const rows = ['Coffee,3.50', 'Lunch,12.00', 'Snack,5.00', 'Bus,-2.00'];
    const run = await bench.importing(await write(...rows), '--account', 'Wallet', '--yes');
    expect(run.stderr).toContain('no row shows that a minus is an expense');
    expect(recordedTypes()).toEqual([]);
  });
});

describe('an import of a file whose column of kinds names purchases, and in which few amounts have a minus', () => {
  const toChecking = ['--account', 'Checking', '--yes'];
  const broker = [
    'Datum;Typ;Wert;Notiz',
    '2026-03-02;Einlage;1000,00;',
    '2026-03-03;Kauf;450,00;ETF',
    '2026-03-10;Dividende;5,00;ETF',
    '2026-03-12;Entnahme;300,00;',
    '2026-03-13;Gebühren;-1,00;',
  ].join('\n');

  it.each([['--yes'], ['--no-input'], ['--dry-run']])(
    'exits 2 with %s because the signs are incomplete, and does not advise --minus expense alone',
    async (flag) => {
      const run = await bench.importing(await writeStatement(broker), '--account', 'Checking', flag);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(
        'The signs seem to be incomplete: the column "Typ" names purchases or other money out, but most of these amounts have no minus. Only 1 of 5 amounts of the file has a minus.',
      );
      expect(run.stderr).toContain('Put a minus before each amount that is money out.');
      expect(run.stderr).not.toContain('Use --minus income or --minus expense');
      expect(bench.api.movements).toEqual([]);
    },
  );

  it('asks no question on a terminal, because neither answer would be right', async () => {
    const path = await writeStatement(broker);
    const run = await bench.machine.run(['import', path, '--account', 'Checking'], { answers: [] });
    expect(run).toMatchObject({ code: 2, questions: [] });
  });

  it('records all rows after a minus was put before each amount that is money out', async () => {
    const completed = broker.replace('Kauf;', 'Kauf;-').replace('Entnahme;', 'Entnahme;-');
    expect(await bench.importing(await writeStatement(completed), ...toChecking)).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(['income', 'expense', 'income', 'expense', 'expense']);
  });

  it('records the rows of a card statement with --minus income', async () => {
    const purchases = [1, 2, 3, 4].map((day) => `2026-03-0${day},Card purchase,Shop ${day},${day}.00`);
    const rows = ['Date,Type,Description,Amount', ...purchases, '2026-03-09,Transfer,Bank,-10.00'];
    const path = await writeStatement(rows.join('\n'));
    const refused = await bench.importing(path, ...toChecking);
    expect(refused.stderr).toContain('as on some card statements, use --minus income');
    expect(await bench.importing(path, ...toChecking, '--minus', 'income')).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(['expense', 'expense', 'expense', 'expense', 'income']);
  });

  it('records the amounts with their signs if flags say that all signs are right', async () => {
    const flags = ['--direction-column', '', '--minus', 'expense'];
    const run = await bench.importing(await writeStatement(broker), ...toChecking, ...flags);
    expect(summaryOf(run)).toMatchObject({ created: 5 });
  });
});

describe('an import of a file with signed amounts into a loan account', () => {
  beforeEach(() => {
    bench.api.addAccount({ name: 'Mortgage', type: 'loan' });
  });
  const toLoan = ['--account', 'Mortgage', '--yes'];
  const file = (rows: readonly string[], balance = '') =>
    writeStatement([`Date,Description,Amount${balance}`, ...rows].join('\n'));
  const growing = [
    '2026-03-01,Interest charged,300.00,100300.00',
    '2026-03-05,Repayment,-1000.00,99300.00',
    '2026-03-31,Interest charged,297.00,99597.00',
  ];

  it('exits 2 and names --minus if the balances are positive and agree with the rows, because they may be the debt', async () => {
    const path = await file(growing, ',Balance');
    const run = await bench.importing(path, ...toLoan);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      'Mortgage is a loan, the balance column may show its debt, and 1 of its 3 amounts has a minus. A minus may mean a repayment or an expense.',
    );
    expect(run.stderr).toContain('Use --minus income or --minus expense.');
    expect(bench.api.movements).toEqual([]);
    expect(await bench.importing(path, ...toLoan, '--minus', 'income')).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(['expense', 'income', 'expense']);
  });

  it('exits 2 without a balance column, even if most amounts have a minus', async () => {
    const repayments = ['2026-03-01,Repayment,-50.00', '2026-03-08,Repayment,-50.00', '2026-03-31,Interest,3.00'];
    const run = await bench.importing(await file(repayments), ...toLoan);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Mortgage is a loan, and 2 of its 3 amounts have a minus.');
  });

  it('asks whether a minus means a repayment, and applies the answer', async () => {
    const path = await file(growing, ',Balance');
    const run = await bench.machine.run(['import', path, '--account', 'Mortgage'], { answers: [true, true] });
    expect(run.code).toBe(0);
    expect(run.questions[0]).toContain('Does a minus mean an income, such as a repayment?');
    expect(recordedTypes()).toEqual(['expense', 'income', 'expense']);
  });

  it('asks nothing if the balances are below zero and change by the amounts of the rows', async () => {
    const negative = [
      '2026-03-01,Interest charged,-300.00,-100300.00',
      '2026-03-05,Repayment,1000.00,-99300.00',
      '2026-03-31,Interest charged,-297.00,-99597.00',
    ];
    const run = await bench.importing(await file(negative, ',Balance'), ...toLoan);
    expect(run.code).toBe(0);
    expect(recordedTypes()).toEqual(['expense', 'income', 'expense']);
  });
});

describe('an import of a QIF section of type Bank into a credit card account', () => {
  const qif = (...amounts: string[]) =>
    writeStatement(
      `!Type:Bank\n${amounts.map((amount, index) => `D01/1${index + 3}/2026\nT${amount}\nPShop ${index}\n^\n`).join('')}`,
      'card.qif',
    );
  const flags = ['--account', 'Platinum', '--date-format', 'MM/DD/YYYY', '--yes'];

  it('exits 2 if most amounts have no minus, because a minus may then mean an income', async () => {
    const path = await qif('40', '-900', '60');
    const run = await bench.importing(path, ...flags);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Platinum is a credit card, and 1 of its 3 amounts has a minus.');
    expect(await bench.importing(path, ...flags, '--minus', 'income')).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(['expense', 'income', 'expense']);
  });

  it('asks nothing if most amounts have a minus', async () => {
    expect(await bench.importing(await qif('-40', '900', '-60'), ...flags)).toMatchObject({ code: 0 });
  });
});

describe('an import of a file whose account column names a credit card', () => {
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
    [['5.00', '6.00', '-11.00'], '1 of its 3 amounts has'],
    [['5.00', '6.00'], '0 of its 2 amounts have'],
  ])('exits 2 if most amounts of the card have no minus: %j', async (amounts, shares) => {
    const run = await bench.importing(await mixed(...amounts), ...columns, '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`Platinum is a credit card, and ${shares} a minus.`);
    expect(run.stderr).toContain('--minus expense for every row of the file, or import the rows of the card alone');
    expect(bench.api.movements).toEqual([]);
  });

  it('asks what a minus means, and applies the answer to every row of the file, as the question states', async () => {
    const path = await mixed('5.00', '-11.00');
    const run = await bench.machine.run(['import', path, ...columns], { answers: [false] });
    expect(run.code).toBe(0);
    expect(run.questions).toEqual([expect.stringContaining('The answer applies to every row of the file.')]);
    expect(recordedTypes()).toEqual([...Array.from({ length: 5 }, () => 'expense'), 'income', 'expense']);
    expect(summaryOf(await bench.importing(path, ...columns, '--minus', 'expense'))).toMatchObject({ replayed: 7 });
  });

  it('asks no question if most amounts of the card have a minus, or if the account column names no card', async () => {
    const run = await bench.importing(await mixed('-5.00', '-6.00', '11.00'), ...columns);
    expect(summaryOf(run)).toMatchObject({ created: 8 });
    bench.api.addAccount({ name: 'Savings' });
    const path = await writeStatement('Date,Amount,Account\n2026-01-13,5,Savings\n2026-01-14,-6,Checking\n');
    expect(summaryOf(await bench.importing(path, ...columns))).toMatchObject({ created: 2 });
  });

  it('exits 2 and names --minus if the card is the only account of the file and half of the amounts have a minus', async () => {
    const path = await writeStatement('Date,Amount,Account\n2026-01-13,5,Platinum\n2026-01-14,-6,Platinum\n');
    const run = await bench.importing(path, ...columns, '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Use --minus income or --minus expense.');
  });
});

describe('an import of a card statement', () => {
  const cardFile = (header: string) =>
    `Date,Amount,Description,${header}\n2026-01-13,5.00,Grocer,A\n2026-01-14,6.00,Baker,A\n2026-01-15,-11.00,Bill,A\n`;
  const toChecking = ['--date-column', 'Date', '--amount-column', 'Amount', '--account', 'Checking'];

  it.each(['Card Member', 'Portador', 'Cardholder Name', 'Karteninhaber', 'Parcela', 'Titulaire de la carte'])(
    'exits 2 because of the column "%s", even if the account is not a credit card',
    async (header) => {
      const path = await writeStatement(cardFile(header));
      const run = await bench.importing(path, ...toChecking, '--yes');
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(
        `The file is a card statement, because it has a column "${header}", and 1 of its 3 amounts has a minus.`,
      );
      expect(run.stderr).toContain('--minus income');
      expect(bench.api.movements).toEqual([]);
    },
  );

  it.each(['CardId', 'Kartennummer', 'MCC'])(
    'exits 2 because of the column "%s" only if most rows fill it',
    async (header) => {
      const full = await bench.importing(await writeStatement(cardFile(header)), ...toChecking, '--yes');
      expect(full.code).toBe(2);
      const path = await writeStatement(cardFile(header).replace('Baker,A', 'Baker,').replace('Bill,A', 'Bill,'));
      expect(await bench.importing(path, ...toChecking, '--yes')).toMatchObject({ code: 0 });
    },
  );

  it('takes the meaning of a minus from the answer of the user or from --minus', async () => {
    const path = await writeStatement(cardFile('Card Member'));
    expect(await bench.machine.run(['import', path, ...toChecking], { answers: [true] })).toMatchObject({ code: 0 });
    expect(recordedTypes()).toEqual(['expense', 'expense', 'income']);
    expect(summaryOf(await bench.importing(path, ...toChecking, '--minus', 'income'))).toMatchObject({ replayed: 3 });
  });

  it('exits 2 because the meaning of a minus is unknown, even if a column names the account of each row', async () => {
    const path = await writeStatement(cardFile('Card Member,Account').replaceAll(',A\n', ',A,Checking\n'));
    const columns = ['--date-column', 'Date', '--amount-column', 'Amount', '--account-column', 'Account'];
    expect(await bench.importing(path, ...columns, '--yes')).toMatchObject({ code: 2 });
  });
});

describe('an import of a file whose balance column shows which rows are money in and money out', () => {
  const rows = ['2026-01-15,A,50.00,150.00', '2026-01-16,Lidl,20.00,170.00', '2026-01-17,DD 123456,70.00,100.00'];
  const unsigned = `Date,Description,Amount,Balance\n${rows.join('\n')}\n`;

  it.each(['credit_card', 'loan'] as const)(
    'exits 2 for an account of type %s, whose balance may be a debt',
    async (type) => {
      bench.api.addAccount({ name: 'Debt', type });
      const run = await bench.importing(await writeStatement(unsigned), '--account', 'Debt', '--yes');
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('The balance may be a debt, so it does not show which rows are expenses.');
      expect(run.stderr).toContain('--all-expenses or --all-incomes');
      expect(bench.api.movements).toEqual([]);
    },
  );

  it('swaps two columns without headers for a card if a payment to the card reduces the balance', async () => {
    const rows = [
      '06/15/2026,COFFEE,12.50,,112.50',
      '06/14/2026,PAYMENT - THANK YOU,,50.00,100.00',
      '06/13/2026,SHOP,150.00,,150.00',
    ];
    const path = await writeStatement(`${rows.join('\n')}\n`);
    const run = await bench.importing(path, '--account', 'Platinum', '--yes');
    expect(summaryOf(run)).toMatchObject({ created: 3 });
    expect(run.stderr).toContain(
      'The balance is a debt, because "PAYMENT - THANK YOU" reduces it. So "column 3" is money out.',
    );
    expect(recordedTypes()).toEqual(['expense', 'income', 'expense']);
    bench.api.addAccount({ name: 'Bank', type: 'checking' });
    expect((await bench.importing(path, '--account', 'Bank', '--yes')).code).toBe(2);
  });

  it('exits 2 for a card if only the balance shows which of two columns without headers is the debit column', async () => {
    const rows = [
      '06/15/2026,COFFEE,12.50,,112.50',
      '06/14/2026,PAYMENT,,50.00,100.00',
      '06/13/2026,SHOP,150.00,,150.00',
    ];
    const path = await writeStatement(`${rows.join('\n')}\n`);
    const run = await bench.importing(path, '--account', 'Platinum', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('If it is a debt, use --debit-column "column 3" --credit-column "column 4".');
    const columns = ['--debit-column', 'column 3', '--credit-column', 'column 4', '--yes'];
    expect(summaryOf(await bench.importing(path, '--account', 'Platinum', ...columns))).toMatchObject({ created: 3 });
    expect(recordedTypes()).toEqual(['expense', 'income', 'expense']);
  });

  it('records the rows of a bank account except the oldest row, which fails because the balance before it is unknown', async () => {
    const run = await bench.importing(await writeStatement(unsigned), '--account', 'Checking', '--yes');
    expect(summaryOf(run)).toMatchObject({ created: 2, failed: 1 });
    expect(recordedTypes()).toEqual(['income', 'expense']);
  });

  const ledger = `Date,Description,Debit,Credit,Balance
01/15/2026,Employer,300.00,,1300.00\n01/16/2026,Lidl,,20.00,1280.00\n01/19/2026,Shell,,80.00,1200.00\n`;

  it('exits 2 for a bank account if the balance agrees with the rows only after debits and credits are swapped', async () => {
    const path = await writeStatement(ledger);
    const run = await bench.importing(path, '--account', 'Checking', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('The balance column agrees only if expenses and incomes are swapped');
    const swapped = ['--debit-column', 'Credit', '--credit-column', 'Debit'];
    expect(summaryOf(await bench.importing(path, '--account', 'Checking', '--yes', ...swapped))).toMatchObject({
      created: 3,
    });
    expect(recordedTypes()).toEqual(['income', 'expense', 'expense']);
  });

  it('exits 2 and names --minus if the balance agrees with the rows only after their signs are reversed', async () => {
    const signed = ['2026-01-15,A,-50.00,150.00', '2026-01-16,B,-20.00,170.00', '2026-01-17,C,70.00,100.00'];
    const path = await writeStatement(`Date,Description,Amount,Balance\n${signed.join('\n')}\n`);
    const run = await bench.importing(path, '--account', 'Checking', '--yes');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Use --minus income if a minus is money in.');
    const withMinus = ['--account', 'Checking', '--yes', '--minus', 'income'];
    expect(await bench.importing(path, ...withMinus)).toMatchObject({ code: 0 });
  });

  it('records rows whose debits raise the balance if the account is a card, or with --ignore-balance', async () => {
    bench.api.addAccount({ name: 'Debt', type: 'credit_card' });
    const path = await writeStatement(ledger);
    expect(await bench.importing(path, '--account', 'Debt', '--yes')).toMatchObject({ code: 0 });
    const toChecking = ['--account', 'Checking', '--yes', '--ignore-balance'];
    expect(await bench.importing(path, ...toChecking)).toMatchObject({ code: 0 });
  });
});
