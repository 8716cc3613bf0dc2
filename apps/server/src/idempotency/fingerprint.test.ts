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

test('a fingerprint is 32 bytes, and the same every time', () => {
  expect(requestFingerprint(request)).toHaveLength(32);
  expect(fingerprint({})).toBe(original);
});

describe('one intent', () => {
  test.each([
    ['fields in another order', { description: 'x', accountId: 'a', amountDecimal: '10', type: 'expense' }],
    ['another spelling of the amount', { type: 'expense', amountDecimal: '10.00', accountId: 'a', description: 'x' }],
    [
      'a field that is absent',
      { type: 'expense', amountDecimal: '10', accountId: 'a', description: 'x', note: undefined },
    ],
  ])('is %s', (_, body) => {
    expect(fingerprint({ body })).toBe(original);
  });

  test('is the same amount deep inside', () => {
    const lines = (plannedDecimal: string) => ({ body: { lines: [{ categoryId: 'c', plannedDecimal }] } });
    expect(fingerprint(lines('5.50'))).toBe(fingerprint(lines('5.5')));
    expect(fingerprint(lines('5.50'))).not.toBe(fingerprint(lines('5.05')));
  });

  test('is any JSON with its keys in another order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const reversed = Object.fromEntries(Object.entries(body).reverse());
        expect(fingerprint({ body: reversed })).toBe(fingerprint({ body }));
      }),
    );
  });
});

describe('another intent', () => {
  const body = request.body as Record<string, unknown>;

  test.each([
    ['another method', { method: 'PATCH' }],
    ['another route', { route: '/v1/financial/transfers' }],
    ['another tracker', { trackerId: '0190f2a0-0000-7000-8000-00000000000b' }],
    ['another record in the path', { pathParameters: { movementId: 'b' } }],
    ['another amount', { body: { ...body, amountDecimal: '10.01' } }],
    ['ten times the amount', { body: { ...body, amountDecimal: '100' } }],
    ['another text', { body: { ...body, description: 'X' } }],
    ['a text that looks like an equal amount', { body: { ...body, description: '1.0' } }],
    ['one more field', { body: { ...body, merchantName: 'y' } }],
    ['a default that is written out', { body: { ...body, currencyCode: 'EUR' } }],
    ['one field less', { body: { type: 'expense', amountDecimal: '10', accountId: 'a' } }],
    ['null in place of a text', { body: { ...body, description: null } }],
    ['no body', { body: undefined }],
  ])('is %s', (_, changes) => {
    expect(fingerprint(changes)).not.toBe(original);
  });

  test('is a text of which only an amount would be the same', () => {
    expect(fingerprint({ body: { description: '1.0' } })).not.toBe(fingerprint({ body: { description: '1' } }));
  });

  test('is a list in another order', () => {
    expect(fingerprint({ body: { lines: ['a', 'b'] } })).not.toBe(fingerprint({ body: { lines: ['b', 'a'] } }));
  });

  test('is a path whose ids changed places', () => {
    expect(fingerprint({ pathParameters: { a: 'x', b: 'y' } })).not.toBe(
      fingerprint({ pathParameters: { a: 'y', b: 'x' } }),
    );
  });
});
