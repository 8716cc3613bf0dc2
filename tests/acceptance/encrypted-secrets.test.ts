import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { callsTo } from './support/call-api.js';
import { openSandbox } from './support/sandbox.js';

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const another = randomBytes(32).toString('base64');
const unlimited = Object.fromEntries(
  ['READS', 'WRITES', 'ADMIN', 'AUTH_FAILURES'].map((what) => [`RATE_LIMIT_${what}_PER_MINUTE`, '0']),
);
const ana = { email: 'ana@example.org', password: 'choose a long one' };
const startError =
  /^The secret of signing key:\S+ is encrypted with the key (\S{8}), which is not in ENCRYPTION_KEY\. .*`centavo-server discard-undecryptable \1`/m;
let keyId: string;

beforeAll(async () => {
  const server = await sandbox.startServer({ dataDir, env: { ENCRYPTION_KEY } });
  const call = callsTo(server.origin);
  await call('POST /v1/identity/users', { body: ana });
  const session = await call('POST /v1/identity/sessions', { body: ana });
  const asAna = { Authorization: `Bearer ${session.data.accessToken}` };
  expect((await call('POST /v1/identity/totp', { headers: asAna })).status).toBe(201);
  await server.kill('SIGTERM');
});

describe('a server whose secrets are encrypted with ENCRYPTION_KEY', () => {
  it.each([
    ['without the key', {}],
    ['with another key', { ENCRYPTION_KEY: another }],
    ['as several processes without the key', { CENTAVO_PROCESSES: '2', ...unlimited }],
  ])('refuses to start %s, and prints the remedy', async (_, env) => {
    const ended = await sandbox.runServer('start', { dataDir, env });
    expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(startError) });
    [, keyId = ''] = startError.exec(ended.stderr) ?? [];
  });

  it('refuses to discard secrets while their key is configured', async () => {
    const ended = await sandbox.runServer(`discard-undecryptable ${keyId}`, { dataDir, env: { ENCRYPTION_KEY } });
    expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('so it is not lost') });
  });

  it.each(['', 'short', '12345678 12345678'])(
    'exits with 2 and prints the usage if discard-undecryptable gets the invalid arguments "%s"',
    async (args) => {
      const ended = await sandbox.runServer(`discard-undecryptable ${args}`.trim(), { dataDir });
      expect(ended).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('Usage: centavo-server discard-undecryptable'),
      });
    },
  );

  it('starts after the undecryptable secrets are discarded, and a user logs in without the lost authenticator', async () => {
    const discarded = await sandbox.runServer(`discard-undecryptable ${keyId}`, {
      dataDir,
      env: { ENCRYPTION_KEY: another },
    });
    expect(discarded).toMatchObject({
      exitCode: 0,
      stdout: `Discarded the secrets encrypted with the key ${keyId}: signing keys 1, authenticators 1, webhook endpoints 0.\n`,
    });
    const again = await sandbox.runServer(`discard-undecryptable ${keyId}`, { dataDir });
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Nothing is encrypted with the key') });

    const server = await sandbox.startServer({ dataDir, env: { ENCRYPTION_KEY: another } });
    const session = await callsTo(server.origin)('POST /v1/identity/sessions', { body: ana });
    expect(session).toMatchObject({ status: 201, data: { totpEnrolled: false } });
    await server.kill('SIGTERM');
  });
});
