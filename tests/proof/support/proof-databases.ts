import type pg from 'pg';
import { asOwner, getPostgresOf } from '../../acceptance/support/postgres-of.js';
import type { Sandbox, ServerOptions } from '../../acceptance/support/sandbox.js';
import { connectAsOwner } from './crash-postgres.js';
import { hasPgBouncer, startPgBouncer } from './start-pgbouncer.js';

/** A database, and the options of the servers that use it. */
export interface OpenDatabase {
  readonly serverOptions: ServerOptions;
  /** The URL with which a superuser connects to PostgreSQL directly, not through the pooler. */
  readonly connectionString: string;
  /** A connection with this URL. A crash of PostgreSQL ends it. */
  readonly owner: pg.Client;
  /** Returns the number of deadlocks in the statistics of PostgreSQL, on all nodes. */
  countDeadlocks(): Promise<number>;
  close(): Promise<void>;
}

/** A kind of database on which a proof runs. */
export interface ProofDatabase {
  /** The name in the texts of promises, after the words "three servers with". */
  readonly name: string;
  /** The reason why this machine cannot run the proof on this database; undefined if it can. */
  readonly reasonToSkip: string | undefined;
  /** The part of the test file's load time after which a long run stops its load on this database; see `isLate`. */
  readonly endsAtPart: number;
  /**
   * @param options.env environment variables of the server that starts the embedded PostgreSQL and stays running. Other kinds of
   * databases ignore them.
   */
  open(sandbox: Sandbox, options?: { readonly env?: ServerOptions['env'] }): Promise<OpenDatabase>;
}

// The connection string of a superuser for a database with Citus. `citus.test.ts` describes the database.
const citusUrl = process.env.CITUS_DATABASE_URL ?? '';

/** All kinds of databases. The second needs PgBouncer and the third an existing Citus database; the project installs neither. */
export const proofDatabases: readonly ProofDatabase[] = [
  {
    name: 'one embedded PostgreSQL',
    reasonToSkip: undefined,
    endsAtPart: 0.6,
    async open(sandbox, { env = {} } = {}) {
      const dataDir = sandbox.newDataDir();
      // This server starts the embedded PostgreSQL, which the servers of the proof then use too.
      await sandbox.startServer({ dataDir, env });
      const { connectionString } = await getPostgresOf(dataDir);
      return openDatabase(connectionString, { serverOptions: { dataDir } });
    },
  },
  {
    name: 'PgBouncer in transaction mode',
    reasonToSkip: hasPgBouncer ? undefined : 'pgbouncer is not installed',
    endsAtPart: 0.8,
    async open(sandbox) {
      // The embedded PostgreSQL of this server stands in for an external one. The servers of the proof use a second, empty database in it.
      const dataDir = sandbox.newDataDir();
      await sandbox.startServer({ dataDir });
      const { connectionString } = await getPostgresOf(dataDir);
      await asOwner(connectionString, (client) => client.query('create database pooled'));
      const address = new URL(connectionString);
      address.pathname = '/pooled';
      const pooler = await startPgBouncer(address.href, { connections: 6 });
      const env = { DATABASE_URL: pooler.connectionString };
      await sandbox.runServer('migrate', { env });
      return openDatabase(address.href, { serverOptions: { env }, close: pooler.close });
    },
  },
  {
    name: 'Citus',
    reasonToSkip: citusUrl === '' ? 'CITUS_DATABASE_URL is not set' : undefined,
    endsAtPart: 1,
    async open(sandbox) {
      const env = { DATABASE_URL: citusUrl };
      await sandbox.runServer('shard', { env });
      const deadlocksSql = `select sum(result::int)::int as deadlocks from run_command_on_all_nodes('${deadlocksOfNodeSql}')`;
      return openDatabase(citusUrl, { serverOptions: { env }, deadlocksSql });
    },
  },
];

const deadlocksOfNodeSql = 'select sum(deadlocks)::int as deadlocks from pg_stat_database';

async function openDatabase(
  connectionString: string,
  options: {
    readonly serverOptions: ServerOptions;
    readonly deadlocksSql?: string;
    readonly close?: () => Promise<void>;
  },
): Promise<OpenDatabase> {
  const { serverOptions, deadlocksSql = deadlocksOfNodeSql, close = async () => {} } = options;
  const owner = await connectAsOwner(connectionString);
  return {
    serverOptions,
    connectionString,
    owner,
    async countDeadlocks() {
      const { rows } = await owner.query(deadlocksSql);
      return rows[0].deadlocks;
    },
    async close() {
      await owner.end();
      await close();
    },
  };
}
