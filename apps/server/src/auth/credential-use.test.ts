import { expect, test } from 'vitest';
import type { Database } from '../database/database.js';
import { CredentialUse } from './credential-use.js';

function open(transaction: () => Promise<unknown>) {
  const clock = { ms: 0 };
  const database = { transaction } as unknown as Database;
  return { clock, use: new CredentialUse({ database, now: () => clock.ms }) };
}

test('uses of one credential within a minute make one statement, and the next one when the minute is over', async () => {
  let statements = 0;
  const { clock, use } = open(async () => {
    statements += 1;
  });
  const noted: number[] = [];
  for (const ms of [0, 1, 59_999, 60_000, 60_001]) {
    clock.ms = ms;
    use.note('one');
    await use.settled();
    noted.push(statements);
  }
  expect(noted).toEqual([1, 1, 1, 2, 2]);
  use.note('another');
  await use.settled();
  expect(statements).toBe(3);
});

test('a use that could not be noted is noted by the next one', async () => {
  let tries = 0;
  const { use } = open(async () => {
    tries += 1;
    throw new Error('away');
  });
  use.note('one');
  await use.settled();
  use.note('one');
  await use.settled();
  expect(tries).toBe(2);
});
