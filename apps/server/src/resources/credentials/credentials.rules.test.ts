import { createHash } from 'node:crypto';
import { createApiKeyBody, createIntegrationClientBody, isWellFormedSecret, roles } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { summarizeThrown } from '../../../test-support/thrown-api-error.js';
import { decideCredential, decideExpiry, makeSecret } from './credentials.rules.js';

const home = '0190f2a0-0000-7000-8000-00000000000a';
const work = '0190f2a0-0000-7000-8000-00000000000b';
const foreignId = '0190f2a0-0000-7000-8000-00000000000c';
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

// @proves spec, Credential creation fields: access.mode
test('decideCredential sets the expiry of an API key to 90 days by default', () => {
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

// @proves spec, Credential creation fields: access.mode
test('decideCredential returns an empty tracker list for an API key with the access mode all_managed', () => {
  expect(decide({ access: { mode: 'all_managed' } })).toMatchObject({ accessMode: 'all_managed', trackerIds: [] });
});

describe('decideCredential: the trackers of an API key', () => {
  // @proves spec, Authentication: rule 2
  // @proves contract 2: Eligible trackers
  test.each(roles)('can be granted only by an owner or admin (the caller is %s)', (role) => {
    const facts = { memberships: [{ trackerId: home, role }] };
    if (role === 'owner' || role === 'admin') expect(decide({}, facts).trackerIds).toEqual([home]);
    else expect(refused({}, facts)).toEqual({ code: 'TRACKER_FORBIDDEN', trackerIds: [home] });
  });

  test('are each reported once if the caller is neither owner nor admin of them', () => {
    const access = { mode: 'selected', trackerIds: [home, foreignId, work] };
    const memberships = [
      { trackerId: home, role: 'owner' },
      { trackerId: work, role: 'editor' },
    ] as const;
    expect(refused({ access, defaultTrackerId: foreignId }, { memberships })).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [foreignId, work],
    });
  });
});

describe('decideCredential: the default tracker', () => {
  // @proves spec, Authentication: Integration secret
  // @proves contract 4: POST /api-keys, POST /integration-clients
  test('must be one of the selected trackers', () => {
    expect(decide({ defaultTrackerId: home }).defaultTrackerId).toBe(home);
    expect(refused({ defaultTrackerId: work })).toEqual(['defaultTrackerId FIELD_CONFLICT']);
  });

  test('must be a tracker in which the caller is owner or admin if the access mode is all_managed', () => {
    const access = { mode: 'all_managed' };
    expect(decide({ access, defaultTrackerId: work }).defaultTrackerId).toBe(work);
    expect(refused({ access, defaultTrackerId: foreignId })).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [foreignId],
    });
  });
});

describe('decideCredential: an integration client', () => {
  const requestFor = (fields: object, role: (typeof roles)[number] = 'viewer') => ({
    kind: 'integration_client' as const,
    body: createIntegrationClientBody.parse({ name: 'Program', scopes: ['movements:read'], ...fields }),
    memberships: [{ trackerId: home, role }],
    unrevokedCount: 0,
    now,
    validityDaysMax: 365,
  });

  // @proves contract 10a: Integration clients
  test('gets the access mode all_memberships by default', () => {
    for (const access of [undefined, { mode: 'all_memberships' }]) {
      expect(decideCredential(requestFor({ access }))).toMatchObject({ accessMode: 'all_memberships', trackerIds: [] });
    }
  });

  test('may access any tracker of which the caller is a member, and no other', () => {
    const access = { mode: 'selected', trackerIds: [home, foreignId] };
    expect(decideCredential(requestFor({ access: { ...access, trackerIds: [home] } })).trackerIds).toEqual([home]);
    expect(summarizeThrown(() => decideCredential(requestFor({ access })))).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [foreignId],
    });
  });

  // @proves contract 10a: Integration clients
  test('with the access mode all_managed can have a default tracker only if the caller is owner or admin of it', () => {
    const fields = { access: { mode: 'all_managed' }, defaultTrackerId: home };
    expect(decideCredential(requestFor(fields, 'admin')).defaultTrackerId).toBe(home);
    expect(summarizeThrown(() => decideCredential(requestFor(fields, 'editor')))).toEqual({
      code: 'TRACKER_FORBIDDEN',
      trackerIds: [home],
    });
  });
});

test('decideCredential accepts the hundredth credential and rejects the next', () => {
  expect(decide({}, { unrevokedCount: 99 }).name).toBe('Robot');
  expect(refused({}, { unrevokedCount: 100 })).toEqual({ code: 'STATE_CONFLICT', reason: 'limit_reached' });
});

test('decideCredential reports invalid fields together, before it checks the access to the trackers or the limit', () => {
  const fields = {
    access: { mode: 'selected', trackerIds: [foreignId] },
    defaultTrackerId: work,
    expiresAt: daysLater(-1),
  };
  expect(refused(fields, { unrevokedCount: 100 })).toEqual([
    'defaultTrackerId FIELD_CONFLICT',
    'expiresAt OUT_OF_RANGE',
  ]);
});

describe('decideExpiry', () => {
  const requestFor = (expiresAt: string | undefined, validityDaysMax = 365) =>
    decideExpiry({ expiresAt, now, validityDaysMax });

  test.each([
    [365, 90],
    [90, 90],
    [30, 30],
    [1, 1],
    // @proves spec, Authentication: rule 6
    // @proves spec, Limits: Default key validity
    // @proves contract 10a: Integration clients
  ])('with a maximum of %i days returns an expiry in %i days by default', (validityDaysMax, days) => {
    expect(requestFor(undefined, validityDaysMax)).toEqual({ expiresAt: new Date(daysLater(days)) });
  });

  test.each([daysLater(0, 1), daysLater(1), daysLater(365)])('accepts the expiry %s', (expiresAt) => {
    expect(requestFor(expiresAt)).toEqual({ expiresAt: new Date(expiresAt) });
  });

  test.each([
    ['now', daysLater(0)],
    ['the past', daysLater(-1)],
    ['a millisecond beyond the maximum', daysLater(365, 1)],
    // @proves contract 4: expiry
  ])('rejects an invalid expiry instead of adjusting it: %s', (_, expiresAt) => {
    expect(requestFor(expiresAt)).toMatchObject({ issue: { path: 'expiresAt', code: 'OUT_OF_RANGE' } });
  });

  // @proves spec, Authentication: rule 6
  test('rejects an expiry beyond the operator’s maximum', () => {
    expect(requestFor(daysLater(31), 30)).toMatchObject({ issue: { code: 'OUT_OF_RANGE' } });
  });
});

// @proves spec, Authentication: rule 5
// @proves contract 8: Secret
test('makeSecret returns a secret with the hash and the last four characters to store', () => {
  const sizes: number[] = [];
  const { secret, ...kept } = makeSecret((size) => {
    sizes.push(size);
    return new Uint8Array(size).fill(9);
  });
  expect(sizes).toEqual([32]);
  expect(isWellFormedSecret(secret)).toBe(true);
  expect(kept).toEqual({
    secretSha256: createHash('sha256').update(secret).digest(),
    secretLast4: secret.slice(-4),
  });
});
