import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';

const row = (day: string, amount: string) =>
  `<STMTTRN><DTPOSTED>${day}<TRNAMT>${amount}<FITID>${day}${amount}</STMTTRN>`;
const ledger = (amount: string, day: string) => `<LEDGERBAL><BALAMT>${amount}<DTASOF>${day}120000</LEDGERBAL>`;
const bank = (start: string, rows: string, balance: string) =>
  `<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>9<ACCTID>111</BANKACCTFROM><BANKTRANLIST><DTSTART>${start}<DTEND>20261231${rows}</BANKTRANLIST>${balance}</STMTRS>`;
const card = (start: string, rows: string, balance: string) =>
  `<CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>222</CCACCTFROM><BANKTRANLIST><DTSTART>${start}${rows}</BANKTRANLIST>${balance}</CCSTMTRS>`;
const read = async (...statements: string[]) =>
  (await readInTest(`OFXHEADER:100\n\n<OFX>${statements.join('')}</OFX>`)).statement.reading;
const linesOf = (reading: Awaited<ReturnType<typeof read>>) =>
  (reading?.lines ?? []).filter(([label]) => label === 'balance').map(([, value]) => value);

const january = bank('20260101', row('20260102', '-2.50'), ledger('1234.00', '20260131'));

describe('the ledger balances of an OFX file', () => {
  it('are shown with their day if there is only one', async () => {
    const reading = await read(january);
    expect(linesOf(reading)).toEqual(['ledger balance 1234.00 EUR on 2026-01-31']);
    expect(reading?.doubt).toBeNull();
  });

  it('agree with the transactions between them', async () => {
    const february = bank('20260131', row('20260202', '-34') + row('20260203', '100'), ledger('1300', '20260228'));
    const reading = await read(january, february);
    expect(linesOf(reading)).toEqual([
      'ledger balance 1300.00 EUR on 2026-02-28, and the transactions since 2026-01-31 agree with it',
    ]);
    expect(reading?.doubt).toBeNull();
  });

  it('raise a doubt that --ignore-balance answers if they cannot both be right', async () => {
    const reading = await read(january, bank('20260131', row('20260202', '-34'), ledger('1300', '20260228')));
    expect(reading?.doubt).toMatchObject({
      message:
        'Ledger balance 1234.00 EUR on 2026-01-31 and later transactions give 1200.00 EUR, but the ledger balance on 2026-02-28 is 1300.00 EUR. Rows may be missing or wrong.',
      remedy: expect.stringContaining('--ignore-balance'),
      mustBeSaid: true,
    });
  });

  it.each([
    ['the transactions begin later', bank('20260202', row('20260202', '-34'), ledger('1300', '20260228'))],
    ['a transaction is on the day of the first', bank('20260101', row('20260131', '-34'), ledger('1300', '20260228'))],
    ['a transaction is after the last', bank('20260101', row('20260301', '-34'), ledger('1300', '20260228'))],
    ['both are of one day', bank('20260101', row('20260102', '-2.50'), ledger('1300', '20260131'))],
    ['a transaction cannot be read', bank('20260101', row('20260202', 'much'), ledger('1300', '20260228'))],
    ['the second cannot be read', bank('20260101', row('20260202', '-34'), ledger('', '20260228'))],
  ])('prove nothing if %s', async (_, february) => {
    expect((await read(january, february))?.doubt).toBeNull();
  });

  it('of a card may have the debt without a minus', async () => {
    const first = card('20260101', row('20260102', '-5') + row('20260103', '1'), ledger('100', '20260131'));
    const second = card('20260131', row('20260202', '-7'), ledger('107', '20260228'));
    expect((await read(first, second))?.doubt).toBeNull();
  });
});

it('says that a statement without transactions records nothing', async () => {
  const reading = await read(bank('20260101', '', ledger('5', '20260131')));
  expect(reading).toMatchObject({ advice: 'The statement has no transactions: nothing is recorded.', doubt: null });
  expect(linesOf(reading)).toEqual(['ledger balance 5.00 EUR on 2026-01-31']);
});
