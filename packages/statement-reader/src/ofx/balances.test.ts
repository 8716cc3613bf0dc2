import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';
import { openStatement } from '../open-statement.js';
import type { BalanceStore } from '../options.js';
import type { OpenedStatement } from '../statement.js';

const row = (day: string, amount: string) =>
  `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}<FITID>${day}${amount}</STMTTRN>`;
const ledger = (amount: string, day: string, time = '120000') =>
  `<LEDGERBAL><BALAMT>${amount}<DTASOF>${day}${time}</LEDGERBAL>`;
const bank = (start: string, rows: string, balance: string) =>
  `<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>9<ACCTID>111</BANKACCTFROM><BANKTRANLIST><DTSTART>${start}<DTEND>20261231${rows}</BANKTRANLIST>${balance}</STMTRS>`;
const card = (start: string, rows: string, balance: string) =>
  `<CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>222</CCACCTFROM><BANKTRANLIST><DTSTART>${start}${rows}</BANKTRANLIST>${balance}</CCSTMTRS>`;
const read = async (...statements: string[]) =>
  (await readInTest(`OFXHEADER:100\n\n<OFX>${statements.join('')}</OFX>`)).statement.interpretation;
const linesOf = (interpretation: Awaited<ReturnType<typeof read>>) =>
  (interpretation?.lines ?? []).filter(([label]) => label === 'balance').map(([, value]) => value);

const january = bank('20260101', row('20260102', '-2.50'), ledger('1234.00', '20260131'));

/** Reads files one after another. Saves the balances of each file except the last, as an import does after recording. */
async function readInTurn(
  files: readonly { name: string; statements: readonly string[]; flags?: object }[],
  saved = new Map<string, string>(),
) {
  const balances: BalanceStore = {
    find: async (fingerprint) => saved.get(fingerprint),
    save: async (fingerprint, text) => {
      saved.set(fingerprint, text);
    },
  };
  let interpretation: OpenedStatement['interpretation'] = null;
  for (const { name, statements, flags } of files) {
    const statement = await openStatement({
      source: {
        name,
        async *read() {
          yield Buffer.from(`OFXHEADER:100\n\n<OFX>${statements.join('')}</OFX>`);
        },
      },
      format: 'ofx',
      csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: true, ...flags },
      mappings: { find: async () => undefined, save: async () => {} },
      balances,
    });
    interpretation = statement.interpretation;
    if (name !== files.at(-1)?.name) await statement.saveBalances?.();
  }
  return interpretation;
}

