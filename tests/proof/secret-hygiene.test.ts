import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, startRedis, type TestRedis } from '../../apps/server/test-support/start-redis.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { inspectSdk } from './support/inspect-sdk.js';
import { packPackages } from './support/pack-packages.js';
import { readRows, readTables } from './support/probe-catalog.js';
import { recordProof } from './support/proof-record.js';
import { choosePassword, openTextRecorder, randomWord } from './support/text-recorder.js';
import { useSecrets } from './support/use-secrets.js';

/** The only secrets that the data directory contains by design. SECURITY.md describes this limit. */
const secretsInDataDir = ['postgres.json: database password'];

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const recorder = openTextRecorder();
const { secrets, recorded } = recorder;
let redis: TestRedis | undefined;
let server: Server;
let connectionString: string;

beforeAll(async () => {
  redis = hasRedis ? await startRedis() : undefined;
  // A Redis without a password rejects this URL's password. The error message must not quote the password.
  const redisAddress = `redis://centavo:${secrets.add('Redis password', randomWord())}@${new URL(redis?.url ?? 'redis://127.0.0.1:1').host}`;
  const ENCRYPTION_KEY = secrets.add('encryption key', randomBytes(32).toString('base64'));
  // Starts without an encryption key first, so that the test can read the signing key before it is encrypted.
  const unencryptedServer = await sandbox.startServer({ dataDir });
  ({ connectionString } = await getPostgresOf(dataDir));
  await withOwner(async (owner) => {
    const { rows } = await owner.query<{ d: string }>(`select private_jwk ->> 'd' as d from identity.signing_keys`);
    for (const { d } of rows) secrets.add('signing key', d);
  });
  await unencryptedServer.kill('SIGTERM');
  server = await sandbox.startServer({ dataDir, env: { LOG_LEVEL: 'trace', REDIS_URL: redisAddress, ENCRYPTION_KEY } });
  ({ connectionString } = await getPostgresOf(dataDir));
  secrets.add('database password', decodeURIComponent(new URL(connectionString).password));
});
afterAll(() => redis?.close());

async function withOwner<Result>(act: (owner: pg.Client) => Promise<Result>): Promise<Result> {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  try {
    return await act(owner);
  } finally {
    await owner.end();
  }
}

/** Makes PostgreSQL fail during requests with secrets: by a cut connection, and by a missing table. */
async function breakTheDatabase(apiKey: string): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  await withOwner(async (owner) => {
    await owner.query('alter table app.credentials rename to credentials_away');
    await recorder.call(server.origin, 'GET /v1/financial/movements', { headers });
    await owner.query('alter table app.credentials_away rename to credentials');
    await owner.query('alter table identity.passwords rename to passwords_away');
    await recorder.call(server.origin, 'POST /v1/identity/users', {
      body: { email: `${randomWord()}@example.org`, password: secrets.add('password', choosePassword('lost')) },
    });
    await owner.query('alter table identity.passwords_away rename to passwords');
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'centavo-server'`,
    );
    await recorder.call(server.origin, 'GET /v1/financial/movements', { headers });
  });
}

/** Starts servers that must fail, with secrets in their settings. */
async function failToStart(): Promise<void> {
  const password = secrets.add('password of DATABASE_URL', randomWord());
  const { port } = new URL(connectionString);
  const environments: Record<string, string>[] = [
    { DATABASE_URL: `postgresql://centavo:${password}@127.0.0.1:1/centavo` },
    { DATABASE_URL: `postgresql://centavo:${password}@127.0.0.1:${port}/centavo` },
    { DATABASE_URL: `postgresql://centavo:${password}@@127.0.0.1:${port}/%zz` },
    { DATABASE_URL: `mysql://centavo:${password}@127.0.0.1/centavo`, REDIS_URL: `http://:${password}@127.0.0.1` },
    { IDENTITY_CLIENT_SECRET: password },
    { ENCRYPTION_KEY: password },
    // Fails because the stored secrets are encrypted, and `ENCRYPTION_KEY` is not set.
    { DATABASE_URL: connectionString },
  ];
  const starts = environments.map((env) => sandbox.runServer('start', { env: { LOG_LEVEL: 'trace', ...env } }));
  for (const end of await Promise.all(starts)) recorder.recordOutput('failed start', end);
}

