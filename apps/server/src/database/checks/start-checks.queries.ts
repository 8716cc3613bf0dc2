import type { Database } from '../pool.js';
import { assumeRole, query } from '../query.js';
import type { Transaction } from '../transaction.js';

/** A right of a database login that the server does not need, and that an injected statement could use. */
export interface ExcessRight {
  readonly login: string;
  /**
   * `bypasses_policies`: the login can read every row and, if it is a superuser, every file. `owner`: it can change the tables and their
   * policies. `other`: any other unneeded right.
   */
  readonly kind: 'bypasses_policies' | 'owner' | 'other';
  /** The predicate of a sentence whose subject is the login, such as `is a superuser`. */
  readonly text: string;
}

// Members of these roles may read or write every table, access files of the machine, or run programs on it.
const powerfulGroups = [
  'centavo_definer',
  'pg_read_all_data',
  'pg_write_all_data',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_execute_server_program',
];

/**
 * Finds the rights that the logins of the server have, but that no request needs. Includes the rights that a login gets by
 * becoming another role.
 * @param replicaLogin the login on a replica, or null without a replica; a replica has the same roles as its primary
 * @returns the unneeded rights of this connection's login, then those of the replica's login; empty if neither has any
 */
export async function findExcessRights(tx: Transaction, replicaLogin: string | null): Promise<ExcessRight[]> {
  const logins = await query<LoginRights>(
    tx,
    `select l.rolname as login, l.rolsuper as is_superuser,
       bool_or(r.rolsuper or r.rolbypassrls) as is_above_policies,
       bool_or(d.datdba is not null or exists (
         select from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relowner = r.oid and (n.nspname in ('app', 'identity') or c.relname = 'centavo_migrations'))) as is_owner,
       bool_or(r.rolcreaterole or r.rolcreatedb or r.rolreplication) as may_create,
       array_agg(cast(r.rolname as text)) filter (where r.rolname = any (cast(:powerfulGroups as text[]))) as groups
     from pg_roles l
       join pg_roles r on pg_has_role(l.oid, r.oid, 'member')
       left join pg_database d on d.datname = current_database() and d.datdba = r.oid
     where l.rolname in (session_user, cast(:replicaLogin as text))
     group by l.rolname, l.rolsuper
     order by l.rolname <> session_user`,
    { powerfulGroups, replicaLogin },
  );
  return logins.flatMap(excessRightsOf);
}

interface LoginRights {
  readonly login: string;
  readonly is_superuser: boolean;
  readonly is_above_policies: boolean;
  readonly is_owner: boolean;
  readonly may_create: boolean;
  readonly groups: readonly string[] | null;
}

function excessRightsOf({ login, ...rights }: LoginRights): ExcessRight[] {
  // PostgreSQL counts a superuser as a member of every role, so a list of all its other unneeded rights would add nothing.
  if (rights.is_superuser) return [{ login, kind: 'bypasses_policies', text: 'is a superuser' }];
  const excessRights: ExcessRight[] = [];
  if (rights.is_above_policies) {
    excessRights.push({
      login,
      kind: 'bypasses_policies',
      text: 'may bypass row-level security, or become a role that may',
    });
  }
  if (rights.is_owner) {
    excessRights.push({
      login,
      kind: 'owner',
      text: 'owns the database or tables of Centavo, or may become their owner',
    });
  }
  if (rights.may_create) {
    excessRights.push({
      login,
      kind: 'other',
      text: 'may create roles or databases, or replicate, or become a role that may',
    });
  }
  for (const group of rights.groups ?? []) excessRights.push({ login, kind: 'other', text: `may become ${group}` });
  return excessRights;
}

/**
 * Requires that the logins of a server have only the rights that requests need.
 * @throws Error that names every unneeded right and the remedy; the server then refuses to start
 */
export function requireNoExcessRights(excessRights: readonly ExcessRight[]): void {
  if (excessRights.length === 0) return;
  throw new Error(
    'The login that serves requests has rights that requests do not need; refusing to start:\n' +
      `${excessRights.map(({ login, text }) => `  - ${login} ${text}`).join('\n')}\n` +
      'Revoke these rights, or use another login. docs/operations.md shows the SQL.',
  );
}

/** The facts about the database that the server reads when it starts. */
export interface StartFacts {
  readonly hasUsers: boolean;
  readonly excessRights: readonly ExcessRight[];
}

/**
 * Reads whether the database has users, and which unneeded rights the logins of this server have.
 * @param replicaLogin the login on the replica; null without a replica
 */
export async function readStartFacts(tx: Transaction, replicaLogin: string | null): Promise<StartFacts> {
  const excessRights = await findExcessRights(tx, replicaLogin);
  await assumeRole(tx, 'centavo_identity');
  const [users] = await query<{ exist: boolean }>(tx, 'select exists (select from app.users) as exist');
  return { hasUsers: users?.exist === true, excessRights };
}

/** Returns true if the database has the Citus extension. */
export async function isSharded(database: Database): Promise<boolean> {
  const [row] = await database.transaction({ readOnly: true }, (tx) =>
    query<{ found: boolean }>(tx, `select exists (select from pg_extension where extname = 'citus') as found`),
  );
  return row?.found === true;
}

/**
 * Returns true if the database answers a statement. Migrations need no check, because they are applied before the server listens.
 * @throws the error of the failed statement
 */
export async function pingDatabase(database: Database): Promise<boolean> {
  await database.transaction({ readOnly: true }, (tx) => query(tx, 'select 1'));
  return true;
}
