import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthenticationError, type Session } from '@centavo/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { noon } from '../../test-support/run-in-test.js';
import { NotLoggedInError } from '../errors.js';
import { ProfileStore, type StoredSession } from './profiles.js';
import { SessionTokens, SessionVault } from './session.js';

const baseUrl = 'http://127.0.0.1:8080/v1/financial';
const clock = { nowMs: () => noon, waitMs: () => new Promise<void>((resolve) => setImmediate(resolve)) };
const minutesFromNoon = (minutes: number) => new Date(noon + minutes * 60_000).toISOString();

const session: StoredSession = {
  baseUrl,
  email: 'ana@example.com',
  accessToken: 'access-1',
  expiresAt: minutesFromNoon(10),
  refreshToken: 'refresh-1',
  refreshExpiresAt: minutesFromNoon(1000),
};

let directory: string;
let refreshed: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'centavo-profile-'));
  refreshed = [];
});

/** Renews a session like a server that accepts each refresh token once. */
async function refresh(refreshToken: string): Promise<Session> {
  if (refreshed.includes(refreshToken)) throw revoked();
  refreshed.push(refreshToken);
  const next = refreshed.length + 1;
  return {
    sessionId: 'session',
    accessToken: `access-${next}`,
    tokenType: 'Bearer',
    expiresAt: minutesFromNoon(15),
    refreshToken: `refresh-${next}`,
    refreshExpiresAt: minutesFromNoon(1000),
    totpEnrolled: false,
  };
}

function revoked() {
  return new AuthenticationError({
    message: 'The refresh token was used before.',
    code: 'CREDENTIAL_REVOKED',
    status: 401,
    requestId: null,
    details: {},
    headers: new Headers(),
    idempotencyKey: null,
    retryAfterMs: null,
  });
}

function store() {
  return new ProfileStore(directory, clock);
}

function tokens(url = baseUrl) {
  return new SessionTokens({ vault: new SessionVault(store(), async () => undefined), baseUrl: url, clock, refresh });
}

async function logIn(changes: Partial<StoredSession> = {}) {
  await store().update(() => ({ session: { ...session, ...changes } }));
}

describe('the access token', () => {
  it('is the stored token if it is valid for more than a minute', async () => {
    await logIn();
    expect(await tokens().getAccessToken()).toBe('access-1');
    expect(refreshed).toEqual([]);
  });

  it('is renewed if it expires within a minute, and the new access and refresh tokens are stored', async () => {
    await logIn({ expiresAt: minutesFromNoon(0.5) });
    expect(await tokens().getAccessToken()).toBe('access-2');
    expect((await store().read()).session).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' });
  });

  it('is renewed once for concurrent requests', async () => {
    await logIn({ expiresAt: minutesFromNoon(0) });
    const one = tokens();
    const all = await Promise.all(Array.from({ length: 8 }, () => one.getAccessToken()));
    expect(new Set(all)).toEqual(new Set(['access-2']));
    expect(refreshed).toEqual(['refresh-1']);
  });

  it('is renewed once for concurrent SessionTokens objects that share a profile directory', async () => {
    await logIn({ expiresAt: minutesFromNoon(0) });
    const all = await Promise.all(Array.from({ length: 8 }, () => tokens().getAccessToken()));
    expect(new Set(all)).toEqual(new Set(['access-2']));
    expect(refreshed).toEqual(['refresh-1']);
  });

  it('is not returned for a server that did not issue it', async () => {
    await logIn();
    await expect(tokens('https://evil.example/v1/financial').getAccessToken()).rejects.toThrow(NotLoggedInError);
  });

  it('is not returned if the session is missing (error "Not logged in"), expired or revoked (error "has ended")', async () => {
    await expect(tokens().getAccessToken()).rejects.toThrow('Not logged in');
    await logIn({ refreshExpiresAt: minutesFromNoon(-1) });
    await expect(tokens().getAccessToken()).rejects.toThrow('has ended');
    await logIn({ expiresAt: minutesFromNoon(0) });
    refreshed.push('refresh-1');
    await expect(tokens().getAccessToken()).rejects.toThrow('has ended');
  });

  it('is stored by replaceAccessToken, and the stored refresh token stays unchanged', async () => {
    await logIn();
    await tokens().replaceAccessToken({ accessToken: 'stepped-up', expiresAt: minutesFromNoon(15) });
    expect((await store().read()).session).toMatchObject({ accessToken: 'stepped-up', refreshToken: 'refresh-1' });
  });
});

describe('the profile file', () => {
  it('is readable by its owner only, and no lock file remains after a write', async () => {
    await logIn();
    const { mode } = await stat(join(directory, 'profile.json'));
    expect(mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(directory, 'profile.json'), 'utf8'))).toEqual({ session });
    await expect(stat(join(directory, 'profile.lock'))).rejects.toThrow('ENOENT');
  });
});
