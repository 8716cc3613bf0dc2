import { describe, expect, test } from 'vitest';
import { ApiError, notFound } from '../api-error.js';
import { CommitOutcomeUnknown, StaleRead } from '../database/errors.js';
import { DuplicateInProgress, retryTransaction } from './retry.js';

/** Returns a clock that only `sleep` advances, with a random function that returns one half. */
function fakeClock() {
  let nowMs = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => nowMs,
    random: () => 0.5,
    sleep: async (ms: number) => {
      slept.push(ms);
      nowMs += ms;
    },
  };
}

/** Returns `run`, whose attempts throw `failures` in order. Later attempts return `done`, or throw the last failure again if `endless`. */
function scripted(failures: readonly unknown[], endless = false) {
  const clock = fakeClock();
  let attempts = 0;
  const run = (isKeyed = true) =>
    retryTransaction({
      clock,
      isKeyed,
      attempt: async () => {
        const failure = failures[attempts] ?? (endless ? failures.at(-1) : undefined);
        attempts += 1;
        if (failure !== undefined) throw failure;
        return 'done';
      },
    });
  return { run, clock, attempts: () => attempts };
}

const sqlError = (code: string) => Object.assign(new Error('refused by PostgreSQL'), { code });
const deadlock = sqlError('40P01');
const connectionReset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

test('retryTransaction runs a successful attempt once and does not wait', async () => {
  const script = scripted([]);
  expect(await script.run()).toBe('done');
  expect([script.attempts(), script.clock.slept]).toEqual([1, []]);
});

describe('retryTransaction after a retryable failure', () => {
  test.each([
    ['a deadlock', deadlock],
    ['a serialization failure', sqlError('40001')],
    ['a lock timeout', sqlError('55P03')],
    ['a statement timeout', sqlError('57014')],
    ['a starting database', sqlError('57P03')],
    ['a database that shuts down', sqlError('57P01')],
    ['a broken connection', connectionReset],
    ['a stale read', new StaleRead()],
  ])('retries after %s, with and without an idempotency key, because nothing was committed', async (_, failure) => {
    for (const isKeyed of [true, false]) {
      const script = scripted([failure]);
      expect(await script.run(isKeyed)).toBe('done');
      expect([script.attempts(), script.clock.slept]).toEqual([2, [210]]);
    }
  });

  test('retries after a COMMIT without acknowledgement if the request has an idempotency key', async () => {
    const script = scripted([new CommitOutcomeUnknown(connectionReset)]);
    expect(await script.run(true)).toBe('done');
    expect(script.attempts()).toBe(2);
  });
});

describe('retryTransaction after a failure that is not retryable', () => {
  test('throws a 503 error after a COMMIT without acknowledgement if there is no idempotency key', async () => {
    const script = scripted([new CommitOutcomeUnknown(connectionReset)]);
    await expect(script.run(false)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(script.attempts()).toBe(1);
  });

  test('rethrows an ApiError without a retry', async () => {
    const refusal = notFound({ resource: 'account', path: 'accountId' });
    const script = scripted([refusal]);
    await expect(script.run()).rejects.toBe(refusal);
    expect(script.attempts()).toBe(1);
  });

  test.each(['53100', '53200', '58030'])(
    'throws a 503 error with Retry-After when PostgreSQL has no space or memory, or an I/O error: SQLSTATE %s',
    async (state) => {
      const failure = sqlError(state);
      const script = scripted([failure]);
      await expect(script.run()).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        headers: { 'Retry-After': '1' },
        cause: failure,
      });
      expect(script.attempts()).toBe(1);
    },
  );

  test.each(['23505', '22008', '42P01', 'XX000'])(
    'rethrows an error with SQLSTATE %s without a retry',
    async (state) => {
      const failure = sqlError(state);
      const script = scripted([failure]);
      await expect(script.run()).rejects.toBe(failure);
      expect(script.attempts()).toBe(1);
    },
  );
});

describe('retryTransaction after a COMMIT without acknowledgement', () => {
  const refusal = (code: 'CREDENTIAL_REVOKED' | 'INSUFFICIENT_SCOPE' | 'NOT_FOUND' | 'VALIDATION_ERROR') =>
    new ApiError({ code, message: 'No.' });

  test.each([
    ['the database stays unavailable', connectionReset],
    ['the credential was revoked', refusal('CREDENTIAL_REVOKED')],
    ['the scope was lost', refusal('INSUFFICIENT_SCOPE')],
    ['the user now has a second tracker, and the request names none', refusal('VALIDATION_ERROR')],
    ['the idempotency key stays locked', new DuplicateInProgress()],
  ])(
    'throws a 503 error with the message that the change may have been recorded, if the next attempt fails because %s',
    async (_, later) => {
      const script = scripted([new CommitOutcomeUnknown(connectionReset), later], true);
      await expect(script.run()).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringContaining('may have been recorded'),
      });
    },
  );

  test('rethrows NOT_FOUND from the next attempt: that attempt found no stored response, so the COMMIT recorded nothing', async () => {
    const later = refusal('NOT_FOUND');
    const script = scripted([new CommitOutcomeUnknown(connectionReset), later], true);
    await expect(script.run()).rejects.toBe(later);
  });
});

