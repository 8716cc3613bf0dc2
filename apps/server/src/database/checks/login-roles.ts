import pg from 'pg';

const servingRoles = ['centavo_app', 'centavo_identity'];
const ownerRoles = [...servingRoles, 'centavo_definer'];

/**
 * Requires that the login of the connection can become the roles that it needs. Roles belong to the cluster, not to the database, so
 * restoring a dump of a database creates no roles.
 * @param options.serves true if the login only serves requests; it then needs only `centavo_app` and `centavo_identity`, and need not
 *   inherit their rights
 * @param options.mayBeCreated true before the first migration, which creates the missing roles if the login may create roles
 * @param options.setting the name of the variable with the URL of the connection
 * @throws Error that names all missing roles, with the SQL for an administrator
 */
export async function requireRoles(
  client: pg.Client,
  options: { readonly serves: boolean; readonly mayBeCreated: boolean; readonly setting: string },
): Promise<void> {
  const { serves } = options;
  const { rows } = await client.query<RoleState>(stateOfRoles, [serves ? servingRoles : ownerRoles, !serves]);
  const missing = rows.filter((role) => !role.mayBecome && !(options.mayBeCreated && role.mayCreate));
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
  /** The login, quoted for SQL. */
  readonly user: string;
  readonly exists: boolean;
  /** True if the login may switch to the role (SET ROLE) and, unless it only serves requests, inherits the rights of the role. */
  readonly mayBecome: boolean;
  /** True if the login may create the missing role, or grant the existing role to itself. */
  readonly mayCreate: boolean;
}

// Migration 0001 checks the same conditions as this query. Since PostgreSQL 16 a member of a role may lack the right to become that role
// (SET ROLE). Only an administrator of the role may grant this right.
const stateOfRoles = `
  select wanted.name, quote_ident(session_user) as user, r.oid is not null as exists,
    coalesce(case when server.number >= 160000
      then pg_has_role(session_user, r.oid, 'SET') and (not $2 or pg_has_role(session_user, r.oid, 'USAGE'))
      else pg_has_role(session_user, r.oid, 'MEMBER') end, false) as "mayBecome",
    me.rolsuper or (me.rolcreaterole and (r.oid is null or server.number < 160000
      or pg_has_role(session_user, r.oid, 'MEMBER WITH ADMIN OPTION'))) as "mayCreate"
  from unnest($1::text[]) with ordinality as wanted (name, position)
    left join pg_roles r on r.rolname = wanted.name
    cross join (select current_setting('server_version_num')::int as number) as server
    join pg_roles me on me.rolname = session_user
  order by wanted.position`;

/**
 * Creates the login that serves requests, or restores the rights and password of an existing login. The login may become `centavo_app` and
 * `centavo_identity`. Without becoming one of these roles, the login cannot read tables or files, or create anything. Several processes may
 * call this function for the same database at the same time. Apply the migrations first, because they create the roles.
 * @param options.connectionString the connection string of the served database, with the login of a superuser
 * @throws the error of the connection or of the failed statement
 */
export async function ensureServingLogin(options: {
  readonly connectionString: string;
  readonly name: string;
  readonly password: string;
}): Promise<void> {
  const client = new pg.Client({ connectionString: options.connectionString });
  // The driver emits `error` if the connection breaks between two statements. The listener does nothing, because the next statement fails.
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
    // Removes default settings that the login may have set for itself.
    await client.query(`alter role ${name} reset all`);
    await client.query(`alter role ${name} in database ${database} reset all`);
    // By default, PostgreSQL allows every login to create temporary tables and large objects.
    await client.query(`revoke temporary on database ${database} from public`);
    await client.query(
      'revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public',
    );
    await client.query('commit');
  } finally {
    // Closing the connection rolls back a transaction that a failure left open.
    await client.end().catch(() => {});
  }
}
