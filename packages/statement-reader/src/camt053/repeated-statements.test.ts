import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';

interface Parts {
  readonly id?: string;
  readonly number?: string;
  readonly iban?: string;
  readonly opening?: string;
  readonly closing?: string;
  readonly day?: string;
  readonly entries: string;
}

const balance = (code: string, amount: string, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
const entry = (amount: string, text: string, { day = '2026-01-30', id = '' } = {}) =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>${id === '' ? '' : `<AcctSvcrRef>${id}</AcctSvcrRef>`}<NtryDtls><TxDtls><RltdPties><Cdtr><Pty><Nm>${text}</Nm></Pty></Cdtr></RltdPties></TxDtls></NtryDtls></Ntry>`;
const statement = (parts: Parts) => {
  const { id, number, opening, closing, day = '2026-01-30', iban = 'NL91ABNA0417164300', entries } = parts;
  return [
    '<Stmt>',
    id === undefined ? '' : `<Id>${id}</Id>`,
    number === undefined ? '' : `<ElctrncSeqNb>${number}</ElctrncSeqNb>`,
    `<CreDtTm>2026-01-31T05:00:00</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>`,
    opening === undefined ? '' : balance('OPBD', opening, day),
    closing === undefined ? '' : balance('CLBD', closing, day),
    entries,
    '</Stmt>\n',
  ].join('');
};
const read = (...statements: readonly Parts[]) =>
  readInTest(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-31T05:00:00</CreDtTm></GrpHdr>\n${statements.map(statement).join('')}</BkToCstmrStmt></Document>`,
  );

const groceries = entry('23.45', 'Albert Heijn 1067');
const coffee = entry('3.20', 'Koffiebar Centraal');
const day: Parts = {
  id: 'NL91-2026-030',
  number: '30',
  opening: '126.65',
  closing: '100.00',
  entries: groceries + coffee,
};
const linesOfDay = ['2026-01-30 -23.45 Albert Heijn 1067', '2026-01-30 -3.2 Koffiebar Centraal'];

describe('a CAMT.053 statement that a file contains twice, with entries without references', () => {
  it.each<[facts: string, first: Parts, second: Parts]>([
    ['id, number and balances', day, day],
    ['id', { id: 'NL91-2026-030', entries: day.entries }, { id: 'NL91-2026-030', entries: day.entries }],
    ['number', { number: '30', entries: day.entries }, { number: '30', entries: day.entries }],
    ['balances, but a new id in each export', day, { ...day, id: 'NL91-2026-030-B' }],
    ['id, but only one of them has balances', day, { id: 'NL91-2026-030', number: '30', entries: day.entries }],
  ])('is read once if both have the same %s', async (_facts, first, second) => {
    const { rows, lines, statement: opened } = await read(first, second);
    expect(lines).toEqual(linesOfDay);
    const reason = `its statement "${second.id ?? ''}${second.id !== undefined && second.number !== undefined ? ' ' : ''}${second.number ?? ''}" is also earlier in the file`;
    expect(rows).toHaveLength(4);
    expect(rows.slice(2)).toMatchObject([
      { line: 4, outcome: 'skipped', reason },
      { line: 4, outcome: 'skipped', reason },
    ]);
    expect(opened.interpretation?.lines).toContainEqual(['note', `lines 4, 4: ${reason}`]);
  });

  it('is read once without an id if the balances are the same, and its balances are compared once', async () => {
    const { id: _id, number: _number, ...noId } = day;
    const { rows, lines, statement: opened } = await read(noId, noId);
    expect(lines).toEqual(linesOfDay);
    expect(rows[2]).toMatchObject({ outcome: 'skipped', reason: 'its statement is also earlier in the file' });
    expect(opened.interpretation?.lines).toContainEqual([
      'balance',
      'opening and closing balance agree with 2 entries',
    ]);
  });

  it('is read once if only some of its entries have references, and the references stay the ids of the rows', async () => {
    const mixed = { ...day, entries: entry('23.45', 'Albert Heijn 1067', { id: 'ABN-77120-1' }) + coffee };
    const { statement: opened, transactions } = await read(mixed, mixed);
    expect(transactions.map(({ statementId }) => statementId)).toEqual(['ABN-77120-1', null]);
    expect(opened.mayRepeat?.('ABN-77120-1')).toBe(false);
  });

  it('is read once even if another statement is between the two', async () => {
    const next = { ...day, id: 'NL91-2026-031', number: '31', opening: '100.00', closing: '96.80', entries: coffee };
    const { lines } = await read(day, next, day);
    expect(lines).toEqual([...linesOfDay, '2026-01-30 -3.2 Koffiebar Centraal']);
  });
});

describe('two CAMT.053 statements with equal entries without references', () => {
  it.each<[difference: string, first: Parts, second: Parts]>([
    [
      'their balances differ, although the bank gives all statements the same id',
      { id: '1', opening: '100.00', closing: '96.80', entries: coffee },
      { id: '1', opening: '96.80', closing: '93.60', entries: coffee },
    ],
    ['their ids differ, and they have no balances', { id: '30-1', entries: coffee }, { id: '30-2', entries: coffee }],
    [
      'their ids are equal, but their numbers differ',
      { id: 'STATEMENT', number: '30', entries: coffee },
      { id: 'STATEMENT', number: '31', entries: coffee },
    ],
    ['their accounts differ', day, { ...day, iban: 'NL02RABO0123456789' }],
    ['they have neither ids nor balances', { entries: coffee }, { entries: coffee }],
  ])('are both read if %s', async (_difference, first, second) => {
    const { rows } = await read(first, second);
    expect(rows.every(({ outcome }) => outcome === 'transaction')).toBe(true);
  });

  it('are both read if their entries have different days, or one statement has a further entry', async () => {
    const tuesday = { id: '1', entries: entry('3.20', 'Koffiebar Centraal', { day: '2026-01-27' }) };
    const friday = { id: '1', entries: coffee };
    expect((await read(tuesday, friday)).lines).toHaveLength(2);
    expect((await read(friday, { id: '1', entries: coffee + groceries })).lines).toHaveLength(3);
  });
});
