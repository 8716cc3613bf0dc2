import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';

const statement = (rows: readonly string[], { account = '12345678', balance = '', start = '20260301' } = {}) =>
  `<STMTTRNRS>\n<STMTRS>\n<CURDEF>GBP\n<BANKACCTFROM>\n<BANKID>200415\n<ACCTID>${account}\n<ACCTTYPE>CHECKING\n</BANKACCTFROM>\n<BANKTRANLIST>\n<DTSTART>${start}\n<DTEND>20260331\n${rows.join('\n')}\n</BANKTRANLIST>\n${balance}</STMTRS>\n</STMTTRNRS>`;
const file = (...statements: string[]) =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>\n<BANKMSGSRSV1>\n${statements.join('\n')}\n</BANKMSGSRSV1>\n</OFX>`;
const row = (id: string, amount: string, name: string, more = '') =>
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260304<TRNAMT>${amount}<FITID>${id}${more}<NAME>${name}</STMTTRN>`;
const correcting = (id: string, action = 'REPLACE') =>
  `<CORRECTFITID>${id}${action === '' ? '' : `<CORRECTACTION>${action}`}`;

const rent = row('F1', '-950.00', 'RENT MARCH');
const correctRent = row('F2', '-905.00', 'RENT MARCH', correcting('F1'));
const gym = row('F4', '-30.00', 'GYM');
const noGym = row('F5', '-30.00', 'GYM', correcting('F4', 'DELETE'));
const coffee = row('F9', '-2.50', 'CAFE NERO');

/** Reads a file. Returns each transaction with its id, and the outcome and reason of each other row. */
async function read(content: string, request: Parameters<typeof readInTest>[1] = {}) {
  const { rows, statement: opened } = await readInTest(content, request);
  return {
    rows: rows.map((found) => {
      if (found.outcome !== 'transaction') return `${found.outcome}: ${found.reason}`;
      const { direction, amountDecimal, statementId } = found.transaction;
      return `${statementId} ${direction === 'expense' ? '-' : ''}${amountDecimal}`;
    }),
    replacedIds: rows.map((found) => (found.outcome === 'transaction' ? found.transaction.replacedId : undefined)),
    notes: (opened.interpretation?.lines ?? []).flatMap(([label, value]) => (label === 'note' ? [value] : [])),
  };
}

