import { createHash } from 'node:crypto';
import { createApiKeyBody, createIntegrationClientBody, isWellFormedSecret, roles } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { summarizeThrown } from '../../../test-support/thrown-api-error.js';
import { decideCredential, decideExpiry, makeSecret } from './credentials.rules.js';

const home = '0190f2a0-0000-7000-8000-00000000000a';
const work = '0190f2a0-0000-7000-8000-00000000000b';
const stranger = '0190f2a0-0000-7000-8000-00000000000c';
const now = new Date('2026-03-01T12:00:00.000Z');
const daysLater = (days: number, ms = 0) => new Date(now.getTime() + days * 86_400_000 + ms).toISOString();

const decide = (fields: object = {}, facts: Partial<Omit<Parameters<typeof decideCredential>[0], 'body'>> = {}) =>
  decideCredential({
    kind: 'secure',
    body: createApiKeyBody.parse({
      name: 'Robot',
      scopes: ['movements:write', 'movements:read'],
      access: { mode: 'selected', trackerIds: [home] },
      ...fields,
    }),
    memberships: [
      { trackerId: home, role: 'owner' },
      { trackerId: work, role: 'admin' },
    ],
    unrevokedCount: 0,
    now,
    validityDaysMax: 365,
    ...facts,
  });
const refused = (...args: Parameters<typeof decide>) => summarizeThrown(() => decide(...args));

test('a key for selected trackers lives ninety days', () => {
  expect(decide()).toEqual({
    name: 'Robot',
    scopes: ['movements:write', 'movements:read'],
    accessMode: 'selected',
    trackerIds: [home],
    defaultTrackerId: null,
    createdAt: new Date(daysLater(0)),
    expiresAt: new Date(daysLater(90)),
  });
});

test('a key for all managed trackers keeps no list, which would grow stale', () => {
  expect(decide({ access: { mode: 'all_managed' } })).toMatchObject({ accessMode: 'all_managed', trackerIds: [] });
});

describe('the trackers of a key', () => {
  test.each(roles)('may be given away by an owner or admin alone: %s', (role) => {
    const facts = { memberships: [{ trackerId: home, role }] };
    if (role === 'owner' || role === 'admin') expect(decide({}, facts).trackerIds).toEqual([home]);
    else expect(refused({}, facts)).toEqual({ code: 'TRACKER_FORBIDDEN', trackerIds: [home] });
  });

  test('that are not the caller’s to give are named, each once, whether they exist or not', () => {
    const access = { mode: 'selected', trackerIds: [home, stranger, work] };
    const memberships = [
      { trackerId: home, role: 'owner' },
      { trackerId: work, role: 'editor' },
    ] as const;
    expect(refused({ access, defaultTrackerId: stranger }, { memberships })).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [stranger, work],
    });
  });
});

describe('the default tracker', () => {
  test('is one of the selected', () => {
    expect(decide({ defaultTrackerId: home }).defaultTrackerId).toBe(home);
    expect(refused({ defaultTrackerId: work })).toEqual(['defaultTrackerId FIELD_CONFLICT']);
  });

  test('is one of the managed, where all of those are', () => {
    const access = { mode: 'all_managed' };
    expect(decide({ access, defaultTrackerId: work }).defaultTrackerId).toBe(work);
    expect(refused({ access, defaultTrackerId: stranger })).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [stranger],
    });
  });
});

describe('an integration client', () => {
  const ask = (fields: object, role: (typeof roles)[number] = 'viewer') => ({
    kind: 'integration_client' as const,
    body: createIntegrationClientBody.parse({ name: 'Program', scopes: ['movements:read'], ...fields }),
    memberships: [{ trackerId: home, role }],
    unrevokedCount: 0,
    now,
    validityDaysMax: 365,
  });

  test('without access has all memberships, written down as such', () => {
    for (const access of [undefined, { mode: 'all_memberships' }]) {
      expect(decideCredential(ask({ access }))).toMatchObject({ accessMode: 'all_memberships', trackerIds: [] });
    }
  });

  test('may be given any tracker that the caller is a member of, and no other', () => {
    const access = { mode: 'selected', trackerIds: [home, stranger] };
    expect(decideCredential(ask({ access: { ...access, trackerIds: [home] } })).trackerIds).toEqual([home]);
    expect(summarizeThrown(() => decideCredential(ask({ access })))).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [stranger],
    });
  });

  test('for all managed trackers defaults to one of those', () => {
    const fields = { access: { mode: 'all_managed' }, defaultTrackerId: home };
    expect(decideCredential(ask(fields, 'admin')).defaultTrackerId).toBe(home);
    expect(summarizeThrown(() => decideCredential(ask(fields, 'editor')))).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [home],
    });
  });
});

test('a hundredth key is made and a hundred and first is not', () => {
  expect(decide({}, { unrevokedCount: 99 }).name).toBe('Robot');
  expect(refused({}, { unrevokedCount: 100 })).toEqual({ code: 'STATE_CONFLICT', reason: 'limit_reached' });
});

test('what is wrong in the fields is told at once, and before what is forbidden', () => {
  const fields = {
    access: { mode: 'selected', trackerIds: [stranger] },
    defaultTrackerId: work,
    expiresAt: daysLater(-1),
  };
  expect(refused(fields, { unrevokedCount: 100 })).toEqual([
    'defaultTrackerId FIELD_CONFLICT',
    'expiresAt OUT_OF_RANGE',
  ]);
});

describe('decideExpiry', () => {
  const ask = (expiresAt: string | undefined, validityDaysMax = 365) =>
    decideExpiry({ expiresAt, now, validityDaysMax });

  test.each([
    [365, 90],
    [90, 90],
    [30, 30],
    [1, 1],
  ])('with a maximum of %i days gives %i by default', (validityDaysMax, days) => {
    expect(ask(undefined, validityDaysMax)).toEqual({ expiresAt: new Date(daysLater(days)) });
  });

  test.each([daysLater(0, 1), daysLater(1), daysLater(365)])('takes %s', (expiresAt) => {
    expect(ask(expiresAt)).toEqual({ expiresAt: new Date(expiresAt) });
  });

  test.each([
    ['now', daysLater(0)],
    ['the past', daysLater(-1)],
    ['a millisecond beyond the maximum', daysLater(365, 1)],
  ])('refuses %s rather than shorten it', (_, expiresAt) => {
    expect(ask(expiresAt)).toMatchObject({ issue: { path: 'expiresAt', code: 'OUT_OF_RANGE' } });
  });

  test('holds what is asked to the operator’s maximum', () => {
    expect(ask(daysLater(31), 30)).toMatchObject({ issue: { code: 'OUT_OF_RANGE' } });
  });
});

test('of a secret only its hash and its last four characters are kept', () => {
  const asked: number[] = [];
  const { secret, ...kept } = makeSecret((size) => {
    asked.push(size);
    return new Uint8Array(size).fill(9);
  });
  expect(asked).toEqual([32]);
  expect(isWellFormedSecret(secret)).toBe(true);
  expect(kept).toEqual({
    secretSha256: createHash('sha256').update(secret).digest(),
    secretLast4: secret.slice(-4),
  });
});
