import type pg from 'pg';

const clockOfRequests = 'floor(extract(epoch from now()) * 1000)::bigint';

/**
 * Returns a clock for `app.enter_request`, the database function that determines the current date of a tracker. `stopAt` replaces the
 * current time in this function with a fixed time.
 * @throws Error if the migrated function does not have the expected text
 */
export async function openDatabaseClock(owner: pg.ClientBase): Promise<{ stopAt(ms: number): Promise<void> }> {
  const { rows } = await owner.query<{ definition: string }>(
    `select pg_get_functiondef(p.oid) as definition from pg_proc p
     where p.proname = 'enter_request' and p.pronamespace = 'app'::regnamespace`,
  );
  const [{ definition } = { definition: '' }] = rows;
  if (!definition.includes(clockOfRequests)) throw new Error('app.enter_request does not contain the expected text.');
  return {
    async stopAt(ms) {
      await owner.query(definition.replace(clockOfRequests, `${ms}::bigint`));
    },
  };
}
