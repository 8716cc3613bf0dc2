import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/test-database.js';
import { waitingForAdvisoryLocks, waitUntil } from '../test-support/advisory-locks.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';

let bench: TestIdentity;
beforeAll(async () => {
  bench = openIdentity(await createTestDatabase());
});
afterAll(() => bench.close());

const verify = (token: string, code: string) => bench.call('verifyTotp', { token, body: { code } });
const confirm = (token: string, code: string) => bench.call('confirmTotp', { token, body: { code } });
const resultOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
];

/** Creates a user with a confirmed authenticator, and moves the clock to the next time step, whose code has not been used. */
async function enrolledUser() {
  const { accessToken, email, password } = await bench.logIn();
  const enrolment = await bench.enrol(accessToken);
  bench.advance(30);
  return { token: enrolment.accessToken, secret: enrolment.secret, email, password };
}

/** Returns six digits that differ from the current codes. */
async function wrongCode(secret: string): Promise<string> {
  const right = await Promise.all([-1, 0, 1].map((steps) => bench.codeOf(secret, steps)));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}

describe('the enrolment of an authenticator', () => {
  // @proves contract 8: POST /totp
  test('returns 201 with a base32 secret of 20 bytes and its otpauth URI', async () => {
    const session = await bench.logIn();
    const { status, body } = await bench.call('enrolTotp', { token: session.accessToken });
    expect(status).toBe(201);
    expect(body.data.secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(body.data.otpauthUri);
    expect(decodeURIComponent(uri.pathname)).toBe(`/Centavo:${session.email}`);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ issuer: 'Centavo', secret: body.data.secret });
  });

  test('does not enable the authenticator until a code has confirmed it', async () => {
    const { accessToken } = await bench.logIn();
    const { body } = await bench.call('enrolTotp', { token: accessToken });
    const answer = await verify(accessToken, await bench.codeOf(body.data.secret));
    expect(answer.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'not_enrolled' } });
    expect((await bench.call('getMe', { token: accessToken })).body.data.totpEnrolled).toBe(false);
  });

  // @proves contract 10a: First enrolment of an authenticator
  test('returns 401 STEP_UP_REQUIRED for the first authenticator if the login with the password is over ten minutes old', async () => {
    const { accessToken, refreshToken } = await bench.logIn();
    bench.advance(600);
    const inTime = await bench.call('enrolTotp', { token: accessToken });
    expect(inTime.status).toBe(201);
    bench.advance(1);
    const refreshed = await bench.call('refreshSession', { body: { refreshToken } });
    for (const token of [accessToken, refreshed.body.data.accessToken]) {
      const refused = await bench.call('enrolTotp', { token });
      expect(resultOf(refused)).toEqual([401, 'STEP_UP_REQUIRED']);
      expect(refused.body.error.details).toEqual({ method: 'password', maxAgeSeconds: 600 });
      expect(refused.headers['WWW-Authenticate']).toContain('error="insufficient_user_authentication"');
    }
    const other = await bench.logIn();
    bench.advance(601);
    const again = await bench.call('createSession', { body: { email: other.email, password: other.password } });
    expect((await bench.call('enrolTotp', { token: again.body.data.accessToken })).status).toBe(201);
  });

  test('returns 401 STEP_UP_REQUIRED for a confirmation without a recent login with the password, and leaves the code usable', async () => {
    const user = await bench.logIn();
    const { body } = await bench.call('enrolTotp', { token: user.accessToken });
    bench.advance(601);
    const refused = await confirm(user.accessToken, await bench.codeOf(body.data.secret));
    expect(resultOf(refused)).toEqual([401, 'STEP_UP_REQUIRED']);
    expect(refused.body.error.details).toEqual({ method: 'password', maxAgeSeconds: 600 });
    const { email, password } = user;
    const fresh = await bench.call('createSession', { body: { email, password } });
    const code = await bench.codeOf(body.data.secret);
    expect((await confirm(fresh.body.data.accessToken, code)).status).toBe(200);
  });

  test('adds no row to identity.totp when it returns STEP_UP_REQUIRED', async () => {
    const { accessToken } = await bench.logIn();
    bench.advance(601);
    const before = await bench.rows('select * from identity.totp order by user_id');
    await bench.call('enrolTotp', { token: accessToken });
    expect(await bench.rows('select * from identity.totp order by user_id')).toEqual(before);
  });

  // @proves contract 10a: TOTP
  test('returns 401 STEP_UP_REQUIRED for a replacement without a recent code of the confirmed authenticator', async () => {
    const { accessToken } = await bench.logIn();
    const enrolled = await bench.enrol(accessToken);
    // This token was issued before the code was entered.
    const refused = await bench.call('enrolTotp', { token: accessToken });
    expect(resultOf(refused)).toEqual([401, 'STEP_UP_REQUIRED']);
    expect(refused.body.error.details).toEqual({ method: 'totp', maxAgeSeconds: 600 });
    expect(refused.headers['WWW-Authenticate']).toContain('error="insufficient_user_authentication"');
    bench.advance(600);
    expect((await bench.call('enrolTotp', { token: enrolled.accessToken })).status).toBe(201);
    bench.advance(1);
    expect(resultOf(await bench.call('enrolTotp', { token: enrolled.accessToken }))[1]).toBe('STEP_UP_REQUIRED');
  });

  test('keeps the old authenticator valid until the new one is confirmed, and accepts codes of both in one time step', async () => {
    const { token, secret } = await enrolledUser();
    const { body } = await bench.call('enrolTotp', { token });
    expect((await verify(token, await bench.codeOf(secret))).status).toBe(200);
    expect((await confirm(token, await bench.codeOf(body.data.secret))).status).toBe(200);
    bench.advance(30);
    expect(resultOf(await verify(token, await bench.codeOf(secret)))).toEqual([401, 'CREDENTIAL_INVALID']);
    expect((await verify(token, await bench.codeOf(body.data.secret))).status).toBe(200);
  });
});

