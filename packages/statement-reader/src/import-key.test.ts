import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importKey, pairKey, type RowIdentity, repetitionFingerprint } from './import-key.js';
import { OccurrenceCounter } from './occurrence-counter.js';

const coffee: RowIdentity = {
  format: 'csv',
  accountId: '0199c5a0-0000-7000-8000-00000000000a',
  statementId: null,
  content: {
    occurredOn: '2026-01-02',
    signedAmount: '-2.5',
    currencyCode: 'EUR',
    description: 'Coffee',
    merchantName: null,
    categoryName: 'Restaurants',
  },
};

const identities: fc.Arbitrary<RowIdentity> = fc.record({
  format: fc.constantFrom('csv', 'ofx'),
  accountId: fc.constantFrom('account-1', 'account-2'),
  statementId: fc.option(fc.string()),
  content: fc.record({
    occurredOn: fc.constantFrom('2026-01-02', '2026-01-03'),
    signedAmount: fc.constantFrom('-2.5', '2.5', '25'),
    currencyCode: fc.constantFrom('EUR', 'USD'),
    description: fc.option(fc.string()),
    merchantName: fc.option(fc.string()),
    categoryName: fc.option(fc.string()),
  }),
});

describe('the import key of a row', () => {
  it('is the same as in earlier versions, so that importing an earlier file again records no row twice', () => {
    expect(importKey(coffee, 1)).toBe('38afec37fd712e0fdb5ef04d902ecddd1ce39dd0d8e6c9212a7f5aa8c764476e');
  });

  it('is 64 hexadecimal characters, so that every server accepts it', () => {
    expect(importKey(coffee, 1)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs between two accounts, and between the first and the second of two identical rows of one account', () => {
    const elsewhere = { ...coffee, accountId: '0199c5a0-0000-7000-8000-00000000000b' };
    expect(new Set([importKey(coffee, 1), importKey(coffee, 2), importKey(elsewhere, 1)]).size).toBe(3);
  });

  it('ignores the case of the account id', () => {
    expect(importKey({ ...coffee, accountId: coffee.accountId.toUpperCase() }, 1)).toBe(importKey(coffee, 1));
  });

  it('does not depend on the content if the row has an id from the bank', () => {
    const before = { ...coffee, statementId: 'FIT-1' };
    const after = { ...before, content: { ...coffee.content, description: 'COFFEE' } };
    expect(importKey(after, 1)).toBe(importKey(before, 1));
  });

  it('equals that of another row if and only if format, account and id (or, without an id, the content) are equal', () => {
    fc.assert(
      fc.property(identities, identities, (one, other) => {
        const identifyingPart = (identity: RowIdentity) =>
          JSON.stringify(identity.statementId === null ? identity : { ...identity, content: null });
        expect(importKey(one, 1) === importKey(other, 1)).toBe(identifyingPart(one) === identifyingPart(other));
      }),
    );
  });

  it('is the same each time a file is read, and different for each of its rows', () => {
    fc.assert(
      fc.property(fc.array(identities, { maxLength: 60 }), (rows) => {
        const keysOf = () => {
          const occurrences = new OccurrenceCounter(2);
          return rows.map((row) => importKey(row, occurrences.count(importKey(row, 1))));
        };
        expect(keysOf()).toEqual(keysOf());
        expect(new Set(keysOf()).size).toBe(rows.length);
      }),
    );
  });
});

describe('the import key of a transfer', () => {
  it('depends on the keys of both rows but not on their order, and equals neither key', () => {
    const [out, into] = [importKey(coffee, 1), importKey(coffee, 2)];
    expect(pairKey(out, into)).toMatch(/^[0-9a-f]{64}$/);
    expect(pairKey(into, out)).toBe(pairKey(out, into));
    expect(new Set([pairKey(out, into), pairKey(out, out), out, into]).size).toBe(4);
  });
});

describe('repetitionFingerprint', () => {
  it('returns equal values for rows with the same id and content, and different values if the id or the content differs', () => {
    const row = { ...coffee, statementId: 'FIT-1' };
    const fee = { ...row, content: { ...row.content, description: 'Fee' } };
    expect(repetitionFingerprint(row)).toEqual(repetitionFingerprint({ ...row }));
    expect(repetitionFingerprint(fee)).not.toEqual(repetitionFingerprint(row));
    expect(importKey(fee, 1)).toEqual(importKey(row, 1));
    expect(repetitionFingerprint({ ...row, statementId: 'FIT-2' })).not.toEqual(repetitionFingerprint(row));
  });
});
