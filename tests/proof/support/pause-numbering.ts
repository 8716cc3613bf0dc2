import pg from 'pg';

/** The numbering of events, paused on all servers of a database. */
export interface PausedNumbering {
  /** Lets the servers number events again. */
  resume(): Promise<void>;
}

/**
 * Numbers all pending events and pauses the servers' numbering job, so that rows move between the tables of events only when a
 * test moves them. The pause holds the lock by which one process is elected (migration `0014_journal.sql`).
 * @param connectionString of the owner, directly to PostgreSQL, because the lock belongs to the session
 */
export async function pauseNumbering(connectionString: string): Promise<PausedNumbering> {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  await owner.query(`select pg_advisory_lock(hashtextextended('numbering of events', 4))`);
  await owner.query(
    'select app.number_events(tracker_id) from (select distinct tracker_id from app.audit_events) as pending',
  );
  return { resume: () => owner.end() };
}
