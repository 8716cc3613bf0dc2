import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of one test file. */
export interface TestDatabase {
  /** URL with the login of the cluster's owner, a superuser. */
  connectionString: string;
  /** URL with the login role of the server, which owns nothing. */
  servingUrl: string;
  /** Closes all connections and drops the database. */
  drop(): Promise<void>;
}

const attemptsMax = 100;
const pauseMs = 100;

/**
 * Creates a migrated database without rows as a copy of the template database, in 25 to 250 ms.
 * @param options.empty creates an empty database that is not migrated, for tests of `migrate` itself
 * @param options.locale the locale of the database, by default the locale of the cluster; set it only together with `empty`
 */
export async function createTestDatabase(options: { empty?: boolean; locale?: string } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = options.empty === true ? 'template0' : inject('testTemplateName');
  const locale = options.locale === undefined ? '' : ` locale_provider libc locale '${options.locale}'`;
  // The strategy file_copy halves the time. By default PostgreSQL writes each page of the copy to its write-ahead log.
  const statement = `create database ${name} template ${template} strategy file_copy${locale}`;
  await onCluster((client) => createRetrying(client, statement));
  const url = new URL(inject('testClusterUrl'));
  url.pathname = `/${name}`;
  const servingUrl = new URL(inject('testServingUrl'));
  servingUrl.pathname = `/${name}`;
  return {
    connectionString: url.href,
    servingUrl: servingUrl.href,
    async drop() {
      await onCluster((client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

async function onCluster(act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('testClusterUrl') });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

async function createRetrying(client: pg.Client, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      // 55006 means that another process, such as autovacuum, is connected to the template database for a moment.
      if ((error as pg.DatabaseError).code !== '55006' || attempt >= attemptsMax) throw error;
    }
    await delay(pauseMs);
  }
}
