import { describe, expect, it } from 'vitest';
import { openStatement } from '../open-statement.js';
import type { OpenedStatement } from '../statement.js';

const balance = (code: string, amount: number, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount.toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

/**
 * Returns a statement with one entry, which is the difference of the balances.
 * @param days the day of the opening balance, and that of the closing balance and the entry
 */
const statement = ([first, last]: readonly [string, string], [opening, closing]: readonly [number, number]) =>
  `<Stmt><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', opening, first)}${balance('CLBD', closing, last)}<Ntry><Amt Ccy="EUR">${Math.abs(closing - opening).toFixed(2)}</Amt><CdtDbtInd>${closing < opening ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${last}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>REWE SAGT DANKE</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt>`;

/** Reads files one after another, and saves the balances of each file, as an import does. Returns the interpretation of the last file. */
async function readInTurn(files: readonly string[], saved = new Map<string, string>()) {
  let interpretation: OpenedStatement['interpretation'] = null;
  for (const [index, statements] of files.entries()) {
    const opened = await openStatement({
      source: {
        name: `${index + 1}.xml`,
        async *read() {
          yield Buffer.from(
            `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>${statements}</BkToCstmrStmt></Document>`,
          );
        },
      },
      format: 'camt053',
      csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: true },
      mappings: { find: async () => undefined, save: async () => {} },
      balances: {
        find: async (fingerprint) => saved.get(fingerprint),
        save: async (fingerprint, text) => {
          saved.set(fingerprint, text);
        },
      },
    });
    interpretation = opened.interpretation;
    await opened.saveBalances?.();
  }
  return interpretation;
}

const friday = statement(['2026-03-13', '2026-03-13'], [100, 54.9]);
const saturday = statement(['2026-03-14', '2026-03-14'], [54.9, 50]);
const tuesday = statement(['2026-03-17', '2026-03-17'], [1554.9, 1516.9]);

describe('the opening balance of a CAMT.053 statement, and the closing balance of an earlier file', () => {
  it('require no confirmation, but are reported with the name of the earlier file, if they differ and there are days between the statements', async () => {
    const interpretation = await readInTurn([friday, tuesday]);
    expect(interpretation?.question).toBeNull();
    expect(interpretation?.lines).toContainEqual([
      'balance',
      'the closing balance on 2026-03-13 (1.xml) is 54.90 EUR, but the next statement begins on 2026-03-17 with 1554.90 EUR: a statement between them may be missing',
    ]);
  });

  it('require --ignore-balance if they differ, and the next statement begins on the next day', async () => {
    const interpretation = await readInTurn([friday, statement(['2026-03-14', '2026-03-14'], [1554.9, 1550])]);
    expect(interpretation?.question).toMatchObject({
      message:
        'The closing balance on 2026-03-13 (1.xml) is 54.90 EUR, but the next statement begins on 2026-03-14 with 1554.90 EUR. Rows may be missing or wrong.',
      requiresOption: true,
    });
  });

  const monday = statement(['2026-03-16', '2026-03-16'], [54.9, 20]);
  const march = statement(['2026-03-01', '2026-03-31'], [80, 20]);
  const secondOfFriday = statement(['2026-03-13', '2026-03-13'], [54.9, 45]);
  it.each([
    ['the files are of consecutive days', [friday, saturday]],
    ['both balances are of the same day', [friday, statement(['2026-03-13', '2026-03-14'], [54.9, 50])]],
    ['no statement was issued over the weekend', [friday, monday]],
    ['the same file is imported again', [friday, friday]],
    ['the later file begins with the statement of the earlier file', [friday, friday + saturday]],
    [
      'the earlier file covers a month, and the later file covers only its last day',
      [march, statement(['2026-03-31', '2026-03-31'], [45, 20])],
    ],
    ['the earlier file covers a day, and the later file covers the whole month', [friday, march]],
    ['the later file is older', [tuesday, friday]],
    [
      'the later of two statements of one day is imported first',
      [secondOfFriday, friday, statement(['2026-03-14', '2026-03-14'], [45, 40])],
    ],
    ['the accounts differ', [friday, tuesday.replace('DE02', 'DE89')]],
    ['the currencies differ', [friday, tuesday.replaceAll('EUR', 'USD')]],
  ])('require no confirmation if %s', async (_name, files) => {
    const interpretation = await readInTurn(files);
    expect(interpretation?.question).toBeNull();
    expect(interpretation?.lines.join('\n')).not.toContain('the next statement');
  });

  it('are compared even if an older file was imported between the two', async () => {
    const interpretation = await readInTurn([friday, statement(['2026-02-02', '2026-02-02'], [9, 8]), tuesday]);
    expect(interpretation?.lines.join('\n')).toContain('the closing balance on 2026-03-13 (1.xml)');
  });

  it.each([
    '',
    '{',
    '{}',
    '[null]',
    '[{"currencyCode":"EUR","fileName":"1.xml","opening":{},"closing":{"amount":"much"}}]',
  ])('require no confirmation if the saved balances are damaged: %s', async (text) => {
    const saved = new Map<string, string>();
    await readInTurn([friday], saved);
    expect(saved.size).toBe(1);
    for (const fingerprint of saved.keys()) saved.set(fingerprint, text);
    const interpretation = await readInTurn([tuesday], saved);
    expect(interpretation?.question).toBeNull();
    expect(interpretation?.lines.join('\n')).not.toContain('the next statement');
  });
});
