import pg from 'pg';

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

/**
 * Makes a login that serves requests, or gives an existing one its rights and password again. It may become `centavo_app` and
 * `centavo_identity`, and has no other right: no table, no file, and nothing that it could create. Several processes may call this
 * at once on one database. The migrations are applied before, because they create the roles.
 * @param options.connectionString how a superuser connects to the served database
 * @throws whatever PostgreSQL reports
 */
export async function ensureServingLogin(options: {
  readonly connectionString: string;
  readonly name: string;
  readonly password: string;
}): Promise<void> {
  const client = new pg.Client({ connectionString: options.connectionString });
  // A connection that breaks between two statements reports here; the next statement then fails with the reason.
  client.on('error', () => {});
  const name = pg.escapeIdentifier(options.name);
  try {
    await client.connect();
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('serving login', 4))`);
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [options.name]);
    if (rowCount === 0) await client.query(`create role ${name}`);
    await client.query(
      `alter role ${name} with login noinherit nosuperuser nobypassrls nocreatedb nocreaterole noreplication
         password ${pg.escapeLiteral(options.password)}`,
    );
    await client.query(`grant centavo_app, centavo_identity to ${name}`);
    const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
    const database = rows[0]?.name;
    // Removes defaults that the login gave itself.
    await client.query(`alter role ${name} reset all`);
    await client.query(`alter role ${name} in database ${database} reset all`);
    // PostgreSQL lets every login create temporary tables and large objects.
    await client.query(`revoke temporary on database ${database} from public`);
    await client.query(
      'revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public',
    );
    await client.query('commit');
  } finally {
    // Closing the connection rolls back what a failure left open.
    await client.end().catch(() => {});
  }
}
