import type pg from 'pg';

/**
 * The maximum number of rows that a statement inserts. It keeps each statement short: if the run is aborted, PostgreSQL still completes
 * the current statement.
 */
const rowsMax = 250_000;

/**
 * Adds numbered events of movements after the existing ones. The hashes of these events form no chain. Only `check --chain` and
 * clients that verify the chain detect this.
 * @param owner a connection as the owner, so that PostgreSQL skips row-level security
 */
export async function addEvents(owner: pg.ClientBase, trackerId: string, count: number): Promise<void> {
  await owner.query('select app.number_events($1)', [trackerId]);
  const { rows } = await owner.query<{ sequence: string }>(
    'select sequence from app.event_heads where tracker_id = $1',
    [trackerId],
  );
  const head = Number(rows[0]?.sequence);
  for (let from = head + 1; from <= head + count; from += rowsMax) {
    await owner.query(
      `insert into app.events (tracker_id, sequence, hash, id, occurred_at, user_id, action, resource_type, resource_id, change,
         request_id, salt, change_digest, state_digest)
       select $1, n, sha256(n::text::bytea), ('20000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), m.user_id,
         'movement.created', 'movement', '10000000-0000-4000-8000-' || lpad(n::text, 12, '0'), null,
         ('20000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, substr(sha256(n::text::bytea), 1, 16), null,
         sha256(n::text::bytea)
       from app.members m, generate_series($2::bigint, $3::bigint) n where m.tracker_id = $1`,
      [trackerId, from, Math.min(head + count, from + rowsMax - 1)],
    );
  }
  await owner.query(
    'update app.event_heads set sequence = $2::bigint, hash = sha256($2::bigint::text::bytea) where tracker_id = $1',
    [trackerId, head + count],
  );
}
