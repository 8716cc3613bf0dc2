import { mkdirSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedProgram, startProgram } from '../../acceptance/support/start-program.js';
import { findBrokenLinks } from '../support/find-broken-links.js';
import { installPrograms, type PackedPrograms, packageManagers, packPrograms } from '../support/install-programs.js';

let packed: PackedPrograms;

beforeAll(async () => {
  packed = await packPrograms();
});
afterAll(() => packed.remove());

describe.each(packageManagers)('the programs that %s installs from the tarballs', (packageManager) => {
  let home: string;
  let commands: string;
  let server: StartedProgram;
  let origin: string;

  beforeAll(async () => {
    commands = await installPrograms(packed, packageManager);
    home = join(packed.folder, `${packageManager}-home`);
    mkdirSync(home, { mode: 0o711 });
  });
  afterAll(() => server?.kill('SIGTERM'));

  /** Runs a command line in a shell that finds the installed commands. HOME is a folder that is empty at first. */
  const run = (line: string, input: { readonly stdin?: string; readonly env?: Record<string, string> } = {}) =>
    startProgram({
      program: '/bin/sh',
      words: ['-c', line],
      cwd: home,
      env: {
        PATH: `${commands}:${process.env.PATH}`,
        HOME: home,
        CENTAVO_SECRET_STORE: 'file',
        CENTAVO_BASE_URL: `${origin}/v1/financial`,
        ...input.env,
      },
      stdin: input.stdin ?? '',
    }).ended;

  /** Runs `centavo <line>`, which must succeed, and returns the records that it shows. */
  const show = async (line: string, input: Parameters<typeof run>[1] = {}) => {
    const { exitCode, stdout, stderr } = await run(`centavo ${line} -o json`, input);
    expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return JSON.parse(stdout);
  };

  it('include every file that their Markdown pages link to', () => {
    for (const name of ['server', 'cli']) {
      expect(findBrokenLinks(join(commands, '..', '@centavo', name))).toEqual([]);
    }
  });

  it('name the directory of the packaged documentation in the help of the server', async () => {
    const { stdout } = await run('centavo-server --help');
    const [, page = ''] = /docs\/(\S+\.md) lists them/.exec(stdout) ?? [];
    const [, docs = ''] = /^The directory docs is (.+)\.$/m.exec(stdout) ?? [];
    expect((await stat(join(docs, page))).isFile()).toBe(true);
  });

  it('start a server with its data in the data directory of the user', async () => {
    server = startProgram({
      program: join(commands, 'centavo-server'),
      words: [],
      cwd: '/',
      env: { HOME: home, PORT: '0', DEMO: 'on', LOG_LEVEL: 'warn', RATE_LIMIT_WRITES_PER_MINUTE: '0' },
    });
    [, origin = ''] = await server.prints(/^Centavo is ready at (http:\/\/\S+)\/v1\/financial /m);
    await server.prints(/one-time code secret \S+\n/);
    const dataDir = join(home, '.local', 'share', 'centavo');
    expect(server.output).toContain(`The data is in ${dataDir} (DATA_DIR).`);
    expect((await stat(join(dataDir, 'postgres', 'PG_VERSION'))).isFile()).toBe(true);
  });

  it('serve the API reference page with its script, and the page of an error code', async () => {
    expect(await (await fetch(`${origin}/docs`)).text()).toContain('Centavo API reference');
    const script = await fetch(`${origin}/docs/reference.js`);
    expect(script.status).toBe(200);
    expect(await script.text()).toContain('createApiReference');
    expect(await (await fetch(`${origin}/docs/errors/VERSION_CONFLICT`)).text()).toContain('# VERSION_CONFLICT');
  });

  it('import the sample statement with the commands that the server printed', async () => {
    const exports = [...server.output.matchAll(/^ {2}(export .*)$/gm)].map(([, line]) => line);
    const [, printed] = /^ {2}(centavo import .*)$/m.exec(server.output) ?? [];
    const imported = await run([...exports, printed].join('\n'));
    expect(imported).toMatchObject({ exitCode: 0 });
    expect(imported.stdout).toMatch(/^CREATED +234$/m);
    const balances = await run([...exports, 'centavo balances'].join('\n'));
    expect(balances.stdout).toMatch(/^Everyday +Everyday +7318\.82 +EUR$/m);
  });

  it('register a user, create an API key, import a statement with it, and show the balances', async () => {
    const password = 'correct horse battery';
    const email = 'ana@example.org';
    await show(`register --email ${email} --password-stdin`, { stdin: password });
    const login = await run(`centavo login --email ${email} --password-stdin`, { stdin: password });
    expect(login).toMatchObject({ exitCode: 0 });
    await show('trackers create Home --currency EUR --time-zone Europe/Madrid');
    await show('accounts create Checking --opening-balance 100.00');
    const { secret } = await show('totp enrol');
    const verified = await run(`centavo totp verify --code ${await generate({ secret })}`);
    expect(verified).toMatchObject({ exitCode: 0 });
    const scopes = ['accounts:read', 'balances:read', 'catalog:read', 'movements:read', 'movements:write'];
    const key = await run(`centavo keys create nightly --for-tracker Home --scope ${scopes.join(' --scope ')} --quiet`);
    expect(key).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^centavo_live_\S+\n$/) });

    const statement = 'Date,Description,Amount\n2026-01-02,Coffee,-3.20\n2026-01-03,Salary,1500.00\n';
    await writeFile(join(home, 'bank.csv'), statement);
    const env = { CENTAVO_TOKEN: key.stdout.trim() };
    const imported = await run('centavo import bank.csv --account Checking --yes', { env });
    expect(imported).toMatchObject({ exitCode: 0 });
    expect(imported.stdout).toMatch(/^CREATED +2$/m);
    expect(await show('balances', { env })).toMatchObject([{ accountName: 'Checking', balanceDecimal: '1596.80' }]);
  });

  it('include a server that exits with 0 after SIGTERM, and a `check` that succeeds and creates no new database', async () => {
    expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
    const check = await run('centavo-server check');
    expect(check).toMatchObject({ exitCode: 0 });
    expect(check.stderr).not.toContain('Creating a PostgreSQL database');
  });
});
