import type pg from 'pg';

const clockOfRequests = 'floor(extract(epoch from now()) * 1000)::bigint';

/**
 * Has the database tell every request that it is this moment, of which "today" in a tracker follows; nothing else looks at
 * it. Found in the function as it was migrated, so that a change of it is noticed here. @throws Error when it is not found
 */
export async function openDatabaseClock(owner: pg.ClientBase): Promise<{ stopAt(ms: number): Promise<void> }> {
  const { rows } = await owner.query<{ definition: string }>(
    `select pg_get_functiondef(p.oid) as definition from pg_proc p
     where p.proname = 'enter_request' and p.pronamespace = 'app'::regnamespace`,
  );
  const [{ definition } = { definition: '' }] = rows;
  if (!definition.includes(clockOfRequests)) throw new Error('app.enter_request does not take the time where it did.');
  return {
    async stopAt(ms) {
      await owner.query(definition.replace(clockOfRequests, `${ms}::bigint`));
    },
  };
}
