import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTenant, openProgram, succeed, type Tenant } from '../proof/support/tenants.js';
import { type Answer, type Call, callsTo } from './support/call-api.js';
import { chooseFreePort } from './support/choose-free-port.js';
import { asOwner, getPostgresOf } from './support/postgres-of.js';
import { repository } from './support/repository.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { type StartedProgram, startProgram } from './support/start-program.js';

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const mirrors: StartedProgram[] = [];
let start: () => Promise<Server>;
let server: Server;
let tenant: Tenant;
let call: Call;
let accounts: { readonly id: string }[];
let token: string;
let file: string;
let keyCount = 0;

beforeAll(async () => {
  const PORT = await chooseFreePort();
  start = () => sandbox.startServer({ dataDir, env: { PORT } });
  server = await start();
});
afterAll(() => Promise.all(mirrors.map((mirror) => mirror.kill('SIGKILL'))));

beforeEach(async () => {
  tenant = await createTenant(server.origin);
  call = callsTo(server.origin, tenant.asUser);
  const open = (name: string) => succeed(call, 'POST /v1/financial/accounts', { body: { name, type: 'cash' } });
  accounts = [await open('One'), await open('Other')];
  const scopes = ['changes:read', 'movements:read'];
  const { Authorization } = await openProgram(server.origin, tenant.asUser, scopes);
  token = Authorization.replace('Bearer ', '');
  file = await sandbox.writeFile('mirror.sqlite', '');
});

function startMirror(): StartedProgram {
  const env = { CENTAVO_BASE_URL: server.origin, CENTAVO_TOKEN: token };
  const mirror = startProgram({ words: [join('examples', 'mirror.mjs'), file], cwd: repository, env });
  mirrors.push(mirror);
  return mirror;
}

/** Records a movement. */
async function record(): Promise<Answer> {
  keyCount += 1;
  return call('POST /v1/financial/movements', {
    headers: { 'Idempotency-Key': `mirror ${keyCount}` },
    body: { type: 'expense', amountDecimal: '1.00', accountId: accounts[0]?.id },
  });
}

/** Records two movements, voids one and corrects the other, and records a transfer. Returns the id of the transfer. */
async function recordAll(): Promise<string> {
  const keyed = (answer?: Answer) => {
    keyCount += 1;
    return { 'Idempotency-Key': `mirror ${keyCount}`, ...(answer && { 'If-Match': answer.headers.get('ETag') ?? '' }) };
  };
  const [voided, corrected] = [await record(), await record()];
  await succeed(call, `POST /v1/financial/movements/${voided.data.id}/void`, { headers: keyed(voided) });
  await succeed(call, `PATCH /v1/financial/movements/${corrected.data.id}`, {
    headers: keyed(corrected),
    body: { description: 'Tea' },
  });
  const transfer = await succeed(call, 'POST /v1/financial/transfers', {
    headers: keyed(),
    body: { amountDecimal: '2.00', fromAccountId: accounts[0]?.id, toAccountId: accounts[1]?.id },
  });
  return transfer.groupId;
}

function openFile() {
  return new Database(file, { timeout: 5_000 });
}

function movementsOfMirror(): unknown[] {
  const database = openFile();
  const rows = database.prepare('select record from movements order by id').all() as { record: string }[];
  database.close();
  return rows.map((row) => JSON.parse(row.record));
}

async function movementsOfServer(): Promise<unknown[]> {
  const movements = await succeed(call, 'GET /v1/financial/movements?includeVoided=true&limit=200');
  return movements.toSorted((one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1));
}

it('the mirror example resumes at its stored cursor after it and the server were killed, and stores every movement once', async () => {
  await recordAll();
  const first = startMirror();
  await first.prints(/^Read 4 movements\nFollowing/m);
  await first.prints(new RegExp(`transfer.created ${await recordAll()}`));
  await server.kill('SIGKILL');
  server = await start();
  await first.prints(new RegExp(`transfer.created ${await recordAll()}`));
  await first.kill('SIGKILL');

  const later = await recordAll();
  const second = startMirror();
  await second.prints(new RegExp(`transfer.created ${later}`));
  expect(second.output).not.toContain('Read');
  expect(await second.kill('SIGINT')).toMatchObject({ exitCode: 0, stderr: '' });
  const movements = movementsOfMirror();
  expect(movements).toHaveLength(16);
  expect(movements).toEqual(await movementsOfServer());
});

it.each(['cursor_diverged', 'cursor_expired'])('the mirror example reads everything again after %s', async (reason) => {
  await recordAll();
  const before = startMirror();
  await before.prints(/^Following/m);
  expect(await before.kill('SIGINT')).toMatchObject({ exitCode: 0 });
  if (reason === 'cursor_diverged') {
    // Gives the cursor a hash that the server does not have, as if the server had been restored from a backup.
    const database = openFile();
    const [{ cursor }] = database.prepare('select cursor from position').all() as [{ cursor: string }];
    const bytes = Buffer.from(cursor, 'base64url').fill(0, 9);
    database.prepare('update position set cursor = ?').run(bytes.toString('base64url'));
    database.prepare('insert into movements values (?, ?)').run('lost', '{}');
    database.close();
  }
  const transfer = await recordAll();
  if (reason === 'cursor_expired') await removeEvents();
  const after = startMirror();
  await after.prints(new RegExp(`^Starting again: ${reason}\nRead 8 movements\nFollowing`, 'm'));
  const last = (await record()).data.id;
  await after.prints(new RegExp(`movement.created ${last}`));
  expect(after.output).not.toContain(transfer);
  await after.kill('SIGINT');
  expect(movementsOfMirror()).toEqual(await movementsOfServer());
});

/** Removes all events of the tracker, as retention does. */
async function removeEvents(): Promise<void> {
  // This request makes the server number the pending events, so that the statements below remove them too.
  await succeed(callsTo(server.origin, tenant.asUser), 'GET /v1/financial/audit-events/head');
  const { connectionString } = await getPostgresOf(dataDir);
  await asOwner(connectionString, async (owner) => {
    await owner.query(`update app.event_heads set floor_sequence = sequence, floor_hash = hash where tracker_id = $1`, [
      tenant.trackerId,
    ]);
    await owner.query('delete from app.events where tracker_id = $1', [tenant.trackerId]);
  });
}
