import { call } from '../call-contract.js';

/**
 * The operations on the events of a tracker and of a user.
 * @source docs/additions.md, sections 3 and 4
 */
export const eventsCalls = {
  listChanges: call({
    name: 'listChanges',
    resource: 'events',
    method: 'GET',
    path: '/changes',
    scopes: ['changes:read'],
    numbersEvents: true,
    errors: ['STATE_CONFLICT'],
  }),
  listAuditEvents: call({
    name: 'listAuditEvents',
    resource: 'events',
    method: 'GET',
    path: '/audit-events',
    scopes: ['audit:read'],
    numbersEvents: true,
    errors: ['STATE_CONFLICT'],
  }),
  getAuditHead: call({
    name: 'getAuditHead',
    resource: 'events',
    method: 'GET',
    path: '/audit-events/head',
    scopes: ['audit:read'],
    numbersEvents: true,
  }),
  // Security events belong to a user, not to a tracker.
  listSecurityEvents: call({
    name: 'listSecurityEvents',
    resource: 'events',
    method: 'GET',
    path: '/security-events',
    caller: 'user',
    tracker: 'optional',
  }),
} as const;
