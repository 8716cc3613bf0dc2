import { beforeAll, describe, expect, it } from 'vitest';
import { callsTo } from './support/call-api.js';
import { createHousehold, type Household } from './support/household.js';
import { asOwner, findPostgresOf, getPostgresOf } from './support/postgres-of.js';
import { openSandbox, type Server } from './support/sandbox.js';

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;
let household: Household;
let accountId: string;

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir });
  household = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
  const { centavo } = household;
  accountId = (await centavo.show('accounts create Checking --opening-balance 100.00')).id;
  await centavo.show('accounts create Savings');
  await centavo.show('movements add --type expense --amount 12.50 --account Checking');
  await centavo.show('transfers add --amount 20 --from-account Checking --to-account Savings');
});

describe('centavo-server check, while a server runs', () => {
  // @proves contract 10: centavo-server start | migrate | check | legacy-key create
  // @proves contract 10a: centavo-server legacy-key create --email E
  it('reports "0 contradictions" for consistent data, and exits with 0', async () => {
    const ended = await sandbox.runServer('check', { dataDir });
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: 'Checked 2 balances and 1 transfer: 0 contradictions.\n',
    });
    const health = await fetch(`${server.origin}/health/ready`);
    expect(health.status).toBe(200);
  });

  it('verifies the hash chain of the events with --chain, even after an event was redacted', async () => {
    const { centavo, trackerId } = household;
    const { sequence } = await centavo.show('audit head');
    const chain = await sandbox.runServer('check --chain', { dataDir });
    expect(chain).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`Checked ${sequence} events of 1 tracker and `),
    });
    const redacted = await sandbox.runServer(`redact-event ${trackerId} 1`, { dataDir });
    expect(redacted).toMatchObject({ exitCode: 0, stdout: `Redacted event 1 of the tracker ${trackerId}.\n` });
    expect((await sandbox.runServer(`redact-event ${trackerId} 999`, { dataDir })).exitCode).toBe(1);
    expect((await sandbox.runServer('check --chain', { dataDir })).exitCode).toBe(0);
    expect((await centavo.start('audit verify --deep').ended).exitCode).toBe(0);
  });

  // @proves contract 10: check recomputes every balance
  it('reports each wrong balance and each transfer whose two movements do not match, and exits with 1', async () => {
    const { connectionString } = await getPostgresOf(dataDir);
    await asOwner(connectionString, async (client) => {
      await client.query('update app.cashboxes set balance = balance + 0.01 where account_id = $1', [accountId]);
      await client.query(`update app.movements set amount = amount + 1 where kind = 'transfer' and type = 'income'`);
    });
    const ended = await sandbox.runServer('check', { dataDir });
    expect(ended.exitCode).toBe(1);
    expect(ended.stdout).toMatch(
      /cashbox \S+: the balance is 67\.5100, but opening balance and movements add up to 67\.5000\./,
    );
    expect(ended.stdout).toMatch(/transfer \S+: its 2 movements are not one expense and one matching income\./);
    expect(ended.stdout).toContain('3 contradictions');
  });
});

describe('centavo-server database-url', () => {
  it('prints only the connection string of the PostgreSQL that runs on DATA_DIR', async () => {
    const { connectionString } = await getPostgresOf(dataDir);
    const ended = await sandbox.runServer('database-url', { dataDir });
    expect(ended).toMatchObject({ exitCode: 0, stdout: `${connectionString}\n`, stderr: '' });
  });

  it('exits with 1 if no PostgreSQL runs on DATA_DIR, and starts none', async () => {
    const otherDataDir = sandbox.newDataDir();
    const ended = await sandbox.runServer('database-url', { dataDir: otherDataDir });
    expect(ended).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('Start a server') });
    expect(await findPostgresOf(otherDataDir)).toBeUndefined();
  });
});

describe('centavo-server legacy-key create, while a server runs', () => {
  const scopes = '--scopes movements:write,movements:read';

  // @proves spec, Credential administration: GET · /api-keys
  // @proves spec, Authentication: rule 2
  // @proves spec, Versioning: rule 3
  // @proves contract 2: Principals
  // @proves contract 2: Credential lists
  // @proves contract 10: centavo-server start | migrate | check | legacy-key create
  // @proves contract 10a: centavo-server legacy-key create --email E
  it('prints only the secret of the new key, which has the kind legacy and access to all trackers of the user', async () => {
    const ended = await sandbox.runServer(`legacy-key create --email ${household.email} --name Old ${scopes}`, {
      dataDir,
    });
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toMatch(/^centavo_live_[0-9A-Za-z]{49}\n$/);
    const call = callsTo(server.origin, { Authorization: `Bearer ${ended.stdout.trim()}` });
    const created = await call('POST /v1/financial/movements', {
      headers: { 'Idempotency-Key': 'legacy-1' },
      body: { type: 'income', amountDecimal: '1.00', accountId },
    });
    expect(created).toMatchObject({ status: 201, data: { source: { type: 'integration_client' } } });
    const keys = await household.callsTo(server.origin)('GET /v1/financial/api-keys');
    expect(keys.data).toMatchObject([{ kind: 'legacy', name: 'Old', access: { mode: 'all_memberships' } }]);
  });

  it.each([
    [`--name Old ${scopes}`, 2, '--email is missing'],
    [
      '--email nobody@example.org --name Old --scopes movements:read,movements:delete',
      2,
      '--scopes: "movements:delete" is unknown. The scopes are context:read, ',
    ],
    [`--email nobody@example.org --name Old ${scopes} --tracker home`, 2, '--tracker home: Send a UUID.\n'],
    [`--email nobody@example.org --name Old ${scopes}`, 1, 'no user with the e-mail address nobody@example.org.'],
    [`--email nobody@example.org --name Old ${scopes} --colour red`, 2, 'colour'],
    // @proves contract 10a: centavo-server legacy-key create --email E
  ])('refuses %s and prints nothing on stdout', async (words, exitCode, reason) => {
    const ended = await sandbox.runServer(`legacy-key create ${words}`, { dataDir });
    expect(ended).toMatchObject({ exitCode, stdout: '' });
    expect(ended.stderr).toContain(reason);
  });

  it('refuses a tracker that the user is not a member of', async () => {
    const tracker = '0190f2a0-0000-7000-8000-000000000001';
    const ended = await sandbox.runServer(
      `legacy-key create --email ${household.email} --name Old ${scopes} --tracker ${tracker}`,
      { dataDir },
    );
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toContain('may not use the tracker');
  });
});
