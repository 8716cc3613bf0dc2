import pg from 'pg';

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
