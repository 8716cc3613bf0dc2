import { type RouteContract, routes } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { formatIssues } from '../../test-support/thrown-api-error.js';
import type { Incoming } from './request.js';
import { validateRequest } from './validate.js';

const id = '0190f2a0-0000-7000-8000-00000000000a';
const movement = { type: 'expense', amountDecimal: '12.50', accountId: id };

function validate(
  route: RouteContract,
  incoming: Partial<Omit<Incoming, 'body'>> & { readonly body?: unknown },
  pathParameters: Readonly<Record<string, string>> = {},
) {
  const { body, ...others } = incoming;
  const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return validateRequest({
    route,
    pathParameters,
    incoming: {
      rawQuery: '',
      authorization: undefined,
      trackerHeader: undefined,
      idempotencyKey: undefined,
      ifMatch: undefined,
      ifNoneMatch: undefined,
      readAfter: undefined,
      contentType: 'application/json',
      contentEncoding: undefined,
      ...others,
      body: Buffer.from(bytes),
    },
  });
}

/** Returns `ok`, the error code, or the issues of a VALIDATION_ERROR. */
function verdict(...args: Parameters<typeof validate>): string | string[] {
  const result = validate(...args);
  if (result.ok) return 'ok';
  return result.error.code === 'VALIDATION_ERROR' ? formatIssues(result.error) : result.error.code;
}

describe('validateRequest', () => {
  test('returns the parsed body, the idempotency key and the entity tags of If-Match for a valid request', () => {
    const result = validate(
      routes.correctMovement,
      { body: { description: ' x ' }, idempotencyKey: 'k1', ifMatch: '"a", "b"' },
      { movementId: id },
    );
    expect(result).toEqual({
      ok: true,
      request: {
        query: undefined,
        body: { description: 'x' },
        idempotencyKey: 'k1',
        itemKeys: [],
        isDryRun: false,
        ifMatch: ['"a"', '"b"'],
        readAfter: null,
      },
      tokens: 1,
    });
  });

  // @proves contract 5: 400
  test('returns one error with all issues of the query, the body and the headers', () => {
    const incoming = { rawQuery: 'dryrun=1', body: { amountDecimal: '0', amount: '1' }, ifMatch: '*' };
    expect(verdict(routes.correctMovement, incoming, { movementId: id })).toEqual([
      'amount UNKNOWN_FIELD',
      'amountDecimal OUT_OF_RANGE',
      'header.Idempotency-Key IDEMPOTENCY_KEY_REQUIRED',
      'header.If-Match INVALID_FORMAT',
      'query.dryrun UNKNOWN_FIELD',
    ]);
  });
});

