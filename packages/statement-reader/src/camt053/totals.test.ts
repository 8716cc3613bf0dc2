import { describe, expect, it } from 'vitest';
import { readInTest } from '../../test-support/read-statement.js';

const entry = (amount: string, { status = 'BOOK', details = '' } = {}) =>
  `<Ntry><Amt Ccy="EUR">${amount.replace('-', '')}</Amt><CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>${status}</Cd></Sts><BookgDt><Dt>2026-03-13</Dt></BookgDt>${details}</Ntry>`;
const total = (name: string, count: string, sum: string) =>
  `<${name}><NbOfNtries>${count}</NbOfNtries><Sum>${sum}</Sum></${name}>`;
const interpretationOf = async (summary: string, entries: string, page = '') =>
  (
    await readInTest(
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S1</Id>${page}<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct><TxsSummry>${summary}</TxsSummry>${entries}</Stmt></BkToCstmrStmt></Document>`,
    )
  ).statement.interpretation;

const shopAndSalary = entry('-45.10') + entry('1500.00');

describe('the summary of a CAMT.053 statement', () => {
  it.each([
    [
      'counts an entry that the statement does not have',
      total('TtlNtries', '3', '1583.10'),
      'The summary of the statement counts 3, but the statement has 2 entries',
    ],
    [
      'has another sum',
      total('TtlNtries', '2', '1583.10'),
      'The summary of the statement has the sum 1583.10 EUR, but its entries add up to 1545.10 EUR',
    ],
    [
      'counts more debits',
      total('TtlCdtNtries', '1', '1500.00') + total('TtlDbtNtries', '2', '83.10'),
      'The summary of the statement counts 3, but the statement has 2 entries',
    ],
  ])('requires --ignore-balance if it %s', async (_name, summary, message) => {
    const interpretation = await interpretationOf(summary, shopAndSalary);
    expect(interpretation?.question).toMatchObject({
      message: `${message}. Rows may be missing or wrong.`,
      remedy: expect.stringContaining('--ignore-balance'),
      requiresOption: true,
    });
  });

  const payment = (amount: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;
  const batch = entry('-30', { details: `<NtryDtls>${payment('10')}${payment('20')}</NtryDtls>` });
  it.each([
    ['counts and adds all entries', total('TtlNtries', '2', '1545.1'), shopAndSalary],
    [
      'counts credits and debits',
      total('TtlCdtNtries', '1', '1500') + total('TtlDbtNtries', '1', '45.10'),
      shopAndSalary,
    ],
    ['has the sum of the signed amounts', total('TtlNtries', '2', '1454.90'), shopAndSalary],
    ['counts pending entries too', total('TtlNtries', '3', '1552.10'), shopAndSalary + entry('-7', { status: 'PDNG' })],
    ['counts only booked entries', total('TtlNtries', '2', '1545.10'), shopAndSalary + entry('-7', { status: 'PDNG' })],
    ['counts each payment of a batch', total('TtlNtries', '2', '30.00'), batch],
    ['counts a batch once', total('TtlNtries', '1', '30.00'), batch],
    ['has empty counts and sums', total('TtlNtries', '', ''), shopAndSalary],
    [
      'has no sum of debits',
      `${total('TtlCdtNtries', '1', '1500')}<TtlDbtNtries><NbOfNtries>1</NbOfNtries></TtlDbtNtries>`,
      shopAndSalary,
    ],
  ])('requires no confirmation if it %s', async (_name, summary, entries) => {
    expect((await interpretationOf(summary, entries))?.question).toBeNull();
  });

  it('requires no confirmation if the opening and closing balances agree with the entries', async () => {
    const balance = (code: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
    const balances = balance('OPBD', '100') + balance('CLBD', '1554.90');
    const interpretation = await interpretationOf(total('TtlNtries', '5', '1545.10'), balances + shopAndSalary);
    expect(interpretation?.question).toBeNull();
    expect(interpretation?.lines).toContainEqual(['balance', 'opening and closing balance agree with 2 entries']);
  });

  it('is not compared if the statement has further pages', async () => {
    const page = '<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>';
    expect((await interpretationOf(total('TtlNtries', '3', '1583.10'), shopAndSalary, page))?.question).toBeNull();
  });
});
