import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of a test file's own. */
export interface TestDatabase {
  /** As the owner of the cluster, a superuser. */
  connectionString: string;
  /** As the login that serves, which has no rights of its own. */
  servingUrl: string;
  /** Ends what is still connected and removes it. */
  drop(): Promise<void>;
}

const attemptsMax = 100;
const pauseMs = 100;

/**
 * Makes a migrated, empty database as a copy of the template, in some 50 ms.
 *
 * @param options.empty without migrations: for tests of the migrating itself.
 * @param options.locale of an empty one, in place of the cluster's
 */
export async function createTestDatabase(options: { empty?: boolean; locale?: string } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = options.empty === true ? 'template0' : inject('testTemplateName');
  const locale = options.locale === undefined ? '' : ` locale_provider libc locale '${options.locale}'`;
  await onCluster((client) => createRetrying(client, `create database ${name} template ${template}${locale}`));
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
      // 55006: the template is being accessed by other users, such as autovacuum, for a moment.
      if ((error as pg.DatabaseError).code !== '55006' || attempt >= attemptsMax) throw error;
    }
    await delay(pauseMs);
  }
}
