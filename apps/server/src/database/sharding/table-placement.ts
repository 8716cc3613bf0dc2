/**
 * The placement of the tables of a sharded database. Each table of the schemas `app` and `identity` is in exactly one
 * list. Names without a schema belong to `app`. The reference tables are distributed first. In the list `distributed`, a table comes after
 * the tables that its foreign keys refer to.
 */
export const tablePlacement = {
  /** Each row is on one machine, chosen by its tracker_id, so all rows of a tracker are on the same machine. */
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
  /** Each machine has a copy of these tables, because the distributed tables refer to them. */
  reference: ['categories'],
  /** These tables are only on the coordinator. They include the data that authenticates and authorizes each request. */
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
