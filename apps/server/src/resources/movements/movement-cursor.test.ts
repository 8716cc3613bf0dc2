import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMovementCursor, parseMovementCursor } from './movement-cursor.js';

const anyDate = fc.date({
  min: new Date('1900-01-01'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const id = '0190f2a0-0000-7000-8000-00000000000a';
const encode = (text: string) => Buffer.from(text).toString('base64url');

test('parseMovementCursor returns the position that formatMovementCursor encoded', () => {
  fc.assert(
    fc.property(anyDate, anyDate, fc.uuid(), (day, time, movementId) => {
      const position = { occurredOn: day.toISOString().slice(0, 10), createdAt: time.toISOString(), id: movementId };
      const cursor = formatMovementCursor(position);
      expect(cursor).toMatch(/^[\w-]{1,500}$/);
      expect(parseMovementCursor(cursor)).toEqual(position);
    }),
  );
});

describe('parseMovementCursor with a forged cursor', () => {
  test.each([
    '',
    '2026-03-01',
    `2026-03-01 2026-03-01T12:00:00.000Z`,
    `2026-03-01 2026-03-01T12:00:00.000Z ${id} more`,
    `2026-02-30 2026-03-01T12:00:00.000Z ${id}`,
    `0000-01-01 2026-03-01T12:00:00.000Z ${id}`,
    `1899-12-31 2026-03-01T12:00:00.000Z ${id}`,
    `2026-03-01 2026-02-30T12:00:00.000Z ${id}`,
    `2026-03-01 0000-01-01T12:00:00.000Z ${id}`,
    `2026-03-01 2026-03-01T25:00:00.000Z ${id}`,
    `2026-03-01 2026-03-01T12:00:60.000Z ${id}`,
    `2026-03-01 2026-03-01T12:00:00Z ${id}`,
    `2026-03-01 2026-03-01 ${id}`,
    `2026-03-01 2026-03-01T12:00:00.000Z x`,
    `2026-03-01 2026-03-01T12:00:00.000Z ${id}'`,
  ])('returns undefined for a cursor that encodes %j', (text) => {
    expect(parseMovementCursor(encode(text))).toBeUndefined();
  });

  test.each(['A', '=', ' ', '!'])('returns undefined for a valid cursor followed by %j', (more) => {
    const cursor = encode(`2026-03-01 2026-03-01T12:00:00.000Z ${id}`);
    expect(parseMovementCursor(cursor)).toBeDefined();
    expect(parseMovementCursor(cursor + more)).toBeUndefined();
  });

  test('returns undefined for any random string', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseMovementCursor(text) === undefined));
  });
});
