import { describe, expect, it } from 'vitest';
import { toContextView } from './context.view.js';

const principal = {
  type: 'integration_client',
  id: 'credential',
  name: 'Robot',
  kind: 'secure',
  scopes: ['context:read'],
  expiresAt: '2030-01-01T00:00:00.000Z',
  userId: 'user',
  credentialId: 'credential',
  activeTrackerId: 'stored-active',
  defaultTrackerId: 'stored-default',
  root: 'lineage:credential',
} as const;
const tracker = {
  id: 'effective',
  name: 'Home',
  role: 'owner',
  currencyCode: 'EUR',
  timeZone: 'Europe/Madrid',
  now: '2024-05-06T12:00:00.000Z',
  today: '2024-05-06',
  resolvedBy: 'header',
} as const;

describe('toContextView', () => {
  // @proves contract 3: context
  it('returns the tracker of the request as activeTrackerId, and no data about the owner of the credential', () => {
    expect(toContextView({ principal, tracker })).toEqual({
      activeTrackerId: 'effective',
      defaultTrackerId: 'stored-default',
      resolvedBy: 'header',
      principal: {
        type: 'integration_client',
        id: 'credential',
        name: 'Robot',
        kind: 'secure',
        scopes: ['context:read'],
        expiresAt: '2030-01-01T00:00:00.000Z',
      },
    });
  });

  // @proves contract 1: success meta
  it('returns null as activeTrackerId, not the stored tracker, when the request has no tracker', () => {
    expect(toContextView({ principal, tracker: null })).toMatchObject({ activeTrackerId: null, resolvedBy: null });
  });
});
