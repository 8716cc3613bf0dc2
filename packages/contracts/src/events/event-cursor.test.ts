import { expect, test } from 'vitest';
import { decodeEventCursor, encodeEventCursor } from './event-cursor.js';

const hash = '00ff10abcdef0123'.padEnd(64, '7');

test('encodeEventCursor returns 17 bytes in base64url: the version, the sequence number and the first 8 bytes of the hash', () => {
  const cursor = encodeEventCursor({ sequence: 258, hash });
  expect(Buffer.from(cursor, 'base64url').toString('hex')).toBe('0100000000000001020' + '0ff10abcdef0123');
  expect(cursor).toMatch(/^[A-Za-z0-9_-]{23}$/);
});

test.each([0, 1, 255, 1000, 2 ** 32, Number.MAX_SAFE_INTEGER])(
  'decodeEventCursor returns the sequence number %i and the hash prefix that encodeEventCursor encoded',
  (sequence) => {
    const position = decodeEventCursor(encodeEventCursor({ sequence, hash }));
    expect(position).toEqual({ sequence, hashPrefix: '00ff10abcdef0123' });
  },
);

test.each([
  ['an empty string', ''],
  ['a cursor with one character too many', `${encodeEventCursor({ sequence: 1, hash })}A`],
  ['a cursor with padding', `${encodeEventCursor({ sequence: 1, hash }).slice(0, 22)}=`],
  ['a cursor of another version', Buffer.from(`02${'00'.repeat(16)}`, 'hex').toString('base64url')],
  ['a cursor whose last character has an unused bit set', `${encodeEventCursor({ sequence: 1, hash }).slice(0, 22)}B`],
  ['a cursor with a character outside base64url', `${'A'.repeat(22)}+`],
])('decodeEventCursor rejects %s', (_, cursor) => {
  expect(decodeEventCursor(cursor)).toBeUndefined();
});

test('decodeEventCursor decodes a sequence number above Number.MAX_SAFE_INTEGER to Number.MAX_SAFE_INTEGER', () => {
  const cursor = Buffer.from(`01${'ff'.repeat(16)}`, 'hex').toString('base64url');
  expect(decodeEventCursor(cursor)?.sequence).toBe(Number.MAX_SAFE_INTEGER);
});
