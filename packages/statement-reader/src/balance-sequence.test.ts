import { describe, expect, it } from 'vitest';
import { readInTest } from '../test-support/read-statement.js';

const balance = (code: string, amount: string, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount.replace('-', '')}</Amt><CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

/**
 * Returns a CAMT.053 statement with one entry, which is the difference of the balances.
 * @param days first the day of the opening balance, then the day of the closing balance and of the entry
 */
const statement = (days: readonly [string, string], [opening, closing]: readonly [number, number], iban = 'DE02') => {
  const entry = `<Ntry><Amt Ccy="EUR">${Math.abs(closing - opening)}</Amt><CdtDbtInd>${closing < opening ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${days[1]}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>REWE SAGT DANKE</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  return `<Stmt><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', String(opening), days[0])}${balance('CLBD', String(closing), days[1])}${opening === closing ? '' : entry}</Stmt>`;
};
const interpretationOf = async (...statements: string[]) =>
  (
    await readInTest(
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>${statements.join('')}</BkToCstmrStmt></Document>`,
    )
  ).statement.interpretation;

const thursday = statement(['2026-03-12', '2026-03-12'], [100, 60]);
const friday = statement(['2026-03-13', '2026-03-13'], [60, 45]);

describe('the closing balance of a CAMT.053 statement, and the opening balance of the next one', () => {
  it.each([
    ['the next day', statement(['2026-03-13', '2026-03-13'], [1060, 1045])],
    ['the same day', statement(['2026-03-12', '2026-03-13'], [1060, 1045])],
  ])('require --ignore-balance if they differ, and the next statement begins on %s', async (_name, next) => {
    const day = next.includes('<Dt><Dt>2026-03-12') ? '2026-03-12' : '2026-03-13';
    for (const statements of [
      [thursday, next],
      [next, thursday],
    ]) {
      expect((await interpretationOf(...statements))?.question).toMatchObject({
        message: `The closing balance on 2026-03-12 is 60.00 EUR, but the next statement begins on ${day} with 1060.00 EUR. Rows may be missing or wrong.`,
        remedy: expect.stringContaining('--ignore-balance'),
        requiresOption: true,
      });
    }
  });

  it('are reported without a question if they differ and there are days between the statements', async () => {
    const interpretation = await interpretationOf(thursday, statement(['2026-03-16', '2026-03-17'], [1060, 1045]));
    expect(interpretation?.question).toBeNull();
    expect(interpretation?.lines).toContainEqual([
      'balance',
      'the closing balance on 2026-03-12 is 60.00 EUR, but the next statement begins on 2026-03-16 with 1060.00 EUR: a statement between them may be missing',
    ]);
  });

  it.each([
    ['are equal, and the newest statement is first', [friday, thursday]],
    [
      'are equal, and a statement without entries is between two others',
      [thursday, statement(['2026-03-13', '2026-03-13'], [60, 60]), statement(['2026-03-14', '2026-03-14'], [60, 1])],
    ],
    ['are equal over a weekend', [friday, statement(['2026-03-16', '2026-03-16'], [45, 20])]],
    [
      'are equal, and the opening balance has the day of the closing balance',
      [thursday, statement(['2026-03-12', '2026-03-13'], [60, 45])],
    ],
    [
      'belong to several statements of one day',
      [statement(['2026-03-12', '2026-03-12'], [60, 45]), thursday, statement(['2026-03-13', '2026-03-13'], [45, 9])],
    ],
    ['belong to different accounts', [thursday, statement(['2026-03-13', '2026-03-13'], [900, 45], 'DE89')]],
    [
      'belong to different currencies',
      [thursday, statement(['2026-03-13', '2026-03-13'], [900, 45]).replaceAll('EUR', 'USD')],
    ],
  ])('raise no question if they %s', async (_name, statements) => {
    const interpretation = await interpretationOf(...statements);
    expect(interpretation?.question).toBeNull();
    expect(interpretation?.lines.join('\n')).not.toContain('the next statement');
  });

  it('raise only the question about shared rows if a weekly statement and the statement of its last day contain the same row', async () => {
    const week = statement(['2026-03-09', '2026-03-13'], [75, 60]);
    const day = statement(['2026-03-13', '2026-03-13'], [75, 60]);
    const interpretation = await interpretationOf(week, day, statement(['2026-03-14', '2026-03-14'], [60, 2]));
    expect(interpretation?.question?.message).toContain('1 row equals a row of an earlier statement');
    expect(interpretation?.furtherQuestions).toEqual([]);
  });
});
