import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { allScopes, formatSecret, type RouteName, routes } from '@centavo/contracts';
import { allTools, type Tool, toolsOfScopes } from '@centavo/mcp';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

/**
 * Compares each tool with its operation: for the same caller, tracker and ids, both return the same refusal, or both authorize the caller.
 * `authorization-matrix.http.test.ts` compares the operations themselves with a table.
 */
let server: TestServer;
let client: pg.Client;
let trackerId: string;
let foreignId: string;
const callers = new Map<string, { token: string; scopes: readonly string[] }>();

beforeAll(async () => {
  const off = { RATE_LIMIT_READS_PER_MINUTE: '0', RATE_LIMIT_WRITES_PER_MINUTE: '0' };
  server = await startTestServer({ env: off });
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  const owner = await server.newUser();
  trackerId = (await server.newTracker(owner)).id;
  foreignId = (await server.newTracker(await server.newUser())).id;
  const users: Record<string, TestUser> = { owner };
  for (const role of ['admin', 'editor', 'viewer']) {
    const member = await server.newUser();
    await server.addMember({ by: owner, trackerId, user: member, role });
    users[role] = member;
  }
  for (const [role, user] of Object.entries(users)) {
    callers.set(`session of ${role}`, { token: user.token, scopes: allScopes });
    callers.set(`integration client of ${role}`, {
      token: await storeIntegrationClient(user.userId, allScopes),
      scopes: allScopes,
    });
  }
  for (const scope of allScopes) {
    callers.set(`integration client with ${scope}`, {
      token: await storeIntegrationClient(owner.userId, [scope]),
      scopes: [scope],
    });
  }
});

afterAll(async () => {
  await client.end();
  await server.close();
});

/** Stores an integration client, and returns its secret. Its lineage is its own id, because it is not a rotation of another credential. */
async function storeIntegrationClient(userId: string, scopes: readonly string[]): Promise<string> {
  const secret = formatSecret(randomBytes(32));
  await client.query(
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, tracker_ids, secret_sha256,
       secret_last4, expires_at)
     values ($1, $2, $1, 'integration_client', 'x', $3, 'all_memberships', '{}', $4, 'abcd', now() + interval '1 day')`,
    [randomUUID(), userId, scopes, createHash('sha256').update(secret).digest()],
  );
  return secret;
}

type Header = 'own' | 'foreign' | 'malformed';
const trackerOf = (header: Header) => ({ own: trackerId, foreign: foreignId, malformed: 'mine' })[header];

const id = randomUUID();
const pathParametersOf = (tool: Tool) =>
  [...tool.call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, id] as const);

/** Calls an operation with unknown ids and an empty body. Returns `ok` or the error code; see {@link outcomeOf}. */
async function codeOfOperation(tool: Tool, token: string, header: Header): Promise<string> {
  const response = await server.call(tool.call.name as RouteName, {
    token,
    tracker: trackerOf(header),
    params: Object.fromEntries(pathParametersOf(tool)),
    ...(tool.kind === 'read' ? {} : { body: {} }),
  });
  return outcomeOf(response.error?.code, response.issues.join());
}

async function codeOfTool(tool: Tool, token: string, header: Header): Promise<string> {
  const version = tool.kind === 'write' && tool.versionOf !== undefined ? { version: 1 } : {};
  const tracker = tool.call.tracker === 'required' ? { trackerId: trackerOf(header) } : {};
  const given = { ...Object.fromEntries(pathParametersOf(tool)), ...version, ...tracker };
  const { result } = await send(tool.kind, token, 'tools/call', { name: tool.name, arguments: given });
  if (result.isError !== true) return 'ok';
  const { code, details } = JSON.parse(result.content[0].text);
  const issues = (details.issues ?? []) as { path: string; code: string }[];
  return outcomeOf(code, issues.map((issue) => `${issue.path} ${issue.code}`).join());
}

/** Returns `ok` for success and for errors about ids and fields, because only an authorized caller gets these errors. */
function outcomeOf(code: string | undefined, issues: string): string {
  if (issues.startsWith('header.X-Service-Tracker-Id')) return issues;
  return code === undefined || code === 'NOT_FOUND' || code === 'VALIDATION_ERROR' ? 'ok' : code;
}

async function send(kind: 'read' | 'write', token: string, method: string, params: unknown) {
  const response = await fetch(`${server.origin}/v1/mcp${kind === 'read' ? '' : '/write'}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? 'null'));
}

// `list_trackers` has no tracker parameter, so it has only one case.
const cases = allTools.flatMap((tool) =>
  (tool.call.tracker === 'required' ? (['own', 'foreign', 'malformed'] as const) : (['own'] as const)).map(
    (header) => ({ name: tool.name, tool, header }),
  ),
);

describe('each MCP tool', () => {
  it.each(cases)('refuses the same callers as its operation ($name, tracker: $header)', async ({ tool, header }) => {
    const seen: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const [name, { token }] of callers) {
      seen[name] = await codeOfTool(tool, token, header);
      expected[name] = await codeOfOperation(tool, token, header);
    }
    expect(seen).toEqual(expected);
  });

  it('is listed according to the scopes of the caller, in a fixed order', async () => {
    for (const [name, { token, scopes }] of callers) {
      for (const kind of ['read', 'write'] as const) {
        const { result } = await send(kind, token, 'tools/list', {});
        const offered = allTools.filter((tool) => kind === 'write' || tool.kind === 'read');
        const names = toolsOfScopes(offered, scopes as never).map((tool) => tool.name);
        expect([name, result.tools.map((tool: { name: string }) => tool.name)]).toEqual([name, names]);
      }
    }
  });

  it('is available at the read endpoint only if its operation is a GET', async () => {
    const token = callers.get('session of owner')?.token ?? '';
    const { result } = await send('read', token, 'tools/list', {});
    const methods = result.tools.map(
      ({ name }: { name: string }) => allTools.find((tool) => tool.name === name)?.call.method,
    );
    expect(new Set(methods)).toEqual(new Set(['GET']));
    for (const tool of allTools.filter(({ kind }) => kind === 'write')) {
      const response = await send('read', token, 'tools/call', { name: tool.name, arguments: {} });
      expect([tool.name, response.error?.code]).toEqual([tool.name, -32602]);
    }
  });

  it('reaches no credential, member or webhook, deletes nothing and exports nothing', () => {
    for (const { call } of allTools) {
      expect([call.name, ['credentials', 'webhooks', 'identity'].includes(call.resource)]).toEqual([call.name, false]);
      expect([call.name, /member|export|delete/i.test(call.name) || call.method === 'DELETE']).toEqual([
        call.name,
        false,
      ]);
      expect(routes[call.name as RouteName].call).toBe(call);
    }
  });
});
