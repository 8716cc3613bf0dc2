import type pg from 'pg';

const servingRoles = ['centavo_app', 'centavo_identity'];
const ownerRoles = [...servingRoles, 'centavo_definer'];

/**
 * Requires that the login of the connection can become the roles it needs. Roles belong to the cluster and not to the database:
 * a restored one arrives without them.
 * @param options.serves whether the login only serves: it then needs the roles of requests, and inherits nothing from them
 * @param options.mayBeMade true while the first migration, which makes what its user may make, is still to come
 * @param options.setting the variable that holds the address of the connection
 * @throws Error that names all that are missing, with the SQL for an administrator
 */
export async function requireRoles(
  client: pg.Client,
  options: { readonly serves: boolean; readonly mayBeMade: boolean; readonly setting: string },
): Promise<void> {
  const { serves } = options;
  const { rows } = await client.query<RoleState>(stateOfRoles, [serves ? servingRoles : ownerRoles, !serves]);
  const missing = rows.filter((role) => !role.mayBecome && !(options.mayBeMade && role.mayMake));
  if (missing.length === 0) return;
  const statements = missing.flatMap(({ name, user, exists }) => [
    ...(exists ? [] : [`  create role ${name} nologin;`]),
    `  grant ${name} to ${user};`,
  ]);
  const names = missing.map(({ name }) => name).join(', ');
  throw new Error(
    `The user ${missing[0]?.user} of ${options.setting} may not become the role${missing.length === 1 ? '' : 's'} ${names}. ` +
      `Nothing was changed. Let an administrator of that PostgreSQL run this, then start again:\n${statements.join('\n')}`,
  );
}

interface RoleState {
  readonly name: string;
  /** As it is written in SQL. */
  readonly user: string;
  readonly exists: boolean;
  readonly mayBecome: boolean;
  readonly mayMake: boolean;
}

// As migration 0001 asks it: since 16 being a member is not yet to become it, and who did not make a role has to be its
// administrator to grant it.
const stateOfRoles = `
  select wanted.name, quote_ident(session_user) as user, r.oid is not null as exists,
    coalesce(case when server.number >= 160000
      then pg_has_role(session_user, r.oid, 'SET') and (not $2 or pg_has_role(session_user, r.oid, 'USAGE'))
      else pg_has_role(session_user, r.oid, 'MEMBER') end, false) as "mayBecome",
    me.rolsuper or (me.rolcreaterole and (r.oid is null or server.number < 160000
      or pg_has_role(session_user, r.oid, 'MEMBER WITH ADMIN OPTION'))) as "mayMake"
  from unnest($1::text[]) with ordinality as wanted (name, position)
    left join pg_roles r on r.rolname = wanted.name
    cross join (select current_setting('server_version_num')::int as number) as server
    join pg_roles me on me.rolname = session_user
  order by wanted.position`;