describe('the ledger balances of an OFX file', () => {
  it('are reported with their day, even if the file has only one', async () => {
    const interpretation = await read(january);
    expect(linesOf(interpretation)).toEqual(['ledger balance 1234.00 EUR on 2026-01-31']);
    expect(interpretation?.question).toBeNull();
  });

  it('are reported as agreeing with the transactions between them', async () => {
    const february = bank('20260131', row('20260202', '-34') + row('20260203', '100'), ledger('1300', '20260228'));
    const interpretation = await read(january, february);
    expect(linesOf(interpretation)).toEqual([
      'ledger balance 1300.00 EUR on 2026-02-28, and the transactions since 2026-01-31 agree with it',
    ]);
    expect(interpretation?.question).toBeNull();
  });

  it('require --ignore-balance if they do not agree with the transactions between them', async () => {
    const interpretation = await read(january, bank('20260131', row('20260202', '-34'), ledger('1300', '20260228')));
    expect(interpretation?.question).toMatchObject({
      message:
        'Ledger balance 1234.00 EUR on 2026-01-31 and later transactions give 1200.00 EUR, but the ledger balance on 2026-02-28 is 1300.00 EUR. Rows may be missing or wrong.',
      remedy: expect.stringContaining('--ignore-balance'),
      requiresOption: true,
    });
  });

  it.each([
    [
      'a day is between the first balance and the second statement',
      bank('20260202', row('20260202', '-34'), ledger('1300', '20260228')),
    ],
    [
      'a transaction is on the day of the first balance',
      bank('20260101', row('20260131', '-34'), ledger('1300', '20260228')),
    ],
    ['a transaction is after the last balance', bank('20260101', row('20260301', '-34'), ledger('1300', '20260228'))],
    [
      'the balances are of different times of one day',
      bank('20260101', row('20260102', '-2.50'), ledger('1300', '20260131', '180000')),
    ],
    [
      'the bank writes the same day into both balances, and the transactions of the second statement add up to the difference',
      bank('20260201', row('20260202', '-34'), ledger('1200', '20260131')),
    ],
    [
      'the second statement is older, and the transactions of the first statement add up to the difference',
      bank('20251201', row('20251202', '-34'), ledger('1236.50', '20260131')),
    ],
    ['a transaction cannot be read', bank('20260101', row('20260202', 'much'), ledger('1300', '20260228'))],
    ['the second balance cannot be read', bank('20260101', row('20260202', '-34'), ledger('', '20260228'))],
  ])('require no confirmation if %s', async (_, february) => {
    expect((await read(january, february))?.question).toBeNull();
  });

  it('require --ignore-balance if two of them differ, but are of the same time', async () => {
    const interpretation = await read(january, bank('20260101', row('20260102', '-2.50'), ledger('1300', '20260131')));
    expect(interpretation?.question).toMatchObject({
      message: 'Two ledger balances on 2026-01-31 differ: 1234.00 EUR and 1300.00 EUR. Rows may be missing or wrong.',
      remedy: expect.stringContaining('--ignore-balance'),
      requiresOption: true,
    });
  });

  describe('of consecutive statements', () => {
    const rowsOfLastDay = row('20260131', '-10') + row('20260131', '-20') + row('20260131', '-3');
    const first = bank('20260101', row('20260102', '-2.50') + rowsOfLastDay, ledger('1234', '20260131'));
    const second = (balance: string) => bank('20260201', row('20260202', '-34'), ledger(balance, '20260228'));

    it.each([
      ['all transactions of its day', '1200'],
      ['no transaction of its day', '1167'],
      ['only the first transactions of its day', '1177'],
      ['only the last transactions of its day, which the file lists first', '1170'],
    ])('require no confirmation if the first balance includes %s', async (_, balance) => {
      const interpretation = await read(first, second(balance));
      expect(interpretation?.question).toBeNull();
      expect(linesOf(interpretation)[0]).toContain('and the transactions since 2026-01-31 agree with it');
    });

    it('require --ignore-balance if they contradict the transactions between them', async () => {
      expect((await read(first, second('1195')))?.question).toMatchObject({
        message:
          'Ledger balance 1234.00 EUR on 2026-01-31 and later transactions give 1200.00 EUR, but the ledger balance on 2026-02-28 is 1195.00 EUR. Rows may be missing or wrong.',
        requiresOption: true,
      });
    });

    it('require no confirmation if both are equal, because the bank may write its current balance into all statements', async () => {
      expect((await read(first, second('1234')))?.question).toBeNull();
    });

    it('require no confirmation if a transaction of the first statement is after its balance', async () => {
      const open = bank('20260101', row('20260201', '-8'), ledger('1234', '20260131'));
      expect((await read(open, second('1195')))?.question).toBeNull();
    });
  });

  it('require no confirmation if a card shows its debt without a minus', async () => {
    const first = card('20260101', row('20260102', '-5') + row('20260103', '1'), ledger('100', '20260131'));
    const second = card('20260131', row('20260202', '-7'), ledger('107', '20260228'));
    expect((await read(first, second))?.question).toBeNull();
  });
});

