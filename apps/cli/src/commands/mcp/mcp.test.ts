import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';
import { addServer, clientNames, configurationOf } from './clients.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const install = (...words: string[]) => machine.run(['mcp', 'install', ...words]);
const cursorFile = () => join(machine.configHome, '.cursor', 'mcp.json');

describe('centavo mcp', () => {
  it('exits 0 when its client closes standard input, and prints nothing to stdout', async () => {
    expect(await machine.run('mcp --write')).toMatchObject({ code: 0, stdout: '' });
  });

  it('exits 2 for an unknown confirmation mode in --confirm', async () => {
    expect(await machine.run('mcp --confirm never')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('mcp install', () => {
  it('adds Centavo as an MCP server to the configuration of the MCP client, in a file that only the user can read', async () => {
    await mkdir(dirname(cursorFile()), { recursive: true });
    await writeFile(cursorFile(), '{"mcpServers":{"other":{"command":"x"}},"theme":"dark"}');
    const { code, stdout } = await install('cursor');
    expect([code, stdout]).toEqual([0, '']);
    const settings = JSON.parse(await readFile(cursorFile(), 'utf8'));
    expect(settings).toMatchObject({ theme: 'dark', mcpServers: { other: { command: 'x' } } });
    const { args, env } = settings.mcpServers.centavo;
    expect(args.at(-1)).toBe('mcp');
    expect(env).toMatchObject({ CENTAVO_TOKEN: expect.stringMatching(/^centavo_live_/) });
    expect((await stat(cursorFile())).mode & 0o777).toBe(0o600);
  });

  it('creates a read-only API key for one tracker', async () => {
    await install('cursor');
    const { body } = api.requests.findLast(({ method }) => method === 'POST') ?? {};
    expect(body).toMatchObject({ name: 'mcp cursor', access: { mode: 'selected', trackerIds: [expect.any(String)] } });
    const { scopes } = body as { scopes: string[] };
    expect(scopes.filter((scope) => !scope.endsWith(':read'))).toEqual([]);
  });

  it('with --write, creates an API key that can write, and configures the MCP server to start with --write', async () => {
    await install('cursor', '--write');
    const { body } = api.requests.findLast(({ method }) => method === 'POST') ?? {};
    expect(body).toMatchObject({ scopes: expect.arrayContaining(['movements:write', 'transfers:write']) });
    const { args } = JSON.parse(await readFile(cursorFile(), 'utf8')).mcpServers.centavo;
    expect(args.slice(-4)).toEqual(['mcp', '--write', '--confirm', 'auto']);
  });

  it('reports that the API key of the replaced configuration may still be valid', async () => {
    expect((await install('cursor')).stderr).not.toContain('still valid');
    expect((await install('cursor')).stderr).toContain('The key of the earlier configuration may still be valid');
  });

  it('prints the configuration with --print, and writes no file', async () => {
    const { code, stdout } = await install('vscode', '--print');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ servers: { centavo: { type: 'stdio' } } });
    await expect(stat(join(machine.configHome, '.config', 'Code'))).rejects.toThrow('ENOENT');
  });

  it('prompts for a one-time code if the API requires one', async () => {
    api.fault = ({ url, headers }) =>
      url.pathname.endsWith('/api-keys') && headers.get('authorization') !== 'Bearer stepped-up'
        ? refusal(401, 'STEP_UP_REQUIRED')
        : undefined;
    const answers = { answers: ['123456'] };
    const { code, questions } = await machine.run(['mcp', 'install', 'cursor'], answers);
    expect([code, questions]).toEqual([0, ['One-time code']]);
  });

  it('creates no API key if the client is unknown or its configuration file is not JSON', async () => {
    await mkdir(dirname(cursorFile()), { recursive: true });
    await writeFile(cursorFile(), '// a comment\n{}');
    for (const client of ['cursor', 'emacs']) {
      const { code, stderr } = await install(client);
      expect([client, code]).toEqual([client, 2]);
      expect(stderr).toContain('--print');
    }
    expect(api.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('the configuration file of an MCP client', () => {
  const entry = { type: 'stdio', command: 'node', args: [], env: {} } as const;

  it.each(['linux', 'darwin', 'win32'] as const)('is in the home directory of the user on %s', (platform) => {
    for (const client of clientNames) {
      const { file } = configurationOf(client, { platform, home: '/home/ana', appData: undefined });
      expect(file).toMatch(/^\/home\/ana\/.*\.json$/);
    }
  });

  it('contains the new server instead of an earlier server with the same name', () => {
    const text = addServer('{"mcpServers":{"centavo":{"command":"old"}}}', 'mcpServers', entry);
    expect(JSON.parse(text)).toEqual({ mcpServers: { centavo: entry } });
  });

  it.each(['[]', 'null', '{', '{"mcpServers":[]}'])('is refused if it is %s', (text) => {
    expect(() => addServer(text, 'mcpServers', entry)).toThrow(SyntaxError);
  });
});