test('POST /totp/verify with a code of the confirmed authenticator ends no session', async () => {
  const { token, secret, email, password } = await enrolledUser();
  const { body } = await bench.call('createSession', { body: { email, password } });
  expect((await verify(token, await bench.codeOf(secret))).status).toBe(200);
  expect((await bench.call('getMe', { token: body.data.accessToken })).status).toBe(200);
});

describe('the confirmation of an authenticator', () => {
  const logInAgain = async (user: { email: string; password: string }) => {
    const { body } = await bench.call('createSession', { body: { email: user.email, password: user.password } });
    return body.data;
  };
  const statusOf = async (token: string) => resultOf(await bench.call('getMe', { token }));

  test.each(['first', 'replaced'])(
    'ends the other sessions of the user and no session of another user (%s authenticator)',
    async (kind) => {
      const user = kind === 'first' ? await bench.logIn() : await enrolledUser();
      const token = 'token' in user ? user.token : user.accessToken;
      const otherUser = await bench.logIn();
      const copied = await logInAgain(user);
      const { body } = await bench.call('enrolTotp', { token });
      expect((await bench.call('getMe', { token: copied.accessToken })).status).toBe(200);
      expect((await confirm(token, await bench.codeOf(body.data.secret))).status).toBe(200);
      expect(await statusOf(copied.accessToken)).toEqual([401, 'SESSION_INACTIVE']);
      const refreshed = await bench.call('refreshSession', { body: { refreshToken: copied.refreshToken } });
      expect(resultOf(refreshed)).toEqual([401, 'SESSION_INACTIVE']);
      expect((await bench.call('getMe', { token })).status).toBe(200);
      expect((await bench.call('getMe', { token: otherUser.accessToken })).status).toBe(200);
    },
  );

  test('ends no session if the code is wrong', async () => {
    const { token, email, password } = await enrolledUser();
    const other = await logInAgain({ email, password });
    const { body } = await bench.call('enrolTotp', { token });
    expect((await confirm(token, await wrongCode(body.data.secret))).status).toBe(401);
    expect((await bench.call('getMe', { token: other.accessToken })).status).toBe(200);
  });

  test('ends the other sessions, and returns its response only after their open write transactions have committed', async () => {
    const user = await bench.logIn();
    const other = await logInAgain(user);
    const { body } = await bench.call('enrolTotp', { token: user.accessToken });
    const writer = new pg.Client({ connectionString: bench.connectionString });
    await writer.connect();
    try {
      // Takes the shared lock that the authentication of a write takes. A write holds this lock until COMMIT.
      await writer.query('begin');
      await writer.query('select pg_advisory_xact_lock_shared(hashtextextended($1::uuid::text, 1))', [other.sessionId]);
      let isAnswered = false;
      const confirming = confirm(user.accessToken, await bench.codeOf(body.data.secret)).finally(() => {
        isAnswered = true;
      });
      await waitUntil(async () => (await waitingForAdvisoryLocks(writer)) === 1);
      expect(isAnswered).toBe(false);
      expect(await statusOf(other.accessToken)).toEqual([401, 'SESSION_INACTIVE']);
      await writer.query('commit');
      expect((await confirming).status).toBe(200);
    } finally {
      await writer.end();
    }
  });

  test('succeeds in only one of six concurrent sessions of a user, and ends the other five', async () => {
    const user = await bench.logIn();
    const sessions = [user, ...(await Promise.all(Array.from({ length: 5 }, () => logInAgain(user))))];
    const { body } = await bench.call('enrolTotp', { token: user.accessToken });
    const code = await bench.codeOf(body.data.secret);
    const answers = await Promise.all(sessions.map(({ accessToken }) => confirm(accessToken, code)));
    expect(answers.map(resultOf).sort()).toEqual([
      [200, undefined],
      ...Array.from({ length: 5 }, () => [401, 'SESSION_INACTIVE']),
    ]);
  });

  test('is refused in a stolen session without a recent login with the password', async () => {
    const user = await bench.logIn();
    const copied = await logInAgain(user);
    bench.advance(301);
    const fresh = await logInAgain(user);
    const { body } = await bench.call('enrolTotp', { token: fresh.accessToken });
    bench.advance(300);
    expect(resultOf(await bench.call('enrolTotp', { token: copied.accessToken }))).toEqual([401, 'STEP_UP_REQUIRED']);
    const code = await bench.codeOf(body.data.secret);
    expect(resultOf(await confirm(copied.accessToken, code))).toEqual([401, 'STEP_UP_REQUIRED']);
    expect((await confirm(fresh.accessToken, code)).status).toBe(200);
    expect(await statusOf(copied.accessToken)).toEqual([401, 'SESSION_INACTIVE']);
  });
});

