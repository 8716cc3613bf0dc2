import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chooseFreePort } from './support/choose-free-port.js';
import { countMovements, createHousehold, type Household, showBalances } from './support/household.js';
import { cliProgram, repository } from './support/repository.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { startProgram } from './support/start-program.js';

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let port: string;
let server: Server;
let household: Household;
let accountId: string;

beforeAll(async () => {
  port = await chooseFreePort();
  server = await sandbox.startServer({ dataDir, env: { PORT: port } });
  household = await createHousehold(sandbox, { origin: server.origin, currencyCode: 'EUR' });
  accountId = (await household.centavo.show('accounts create Checking --opening-balance 100.00')).id;
  await household.centavo.show('accounts create Savings');
});

/** Returns the environment of a program that acts as this household. */
const environment = () => ({
  CENTAVO_BASE_URL: server.baseUrl,
  CENTAVO_TOKEN: household.token,
  CENTAVO_TRACKER: household.trackerId,
});

type Result = { readonly content?: unknown; readonly isError?: boolean | undefined };

function jsonOf({ content }: Result) {
  return JSON.parse((content as [{ text: string }])[0].text);
}

const serverParameters = (...flags: string[]) => ({
  command: process.execPath,
  args: [cliProgram, 'mcp', ...flags],
  cwd: repository,
  env: environment(),
});

/** MCP clients from two libraries: one for the protocol version 2026-07-28, one for the versions of 2025. */
const libraries = {
  '@modelcontextprotocol/client 2': async (...flags: string[]) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport(serverParameters(...flags)));
    const call = (name: string, given: Record<string, unknown> = {}): Promise<Result> =>
      client.callTool({ name, arguments: given });
    return { client, call };
  },
  '@modelcontextprotocol/sdk 1': async (...flags: string[]) => {
    const client = new ClientOfSdk1({ name: 'test', version: '1' });
    await client.connect(new TransportOfSdk1(serverParameters(...flags)) as never);
    const call = async (name: string, given: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: given })) as Result;
    return { client, call };
  },
};

describe.each(Object.entries(libraries))('centavo mcp with %s', (_, connect) => {
  let close = async () => {};
  afterEach(() => close());

  it('lists only read-only tools without --write, and lists record_movement with --write', async () => {
    const { client } = await connect();
    close = () => client.close();
    const reads = (await client.listTools()).tools;
    expect(reads.map(({ name }) => name)).toContain('list_movements');
    expect(reads.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    await client.close();
    const writing = await connect('--write');
    close = () => writing.client.close();
    expect((await writing.client.listTools()).tools.map(({ name }) => name)).toContain('record_movement');
  });

  it('records and voids a movement by preview and confirmation; a repeated confirmation of the recording returns the same movement', async () => {
    const { client, call } = await connect('--write');
    close = () => client.close();
    const lunch = { type: 'expense', amountDecimal: '0.10', accountId };
    const { confirm, effects } = jsonOf(await call('record_movement', lunch));
    expect(effects.balances).toHaveLength(1);
    const recorded = jsonOf(await call('record_movement', { ...lunch, confirm }));
    const repeated = jsonOf(await call('record_movement', { ...lunch, confirm }));
    expect([repeated.replayed, repeated.data.id]).toEqual([true, recorded.data.id]);
    const { confirm: voiding } = jsonOf(await call('void_movement', { movementId: recorded.data.id, version: 1 }));
    const voided = await call('void_movement', { movementId: recorded.data.id, version: 1, confirm: voiding });
    expect(jsonOf(voided).data.voidedAt).not.toBeNull();
  });
});

it('a scripted agent records each receipt of a month once, although its MCP processes and the server are killed', async () => {
  const receipts: { type: string; amountDecimal: string }[] = JSON.parse(
    await readFile(join(repository, 'examples/agent/receipts.json'), 'utf8'),
  );
  const call = household.callsTo(server.origin);
  const before = await countMovements(call);
  const agent = startProgram({
    words: ['examples/agent/record-month.mjs', 'Checking', 'Savings'],
    cwd: repository,
    env: environment(),
  });
  await agent.prints(/^10 record_movement/m);
  await server.kill('SIGKILL');
  server = await sandbox.startServer({ dataDir, env: { PORT: port } });
  expect(await agent.ended).toMatchObject({ exitCode: 0 });
  expect(agent.output).toContain('(had been recorded)');

  const cents = receipts.reduce((sum, { type, amountDecimal }) => {
    const amount = Number(amountDecimal.replace('.', ''));
    return sum + (type === 'income' ? amount : -amount);
  }, 0);
  // The opening balance, the receipts, the transfer, and the corrected amount. The voided movement changes nothing.
  const checking = 10_000 + cents - 30_000 - 1_900;
  expect(await showBalances(household.centavo)).toEqual({ Checking: (checking / 100).toFixed(2), Savings: '300.00' });
  // Each receipt once, both legs of the transfer, and the corrected movement.
  expect((await countMovements(call)) - before).toBe(receipts.length + 2 + 1);
});
