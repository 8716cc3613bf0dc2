import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { toIssues } from './validate.js';

function issues(schema: z.ZodType, input: unknown, prefix: '' | 'query.' = '') {
  const result = schema.safeParse(input, { reportInput: true });
  return result.success ? [] : toIssues(result.error, prefix);
}
const named = (...args: Parameters<typeof issues>) => issues(...args).map(({ path, code }) => `${path} ${code}`);

describe('toIssues', () => {
  test.each([
    ['a missing string', z.string(), undefined, 'REQUIRED'],
    ['a missing enum value', z.enum(['a', 'b']), undefined, 'REQUIRED'],
    ['a missing object', z.strictObject({}), undefined, 'REQUIRED'],
    ['null instead of a string', z.string(), null, 'INVALID_FORMAT'],
    ['a number instead of a string', z.string(), 5, 'INVALID_FORMAT'],
    ['an unknown enum value', z.enum(['a', 'b']), 'c', 'INVALID_FORMAT'],
    ['a string that does not match its pattern', z.string().regex(/^a$/), 'b', 'INVALID_FORMAT'],
    ['a string that is too long', z.string().max(1), 'ab', 'TOO_LONG'],
    ['a list that is too long', z.array(z.string()).max(1), ['a', 'b'], 'OUT_OF_RANGE'],
    ['an empty list', z.array(z.string()).min(1), [], 'REQUIRED'],
    ['a number that is too large', z.number().max(1), 2, 'OUT_OF_RANGE'],
  ])('returns the documented issue code for %s', (_, schema, input, code) => {
    expect(named(z.strictObject({ field: schema }), { field: input })).toEqual([`field ${code}`]);
  });
});

test.each([
  ['a string that is too long', z.string().max(3), 'abcd', 'Send at most 3 characters.'],
  ['an empty string', z.string().min(1), '', 'Send at least 1 character.'],
  ['a list that is too long', z.array(z.string()).max(200), Array(201).fill('a'), 'Send at most 200 entries.'],
  ['an empty list', z.array(z.string()).min(1), [], 'Send at least 1 entry.'],
])('toIssues returns a message with the allowed length for %s', (_, schema, input, message) => {
  expect(issues(z.strictObject({ field: schema }), { field: input })).toMatchObject([{ message }]);
});

test('toIssues keeps code and message of a custom schema error', () => {
  const schema = z.strictObject({
    amountDecimal: z.string().check((check) => {
      const params = { code: 'AMOUNT_PRECISION' };
      check.issues.push({ code: 'custom', input: check.value, message: 'Too many decimal places.', params });
    }),
  });
  expect(issues(schema, { amountDecimal: '1' })).toEqual([
    { path: 'amountDecimal', code: 'AMOUNT_PRECISION', message: 'Too many decimal places.' },
  ]);
});

describe('the paths of issues', () => {
  const schema = z.strictObject({ access: z.strictObject({ trackerIds: z.array(z.string()) }) });

  // @proves contract 10a: Issues
  test('contain field names and list indexes, separated by dots', () => {
    expect(named(schema, { access: { trackerIds: ['a', 1] } })).toEqual(['access.trackerIds.1 INVALID_FORMAT']);
  });

  test('name each unknown field, for example access.a for the field a of access', () => {
    expect(named(schema, { access: { trackerIds: [], a: 1, b: 2 }, c: 3 })).toEqual([
      'access.a UNKNOWN_FIELD',
      'access.b UNKNOWN_FIELD',
      'c UNKNOWN_FIELD',
    ]);
  });

  // @proves contract 10a: Issues
  test('begin with "query." for query parameters', () => {
    const query = z.strictObject({ limit: z.string().optional() });
    expect(named(query, { limit: 5, page: '1' }, 'query.')).toEqual([
      'query.limit INVALID_FORMAT',
      'query.page UNKNOWN_FIELD',
    ]);
  });

  // @proves contract 10a: Issues
  test('are empty for an issue of the whole body', () => {
    const schema = z.strictObject({}).refine(() => false, { params: { code: 'EMPTY_PATCH' } });
    expect(named(schema, {})).toEqual([' EMPTY_PATCH']);
  });
});

test('toIssues returns messages that state what to send, and never quote the input', () => {
  const schema = z.strictObject({ type: z.enum(['expense', 'income']), name: z.string(), count: z.int() });
  const found = issues(schema, { type: 'S3cret', name: 42_424_242, count: 1.5, 'x-S3cret': 1 });
  const messages = found.map(({ message }) => message).join(' ');
  expect(messages).toContain('Send one of: expense, income.');
  expect(messages).toContain('Send a JSON string.');
  expect(messages).toContain('Send a whole number.');
  expect(messages).not.toMatch(/S3cret|42424242/);
});
