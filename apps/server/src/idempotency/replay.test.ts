import { describe, expect, test } from 'vitest';
import { thrownApiError } from '../../test-support/thrown-api-error.js';
import type { RequestFacts, StoredAnswer } from '../auth/auth.queries.js';
import type { EffectiveTracker } from '../auth/principal.js';
import { decideReplay, isTrackerExplicit } from './replay.js';

const fingerprint = Buffer.alloc(32, 7);
const resolutions: readonly EffectiveTracker['resolvedBy'][] = ['header', 'single', 'active', 'default'];

const tracker = (resolvedBy: EffectiveTracker['resolvedBy'] = 'header'): EffectiveTracker => ({
  id: 'here',
  name: 'Home',
  role: 'owner',
  currencyCode: 'EUR',
  timeZone: 'UTC',
  now: '2026-03-01T12:00:00.000Z',
  today: '2026-03-01',
  resolvedBy,
});

const answer = (changes: Partial<StoredAnswer> = {}): StoredAnswer => ({
  trackerId: 'here',
  trackerExplicit: true,
  fingerprint: fingerprint.toString('hex'),
  requestId: 'earlier',
  etag: '"e"',
  data: { id: 'm1' },
  ...changes,
});

function decide(options: {
  readonly stored?: readonly StoredAnswer[];
  readonly keyLocked?: boolean | null;
  readonly resolvedBy?: EffectiveTracker['resolvedBy'];
}) {
  const { stored = [], keyLocked = true } = options;
  const facts: RequestFacts = {
    userId: 'u1',
    name: 'Ana',
    activeTrackerId: null,
    defaultTrackerId: null,
    sessionActive: null,
    credential: null,
    principalRoot: 'user:u1',
    eligibleTrackerIds: ['here'],
    tracker: null,
    storedAnswers: stored,
    keyLocked,
  };
  return decideReplay({ facts, tracker: tracker(options.resolvedBy), fingerprint, requestId: 'now' });
}
const refused = (options: Parameters<typeof decide>[0]) => thrownApiError(() => decide(options)).code;

test('decideReplay returns the response of an earlier attempt of this request, even if that attempt used another tracker', () => {
  const own = answer({ trackerId: 'there', trackerExplicit: false, requestId: 'now' });
  expect(decide({ stored: [own], resolvedBy: 'active' })).toEqual({ kind: 'own', answer: own });
});

describe('decideReplay for an idempotency key not used in another tracker', () => {
  test('returns the kind "first" when no response is stored', () => {
    expect(decide({})).toEqual({ kind: 'first' });
  });

  test('returns the kind duplicate_in_progress while a concurrent duplicate holds the lock of the key', () => {
    expect(decide({ keyLocked: false })).toEqual({ kind: 'duplicate_in_progress' });
  });

  test.each(resolutions)('replays the stored response for an equal request (tracker resolved by: %s)', (resolvedBy) => {
    const stored = answer({ trackerExplicit: false });
    expect(decide({ stored: [stored], resolvedBy })).toEqual({ kind: 'replay', answer: stored });
  });

  test('replays the stored response while another request holds the lock of the key', () => {
    const stored = answer();
    expect(decide({ stored: [stored], keyLocked: false })).toEqual({ kind: 'replay', answer: stored });
  });

  test('throws IDEMPOTENCY_KEY_REUSED if the key was used for a request with another body or path', () => {
    const refusal = thrownApiError(() => decide({ stored: [answer({ fingerprint: 'ff'.repeat(32) })] }));
    expect(refusal).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 409 });
  });

  test('returns the response that an earlier attempt of this request stored', () => {
    const stored = answer({ requestId: 'now' });
    expect(decide({ stored: [stored] })).toEqual({ kind: 'own', answer: stored });
  });
});

describe('decideReplay for an idempotency key used in another tracker', () => {
  // @proves contract 6: Scope of a key
  test('returns the kind "first" if neither this request nor the earlier request fell back to the active or default tracker', () => {
    for (const resolvedBy of ['header', 'single'] as const) {
      expect(decide({ stored: [answer({ trackerId: 'there' })], resolvedBy })).toEqual({ kind: 'first' });
    }
  });

  test('returns the kind duplicate_in_progress while a concurrent duplicate holds the lock of the key', () => {
    expect(decide({ stored: [answer({ trackerId: 'there' })], keyLocked: false })).toEqual({
      kind: 'duplicate_in_progress',
    });
  });

  test('throws IDEMPOTENCY_KEY_REUSED if this request fell back to the active or default tracker', () => {
    for (const resolvedBy of ['active', 'default'] as const) {
      expect(refused({ stored: [answer({ trackerId: 'there' })], resolvedBy })).toBe('IDEMPOTENCY_KEY_REUSED');
    }
  });

  test('throws IDEMPOTENCY_KEY_REUSED if the earlier request fell back to the active or default tracker', () => {
    const stored = answer({ trackerId: 'there', trackerExplicit: false });
    for (const resolvedBy of resolutions) {
      expect(refused({ stored: [stored], resolvedBy })).toBe('IDEMPOTENCY_KEY_REUSED');
    }
  });

  test('throws IDEMPOTENCY_KEY_REUSED if only one of several earlier requests fell back to the active or default tracker', () => {
    const stored = [answer({ trackerId: 'a' }), answer({ trackerId: 'b', trackerExplicit: false })];
    expect(refused({ stored })).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('replays the response stored in the tracker of this request if there is one, and ignores those of other trackers', () => {
    const stored = [answer({ trackerId: 'there', trackerExplicit: false }), answer()];
    expect(decide({ stored, resolvedBy: 'active' })).toEqual({ kind: 'replay', answer: stored[1] });
  });
});

test('isTrackerExplicit is true for a tracker from the header and for the only eligible tracker, but not for the active or the default tracker', () => {
  expect(resolutions.filter((resolvedBy) => isTrackerExplicit(tracker(resolvedBy)))).toEqual(['header', 'single']);
});
