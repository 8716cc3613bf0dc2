import { createHash } from 'node:crypto';
import { formatSecret } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { thrownApiError } from '../../test-support/thrown-api-error.js';
import type { Database } from '../database/pool.js';
import { CredentialUse, parseBearerToken } from './credentials.js';

const secret = formatSecret(Uint8Array.from({ length: 32 }, (_, index) => index));
const wrongChecksum = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`;

describe('parseBearerToken', () => {
  test('returns the hash of an API key, and not the key itself', () => {
    const token = parseBearerToken(`Bearer ${secret}`);
    expect(token).toEqual({ kind: 'secret', sha256: createHash('sha256').update(secret).digest() });
  });

  test('returns a token of three parts as a JWT', () => {
    expect(parseBearerToken('Bearer a.b-c_d.e')).toEqual({ kind: 'jwt', token: 'a.b-c_d.e' });
  });

  // @proves spec, Endpoints: Authorization
  test.each(['bearer a.b.c', 'BEARER a.b.c', ' Bearer a.b.c '])(
    'accepts the scheme in any case and surrounding spaces: %j',
    (header) => {
      expect(parseBearerToken(header).kind).toBe('jwt');
    },
  );
});

describe('401 UNAUTHENTICATED', () => {
  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', secret, `Token ${secret}`, 'Bearera.b.c'])(
    'is returned if the header has no bearer token: %j',
    (header) => {
      const refusal = thrownApiError(() => parseBearerToken(header));
      expect(refusal).toMatchObject({
        code: 'UNAUTHENTICATED',
        headers: { 'WWW-Authenticate': 'Bearer realm="centavo"' },
      });
    },
  );
});

describe('401 CREDENTIAL_INVALID', () => {
  test.each([
    ['a secret with a wrong checksum', wrongChecksum],
    ['a secret without its last character', secret.slice(0, -1)],
    ['a secret with an unknown prefix', secret.replace('live', 'test')],
    ['a JWT of two parts', 'a.b'],
    ['a JWT of four parts', 'a.b.c.d'],
    ['a JWT longer than 8192 characters', `${'a'.repeat(8192)}.b.c`],
    ['two tokens', 'a.b.c d.e.f'],
    ['a JWT with a character outside the token alphabet', 'a.b.ç'],
    ['a plain word', 'hello'],
  ])('is returned for %s', (_, token) => {
    const refusal = thrownApiError(() => parseBearerToken(`Bearer ${token}`));
    expect(refusal.code).toBe('CREDENTIAL_INVALID');
    expect(refusal.headers['WWW-Authenticate']).toBe('Bearer realm="centavo", error="invalid_token"');
  });

  // @proves contract 5: Order of checks
  test('has the same message for a wrong checksum, a JWT of two parts and a plain word, and does not contain the token', () => {
    const answers = [wrongChecksum, 'a.b', 'hello'].map((token) => {
      const { message, details, headers, internalReason } = thrownApiError(() => parseBearerToken(`Bearer ${token}`));
      expect(`${message} ${JSON.stringify(details)} ${internalReason}`).not.toContain(token);
      return { message, details, headers };
    });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});

function open(transaction: () => Promise<unknown>) {
  const clock = { ms: 0 };
  const database = { transaction } as unknown as Database;
  return { clock, use: new CredentialUse({ database, now: () => clock.ms }) };
}

test('CredentialUse sends at most one SQL statement a minute for each credential', async () => {
  let statements = 0;
  const { clock, use } = open(async () => {
    statements += 1;
  });
  const counts: number[] = [];
  for (const ms of [0, 1, 59_999, 60_000, 60_001]) {
    clock.ms = ms;
    use.record('one');
    await use.settled();
    counts.push(statements);
  }
  expect(counts).toEqual([1, 1, 1, 2, 2]);
  use.record('another');
  await use.settled();
  expect(statements).toBe(3);
});

test('CredentialUse records the next use without waiting a minute if the previous statement failed', async () => {
  let tries = 0;
  const { use } = open(async () => {
    tries += 1;
    throw new Error('unavailable');
  });
  use.record('one');
  await use.settled();
  use.record('one');
  await use.settled();
  expect(tries).toBe(2);
});
