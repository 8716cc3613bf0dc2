import type { Scope } from '../scopes.js';

/**
 * The resources whose changes a tracker records as events. The id of a `member` is the id of the user.
 * @source docs/additions.md, section 3.6
 */
export const eventResourceTypes = [
  'tracker',
  'member',
  'category',
  'account',
  'cashbox',
  'movement',
  'transfer',
  'budget',
  'budget_line',
  'webhook',
] as const;

export type EventResourceType = (typeof eventResourceTypes)[number];

/**
 * The types of events. Clients must ignore unknown types, because later versions add types.
 * @source docs/additions.md, sections 0.7 and 3.6
 */
export const eventTypes = [
  'tracker.updated',
  'member.invited',
  'member.added',
  'member.role_changed',
  'member.removed',
  'category.created',
  'account.created',
  'account.updated',
  'cashbox.created',
  'cashbox.updated',
  'movement.created',
  'movement.corrected',
  'movement.voided',
  'transfer.created',
  'transfer.voided',
  'budget.created',
  'budget_line.added',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.disabled',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Event types that no operation records yet. The field `eventTypes` of a webhook endpoint accepts them. */
export const reservedEventTypes = ['tracker.reset'] as const;

/**
 * The scope that a principal needs to read the events of a resource and the records in them. To read the events of members, a user session
 * needs no scope, and an API key or integration client needs `audit:read`.
 * @source docs/additions.md, section 3.6
 */
export const readScopeOfEvents: Readonly<Record<Exclude<EventResourceType, 'member'>, Scope>> = {
  tracker: 'trackers:read',
  category: 'catalog:read',
  account: 'accounts:read',
  cashbox: 'accounts:read',
  movement: 'movements:read',
  transfer: 'movements:read',
  budget: 'budgets:read',
  budget_line: 'budgets:read',
  webhook: 'webhooks:read',
};

/**
 * Limits of GET /changes. The server examines at most `changesWindow` events for a page, so a page may be empty although more
 * changes follow.
 * @source docs/additions.md, section 3.5
 */
export const changesLimitDefault = 100;
export const changesLimitMax = 200;
export const changesWindow = 1000;
/** The longest time that GET /changes may wait for events, in seconds. */
export const waitSecondsMax = 25;
