import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requestFingerprint } from './fingerprint.js';

const request = {
  method: 'POST',
  route: '/v1/financial/movements',
  pathParameters: {},
  trackerId: '0190f2a0-0000-7000-8000-00000000000a',
  body: { type: 'expense', amountDecimal: '10', accountId: 'a', description: 'x' } as unknown,
};
type Request = typeof request;
const fingerprint = (changes: Partial<Omit<Request, 'pathParameters'>> & { pathParameters?: Record<string, string> }) =>
  requestFingerprint({ ...request, ...changes }).toString('hex');
const original = fingerprint({});

test('requestFingerprint returns 32 bytes, and the same bytes for the same request', () => {
  expect(requestFingerprint(request)).toHaveLength(32);
  expect(fingerprint({})).toBe(original);
});

describe('the fingerprint of a request', () => {
  test.each([
    // @proves contract 6: Scope of a key
    ['fields in another order', { description: 'x', accountId: 'a', amountDecimal: '10', type: 'expense' }],
    ['the amount 10.00 instead of 10', { type: 'expense', amountDecimal: '10.00', accountId: 'a', description: 'x' }],
    ['an undefined field', { type: 'expense', amountDecimal: '10', accountId: 'a', description: 'x', note: undefined }],
  ])('does not change with %s', (_, body) => {
    expect(fingerprint({ body })).toBe(original);
  });

  // @proves contract 6: Scope of a key
  test('is equal for the amounts 5.50 and 5.5 in a nested object, and differs for 5.05', () => {
    const lines = (plannedDecimal: string) => ({ body: { lines: [{ categoryId: 'c', plannedDecimal }] } });
    expect(fingerprint(lines('5.50'))).toBe(fingerprint(lines('5.5')));
    expect(fingerprint(lines('5.50'))).not.toBe(fingerprint(lines('5.05')));
  });

  test('does not change if the top-level keys of its body are in reverse order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const reversed = Object.fromEntries(Object.entries(body).reverse());
        expect(fingerprint({ body: reversed })).toBe(fingerprint({ body }));
      }),
    );
  });
});

describe('the fingerprint of a changed request', () => {
  const body = request.body as Record<string, unknown>;

  test.each([
    ['another method', { method: 'PATCH' }],
    ['another route', { route: '/v1/financial/transfers' }],
    ['another tracker', { trackerId: '0190f2a0-0000-7000-8000-00000000000b' }],
    ['another record in the path', { pathParameters: { movementId: 'b' } }],
    ['another amount', { body: { ...body, amountDecimal: '10.01' } }],
    ['ten times the amount', { body: { ...body, amountDecimal: '100' } }],
    ['another description', { body: { ...body, description: 'X' } }],
    ['a description that looks like an amount', { body: { ...body, description: '1.0' } }],
    ['one more field', { body: { ...body, merchantName: 'y' } }],
    ['a field that is set to its default value', { body: { ...body, currencyCode: 'EUR' } }],
    ['a missing field', { body: { type: 'expense', amountDecimal: '10', accountId: 'a' } }],
    ['null instead of a string', { body: { ...body, description: null } }],
    ['no body', { body: undefined }],
  ])('differs from that of the original request for %s', (_, changes) => {
    expect(fingerprint(changes)).not.toBe(original);
  });

  test('differs between the descriptions "1.0" and "1", which would be equal as amounts', () => {
    expect(fingerprint({ body: { description: '1.0' } })).not.toBe(fingerprint({ body: { description: '1' } }));
  });

  test('differs if a list in the body has another order', () => {
    expect(fingerprint({ body: { lines: ['a', 'b'] } })).not.toBe(fingerprint({ body: { lines: ['b', 'a'] } }));
  });

  test('differs if two ids in the path are swapped', () => {
    expect(fingerprint({ pathParameters: { a: 'x', b: 'y' } })).not.toBe(
      fingerprint({ pathParameters: { a: 'y', b: 'x' } }),
    );
  });
});
