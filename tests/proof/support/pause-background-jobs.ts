import pg from 'pg';

/** The paused background jobs of all servers that use a database. */
export interface PausedJobs {
  resume(): Promise<void>;
}

/** The functions that the jobs call as `centavo_identity`. Without the right to call them, a job fails and tries again later. */
const jobFunctions = [
  'app.number_and_read_heads(uuid[])',
  'app.number_pending_trackers(integer)',
  'app.lease_webhooks(uuid, integer)',
  'app.renew_webhook_lease(uuid, uuid, bigint)',
  'app.authorize_webhook(uuid, uuid, bigint)',
  'app.lock_webhook(uuid, uuid, bigint)',
  'app.settle_webhook(uuid, jsonb, jsonb, uuid, uuid, bytea)',
].join(', ');

/**
 * Numbers all pending events, and pauses the jobs that number events and deliver webhooks, so that the rows of events and webhooks
 * change only when a test changes them.
 * @param connectionString of the owner of the database
 */
export async function pauseBackgroundJobs(connectionString: string): Promise<PausedJobs> {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  await owner.query(`revoke execute on function ${jobFunctions} from centavo_identity`);
  // Waits for the transactions that have already called one of the functions.
  await owner.query(
    `begin; lock app.event_heads, app.webhook_endpoints, app.webhook_deliveries in exclusive mode; commit`,
  );
  await owner.query(
    'select app.number_events(tracker_id) from (select distinct tracker_id from app.audit_events) as pending',
  );
  return {
    async resume() {
      await owner.query(`grant execute on function ${jobFunctions} to centavo_identity`);
      await owner.end();
    },
  };
}
