import type pg from 'pg';

/**
 * Requires that the tables of this database can be spread: Citus is there, knows a machine for them, and the roles in whose
 * name requests act may log in on each machine.
 * @throws Error that says what is missing and what an administrator does about it
 */
export async function requireCitus(client: pg.ClientBase): Promise<void> {
  const { rows: extensions } = await client.query(`select from pg_extension where extname = 'citus'`);
  if (extensions.length === 0) {
    throw refusal(
      'this database has no Citus',
      'install it on every machine, run "create extension citus" in a database of this name on each, and name the others ' +
        "here with select citus_add_node('host', 5432)",
    );
  }
  const { rows: nodes } = await client.query(
    `select from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'`,
  );
  if (nodes.length === 0) {
    throw refusal('Citus knows no machine that may hold shards', "name them with select citus_add_node('host', 5432)");
  }
  for (const role of ['centavo_app', 'centavo_definer']) await requireLogin(client, role);
}

// Citus connects to a machine as the role that the statement runs as, and copies roles there as they are here.
async function requireLogin(client: pg.ClientBase, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [role]);
  if (rowCount === 0) {
    throw refusal(
      `the role ${role} may not log in on this machine`,
      `run "alter role ${role} login" here, which mends the other machines as well where it is there`,
    );
  }
  await client.query('begin');
  try {
    await client.query(`set local role ${role}`);
    const { rows } = await client.query<{ node: string; result: string }>(
      `select format('%s:%s', nodename, nodeport) as node, result
       from run_command_on_workers('select 1') where not success order by 1`,
    );
    const [first] = rows;
    if (first === undefined) return;
    throw refusal(
      `there is no login as ${role} to ${rows.map(({ node }) => node).join(', ')} (${first.result.trim()})`,
      `see that it runs; then run on each of them, connected to it, "alter role ${role} login", or where it is not there "set ` +
        `citus.enable_create_role_propagation = off; create role ${role} login", and let it in from this machine in the ` +
        'pg_hba.conf of each',
    );
  } finally {
    await client.query('rollback');
  }
}

function refusal(what: string, remedy: string): Error {
  return new Error(`Nothing was spread: ${what}. Let an administrator mend it: ${remedy}. See docs/scaling.md.`);
}
