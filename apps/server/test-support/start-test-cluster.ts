import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureServingLogin } from '../src/database/checks/login-roles.js';
import { migrate } from '../src/database/migrate/migrate.js';
import { openTestCluster } from './open-test-cluster.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the test cluster, with the login of its owner. Tests replace the name of the database. */
    testClusterUrl: string;
    /** URL of the test cluster, with the login role of the server. Tests replace the name of the database. */
    testServingUrl: string;
    /** The name of the database that is migrated once and copied for each test file. */
    testTemplateName: string;
  }
}

const migrations = process.env.CENTAVO_TEST_MIGRATIONS ?? fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Starts the PostgreSQL cluster of a test run and migrates the template database. Vitest calls the returned function at the
 * end, even after failures.
 *
 * `CENTAVO_TEST_DATABASE_URL` is the URL of a running cluster to use instead, for example one with another version of PostgreSQL.
 * The user in the URL must be a superuser.
 * `CENTAVO_TEST_MIGRATIONS` names another folder of migrations, to prove that the tests detect an error in a migration.
 */
export default async function startTestCluster(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // `vitest run --project pure` needs no PostgreSQL.
  if (project.vitest.projects.every(({ name }) => name === 'pure')) return undefined;

  const existingUrl = process.env.CENTAVO_TEST_DATABASE_URL;
  const cluster = await openTestCluster(existingUrl);
  const templateName = `centavo_template_${randomBytes(6).toString('hex')}`;
  const url = new URL(cluster.connectionString);
  const client = new pg.Client({ connectionString: url.href });
  // The login role has a random name, because other test runs may use the same cluster.
  const serving = new URL(url);
  serving.username = `server_${randomBytes(6).toString('hex')}`;
  serving.password = randomBytes(12).toString('hex');
  try {
    await client.connect();
    if (existingUrl === undefined || existingUrl === '') await stopAutovacuum(client);
    await client.query(`create database ${templateName}`);
    url.pathname = `/${templateName}`;
    await migrate({ connectionString: url.href, directory: migrations });
    await ensureServingLogin({ connectionString: url.href, name: serving.username, password: serving.password });
    // PostgreSQL cannot copy a database while a client is connected to it.
    await client.query(`alter database ${templateName} with allow_connections false`);
  } catch (error) {
    await cluster.close();
    throw error;
  } finally {
    await client.end();
  }
  project.provide('testClusterUrl', cluster.connectionString);
  project.provide('testServingUrl', serving.href);
  project.provide('testTemplateName', templateName);

  return async () => {
    try {
      const last = new pg.Client({ connectionString: cluster.connectionString });
      await last.connect();
      await last.query(`drop database ${templateName} with (force)`);
      await last.query(`drop role ${serving.username}`);
      await last.end();
    } finally {
      await cluster.close();
    }
  };
}

/**
 * Stops autovacuum, because tests of query plans must not depend on its timing. While autovacuum analyzes one table, VACUUM
 * cannot mark the rows of another table all-visible if they were written after the analysis began. The planner then chooses no
 * index-only scan.
 */
async function stopAutovacuum(owner: pg.Client): Promise<void> {
  await owner.query('alter system set autovacuum = off');
  await owner.query('select pg_reload_conf()');
}