describe('a correction in an OFX file that also has the corrected transaction', () => {
  it('replaces the corrected transaction, which may be above or below, and the interpretation has a note', async () => {
    const after = await read(file(statement([rent, coffee, correctRent])));
    expect(after.rows).toEqual(['skipped: the transaction "F2" in line 23 replaces it', 'F9 -2.5', 'F2 -905']);
    expect(after.replacedIds).toEqual([undefined, undefined, 'F1']);
    expect(after.notes).toEqual(['line 21: the transaction "F2" in line 23 replaces it']);
    const before = await read(file(statement([correctRent, coffee, rent])));
    expect(before.rows).toEqual(['F2 -905', 'F9 -2.5', 'skipped: the transaction "F2" in line 21 replaces it']);
  });

  it('is skipped, like the corrected transaction, if its action is DELETE', async () => {
    const { rows } = await read(file(statement([gym, coffee, noGym])));
    expect(rows).toEqual([
      'skipped: the transaction "F5" in line 23 deletes it',
      'F9 -2.5',
      'skipped: it deletes the transaction "F4" of the file. If an earlier import recorded that transaction, void its movement',
    ]);
  });

  it('replaces a transaction in another statement of the same account, but fails if that transaction is in another account', async () => {
    const same = file(statement([rent]), statement([correctRent], { start: '20260302' }));
    expect((await read(same)).rows).toEqual(['skipped: the transaction "F2" in line 36 replaces it', 'F2 -905']);
    const other = file(statement([rent]), statement([correctRent], { account: '87654321' }));
    expect((await read(other)).rows).toEqual([
      'F1 -950',
      'failure: it corrects the transaction "F1" (REPLACE); correct that movement yourself',
    ]);
  });

  it('is read once if the file has the whole statement, or both rows, twice', async () => {
    const balance = '<LEDGERBAL><BALAMT>100.00<DTASOF>20260331</LEDGERBAL>\n';
    const twice = await read(
      file(statement([rent, correctRent], { balance }), statement([rent, correctRent], { balance })),
    );
    expect(twice.rows.filter((found) => found === 'F2 -905')).toHaveLength(1);
    const overlapping = await read(
      file(statement([rent, correctRent]), statement([rent, correctRent, coffee], { start: '20260302' })),
    );
    expect(overlapping.rows).toEqual([
      'skipped: the transaction "F2" in line 22 replaces it',
      'F2 -905',
      'skipped: the transaction "F2" in line 22 replaces it',
      'skipped: it is also in an earlier statement of the file',
      'F9 -2.5',
    ]);
  });

  it('replaces an earlier row with the same id', async () => {
    const { rows, replacedIds } = await read(
      file(statement([rent, row('F1', '-905.00', 'RENT MARCH', correcting('F1'))])),
    );
    expect(rows).toEqual(['skipped: the transaction "F1" in line 22 replaces it', 'F1 -905']);
    expect(replacedIds).toEqual([undefined, undefined]);
  });

  it.each([
    ['the action is missing', [rent, row('F2', '-905', 'RENT', correcting('F1', ''))], 'CORRECTACTION is neither'],
    [
      'the action is unknown',
      [rent, row('F2', '-905', 'RENT', correcting('F1', 'CHANGE'))],
      'CORRECTACTION is neither',
    ],
    [
      'two rows correct the same transaction',
      [rent, correctRent, row('F3', '-590', 'RENT', correcting('F1'))],
      'several transactions of',
    ],
    [
      'one statement has the correction twice',
      [rent, correctRent, correctRent],
      'several transactions of the file correct it',
    ],
    [
      'two rows have the id of the corrected transaction',
      [rent, row('F1', '-1.50', 'FEE'), correctRent],
      'several transactions with the id "F1"',
    ],
    ['the amount cannot be read', [rent, row('F2', '9x', 'RENT', correcting('F1'))], '"9x" is not a valid OFX amount'],
    ['the amount is zero', [rent, row('F2', '0.00', 'RENT', correcting('F1'))], '(its amount is zero)'],
    [
      'its text says that it is pending',
      [rent, row('F2', '-905', 'Pending', correcting('F1'))],
      'cannot be recorded ("Pending"',
    ],
    [
      'another row replaces the replacement',
      [rent, correctRent, row('F3', '-590', 'RENT', correcting('F2'))],
      /corrects another transaction|another transaction corrects "F2"/,
    ],
    [
      'another row deletes the replacement',
      [rent, correctRent, row('F3', '-905', 'RENT', correcting('F2', 'DELETE'))],
      /corrects another transaction|another transaction corrects "F2"/,
    ],
    [
      'two rows correct each other',
      [row('F1', '-950', 'RENT', correcting('F2')), correctRent],
      /corrects another transaction|another transaction corrects/,
    ],
  ])('fails, as does the corrected transaction, if %s', async (_, rows, reason) => {
    const found = (await read(file(statement([...rows, coffee])))).rows;
    expect(found.at(-1)).toBe('F9 -2.5');
    for (const failed of found.slice(0, -1)) {
      expect(failed).toMatch(/^failure: .*record the valid transaction manually$/);
      if (typeof reason === 'string') expect(failed).toContain(reason);
      else expect(failed).toMatch(reason);
    }
  });

  it('fails with --id-column "", as does the corrected transaction, because an earlier import may have recorded it', async () => {
    const { rows } = await read(file(statement([rent, correctRent])), { options: { columns: { id: '' } } });
    expect(rows).toEqual([
      expect.stringMatching(
        /^failure: the transaction "F2" in line 22 corrects it, but --id-column "" ignores the ids/,
      ),
      expect.stringMatching(
        /^failure: it corrects the transaction "F1" of the file, but --id-column "" ignores the ids/,
      ),
    ]);
  });

  it('changes nothing while it is pending', async () => {
    const hold = correctRent.replace('DEBIT', 'HOLD');
    expect((await read(file(statement([rent, hold])))).rows).toEqual(['F1 -950', 'skipped: it is pending']);
  });
});

describe('a correction in an OFX file without the corrected transaction', () => {
  it.each(['DELETE', 'REPLACE', ''])('fails, because only the user can correct the movement: "%s"', async (action) => {
    const { rows } = await read(file(statement([coffee, row('F2', '-905', 'RENT', correcting('F1', action))])));
    expect(rows).toEqual([
      'F9 -2.5',
      `failure: it corrects the transaction "F1" (${action || 'REPLACE'}); correct that movement yourself`,
    ]);
  });

  it('is read if its CORRECTFITID is its own FITID and the action is REPLACE, but fails if the action is DELETE', async () => {
    const own = (action: string) => file(statement([row('F2', '-905', 'RENT', correcting('F2', action))]));
    expect((await read(own('REPLACE'))).rows).toEqual(['F2 -905']);
    expect((await read(own('DELETE'))).rows).toEqual([expect.stringMatching(/^failure: it corrects/)]);
  });
});
