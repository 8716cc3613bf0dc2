import type { JWK } from 'jose';
import { describe, expect, test } from 'vitest';
import type { KeySet } from './parse-key-set.js';
import { createRemoteKeySet } from './remote-key-set.js';

const algorithm = 'ES256';
const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
const unavailable = { code: 'SERVICE_UNAVAILABLE', status: 503 };

/** An issuer with keys, and a clock that the test controls. */
function openIssuer(kids: readonly string[] | 'down' | 'hanging' = ['first']) {
  let nowMs = 1_700_000_000_000;
  let loadCount = 0;
  let current = kids;
  let hanging: ((error: Error) => void)[] = [];
  const keys = createRemoteKeySet({
    clock: () => new Date(nowMs),
    async load() {
      loadCount += 1;
      if (current === 'hanging') return new Promise<KeySet>((_, reject) => hanging.push(reject));
      if (current === 'down') throw new Error('ECONNREFUSED');
      return new Map(current.map((kid) => [kid, [{ jwk: jwkOf(kid), algorithms: [algorithm] }]]));
    },
  });
  return {
    find: (kid: string) => keys.find({ kid, algorithm }),
    findFor: (kid: string, other: string) => keys.find({ kid, algorithm: other }),
    become(next: typeof current) {
      current = next;
    },
    /** Ends the hanging loads, as their timeout does. */
    giveUp() {
      for (const reject of hanging) reject(new Error('TimeoutError'));
      hanging = [];
    },
    advance(ms: number) {
      nowMs += ms;
    },
    loads: () => loadCount,
  };
}

const jwkOf = (kid: string): JWK => ({ kty: 'EC', x: kid });

