import type pg from 'pg';

/**
 * Requires that the tables of this database can be distributed. Citus must be installed and have a node for shards. The roles
 * `centavo_app` and `centavo_definer` must be able to log in on each node.
 * @throws Error that names what is missing and the remedy for an administrator
 */
export async function requireCitus(client: pg.ClientBase): Promise<void> {
  const { rows: extensions } = await client.query(`select from pg_extension where extname = 'citus'`);
  if (extensions.length === 0) {
    throw refusal(
      'this database has no Citus',
      'install Citus on every machine. On each machine, create a database with this name and run "create extension citus" in it. ' +
        `Then run "select citus_add_node('host', 5432)" in this database for each other machine`,
    );
  }
  const { rows: nodes } = await client.query(
    `select from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'`,
  );
  if (nodes.length === 0) {
    throw refusal('Citus has no node that may hold shards', "add each node with select citus_add_node('host', 5432)");
  }
  for (const role of ['centavo_app', 'centavo_definer']) await requireLogin(client, role);
}

// Citus connects to a node as the role that runs the statement, so this role must be able to log in there.
async function requireLogin(client: pg.ClientBase, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [role]);
  if (rowCount === 0) {
    throw refusal(
      `the role ${role} cannot log in on this machine`,
      `run "alter role ${role} login" here. Citus then also runs it on the other machines that have the role`,
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
      `${role} cannot log in on ${rows.map(({ node }) => node).join(', ')} (${first.result.trim()})`,
      `make sure that PostgreSQL runs on these machines. On each machine, run "alter role ${role} login". If the role ${role} is ` +
        `missing there, run "set citus.enable_create_role_propagation = off; create role ${role} login" instead. In the ` +
        `pg_hba.conf of each machine, allow connections of ${role} from this machine`,
    );
  } finally {
    await client.query('rollback');
  }
}

function refusal(problem: string, remedy: string): Error {
  return new Error(`Nothing was distributed: ${problem}. Remedy for an administrator: ${remedy}. See docs/scaling.md.`);
}