describe('the media type', () => {
  const create = (headers: Partial<Incoming>) =>
    verdict(routes.createMovement, { idempotencyKey: 'k', ...headers, body: movement });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('is accepted: %s', (contentType) => {
    expect(create({ contentType })).toBe('ok');
  });

  test.each([
    ['is missing', undefined],
    ['is empty', ''],
    ...[
      'text/plain',
      'application/json; charset=iso-8859-1',
      'application/x-www-form-urlencoded',
      'application/merge-patch+json',
      'application/jsonp',
    ].map((contentType) => [`is ${contentType}`, contentType] as const),
  ] as const)('is refused if it %s', (_, contentType) => {
    expect(create({ contentType })).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  // @proves contract 5: Order of checks
  test('causes UNSUPPORTED_MEDIA_TYPE if it is text/plain, even if the body is malformed JSON', () => {
    expect(verdict(routes.createMovement, { contentType: 'text/plain', body: '{' })).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  // @proves contract 10a: Smaller › is refused with Content-Encoding %s
  test.each(['gzip', 'br', 'gzip, identity'])('is refused with Content-Encoding %s', (contentEncoding) => {
    expect(create({ contentEncoding })).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('is accepted with Content-Encoding identity', () => {
    expect(create({ contentEncoding: 'identity' })).toBe('ok');
  });
});

describe('the body', () => {
  test.each(['', '[]', '{', '{"type":"expense","type":"income"}'])('is refused when it is %j', (body) => {
    expect(verdict(routes.createMovement, { idempotencyKey: 'k', body })).toEqual([' MALFORMED_JSON']);
  });

  test('may be omitted for the rotation of an API key, with or without a Content-Type', () => {
    const rotate = (incoming: Parameters<typeof validate>[1]) =>
      verdict(routes.rotateApiKey, incoming, { clientId: id });
    expect(rotate({})).toBe('ok');
    expect(rotate({ contentType: undefined })).toBe('ok');
    expect(rotate({ body: {} })).toBe('ok');
    expect(rotate({ body: { scopes: [] } })).toEqual(['scopes UNKNOWN_FIELD']);
    expect(rotate({ body: {}, contentType: 'text/plain' })).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('must be empty or an empty object for an operation that takes no body', () => {
    expect(verdict(routes.enrolTotp, { contentType: undefined })).toBe('ok');
    expect(verdict(routes.enrolTotp, { body: {} })).toBe('ok');
    expect(verdict(routes.enrolTotp, { body: { code: '1' } })).toEqual(['code UNKNOWN_FIELD']);
  });

  test('is ignored for GET and DELETE', () => {
    expect(verdict(routes.listAccounts, { body: 'anything', contentType: 'text/plain' })).toBe('ok');
    expect(verdict(routes.revokeApiKey, { body: 'anything', contentType: 'text/plain' }, { clientId: id })).toBe('ok');
  });
});

describe('the query', () => {
  test('is parsed by the schema of the operation: limit=10 becomes the number 10', () => {
    expect(validate(routes.listMovements, { rawQuery: 'type=expense&limit=10' })).toMatchObject({
      ok: true,
      request: { query: { type: 'expense', limit: 10 } },
    });
  });

  test.each([
    ['limit=1&limit=1', ['query.limit REPEATED_PARAMETER']],
    ['limit=1&%6cimit=1', ['query.limit REPEATED_PARAMETER']],
    ['page=2', ['query.page UNKNOWN_FIELD']],
    ['__proto__=1', ['query.__proto__ UNKNOWN_FIELD']],
    ['constructor=1', ['query.constructor UNKNOWN_FIELD']],
    [
      'limit=0&page=2&offset=0&offset=1',
      ['query.limit OUT_OF_RANGE', 'query.offset REPEATED_PARAMETER', 'query.page UNKNOWN_FIELD'],
    ],
    ['categoryId=%ff', ['query.categoryId INVALID_FORMAT']],
    ['externalId=%FF', ['query.externalId INVALID_FORMAT']],
    ['externalId=%ED%A0%80', ['query.externalId INVALID_FORMAT']],
    ['externalId=100%', ['query.externalId INVALID_FORMAT']],
    ['externalId=%&externalId=a', ['query.externalId INVALID_FORMAT']],
    // @proves contract 1: unknown body fields, unknown or repeated query parameters
  ])('is refused when it is %s', (rawQuery, issues) => {
    expect(verdict(routes.listMovements, { rawQuery })).toEqual(issues);
  });

  test('is refused if it has a parameter that the operation does not have', () => {
    expect(verdict(routes.listAccounts, { rawQuery: 'limit=1' })).toEqual(['query.limit UNKNOWN_FIELD']);
    const create = { rawQuery: '__proto__=1', idempotencyKey: 'k', body: movement };
    expect(verdict(routes.createMovement, create)).toEqual(['query.__proto__ UNKNOWN_FIELD']);
  });
});

describe('the idempotency key', () => {
  const create = (idempotencyKey: string | undefined) =>
    verdict(routes.createMovement, { idempotencyKey, body: movement });

  test('is required for POST /movements', () => {
    expect(create(undefined)).toEqual(['header.Idempotency-Key IDEMPOTENCY_KEY_REQUIRED']);
  });

  test('is optional for a dry run, but refused if it contains a letter outside ASCII', () => {
    const rawQuery = 'dryRun=true';
    const tried = validate(routes.createMovement, { rawQuery, body: movement });
    expect(tried).toMatchObject({ ok: true, request: { idempotencyKey: null, isDryRun: true } });
    expect(verdict(routes.createMovement, { rawQuery, idempotencyKey: 'ñ', body: movement })).toEqual([
      'header.Idempotency-Key INVALID_FORMAT',
    ]);
  });

  test('is optional for POST /categories, but refused if it contains a letter outside ASCII', () => {
    expect(verdict(routes.createCategory, { body: { name: 'Food' } })).toBe('ok');
    const keyed = validate(routes.createCategory, { idempotencyKey: 'k', body: { name: 'Food' } });
    expect(keyed).toMatchObject({ ok: true, request: { idempotencyKey: 'k' } });
    expect(verdict(routes.createCategory, { idempotencyKey: 'ñ', body: { name: 'Food' } })).toEqual([
      'header.Idempotency-Key INVALID_FORMAT',
    ]);
  });

  test('is ignored by the rotation of an API key, because no replay may return the new API key', () => {
    const rotated = validate(routes.rotateApiKey, { idempotencyKey: 'ñ'.repeat(300) }, { clientId: id });
    expect(rotated).toMatchObject({ ok: true, request: { idempotencyKey: null } });
  });

  test.each([
    ['k', 'ok'],
    ['a key, with "signs" ~', 'ok'],
    ['k'.repeat(200), 'ok'],
    ['k'.repeat(201), ['header.Idempotency-Key TOO_LONG']],
    ['', ['header.Idempotency-Key INVALID_FORMAT']],
    ['clé', ['header.Idempotency-Key INVALID_FORMAT']],
    ['a\tb', ['header.Idempotency-Key INVALID_FORMAT']],
    // @proves spec, Limits: Idempotency-Key length
    // @proves contract 6: Operations with a key
  ])('is accepted or refused according to its characters and length: %j gives %j', (key, expected) => {
    expect(create(key)).toEqual(expected);
  });
});

describe('If-Match', () => {
  const correct = (ifMatch: string | undefined) =>
    verdict(routes.correctMovement, { ifMatch, idempotencyKey: 'k', body: { description: 'x' } }, { movementId: id });

  test('is required for the correction of a movement', () => {
    expect(correct(undefined)).toEqual(['header.If-Match IF_MATCH_REQUIRED']);
  });

  test.each([
    ['"a"', 'ok'],
    ['*', ['header.If-Match INVALID_FORMAT']],
    ['W/"a"', ['header.If-Match INVALID_FORMAT']],
    ['a', ['header.If-Match INVALID_FORMAT']],
  ])('is accepted or refused by the correction of a movement: %j gives %j', (ifMatch, expected) => {
    expect(correct(ifMatch)).toEqual(expected);
  });

  test('is ignored by POST /movements', () => {
    expect(verdict(routes.createMovement, { ifMatch: '*', idempotencyKey: 'k', body: movement })).toBe('ok');
  });
});

describe('the header Centavo-Read-After', () => {
  // @proves contract 10a: Centavo-Read-After
  test.each(['0/0', '0/16B3748', '16/b374d848', 'FFFFFFFF/FFFFFFFF'])(
    'is accepted by GET /movements: %s',
    (readAfter) => {
      expect(validate(routes.listMovements, { readAfter })).toMatchObject({ ok: true, request: { readAfter } });
    },
  );

  test.each(['', '0', '0/', '0/123456789', '0/G', '0/1 ', '0/1, 0/2', "0/0'"])(
    'is refused by GET /movements: %j',
    (readAfter) => {
      expect(verdict(routes.listMovements, { readAfter })).toEqual(['header.Centavo-Read-After INVALID_FORMAT']);
    },
  );

  // @proves contract 10a: Centavo-Read-After
  test('is ignored by operations that only the primary database serves', () => {
    for (const route of [routes.listTrackers, routes.listApiKeys, routes.getMe, routes.createCategory]) {
      const body = route === routes.createCategory ? { name: 'Food' } : undefined;
      const read = validate(route, { readAfter: 'x', ...(body === undefined ? {} : { body }) });
      expect(read).toMatchObject({ ok: true, request: { readAfter: null } });
    }
  });
});

describe('an id in the path', () => {
  // @proves contract 10a: Ids
  test('causes 404 if it is malformed, as an unknown id does', () => {
    expect(verdict(routes.getMovement, {}, { movementId: 'x' })).toBe('NOT_FOUND');
    expect(verdict(routes.getMovement, {}, { movementId: id.toUpperCase() })).toBe('ok');
  });

  test('need not be a UUID if it is the id of a category, but must have at most 100 characters', () => {
    expect(verdict(routes.getCategory, {}, { categoryId: 'cat_unknown' })).toBe('ok');
    expect(verdict(routes.getCategory, {}, { categoryId: 'x'.repeat(101) })).toBe('NOT_FOUND');
  });

  test('is checked after the body: an empty patch is reported before a malformed id', () => {
    const incoming = { idempotencyKey: 'k', ifMatch: '"a"', body: {} };
    expect(verdict(routes.correctMovement, incoming, { movementId: 'x' })).toEqual([' EMPTY_PATCH']);
  });
});
