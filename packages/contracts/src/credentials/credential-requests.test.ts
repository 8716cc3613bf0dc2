import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { scopes } from '../scopes.js';
import { createApiKeyBody, createIntegrationClientBody, rotateApiKeyBody } from './credential-requests.js';

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => `0190f2a0-0000-7000-8000-${String(index).padStart(12, '0')}`);
const [trackerId = ''] = ids(1);
const minimal = { name: 'Robot', scopes: ['movements:write'], access: { mode: 'selected', trackerIds: [trackerId] } };

describe('POST /api-keys', () => {
  test.each([
    [{}],
    [{ scopes: [...scopes] }],
    [{ access: { mode: 'all_managed' } }],
    [{ access: { mode: 'selected', trackerIds: ids(100) } }],
    [{ defaultTrackerId: trackerId }],
    [{ defaultTrackerId: null }],
    [{ access: { mode: 'all_managed', trackerIds: null } }],
    [{ expiresAt: '2027-01-31T12:00:00Z' }],
    // @proves contract 4: POST /api-keys, POST /integration-clients
  ])('accepts an API key with %j', (fields) => {
    expect(issuesOf(createApiKeyBody, { ...minimal, ...fields })).toEqual([]);
  });

  test.each([
    // @proves spec, Credential creation fields: name
    ['an API key without a name', { name: undefined }, ['name REQUIRED']],
    // @proves spec, Credential creation fields: name
    ['an empty name', { name: '' }, ['name REQUIRED']],
    ['an API key without scopes', { scopes: undefined }, ['scopes REQUIRED']],
    ['an empty list of scopes', { scopes: [] }, ['scopes REQUIRED']],
    ['a repeated scope', { scopes: ['catalog:read', 'catalog:read'] }, ['scopes INVALID_FORMAT']],
    ['an unknown scope', { scopes: ['catalog:read', '*'] }, ['scopes.1 INVALID_FORMAT']],
    ['an API key without access', { access: undefined }, ['access REQUIRED']],
    ['the field access without a mode', { access: {} }, ['access.mode REQUIRED']],
    ['an unknown access mode', { access: { mode: 'all' } }, ['access.mode INVALID_FORMAT']],
    [
      'all_memberships, an access mode for integration clients only',
      { access: { mode: 'all_memberships' } },
      ['access.mode INVALID_FORMAT'],
    ],
    [
      'the access mode "selected" without a list of trackers',
      { access: { mode: 'selected' } },
      ['access.trackerIds REQUIRED'],
    ],
    ['an empty list of trackers', { access: { mode: 'selected', trackerIds: [] } }, ['access.trackerIds REQUIRED']],
    // @proves contract 4: POST /api-keys, POST /integration-clients
    ['101 trackers', { access: { mode: 'selected', trackerIds: ids(101) } }, ['access.trackerIds TOO_LONG']],
    [
      'a repeated tracker',
      { access: { mode: 'selected', trackerIds: [trackerId, trackerId.toUpperCase()] } },
      ['access.trackerIds INVALID_FORMAT'],
    ],
    [
      'a tracker that is not a UUID',
      { access: { mode: 'selected', trackerIds: ['x'] } },
      ['access.trackerIds.0 INVALID_FORMAT'],
    ],
    [
      'a list of trackers with the access mode all_managed',
      { access: { mode: 'all_managed', trackerIds: [trackerId] } },
      ['access.trackerIds FIELD_CONFLICT'],
    ],
    ['a default tracker that is not a UUID', { defaultTrackerId: 'x' }, ['defaultTrackerId INVALID_FORMAT']],
    ['an expiry of null, which could mean "never"', { expiresAt: null }, ['expiresAt INVALID_FORMAT']],
    ['the field kind, which only responses contain', { kind: 'legacy' }, ['kind UNKNOWN_FIELD']],
  ])('refuses %s', (_, fields, issues) => {
    expect(issuesOf(createApiKeyBody, { ...minimal, ...fields })).toEqual(issues);
  });

  test('reports all issues at once', () => {
    const body = { name: '', scopes: ['x'], access: { mode: 'y', z: 1 }, defaultTrackerId: 5, expiresAt: 'soon', q: 1 };
    expect(issuesOf(createApiKeyBody, body)).toEqual([
      'access.mode INVALID_FORMAT',
      'access.z UNKNOWN_FIELD',
      'defaultTrackerId INVALID_FORMAT',
      'expiresAt INVALID_FORMAT',
      'name REQUIRED',
      'q UNKNOWN_FIELD',
      'scopes.0 INVALID_FORMAT',
    ]);
  });
});

describe('the field expiresAt of POST /api-keys', () => {
  test.each([
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31t12:00:00.5z', '2027-01-31T12:00:00.500Z'],
    ['2027-01-31T12:00:00.123456789Z', '2027-01-31T12:00:00.123Z'],
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
    ['2027-01-01T00:30:00+01:00', '2026-12-31T23:30:00.000Z'],
    // @proves contract 1: timestamps
  ])('converts %s to the UTC time %s', (text, moment) => {
    expect(createApiKeyBody.parse({ ...minimal, expiresAt: text }).expiresAt).toBe(moment);
  });

  test.each([
    '2027-01-31',
    '2027-01-31T12:00:00',
    '2027-01-31 12:00:00Z',
    '2027-02-30T12:00:00Z',
    '2027-01-31T24:00:00Z',
    '2027-01-31T12:60:00Z',
    '2027-01-31T12:00Z',
    '2027-01-31T12:00:00+0200',
    '1801390000',
    '',
    1_801_390_000,
  ])('rejects %j', (expiresAt) => {
    expect(issuesOf(createApiKeyBody, { ...minimal, expiresAt })).toEqual(['expiresAt INVALID_FORMAT']);
  });
});

describe('POST /integration-clients', () => {
  test.each([
    [{ access: undefined }],
    [{ access: { mode: 'all_managed' } }],
    [{ access: { mode: 'all_memberships' } }],
    [{}],
  ])('accepts a client with %j', (fields) => {
    expect(issuesOf(createIntegrationClientBody, { ...minimal, ...fields })).toEqual([]);
  });

  test('rejects null as the value of access', () => {
    expect(issuesOf(createIntegrationClientBody, { ...minimal, access: null })).toEqual(['access INVALID_FORMAT']);
  });

  test('rejects a list of trackers with the access mode all_memberships', () => {
    const access = { mode: 'all_memberships', trackerIds: [trackerId] };
    expect(issuesOf(createIntegrationClientBody, { ...minimal, access })).toEqual(['access.trackerIds FIELD_CONFLICT']);
  });
});

describe('POST /api-keys/{clientId}/rotate', () => {
  test.each([
    [{}, []],
    [{ name: 'Robot 2', expiresAt: '2027-01-31T12:00:00Z' }, []],
    [{ name: null }, []],
    [{ name: '' }, ['name REQUIRED']],
    [{ expiresAt: null }, ['expiresAt INVALID_FORMAT']],
    [{ scopes: ['catalog:read'] }, ['scopes UNKNOWN_FIELD']],
    [{ access: { mode: 'all_managed' } }, ['access UNKNOWN_FIELD']],
  ])('validates a body with %j, and reports exactly the issues %j', (body, issues) => {
    expect(issuesOf(rotateApiKeyBody, body)).toEqual(issues);
  });
});
