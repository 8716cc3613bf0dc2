import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { allScopes } from '@centavo/contracts';
import { generate } from 'otplib';
import type { Logger } from 'pino';
import type { RunningServer } from '../app.js';
import type { Config } from '../config/env.js';

/**
 * If DEMO=on and the server uses the embedded PostgreSQL, creates a demo user with data, or reads the credentials of the existing demo
 * user. The requests that create the demo are not logged.
 */
export async function openDemo(options: {
  readonly config: Config;
  readonly server: Pick<RunningServer, 'origin' | 'addUser'>;
  readonly hasUsers: boolean;
  readonly logger: Logger;
}): Promise<Demo | undefined> {
  const { config, logger, ...demo } = options;
  if (!config.demo || config.databaseUrl !== null) return undefined;
  logger.level = 'warn';
  try {
    return await createOrReadDemo({ ...demo, dataDir: config.dataDir });
  } finally {
    logger.level = config.logLevel;
  }
}

/** The credentials of the demo user. A file in DATA_DIR stores them, so that each start can print them again. */
export interface Demo {
  readonly email: string;
  readonly password: string;
  readonly totpSecret: string;
  readonly trackerId: string;
  /** The secret of the demo user's API key. */
  readonly secret: string;
}

const fileName = 'demo.json';

/**
 * If the embedded database has no users, creates a demo user with a tracker, three accounts and an API key. The user is created without
 * a request to the API, because registration may be closed. API requests create everything else. If the database has users, only reads
 * the stored credentials.
 * @returns undefined if the database has users but DATA_DIR has no demo file: the users existed before the demo was configured
 */
async function createOrReadDemo(options: {
  readonly server: Pick<RunningServer, 'origin' | 'addUser'>;
  readonly dataDir: string;
  readonly hasUsers: boolean;
}): Promise<Demo | undefined> {
  const path = join(options.dataDir, fileName);
  if (options.hasUsers) return readDemo(path);
  const demo = await createDemo(options.server);
  await writeFile(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  return demo;
}

async function readDemo(path: string): Promise<Demo | undefined> {
  return readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Demo,
    () => undefined,
  );
}

async function createDemo(server: Pick<RunningServer, 'origin' | 'addUser'>): Promise<Demo> {
  const { origin } = server;
  const email = 'demo@example.org';
  const password = randomBytes(12).toString('base64url');
  await server.addUser({ email, password, displayName: 'Demo' });
  const { accessToken } = await post(origin, '/v1/identity/sessions', { email, password });
  const { secret: totpSecret } = await post(origin, '/v1/identity/totp', undefined, accessToken);
  const code = await generate({ secret: totpSecret ?? '' });
  const steppedUp = await post(origin, '/v1/identity/totp/confirm', { code }, accessToken);
  const token = steppedUp.accessToken;
  const tracker = await post(
    origin,
    '/v1/financial/trackers',
    { name: 'Household', currencyCode: 'EUR', timeZone: 'Europe/Madrid' },
    token,
  );
  for (const account of [
    { name: 'Everyday', type: 'checking', openingBalanceDecimal: '1250.00' },
    { name: 'Savings', type: 'savings', openingBalanceDecimal: '8000.00' },
    { name: 'Card', type: 'credit_card' },
  ]) {
    await post(origin, '/v1/financial/accounts', account, token);
  }
  const trackerId = tracker.id ?? '';
  const access = { mode: 'selected', trackerIds: [trackerId] };
  const key = await post(origin, '/v1/financial/api-keys', { name: 'Demo key', scopes: allScopes, access }, token);
  return { email, password, totpSecret: totpSecret ?? '', trackerId, secret: key.secret ?? '' };
}

async function post(
  origin: string,
  path: string,
  body: unknown,
  token?: string,
): Promise<Readonly<Record<string, string | undefined>>> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const response = await send(new URL(path, origin), text, {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    'Content-Length': String(Buffer.byteLength(text)),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  });
  const envelope = JSON.parse(response) as { data?: Record<string, string>; error?: { message: string } };
  if (envelope.data === undefined) throw new Error(`The demo could not be created: ${envelope.error?.message}`);
  return envelope.data;
}

/**
 * Sends a request to this process and returns the response body. The TLS certificate of this process is not verified, because it may name
 * another host or be self-signed.
 */
function send(url: URL, text: string, headers: Record<string, string>): Promise<string> {
  const options = { method: 'POST', headers, agent: false, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
    request.once('error', reject);
    request.once('response', (response) => {
      readText(response).then(resolve, reject);
    });
    request.end(text);
  });
}
