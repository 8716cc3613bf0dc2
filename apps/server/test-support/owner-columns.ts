/** Which column says whose a row is, for each table that belongs to a tracker or a user. */
export const ownerColumns: Readonly<Record<string, 'tracker_id' | 'user_id' | 'id'>> = {
  accounts: 'tracker_id',
  audit_events: 'tracker_id',
  budget_lines: 'tracker_id',
  budgets: 'tracker_id',
  cashboxes: 'tracker_id',
  categories: 'tracker_id',
  categories_in_use: 'tracker_id',
  credentials: 'user_id',
  idempotency_keys: 'tracker_id',
  invitations: 'tracker_id',
  members: 'tracker_id',
  movements: 'tracker_id',
  trackers: 'id',
  transfers: 'tracker_id',
  user_audit_events: 'user_id',
  users: 'id',
};
