import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Answer, Call } from './support/call-api.js';
import { createHousehold, type Household } from './support/household.js';
import { findPostgresOf } from './support/postgres-of.js';
import { repository, serverProgram } from './support/repository.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { type EndedProgram, startProgram } from './support/start-program.js';
import { until } from './support/until.js';

// The tests run the backup commands of docs/operations.md for the embedded PostgreSQL. They replace only the paths.
const missingProgram = ['psql', 'cp', 'chown'].find((name) => spawnSync(name, ['--version']).status !== 0);
const onlineBackup = 'mkdir /backup/centavo && LC_ALL=C psql';
const sandbox = openSandbox();
let household: Household;
let accountId: string;

const dataDir = sandbox.newDataDir();
let server: Server;

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir });
  household = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
  ({ id: accountId } = await household.centavo.show('accounts create Checking --opening-balance 100.00'));
});

/** Returns the commands of the shell block in docs/operations.md that starts with `beginning`, with its paths replaced. */
async function commandsOf(beginning: string, paths: { readonly from: string; readonly to: string }): Promise<string> {
  const page = await readFile(join(repository, 'docs/operations.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const found = blocks.filter((block) => block.startsWith(beginning));
  expect(found).toHaveLength(1);
  return (found[0] ?? '').replaceAll('/backup/centavo', paths.to).replaceAll('.centavo', paths.from);
}

/** Runs the commands as the operator of this DATA_DIR. PATH starts with `path` and the folder of centavo-server. */
async function runAsOperator(commands: string, path: readonly string[] = []): Promise<EndedProgram> {
  const program = await sandbox.writeFile(
    'centavo-server',
    `#!/bin/sh\nexec '${process.execPath}' '${join(repository, serverProgram)}' "$@"\n`,
  );
  execFileSync('chmod', ['+x', program]);
  return startProgram({
    program: '/bin/sh',
    words: ['-ec', commands],
    cwd: dirname(program),
    env: { PATH: [...path, dirname(program), process.env.PATH].join(':'), DATA_DIR: dataDir },
  }).ended;
}

/** Returns all files below a folder, with their sizes and the times of their last change. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.map(async (name) => {
    const { size, mtimeMs } = await stat(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(files)).sort();
}

async function recordExpense(call: Call): Promise<Answer> {
  const body = { type: 'expense', amountDecimal: '0.01', accountId, occurredOn: '2026-03-01' };
  const answer = await call('POST /v1/financial/movements', { headers: { 'Idempotency-Key': randomUUID() }, body });
  expect(answer.status).toBe(201);
  return answer;
}

/** Runs `check` on a restored DATA_DIR, starts a server on it, and returns a function that sends requests to this server. */
async function openRestored(restored: string): Promise<Call> {
  expect(await sandbox.runServer('check', { dataDir: restored })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(': 0 contradictions.'),
  });
  // The copied state file lists the processes that used the original. If `check` counted them as users of the copy, it would not stop
  // the PostgreSQL of the copy.
  expect(await findPostgresOf(restored)).toBeUndefined();
  return household.callsTo((await sandbox.startServer({ dataDir: restored })).origin);
}

it('a restored copy of DATA_DIR from a running server contains the writes that were acknowledged before the backup began', async ({
  skip,
}) => {
  if (missingProgram !== undefined) skip(`${missingProgram} is not installed`);
  const call = household.callsTo(server.origin);
  const before = [await recordExpense(call), await recordExpense(call)];
  let isCopied = false;
  let writtenMeanwhile = 0;
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isCopied) {
        await recordExpense(call);
        writtenMeanwhile += 1;
      }
    }),
  );
  await until('the writes have begun', () => writtenMeanwhile > 0);
  const backup = sandbox.newDataDir();
  const ended = await runAsOperator(await commandsOf(onlineBackup, { from: dataDir, to: backup }));
  expect(ended.exitCode, ended.stdout + ended.stderr).toBe(0);
  const writtenBeforeTheEnd = writtenMeanwhile;
  isCopied = true;
  await writing;
  expect(writtenBeforeTheEnd).toBeGreaterThan(1);

  const restored = sandbox.newDataDir();
  execFileSync('cp', ['-a', backup, restored]);
  const callRestored = await openRestored(restored);
  for (const { data } of before) {
    expect(await callRestored(`GET /v1/financial/movements/${data.id}`)).toMatchObject({ status: 200, data });
  }
  // The restored database is independent: a later write to it does not appear in the original.
  const { data } = await recordExpense(callRestored);
  expect(await call(`GET /v1/financial/movements/${data.id}`)).toMatchObject({ status: 404 });
});

it('the documented backup of a running server refuses a directory that already contains a backup, and does not change that backup', async ({
  skip,
}) => {
  if (missingProgram !== undefined) skip(`${missingProgram} is not installed`);
  const backup = sandbox.newDataDir();
  const commands = await commandsOf(onlineBackup, { from: dataDir, to: backup });
  expect(await runAsOperator(commands)).toMatchObject({ exitCode: 0 });
  const copied = await filesOf(backup);
  await recordExpense(household.callsTo(server.origin));

  expect(await runAsOperator(commands)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('File exists') });
  expect(await filesOf(backup)).toEqual(copied);
});

it.for([
  ['the disk is full', "cp: error writing 'there': No space left on device"],
  ['the source does not exist', "cp: cannot stat '.centavo/.': No such file or directory"],
])('the documented backup fails and prints the reason if "cp" fails: %s', async ([, words], { skip }) => {
  if (missingProgram !== undefined) skip(`${missingProgram} is not installed`);
  const cp = await sandbox.writeFile('cp', `#!/bin/sh\nmkdir -p "$3/postgres"\necho "${words}" >&2\nexit 1\n`);
  execFileSync('chmod', ['+x', cp]);
  const commands = await commandsOf(onlineBackup, { from: dataDir, to: sandbox.newDataDir() });
  const { exitCode, stdout } = await runAsOperator(commands, [dirname(cp)]);
  expect(exitCode).not.toBe(0);
  expect(stdout).toContain(words);
});

it('the documented backup of a stopped server contains the last movement, and refuses a directory that already exists', async ({
  skip,
}) => {
  if (missingProgram !== undefined) skip(`${missingProgram} is not installed`);
  const call = household.callsTo(server.origin);
  const { data } = await recordExpense(call);
  expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
  expect(await findPostgresOf(dataDir)).toBeUndefined();
  const backup = sandbox.newDataDir();
  const commands = await commandsOf('mkdir /backup/centavo && cp', { from: dataDir, to: backup });
  expect(await runAsOperator(commands)).toMatchObject({ exitCode: 0 });
  const copied = await filesOf(backup);
  expect(await runAsOperator(commands)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('File exists') });
  expect(await filesOf(backup)).toEqual(copied);

  const callRestored = await openRestored(backup);
  expect(await callRestored(`GET /v1/financial/movements/${data.id}`)).toMatchObject({ status: 200, data });
});
