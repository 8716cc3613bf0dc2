import { describe, expect, it } from 'vitest';
import { readInTest } from '../test-support/read-statement.js';

const balance = (code: string, amount: string, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>\n`;
const entry = (day: string, amount: string, text: string, reference = '') =>
  `<Ntry><Amt Ccy="EUR">${amount.replace('-', '')}</Amt><CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>${reference === '' ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`}<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`;

/** Returns a CAMT.053 statement. @param balances the opening day and balance, and the closing day and balance */
const camt = (id: string, balances: readonly string[], entries: string, iban = 'DE02120300000000202051') => {
  const [openingDay = '', opening = '', closingDay = '', closing = ''] = balances;
  const both = balances.length === 0 ? '' : balance('OPBD', opening, openingDay) + balance('CLBD', closing, closingDay);
  return `<Stmt><Id>${id}</Id><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>${both}${entries}</Stmt>`;
};
const readCamt = (statements: readonly string[], copiedRows?: 'skip' | 'record') =>
  readInTest(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>${statements.join('')}</BkToCstmrStmt></Document>`,
    { options: { copiedRows } },
  );

const [shop, salary, fuel] = [
  entry('2026-03-13', '-45.10', 'REWE SAGT DANKE'),
  entry('2026-03-14', '1500.00', 'Gehalt Maerz'),
  entry('2026-03-17', '-38.00', 'ARAL Station'),
];
const firstDay = camt('DAY1', ['2026-03-13', '100.00', '2026-03-13', '54.90'], shop);
const secondDay = camt('DAY2', ['2026-03-14', '54.90', '2026-03-14', '1554.90'], salary);
const month = camt('MONTH', ['2026-03-01', '100.00', '2026-03-31', '1554.90'], shop + salary);
const firstWeek = camt('W1', ['2026-03-13', '100.00', '2026-03-14', '1554.90'], shop + salary);

describe('CAMT.053 statements with different ids, but the same days and equal entries', () => {
  it.each<[name: string, statements: readonly string[], count: number]>([
    ['two days and their month', [firstDay, secondDay, month], 2],
    ['a month and its two days', [month, firstDay, secondDay], 2],
    [
      'two days and their month, without balances',
      [camt('1', [], shop), camt('2', [], salary), camt('M', [], shop + salary + fuel)],
      2,
    ],
    [
      'a day and its month, with other references',
      [
        camt('DAY1', ['2026-03-13', '100.00', '2026-03-13', '54.90'], entry('2026-03-13', '-45.10', 'REWE', 'R1')),
        camt('MONTH', ['2026-03-01', '100.00', '2026-03-31', '54.90'], entry('2026-03-13', '-45.10', 'REWE', 'R900')),
      ],
      1,
    ],
    [
      'two weeks that share an entry, and whose balances overlap',
      [firstWeek, camt('W2', ['2026-03-14', '54.90', '2026-03-17', '1516.90'], salary + fuel)],
      1,
    ],
  ])(
    'require the option copiedRows; with "skip", their common entries are read once: %s',
    async (_name, statements, count) => {
      const asked = await readCamt(statements);
      expect(asked.statement.interpretation?.question).toMatchObject({
        message: expect.stringMatching(
          new RegExp(`^${count} rows? equals? (a row|rows) of an earlier statement of the same days: line`),
        ),
        remedy: expect.stringContaining('--skip-recorded'),
        requiresOption: true,
      });
      const once = await readCamt(statements, 'skip');
      expect(once.statement.interpretation?.question).toBeNull();
      expect(once.lines).toEqual([...new Set(once.lines)]);
      expect(asked.lines).toHaveLength(once.lines.length + count);
      expect(once.rows.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(count);
      const both = await readCamt(statements, 'record');
      expect(both.statement.interpretation?.question).toBeNull();
      expect(both.lines).toEqual(asked.lines);
    },
  );

  it('raise a question that names the line, day, amount and text of each equal entry', async () => {
    const { statement } = await readCamt([firstDay, secondDay, month]);
    expect(statement.interpretation?.question?.message).toBe(
      '2 rows equal rows of an earlier statement of the same days: line 10, 2026-03-13, -45.10 EUR, "REWE SAGT DANKE"; line 11, 2026-03-14, 1500.00 EUR, "Gehalt Maerz". If they are recorded, their amounts may count twice.',
    );
    expect(statement.interpretation?.lines).toContainEqual([
      'note',
      'lines 10, 11: an earlier statement of the same days has an equal row',
    ]);
  });

  it('are read with all equal payments of one day that are in one statement', async () => {
    const coffee = entry('2026-03-14', '-3.20', 'Cafe');
    const both = [camt('DAY', [], coffee + coffee), camt('MONTH', [], shop + coffee + coffee + coffee + fuel)];
    expect((await readCamt(both, 'skip')).lines.filter((line) => line.includes('Cafe'))).toHaveLength(3);
    const parts = [
      camt('A', ['2026-03-14', '100.00', '2026-03-14', '96.80'], coffee),
      camt('B', ['2026-03-14', '96.80', '2026-03-14', '93.60'], coffee),
      camt('MONTH', ['2026-03-01', '100.00', '2026-03-31', '93.60'], coffee + coffee),
    ];
    expect((await readCamt(parts, 'skip')).lines).toHaveLength(2);
    expect((await readCamt(parts.toReversed(), 'skip')).lines).toHaveLength(2);
  });
});

describe('CAMT.053 statements with equal entries', () => {
  const coffee = entry('2026-03-14', '-3.20', 'Cafe');
  it.each<[reason: string, statements: readonly string[]]>([
    [
      'the second begins with the closing balance of the first',
      [
        camt('1', ['2026-03-14', '100.00', '2026-03-14', '96.80'], coffee),
        camt('2', ['2026-03-14', '96.80', '2026-03-14', '93.60'], coffee),
      ],
    ],
    [
      'the newest is first, and begins with the closing balance of the other',
      [
        camt('2', ['2026-03-14', '96.80', '2026-03-17', '55.60'], coffee + fuel),
        camt('1', ['2026-03-13', '145.10', '2026-03-14', '96.80'], shop + coffee),
      ],
    ],
    ['they share only their first day, and have no balances', [camt('1', [], coffee), camt('2', [], coffee + fuel)]],
    ['they belong to different accounts', [month, month.replace('DE02120300000000202051', 'DE89370400440532013000')]],
    [
      'the statements share a transaction with the same reference',
      [
        camt('1', [], shop + entry('2026-03-14', '-3.20', 'Cafe', 'R1')),
        camt(
          '2',
          [],
          shop.replace('REWE', 'EDEKA') +
            entry('2026-03-14', '-3.20', 'Cafe', 'R2') +
            entry('2026-03-14', '-3.20', 'Cafe', 'R1'),
        ),
      ],
    ],
  ])('do not require the option copiedRows if %s', async (_reason, statements) => {
    const { statement } = await readCamt(statements);
    expect(statement.interpretation?.question).toBeNull();
  });
});

describe('OFX statements of the same days, with a new FITID for each row', () => {
  const row = (day: string, amount: string, id: string, name: string) =>
    `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>\n`;
  const ofx = (start: string, end: string, rows: string) =>
    `<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>111<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>${start}<DTEND>${end}${rows}</BANKTRANLIST></STMTRS>\n`;
  const readOfx = (statements: readonly string[], copiedRows?: 'skip') =>
    readInTest(`OFXHEADER:100\n\n<OFX>${statements.join('')}</OFX>`, { options: { copiedRows } });
  const first = row('20260313', '-45.10', 'f1', 'REWE') + row('20260314', '1500.00', 'f2', 'Gehalt');
  const second = row('20260314', '1500.00', 'g1', 'Gehalt') + row('20260317', '-38.00', 'g2', 'ARAL');

  it('require the option copiedRows; with "skip", their common rows are read once', async () => {
    const overlapping = [ofx('20260301', '20260315', first), ofx('20260310', '20260331', second)];
    expect((await readOfx(overlapping)).statement.interpretation?.question).toMatchObject({
      message: expect.stringContaining(
        '1 row equals a row of an earlier statement of the same days: line 6, 2026-03-14',
      ),
      requiresOption: true,
    });
    expect((await readOfx(overlapping, 'skip')).lines).toEqual([
      '2026-03-13 -45.1 REWE',
      '2026-03-14 1500 Gehalt',
      '2026-03-17 -38 ARAL',
    ]);
    const same = [
      ofx('20260301', '20260331', first),
      ofx('20260301', '20260331', first.replaceAll('<FITID>f', '<FITID>g')),
    ];
    expect((await readOfx(same, 'skip')).lines).toHaveLength(2);
  });

  it('do not require the option copiedRows if the second statement begins on the last day of the first', async () => {
    const consecutive = [ofx('20260301', '20260314', first), ofx('20260314', '20260331', second)];
    const { statement, lines } = await readOfx(consecutive);
    expect(statement.interpretation?.question).toBeNull();
    expect(lines).toHaveLength(4);
  });
});