describe('RemoteKeySet', () => {
  test('loads the keys at most once in ten minutes for a known key ID', async () => {
    const issuer = openIssuer();
    expect(await Promise.all(Array.from({ length: 100 }, () => issuer.find('first')))).toEqual(
      Array(100).fill(jwkOf('first')),
    );
    issuer.advance(10 * minutes - 1);
    await issuer.find('first');
    expect(issuer.loads()).toBe(1);
    issuer.advance(1);
    await issuer.find('first');
    expect(issuer.loads()).toBe(2);
  });

  test('returns no key if the key with the requested ID is for another algorithm', async () => {
    expect(await openIssuer().findFor('first', 'RS256')).toBeUndefined();
  });

  test('loads a new key when its first token arrives, if the last load was at least 30 s ago', async () => {
    const issuer = openIssuer();
    await issuer.find('first');
    issuer.become(['first', 'second']);
    issuer.advance(30 * seconds);
    expect(await issuer.find('second')).toEqual(jwkOf('second'));
    expect(issuer.loads()).toBe(2);
  });

  test('reloads keys that are ten minutes old, and then does not return a key that the issuer removed', async () => {
    const issuer = openIssuer(['first', 'second']);
    await issuer.find('first');
    issuer.become(['second']);
    issuer.advance(10 * minutes);
    expect(await issuer.find('first')).toBeUndefined();
  });

  test('loads the keys at most once in 30 s for 10,000 unknown key IDs, and returns a known key while a load hangs', async () => {
    const issuer = openIssuer();
    await issuer.find('first');
    const loadedAtMs: number[] = [];
    for (let sent = 0, elapsedMs = 0; sent < 10_000; sent += 1, elapsedMs += 30) {
      const before = issuer.loads();
      expect(await issuer.find(`invented ${sent}`)).toBeUndefined();
      if (issuer.loads() > before) loadedAtMs.push(elapsedMs);
      issuer.advance(30);
    }
    const pauses = loadedAtMs.slice(1).map((atMs, index) => atMs - (loadedAtMs[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(30 * seconds);
    expect(issuer.loads()).toBeLessThanOrEqual(11);
    issuer.become('hanging');
    issuer.advance(30 * seconds);
    const unknown = issuer.find('invented');
    expect(await issuer.find('first')).toEqual(jwkOf('first'));
    issuer.giveUp();
    await expect(unknown).rejects.toMatchObject(unavailable);
  });

  test('loads the keys only once for 10,000 concurrent requests with unknown key IDs', async () => {
    const issuer = openIssuer();
    await issuer.find('first');
    issuer.advance(30 * seconds);
    await Promise.all(Array.from({ length: 10_000 }, (_, index) => issuer.find(`invented ${index}`)));
    expect(issuer.loads()).toBe(2);
  });

  test('returns no key, and loads no keys, for a key ID of 129 characters', async () => {
    const issuer = openIssuer();
    expect(await issuer.find('x'.repeat(129))).toBeUndefined();
    expect(issuer.loads()).toBe(0);
  });

  test('loads the keys again for an unknown key ID after the clock was set back', async () => {
    const issuer = openIssuer();
    await issuer.find('first');
    issuer.become(['second']);
    issuer.advance(-5 * hours);
    expect(await issuer.find('second')).toEqual(jwkOf('second'));
  });
});

describe('RemoteKeySet with an issuer that is down', () => {
  test('tries to load the keys once for 100 concurrent verifications when no keys are known, and fails with 503 for 30 s', async () => {
    const issuer = openIssuer('down');
    const answers = await Promise.allSettled(Array.from({ length: 100 }, () => issuer.find('first')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
    issuer.advance(30 * seconds - 1);
    await expect(issuer.find('first')).rejects.toMatchObject(unavailable);
    expect(issuer.loads()).toBe(1);
  });

  test('tries again after 30 s to load the keys, and returns the key if the issuer responds', async () => {
    const issuer = openIssuer('down');
    await expect(issuer.find('first')).rejects.toMatchObject(unavailable);
    issuer.become(['first']);
    issuer.advance(30 * seconds);
    expect(await issuer.find('first')).toEqual(jwkOf('first'));
    expect(issuer.loads()).toBe(2);
  });

  test('uses known keys for 24 hours, and tries to load them at most once in 30 s', async () => {
    const issuer = openIssuer();
    await issuer.find('first');
    issuer.become('down');
    issuer.advance(10 * minutes);
    const before = issuer.loads();
    for (let elapsedMs = 0; elapsedMs < 10 * minutes; elapsedMs += 10 * seconds) {
      expect(await issuer.find('first')).toEqual(jwkOf('first'));
      issuer.advance(10 * seconds);
    }
    expect(issuer.loads() - before).toBe(20);
    issuer.advance(24 * hours - 20 * minutes - 1);
    expect(await issuer.find('first')).toEqual(jwkOf('first'));
    issuer.advance(30 * seconds);
    await expect(issuer.find('first')).rejects.toMatchObject(unavailable);
  });

  test('returns 503 instead of 401 for an unknown key', async () => {
    const issuer = openIssuer();
    await issuer.find('first');
    issuer.become('down');
    issuer.advance(30 * seconds);
    await expect(issuer.find('second')).rejects.toMatchObject(unavailable);
    expect(await issuer.find('first')).toEqual(jwkOf('first'));
  });
});

describe('RemoteKeySet with an issuer that hangs', () => {
  test('delays valid tokens only during the first attempt to reload the keys, and not during the next one', async () => {
    const issuer = openIssuer();
    await issuer.find('first');
    issuer.become('hanging');
    issuer.advance(10 * minutes);
    const waiting = Array.from({ length: 100 }, () => issuer.find('first'));
    issuer.giveUp();
    expect(await Promise.all(waiting)).toEqual(Array(100).fill(jwkOf('first')));
    expect(issuer.loads()).toBe(2);
    issuer.advance(30 * seconds);
    expect(await issuer.find('first')).toEqual(jwkOf('first'));
    expect(issuer.loads()).toBe(3);
    issuer.giveUp();
  });

  test('tries to load the keys only once for 100 waiting requests when no keys are known', async () => {
    const issuer = openIssuer('hanging');
    const waiting = Promise.allSettled(Array.from({ length: 100 }, () => issuer.find('first')));
    issuer.giveUp();
    expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(issuer.loads()).toBe(1);
  });
});
