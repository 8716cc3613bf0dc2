import { call } from '../call-contract.js';

/**
 * The events of a tracker.
 * @source additions, sections 3 and 4
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
} as const;
