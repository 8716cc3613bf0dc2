import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callsTo } from './support/call-api.js';
import { openSandbox } from './support/sandbox.js';

const sandbox = openSandbox();

it('six concurrent CLI processes with one expired access token all succeed, and the session is refreshed', async () => {
  const server = await sandbox.startServer({ dataDir: sandbox.newDataDir(), env: { DEMO: 'off' } });
  const [email, password] = [`${randomUUID()}@example.org`, 'correct horse battery'];
  await callsTo(server.origin)('POST /v1/identity/users', { body: { email, password } });
  const configHome = sandbox.newDataDir();
  const centavo = await sandbox.newTerminal({ CENTAVO_BASE_URL: server.baseUrl, XDG_CONFIG_HOME: configHome });
  await centavo.show(`login --email ${email} --password-stdin`, { stdin: password });

  const profilePath = join(configHome, 'centavo/profiles/default/profile.json');
  const readSession = async () => JSON.parse(await readFile(profilePath, 'utf8')).session;
  for (let round = 1; round <= 2; round += 1) {
    // Makes the access token look expired, so that every process finds that it needs a new one.
    const old = await readSession();
    const session = { ...old, expiresAt: new Date(0).toISOString() };
    await writeFile(profilePath, JSON.stringify({ baseUrl: server.baseUrl, session }));
    const ended = await Promise.all(Array.from({ length: 6 }, () => centavo.run('trackers list')));
    expect(ended.map(({ exitCode, stderr }) => ({ exitCode, failed: stderr.includes('ended') }))).toEqual(
      Array.from({ length: 6 }, () => ({ exitCode: 0, failed: false })),
    );
    expect((await readSession()).refreshToken).not.toBe(old.refreshToken);
  }
});
