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
    const results = await Promise.all(Array.from({ length: 6 }, () => centavo.run('trackers list')));
    // A process reports "The session … has ended" if another process has already used the refresh token.
    expect(results.map(({ exitCode, stderr }) => ({ exitCode, sessionEnded: stderr.includes('has ended') }))).toEqual(
      Array.from({ length: 6 }, () => ({ exitCode: 0, sessionEnded: false })),
    );
    expect((await readSession()).refreshToken).not.toBe(old.refreshToken);
  }
});
