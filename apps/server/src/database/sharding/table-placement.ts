/**
 * Where the tables of a sharded database are: each table of the schemas `app` and `identity` is in exactly one of these.
 * Names without a schema are of `app`. A table comes after the tables that its foreign keys refer to.
 */
export const tablePlacement = {
  /** One row is on one machine, chosen by its tracker_id; all rows of a tracker are on the same. */
  distributed: [
    'accounts',
    'cashboxes',
    'categories_in_use',
    'transfers',
    'movements',
    'budgets',
    'budget_lines',
    'idempotency_keys',
    'audit_events',
    'events',
    'event_heads',
  ],
  /** Each machine has a copy, because rows of trackers refer to it. */
  reference: ['categories'],
  /** On the coordinator alone: who may do what, which every request asks first, and asks in one place. */
  local: [
    'trackers',
    'users',
    'members',
    'invitations',
    'credentials',
    'webhook_endpoints',
    'webhook_deliveries',
    'user_audit_events',
    'identity.passwords',
    'identity.sessions',
    'identity.refresh_tokens',
    'identity.totp',
    'identity.signing_keys',
  ],
} as const;