describe('POST /totp/verify', () => {
  // @proves contract 8: POST /totp/confirm, POST /totp/verify
  test('returns 200 with a token, and stores the time of the code in the session', async () => {
    const { token, secret } = await enrolledUser();
    const { status, body } = await verify(token, await bench.codeOf(secret));
    expect(status).toBe(200);
    expect(body.data.expiresAt).toBe(new Date(bench.now().getTime() + 900_000).toISOString());
    const nowSeconds = Math.floor(bench.now().getTime() / 1000);
    const claims = await bench.identity.provider.verifyAccessToken(body.data.accessToken);
    expect(claims.totpAtSeconds).toBe(nowSeconds);
    const [row] = await bench.rows(`select amr from identity.sessions where id = '${claims.sessionId}'`);
    expect(row?.amr).toEqual([
      { method: 'totp', timestamp: nowSeconds },
      { method: 'password', timestamp: nowSeconds - 30 },
    ]);
  });

  test('rejects the code that confirmed the authenticator', async () => {
    const { accessToken } = await bench.logIn();
    const { secret } = await bench.enrol(accessToken);
    expect(resultOf(await verify(accessToken, await bench.codeOf(secret)))).toEqual([401, 'CREDENTIAL_INVALID']);
    expect(resultOf(await confirm(accessToken, await bench.codeOf(secret)))).toEqual([409, 'STATE_CONFLICT']);
  });

  // @proves contract 8: POST /totp/confirm, POST /totp/verify
  test('accepts a code only once when 20 parallel requests send it', async () => {
    const { token, secret } = await enrolledUser();
    const code = await bench.codeOf(secret);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token, code)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
  });

  // @proves contract 8: POST /totp/confirm, POST /totp/verify
  test('accepts the codes of the current time step and its two neighbours, and rejects codes two steps away', async () => {
    const { token, secret } = await enrolledUser();
    bench.advance(90);
    expect(resultOf(await verify(token, await bench.codeOf(secret, -2)))).toEqual([401, 'CREDENTIAL_INVALID']);
    expect(resultOf(await verify(token, await bench.codeOf(secret, 2)))).toEqual([401, 'CREDENTIAL_INVALID']);
    for (const steps of [1, -1, 0]) expect((await verify(token, await bench.codeOf(secret, steps))).status).toBe(200);
    // Each code works once.
    for (const steps of [-1, 0, 1]) {
      expect(resultOf(await verify(token, await bench.codeOf(secret, steps)))).toEqual([401, 'CREDENTIAL_INVALID']);
    }
  });

  describe('while a server of the previous version, which stores only the last used time step, uses the same database:', () => {
    const setUpOldServer = async () => {
      const { token, secret } = await enrolledUser();
      bench.advance(90);
      const step = Math.floor(bench.now().getTime() / 30_000);
      const writeAsOldServer = (lastStep: number, newSecret = secret) =>
        bench.rows(
          `update identity.totp set secret = '${newSecret}', last_step = ${lastStep} where secret = '${secret}' returning 1`,
        );
      return { token, secret, step, writeAsOldServer };
    };

    test('rejects the codes of all time steps up to the stored step', async () => {
      const { token, secret, step, writeAsOldServer } = await setUpOldServer();
      await writeAsOldServer(step + 1);
      for (const steps of [-1, 0, 1]) {
        expect(resultOf(await verify(token, await bench.codeOf(secret, steps)))).toEqual([401, 'CREDENTIAL_INVALID']);
      }
    });

    test('stores the latest used step, in whatever order the codes are used', async () => {
      const { token, secret, step } = await setUpOldServer();
      for (const steps of [0, 1, -1]) {
        expect((await verify(token, await bench.codeOf(secret, steps))).status).toBe(200);
        const rows = await bench.rows(`select last_step::int as last from identity.totp where secret = '${secret}'`);
        expect(rows).toEqual([{ last: step + (steps === 0 ? 0 : 1) }]);
      }
    });

    test('rejects a code of a time step before the stored step if the other server has replaced the secret', async () => {
      const { token, secret, step, writeAsOldServer } = await setUpOldServer();
      expect((await verify(token, await bench.codeOf(secret, 1))).status).toBe(200);
      const replacement = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
      await writeAsOldServer(step + 1, replacement);
      expect(resultOf(await verify(token, await bench.codeOf(replacement)))).toEqual([401, 'CREDENTIAL_INVALID']);
    });
  });

  // @proves contract 8: POST /totp/confirm, POST /totp/verify
  test('returns 429 after five failures, also for a correct code, until 15 minutes after the first failure', async () => {
    const { token, secret, email, password } = await enrolledUser();
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => wrongCode(secret).then((code) => verify(token, code))),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7);
    bench.advance(60);
    const refused = await verify(token, await bench.codeOf(secret));
    expect(resultOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.error.details).toEqual({
      policy: 'totp',
      limit: 5,
      windowSeconds: 900,
      retryAfterSeconds: 840,
    });
    expect(refused.headers['Retry-After']).toBe('840');
    bench.advance(839);
    // Failures are counted per user: another session does not reset the count.
    const { body } = await bench.call('createSession', { body: { email, password } });
    const other = body.data.accessToken;
    expect((await verify(other, await bench.codeOf(secret))).status).toBe(429);
    bench.advance(1);
    expect((await verify(other, await bench.codeOf(secret))).status).toBe(200);
  });

  // @proves contract 10a: TOTP
  test('resets the count of failures after a success, and shares the count with POST /totp/confirm', async () => {
    const { token, secret } = await enrolledUser();
    const { body } = await bench.call('enrolTotp', { token });
    for (let failure = 0; failure < 2; failure += 1) {
      expect((await verify(token, await wrongCode(secret))).status).toBe(401);
      expect((await confirm(token, await wrongCode(body.data.secret))).status).toBe(401);
    }
    expect((await verify(token, await bench.codeOf(secret))).status).toBe(200);
    const statuses = [];
    for (let failure = 0; failure < 6; failure += 1) {
      statuses.push((await verify(token, await wrongCode(secret))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  // @proves contract 10a: TOTP
  test('returns 400 for a malformed code, and does not count it as a failure', async () => {
    const { token, secret } = await enrolledUser();
    for (const code of ['', '12345', '1234567', '12345a', '１２３４５６', ' 12345']) {
      expect(resultOf(await verify(token, code))).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect((await verify(token, await bench.codeOf(secret))).status).toBe(200);
  });

  test('returns 409 not_enrolled to a user without an authenticator, as does POST /totp/confirm', async () => {
    const { accessToken } = await bench.logIn();
    for (const answer of [await verify(accessToken, '123456'), await confirm(accessToken, '123456')]) {
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'not_enrolled' } });
    }
  });

  test('states in the 409 message that no app is confirmed, or, for POST /totp/confirm, that no app waits for confirmation', async () => {
    const { accessToken } = await bench.logIn();
    expect((await verify(accessToken, '123456')).body.error.message).toMatch(/^No authenticator app is confirmed\. /);
    const { token } = await enrolledUser();
    const { status, body } = await confirm(token, '123456');
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'not_enrolled' } });
    expect(body.error.message).toMatch(/^No authenticator app waits for confirmation\. /);
  });
});