describe('the ledger balances of two OFX files', () => {
  const earlier = { name: 'january.ofx', statements: [january] };
  const february = (rows: string, balance: string, start = '20260131') => ({
    name: 'february.ofx',
    statements: [bank(start, rows, balance)],
  });
  const wrong = february(row('20260202', '-34'), ledger('1300', '20260228'));

  it('are reported as agreeing with the transactions between them', async () => {
    const rows = row('20260202', '-34') + row('20260203', '100');
    const interpretation = await readInTurn([earlier, february(rows, ledger('1300', '20260228'))]);
    expect(linesOf(interpretation)).toEqual([
      'ledger balance 1300.00 EUR on 2026-02-28, and the transactions since 2026-01-31 (january.ofx) agree with it',
    ]);
    expect(interpretation?.question).toBeNull();
  });

  it('require --ignore-balance if they do not agree with the transactions between them; the message names both files', async () => {
    const interpretation = await readInTurn([earlier, wrong]);
    expect(interpretation?.question).toMatchObject({
      message:
        'The ledger balances 1234.00 EUR on 2026-01-31 (january.ofx) and 1300.00 EUR on 2026-02-28 (february.ofx) differ by 66.00 EUR, but the transactions between them sum to -34.00 EUR. Rows may be missing or wrong.',
      remedy: expect.stringContaining('--ignore-balance'),
      requiresOption: true,
    });
  });

  it('require --ignore-balance if the later file begins on the day after the first balance, and the transactions do not agree', async () => {
    const later = february(row('20260202', '-34'), ledger('1300', '20260228'), '20260201');
    expect((await readInTurn([earlier, later]))?.question?.message).toContain('differ by 66.00 EUR');
  });

  it('require no confirmation if they agree with the transactions, either with or without one on the day of the first balance', async () => {
    const rows = row('20260102', '-2.50') + row('20260131', '-7');
    const first = { name: 'january.ofx', statements: [bank('20260101', rows, ledger('1234', '20260131'))] };
    for (const balance of ['1200', '1193']) {
      const later = february(row('20260202', '-34'), ledger(balance, '20260228'), '20260201');
      expect((await readInTurn([first, later]))?.question).toBeNull();
    }
  });

  it('require no confirmation if the balance was saved without the transactions of its day, and the later file begins on the next day', async () => {
    const saved = new Map<string, string>();
    await readInTurn([earlier, wrong], saved);
    for (const key of saved.keys()) saved.set(key, '{"amount":"1234","day":"2026-01-31","fileName":"january.ofx"}');
    const later = february(row('20260202', '-34'), ledger('1300', '20260228'), '20260201');
    expect((await readInTurn([later], saved))?.question).toBeNull();
    expect((await readInTurn([wrong], saved))?.question?.message).toContain('differ by 66.00 EUR');
  });

  it('require no confirmation if --ignore-balance is set', async () => {
    expect((await readInTurn([earlier, { ...wrong, flags: { ignoresBalance: true } }]))?.question).toBeNull();
  });

  it.each([
    [
      'a day is between the first balance and the later file',
      february(row('20260202', '-34'), ledger('1300', '20260228'), '20260202'),
    ],
    [
      'the later file begins on the day after the first balance, and the transactions agree',
      february(row('20260202', '-34'), ledger('1200', '20260228'), '20260201'),
    ],
    ['a transaction is on the day of the first balance', february(row('20260131', '-34'), ledger('1300', '20260228'))],
    ['a transaction is after the last balance', february(row('20260301', '-34'), ledger('1300', '20260228'))],
    ['both balances are of one day', february(row('20260102', '-2.50'), ledger('1300', '20260131'))],
    ['the second balance is older', february(row('20251202', '-34'), ledger('1300', '20251231'), '20251201')],
    ['a transaction cannot be read', february(row('20260202', 'much'), ledger('1300', '20260228'))],
    [
      'the accounts differ',
      { name: 'february.ofx', statements: wrong.statements.map((text) => text.replace('111', '112')) },
    ],
  ])('require no confirmation if %s', async (_, later) => {
    expect((await readInTurn([earlier, later]))?.question).toBeNull();
  });

  it('are compared even if a third file, with an older balance, was read between the two', async () => {
    const december = {
      name: 'december.ofx',
      statements: [bank('20251201', row('20251202', '-1'), ledger('9', '20251231'))],
    };
    const interpretation = await readInTurn([earlier, december, wrong]);
    expect(interpretation?.question?.message).toContain('on 2026-01-31 (january.ofx)');
  });

  it.each(['', '{', '[]', '{"amount":"much","day":"2026-01-31","fileName":"january.ofx"}'])(
    'require no confirmation if the saved balance is damaged: %s',
    async (text) => {
      const saved = new Map<string, string>();
      await readInTurn([earlier, wrong], saved);
      for (const fingerprint of saved.keys()) saved.set(fingerprint, text);
      expect(saved.size).toBe(1);
      expect((await readInTurn([wrong], saved))?.question).toBeNull();
    },
  );
});

it('the OFX reader reports that nothing is recorded from a statement without transactions', async () => {
  const interpretation = await read(bank('20260101', '', ledger('5', '20260131')));
  expect(interpretation).toMatchObject({
    advice: 'The statement has no transactions. Nothing is recorded.',
    question: null,
  });
  expect(linesOf(interpretation)).toEqual(['ledger balance 5.00 EUR on 2026-01-31']);
});
