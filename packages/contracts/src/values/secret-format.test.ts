import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSecret, isWellFormedSecret, secretPrefix } from './secret-format.js';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const anyRandom = fc.uint8Array({ minLength: 32, maxLength: 32 });
const fromBase62 = (text: string) => [...text].reduce((sum, char) => sum * 62n + BigInt(base62.indexOf(char)), 0n);

describe('the secret of an API key or integration client', () => {
  // @proves contract 8: Secret
  test('has the prefix centavo_live_, 43 random characters and a checksum of 6 characters', () => {
    fc.assert(
      fc.property(anyRandom, (random) => {
        const secret = formatSecret(random);
        expect(secret).toMatch(/^centavo_live_[0-9A-Za-z]{49}$/);
        expect(isWellFormedSecret(secret)).toBe(true);
      }),
    );
  });

  // @proves spec, Authentication: Integration secret
  test('has a prefix that ends in live_, as the specification says', () => {
    expect(secretPrefix).toBe('centavo_live_');
  });

  test('encodes all 256 random bits', () => {
    fc.assert(
      fc.property(anyRandom, (random) => {
        const bits = BigInt(`0x${Buffer.from(random).toString('hex')}`);
        expect(fromBase62(formatSecret(random).slice(secretPrefix.length, -6))).toBe(bits);
      }),
    );
  });

  // @proves contract 10a: Secret
  test('ends with the CRC-32 of the text before it', () => {
    fc.assert(
      fc.property(anyRandom, (random) => {
        const secret = formatSecret(random);
        expect(fromBase62(secret.slice(-6))).toBe(BigInt(crc32(secret.slice(0, -6))));
      }),
    );
  });

  // @proves contract 10a: Secret
  test('equals the result of an implementation in Python for 32 bytes of 0 and for 32 bytes of 255', () => {
    // Computed with Python's zlib.crc32.
    expect(formatSecret(new Uint8Array(32))).toBe('centavo_live_00000000000000000000000000000000000000000002wCZeW');
    expect(formatSecret(new Uint8Array(32).fill(255))).toBe(
      'centavo_live_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10Da1nQ',
    );
  });

  test('requires exactly 32 random bytes', () => {
    expect(() => formatSecret(new Uint8Array(31))).toThrow(RangeError);
    expect(() => formatSecret(new Uint8Array(33))).toThrow(RangeError);
  });
});

describe('isWellFormedSecret', () => {
  const secret = formatSecret(Uint8Array.from({ length: 32 }, (_, index) => (index * 37) % 256));

  // @proves contract 8: Secret
  test('returns false if any one character after the prefix is replaced by another base62 character', () => {
    const unnoticed: string[] = [];
    for (let index = secretPrefix.length; index < secret.length; index += 1) {
      for (const char of base62) {
        if (char === secret[index]) continue;
        const changed = secret.slice(0, index) + char + secret.slice(index + 1);
        if (isWellFormedSecret(changed)) unnoticed.push(changed);
      }
    }
    expect(unnoticed).toEqual([]);
  });

  test('returns false if two different adjacent characters after the prefix are swapped', () => {
    for (let index = secretPrefix.length; index < secret.length - 1; index += 1) {
      const swapped = secret.slice(0, index) + secret[index + 1] + secret[index] + secret.slice(index + 2);
      expect(isWellFormedSecret(swapped)).toBe(swapped === secret);
    }
  });

  test.each([
    ['a secret without its last character', secret.slice(0, -1)],
    ['a secret with an additional character', `${secret}0`],
    ['a secret with another prefix', secret.replace('live', 'test')],
    ['a secret with a space before it', ` ${secret}`],
    ['a secret with a newline after it', `${secret}\n`],
    ['an empty string', ''],
  ])('returns false for %s', (_, text) => {
    expect(isWellFormedSecret(text)).toBe(false);
  });
});
