import type { Transaction } from './database.js';
import { query } from './query.js';

/** What a start wants to know of the database that it found. */
export interface Surroundings {
  readonly hasUsers: boolean;
  /** The user that the connection logged in as, when it stands above every policy. */
  readonly superuser: string | null;
}

/** Looks whether anybody is in the database yet, and as whom we came. */
export async function lookAround(tx: Transaction): Promise<Surroundings> {
  const [login] = await query<{ name: string; above: boolean }>(
    tx,
    `select rolname as name, rolsuper or rolbypassrls as above from pg_roles where rolname = session_user`,
  );
  await query(tx, `select set_config('role', 'centavo_definer', true)`);
  const [users] = await query<{ exist: boolean }>(tx, 'select exists (select from app.users) as exist');
  return { hasUsers: users?.exist === true, superuser: login?.above === true ? login.name : null };
}