/**
 * Returns the names of the secrets in the database, and in the files directly in the data directory. `readableFiles` are those of these
 * files that contain a secret although other users of the machine may access them.
 */
async function searchStoredSecrets(): Promise<{
  inTables: string[];
  inFiles: string[];
  readableFiles: string[];
  rows: number;
}> {
  const inTables: string[] = [];
  let count = 0;
  await withOwner(async (owner) => {
    for (const table of await readTables(owner)) {
      const rows = await readRows(owner, table);
      count += rows.length;
      inTables.push(...secrets.findIn(JSON.stringify(rows)).map((name) => `${table.name}: ${name}`));
    }
  });
  const inFiles: string[] = [];
  const readableFiles: string[] = [];
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(dataDir, entry.name);
    const found = secrets.findIn(await readFile(path, 'utf8'));
    inFiles.push(...found.map((name) => `${entry.name}: ${name}`));
    if (found.length > 0 && ((await stat(path)).mode & 0o077) !== 0) readableFiles.push(entry.name);
  }
  return { inTables: inTables.sort(), inFiles, readableFiles, rows: count };
}

describe('a secret', () => {
  it('is returned once to its owner; if an encryption key is set, no log, error, npm package or database table contains it', async () => {
    const { email, apiKey, token } = await useSecrets(recorder, server.origin);
    await breakTheDatabase(apiKey);
    await inspectSdk(recorder, { origin: server.origin, apiKey, token });
    await failToStart();
    for (const owner of [email, 'nobody@example.org']) {
      const command = `legacy-key create --email ${owner} --name x --scopes movements:read`;
      const { stdout, stderr } = await sandbox.runServer(command, { dataDir, env: { LOG_LEVEL: 'trace' } });
      // The command prints the new secret to stdout, so only stderr is searched for secrets.
      if (stdout !== '') secrets.add('legacy key', stdout.trim());
      recorded.push({ source: command, text: stderr });
    }
    const terminal = await sandbox.newTerminal({
      CENTAVO_BASE_URL: `${server.origin}/v1/financial`,
      CENTAVO_TOKEN: apiKey,
    });
    for (const line of [
      'doctor',
      'status',
      'movements show nothing',
      'keys list',
      `movements show ${apiKey.slice(0, 10)}`,
    ]) {
      recorder.recordOutput(`centavo ${line}`, await terminal.run(line));
    }
    for (const path of ['/metrics', '/openapi.json', '/docs', '/health/ready', '/.well-known/jwks.json']) {
      recorded.push({ source: path, text: await (await fetch(server.origin + path)).text() });
    }
    const stored = await searchStoredSecrets();
    recorder.recordOutput('server', await server.kill('SIGTERM'));
    const packed = await packPackages();
    recorded.push(...packed.map(({ path, text }) => ({ source: `package ${path}`, text })));

    const leaks = recorded.flatMap(({ source, text }) => secrets.findIn(text).map((name) => `${source}: ${name}`));
    const credentialFiles = packed.filter(({ text }) => hasCredential(text)).map(({ path }) => path);
    const unexpected = (found: readonly string[], expected: readonly string[]) =>
      found.filter((one) => !expected.includes(one));
    const violations = {
      inLogsAnswersAndErrors: leaks.length,
      inTables: stored.inTables.length,
      inFiles: unexpected(stored.inFiles, secretsInDataDir).length,
      inFilesThatOthersMayRead: stored.readableFiles.length,
      credentialsInPackages: credentialFiles.length,
    };
    await recordProof({
      id: 'T21',
      promise:
        'A secret is returned once to its owner; if an encryption key is set, no log, error, npm package or database table contains it',
      seed: null,
      injected: {
        secrets: secrets.size,
        textsSearched: recorded.length,
        charactersSearched: recorded.reduce((sum, { text }) => sum + text.length, 0),
        rowsSearched: stored.rows,
        packedFiles: packed.length,
        knownPlaces: stored.inTables.length + stored.inFiles.length,
      },
      violations,
    });
    expect({ leaks, ...stored, credentialFiles }).toEqual({
      leaks: [],
      inTables: [],
      inFiles: secretsInDataDir,
      readableFiles: [],
      rows: stored.rows,
      credentialFiles: [],
    });
  });
});

/** Returns whether a text has a private key or a signed token. */
function hasCredential(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----|eyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{40,}/.test(text);
}