describe('retryTransaction', () => {
  test('makes six attempts while the database stays unavailable, then throws a 503 error with Retry-After', async () => {
    const script = scripted([connectionReset], true);
    await expect(script.run()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'Retry-After': '1' },
      cause: connectionReset,
    });
    expect(script.attempts()).toBe(6);
  });

  test('retries after a COMMIT that hung without acknowledgement, to find out whether the transaction committed', async () => {
    const script = scripted([], true);
    let nowMs = 0;
    const clock = { ...script.clock, now: () => nowMs };
    const attempt = async () => {
      nowMs += 2_500;
      if (nowMs === 2_500) throw new CommitOutcomeUnknown(connectionReset);
      return 'recorded before';
    };
    expect(await retryTransaction({ clock, isKeyed: true, attempt })).toBe('recorded before');
  });

  test.each([
    ['when the 3.7 seconds for all attempts are over', 1_600, 3],
    ['after an attempt of two seconds, which may have hung on a lock', 2_000, 1],
  ])('stops retrying %s', async (_, eachMs, attempts) => {
    const script = scripted([connectionReset], true);
    let nowMs = 0;
    let attempted = 0;
    const clock = { ...script.clock, now: () => nowMs };
    const attempt = async () => {
      attempted += 1;
      nowMs += eachMs;
      throw connectionReset;
    };
    await expect(retryTransaction({ clock, isKeyed: true, attempt })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(attempted).toBe(attempts);
  });

  test.each([deadlock, new StaleRead(), sqlError('40001')])(
    'retries after a conflict with another transaction, even if the attempt took 2.5 seconds: %s',
    async (answered) => {
      let nowMs = 0;
      const attempt = async () => {
        nowMs += 2_500;
        if (nowMs === 2_500) throw answered;
        return 'done';
      };
      const { clock } = scripted([]);
      expect(await retryTransaction({ clock: { ...clock, now: () => nowMs }, isKeyed: false, attempt })).toBe('done');
    },
  );

  test.each([connectionReset, new CommitOutcomeUnknown(connectionReset)])(
    'mentions the idempotency key only to a client that sent one: %s',
    async (failure) => {
      const keyed = await scripted([failure], true)
        .run(true)
        .catch((error: Error) => error.message);
      expect(keyed).toMatch(/ Repeat the request with the same idempotency key\.$/);
      const unkeyed = await scripted([failure], true)
        .run(false)
        .catch((error: Error) => error.message);
      expect(unkeyed).toMatch(/repeat the request\.$/);
      expect(unkeyed).not.toMatch(/idempotency/);
    },
  );

  // @proves contract 5: 500 / 503
  test('throws an error without the message of the database error', async () => {
    const script = scripted(
      [Object.assign(new Error('password authentication failed for user x'), { code: '53300' })],
      true,
    );
    await expect(script.run()).rejects.toMatchObject({ message: expect.not.stringContaining('password'), details: {} });
  });
});

describe('the time that retryTransaction lets an attempt wait for the database', () => {
  test('is 3.7 seconds minus the time since the first attempt began', async () => {
    const waits: number[] = [];
    const { clock } = scripted([]);
    let nowMs = 0;
    const attempt = async (waitMsMax: number) => {
      waits.push(waitMsMax);
      nowMs += 1_600;
      throw connectionReset;
    };
    const sleep = async (ms: number) => {
      nowMs += ms;
    };
    const undecided = retryTransaction({ clock: { ...clock, sleep, now: () => nowMs }, isKeyed: true, attempt });
    await expect(undecided).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(waits).toEqual([3_700, 1_890, 80]);
  });

  test('stays at 3.7 seconds while a duplicate is in progress, because the database responds', async () => {
    const waits: number[] = [];
    const { clock } = scripted([]);
    const attempt = async (waitMsMax: number) => {
      waits.push(waitMsMax);
      if (waits.length < 3) throw new DuplicateInProgress();
      return 'done';
    };
    await retryTransaction({ clock, isKeyed: true, attempt });
    expect(waits).toEqual([3_700, 3_700, 3_700]);
  });
});

describe('retryTransaction while a duplicate is in progress', () => {
  test('repeats the attempt every 50 ms, and returns the result of the first attempt that succeeds', async () => {
    const script = scripted([new DuplicateInProgress(), new DuplicateInProgress()]);
    expect(await script.run()).toBe('done');
    expect([script.attempts(), script.clock.slept]).toEqual([3, [50, 50]]);
  });

  // @proves contract 5: 409
  // @proves contract 6: Transaction
  test('waits five seconds, then throws a 409 error with Retry-After', async () => {
    const script = scripted([new DuplicateInProgress()], true);
    await expect(script.run()).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      status: 409,
      headers: { 'Retry-After': '1' },
    });
    expect(script.clock.now()).toBe(5_000);
  });

  test('includes the wait before the first attempt (here four seconds) in the limit of five seconds', async () => {
    const clock = fakeClock();
    await clock.sleep(4_000);
    const attempt = async () => {
      throw new DuplicateInProgress();
    };
    await expect(retryTransaction({ clock, isKeyed: true, startedAt: 0, attempt })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      status: 409,
    });
    expect(clock.now()).toBe(5_000);
  });

  test('retries after a deadlock even if it has waited for the duplicate 20 times', async () => {
    const script = scripted([...Array.from({ length: 20 }, () => new DuplicateInProgress()), deadlock]);
    expect(await script.run()).toBe('done');
  });
});
