import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/test-database.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';
import { argon2id } from '../users/password-hashing.js';

let bench: TestIdentity;
let runningCount = 0;
let runningMax = 0;

async function counted<Result>(work: () => Promise<Result>): Promise<Result> {
  runningCount += 1;
  runningMax = Math.max(runningMax, runningCount);
  try {
    return await work();
  } finally {
    runningCount -= 1;
  }
}

beforeAll(async () => {
  bench = openIdentity(await createTestDatabase(), {
    passwords: {
      hash: (password) => counted(() => argon2id.hash(password)),
      verify: (hash, password) => counted(() => argon2id.verify(hash, password)),
    },
  });
});
afterAll(() => bench.close());

test('the identity provider hashes two passwords at a time in a flood of logins, and rejects the excess with 503', async () => {
  const { email } = await bench.logIn();
  const body = { email, password: 'a wrong password' };
  const logIns = Array.from({ length: 64 }, () => bench.call('createSession', { body }));
  const registrations = Array.from({ length: 20 }, (_, index) =>
    bench.call('createUser', { body: { ...body, email: `${index}@example.com` }, address: '192.0.2.1' }),
  );
  const answers = await Promise.all(logIns);
  expect(runningMax).toBe(2);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
  for (const { status, headers, body: answer } of answers.filter((one) => one.status === 503)) {
    expect([status, headers['Retry-After'], answer.error.code]).toEqual([503, '1', 'SERVICE_UNAVAILABLE']);
  }
  const registered = await Promise.all(registrations);
  expect(registered.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
});

test('the identity provider accepts a correct password from another address while one address sends a flood of logins', async () => {
  const { email, password } = await bench.logIn();
  const flood = Array.from({ length: 64 }, () =>
    bench.call('createSession', { body: { email, password: 'a wrong password' }, address: '192.0.2.2' }),
  );
  const order: string[] = [];
  const floodEnds = flood.map((one) => one.then(({ status }) => order.push(`flood ${status}`)));
  const good = bench.call('createSession', { body: { email, password }, address: '198.51.100.1' });
  void good.then(() => order.push('good'));
  expect((await good).status).toBe(201);
  await Promise.all(floodEnds);
  // The correct login does not wait for the flood: some requests that arrived before it are answered after it.
  const answeredAfter = order.slice(order.indexOf('good') + 1).filter((answer) => answer === 'flood 401');
  expect(answeredAfter.length).toBeGreaterThan(2);
});
