import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/test-database.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';
import { argon2id } from './password-hashing.js';

let bench: TestIdentity;
beforeAll(async () => {
  bench = openIdentity(await createTestDatabase(), { passwords: argon2id });
});
afterAll(() => bench.close());

const password = 'correct horse battery';

describe('POST /users', () => {
  // @proves contract 8: POST /users
  test('returns 201, adds a user whose subject is the user ID, and stores the password as an Argon2id hash', async () => {
    const { status, body } = await bench.call('createUser', { body: { email: ' Ada@Example.com ', password } });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ email: 'Ada@Example.com', displayName: null });
    const [row] = await bench.rows(
      `select u.issuer, u.subject = u.id::text as is_own, p.password_hash from app.users u
       join identity.passwords p on p.user_id = u.id where u.id = '${body.data.userId}'`,
    );
    expect(row).toEqual({
      issuer: 'urn:centavo:identity',
      is_own: true,
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
    });
  });

  // @proves contract 8: POST /users
  test('returns 409 email_taken for the same address in another letter case', async () => {
    await bench.call('createUser', { body: { email: 'grace@example.com', password } });
    const second = await bench.call('createUser', { body: { email: 'GRACE@example.com', password, displayName: 'G' } });
    expect(second.status).toBe(409);
    expect(second.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'email_taken' } });
    expect(await bench.rows(`select 1 from app.users where lower(email) = 'grace@example.com'`)).toHaveLength(1);
  });

  test('accepts only one of several parallel registrations with the same address', async () => {
    const body = { email: 'edsger@example.com', password };
    const answers = await Promise.all(Array.from({ length: 6 }, () => bench.call('createUser', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  // @proves contract 8: POST /users
  test('returns STATE_CONFLICT with the reason registration_closed, and adds no user, if registration is closed', async () => {
    const closed = openIdentity(await createTestDatabase(), { registration: 'closed' });
    try {
      const answer = await closed.call('createUser', { body: { email: 'ada@example.com', password } });
      expect(answer.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'registration_closed' } });
      expect(await closed.rows('select 1 from app.users')).toHaveLength(0);
    } finally {
      await closed.close();
    }
  });
});
