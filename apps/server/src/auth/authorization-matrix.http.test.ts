import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { formatSecret, type RouteName, routes } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

// @proves spec, Authentication: accounts:read › authorizes or refuses each principal
// @proves spec, Authentication: balances:read › authorizes or refuses each principal
// @proves spec, Authentication: catalog:read › authorizes or refuses each principal
// @proves contract 2: Roles in a tracker › authorizes or refuses each principal
// @proves spec, Authentication: transfers:write › authorizes or refuses each principal
// @proves spec, Authentication: budgets:read › authorizes or refuses each principal
// @proves spec, Authentication: budgets:write › authorizes or refuses each principal
// @proves spec, States and transitions: active · DELETE /api-keys/{clientId} or DELETE /integration-clients/{clientId} › authorizes or refuses each principal
// @proves spec, Credential administration: DELETE · /integration-clients/{clientId} › authorizes or refuses each principal
/**
 * The access of every principal to every route, in the one tracker that all principals may use. One line per route, one column per
 * principal. The cells:
 *   ok  authorized: the response is a success, a 400 for the empty body, or a 404 for an unknown id
 *   R   403 INSUFFICIENT_ROLE      S   403 INSUFFICIENT_SCOPE
 *   U   403 USER_SESSION_REQUIRED  T   401 STEP_UP_REQUIRED
 *
 * The first four columns are sessions of the members of one tracker. The other columns are secrets:
 *   key        secure key of the owner, every scope
 *   narrow     secure key of the owner, only context:read
 *   client     integration client of the owner, every scope
 *   legacy     legacy key of the owner, every scope
 *   of-editor  integration client of the editor, every scope
 * A secret never has more rights than the role of its owner.
 */
const table = `
  route                     owner admin editor viewer   key narrow client legacy  of-editor
  getContext                ok    ok    ok     ok       ok  ok     ok     ok      ok
  setActiveTracker          ok    ok    ok     ok       ok  S      ok     ok      ok
  setDefaultTracker         ok    ok    ok     ok       ok  S      ok     ok      ok
  listTrackers              ok    ok    ok     ok       ok  S      ok     ok      ok
  createTracker             ok    ok    ok     ok       U   U      U      U       U
  updateTracker             ok    ok    R      R        U   U      U      U       U
  listMembers               ok    ok    ok     ok       U   U      U      U       U
  addMember                 ok    ok    R      R        U   U      U      U       U
  changeMemberRole          ok    ok    R      R        U   U      U      U       U
  removeMember              ok    ok    R      R        U   U      U      U       U
  listInvitations           ok    ok    ok     ok       U   U      U      U       U
  acceptInvitation          ok    ok    ok     ok       U   U      U      U       U
  declineInvitation         ok    ok    ok     ok       U   U      U      U       U
  listAccounts              ok    ok    ok     ok       ok  S      ok     ok      ok
  listCashboxes             ok    ok    ok     ok       ok  S      ok     ok      ok
  listBalances              ok    ok    ok     ok       ok  S      ok     ok      ok
  createAccount             ok    ok    R      R        U   U      U      U       U
  updateAccount             ok    ok    R      R        U   U      U      U       U
  createCashbox             ok    ok    R      R        U   U      U      U       U
  updateCashbox             ok    ok    R      R        U   U      U      U       U
  listCategories            ok    ok    ok     ok       ok  S      ok     ok      ok
  getCategory               ok    ok    ok     ok       ok  S      ok     ok      ok
  createCategory            ok    ok    ok     ok       ok  S      ok     ok      ok
  listMovements             ok    ok    ok     ok       ok  S      ok     ok      ok
  createMovement            ok    ok    ok     R        ok  S      ok     ok      ok
  createMovements           ok    ok    ok     R        ok  S      ok     ok      ok
  summarizeMovements        ok    ok    ok     ok       ok  S      ok     ok      ok
  getMovement               ok    ok    ok     ok       ok  S      ok     ok      ok
  correctMovement           ok    ok    ok     R        ok  S      ok     ok      ok
  voidMovement              ok    ok    ok     R        ok  S      ok     ok      ok
  createTransfer            ok    ok    ok     R        ok  S      ok     ok      ok
  getTransfer               ok    ok    ok     ok       ok  S      ok     ok      ok
  voidTransfer              ok    ok    ok     R        ok  S      ok     ok      ok
  listBudgets               ok    ok    ok     ok       ok  S      ok     ok      ok
  getBudget                 ok    ok    ok     ok       ok  S      ok     ok      ok
  createBudget              ok    ok    ok     R        ok  S      ok     ok      ok
  addBudgetLine             ok    ok    ok     R        ok  S      ok     ok      ok
  listChanges               ok    ok    ok     ok       ok  S      ok     ok      ok
  listAuditEvents           ok    ok    R      R        ok  S      ok     ok      R
  getAuditHead              ok    ok    R      R        ok  S      ok     ok      R
  listSecurityEvents        ok    ok    ok     ok       U   U      U      U       U
  listWebhooks              ok    ok    R      R        ok  S      ok     ok      R
  getWebhook                ok    ok    R      R        ok  S      ok     ok      R
  createWebhook             T     T     T      T        ok  S      ok     ok      R
  updateWebhook             ok    ok    R      R        ok  S      ok     ok      R
  deleteWebhook             ok    ok    R      R        ok  S      ok     ok      R
  rotateWebhookSecret       T     T     T      T        ok  S      ok     ok      R
  testWebhook               ok    ok    R      R        ok  S      ok     ok      R
  listWebhookDeliveries     ok    ok    R      R        ok  S      ok     ok      R
  retryWebhookDelivery      ok    ok    R      R        ok  S      ok     ok      R
  replayWebhook             ok    ok    R      R        ok  S      ok     ok      R
  listApiKeys               ok    ok    ok     ok       U   U      U      U       U
  createApiKey              T     T     T      T        U   U      U      U       U
  rotateApiKey              T     T     T      T        U   U      U      U       U
  revokeApiKey              ok    ok    ok     ok       U   U      U      U       U
  listIntegrationClients    ok    ok    ok     ok       U   U      U      U       U
  createIntegrationClient   ok    ok    ok     ok       U   U      U      U       U
  revokeIntegrationClient   ok    ok    ok     ok       U   U      U      U       U
`;

/** The values of the tracker header. The server checks the header before scope and role. */
const headers = ['none', 'own', 'foreign', 'unknown', 'malformed'] as const;
type Header = (typeof headers)[number];

/** Refused credentials and their 401 code, which is the same for every route and header. */
const refusedCredentials = {
  'no credential': 'UNAUTHENTICATED',
  'an unknown secret': 'CREDENTIAL_INVALID',
  // @proves spec, States and transitions: revoked · any request with the credential › returns 401 for each missing
  'a revoked key': 'CREDENTIAL_REVOKED',
  // @proves spec, States and transitions: active · passage of time › returns 401 for each missing
  'an expired key': 'CREDENTIAL_EXPIRED',
  'an ended session': 'SESSION_INACTIVE',
} as const;

const [head = '', ...lines] = table.trim().split('\n');
const principals = head.trim().split(/\s+/).slice(1);
const rows = lines.map((line) => {
  const [route = '', ...cells] = line.trim().split(/\s+/);
  return { route: route as RouteName, cells };
});
const codes: Readonly<Record<string, string>> = {
  R: 'INSUFFICIENT_ROLE',
  S: 'INSUFFICIENT_SCOPE',
  U: 'USER_SESSION_REQUIRED',
  T: 'STEP_UP_REQUIRED',
};

let server: TestServer;
let client: pg.Client;
let trackerId: string;
let foreignId: string;
const tokens = new Map<string, string>();
const everyScope = Object.values(routes).flatMap(({ call }) => call.scopes);

beforeAll(async () => {
  const off = { RATE_LIMIT_READS_PER_MINUTE: '0', RATE_LIMIT_WRITES_PER_MINUTE: '0', RATE_LIMIT_ADMIN_PER_MINUTE: '0' };
  server = await startTestServer({ env: { ...off, RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' } });
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  const owner = await server.newUser();
  trackerId = (await server.newTracker(owner)).id;
  foreignId = (await server.newTracker(await server.newUser())).id;
  tokens.set('owner', owner.token);
  const users: Record<string, TestUser> = { owner };
  for (const role of ['admin', 'editor', 'viewer']) {
    const member = await server.newUser();
    await server.addMember({ by: owner, trackerId, user: member, role });
    tokens.set(role, member.token);
    users[role] = member;
  }
  for (const [name, kind, user] of [
    ['key', 'secure', owner],
    ['narrow', 'secure', owner],
    ['client', 'integration_client', owner],
    ['legacy', 'legacy', owner],
    ['of-editor', 'integration_client', users.editor],
    ['a revoked key', 'secure', owner],
    ['an expired key', 'secure', owner],
  ] as const) {
    const secret = await storeSecret(user?.userId ?? '', kind, name === 'narrow' ? ['context:read'] : everyScope);
    tokens.set(name, secret);
  }
  await client.query(`update app.credentials set revoked_at = now() where secret_sha256 = $1`, [
    hashOf('a revoked key'),
  ]);
  await client.query(`update app.credentials set expires_at = now() - interval '1 second' where secret_sha256 = $1`, [
    hashOf('an expired key'),
  ]);
  tokens.set('an unknown secret', formatSecret(randomBytes(32)));
  const loggedOut = await server.newUser();
  await server.call('endSession', { token: loggedOut.token });
  tokens.set('an ended session', loggedOut.token);
});

afterAll(async () => {
  await client.end();
  await server.close();
});

function hashOf(name: string): Buffer {
  return createHash('sha256')
    .update(tokens.get(name) ?? '')
    .digest();
}

/** Inserts a credential of any kind. The API would require a one-time code for a secure key, and cannot create a legacy key. */
async function storeSecret(userId: string, kind: string, scopes: readonly string[]): Promise<string> {
  const secret = formatSecret(randomBytes(32));
  await client.query(
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, tracker_ids, secret_sha256,
       secret_last4, expires_at)
     values ($1, $2, $1, $3, 'x', $4, $5, $6, $7, 'abcd', now() + interval '1 day')`,
    [
      randomUUID(),
      userId,
      kind,
      [...new Set(scopes)],
      kind === 'secure' ? 'selected' : 'all_memberships',
      kind === 'secure' ? [trackerId] : [],
      createHash('sha256').update(secret).digest(),
    ],
  );
  return secret;
}

function trackerHeader(header: Header): { tracker?: string } {
  if (header === 'none') return {};
  const values = { own: trackerId, foreign: foreignId, unknown: randomUUID(), malformed: 'mine' };
  return { tracker: values[header] };
}

/**
 * Sends a request with an empty body. Except for the tracker, every id in the path is unknown, so no request changes the result of
 * another request.
 */
function attempt(route: RouteName, name: string, header: Header) {
  const { call } = routes[route];
  const params = Object.fromEntries(
    [...call.path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, key === 'trackerId' ? trackerId : randomUUID()]),
  );
  const token = tokens.get(name);
  return server.call(route, {
    ...(token === undefined ? {} : { token }),
    params,
    ...(call.method === 'GET' || call.method === 'DELETE' ? {} : { body: {} }),
    ...trackerHeader(header),
  });
}

/**
 * Returns the outcome that a cell expects: an error code, or `ok`. The server checks the recent one-time code before the tracker.
 * Operations outside trackers ignore the header.
 */
function expected(route: RouteName, cell: string, header: Header): string {
  if (routes[route].call.tracker === 'none') return codes[cell] ?? cell;
  if (cell === 'T') return 'STEP_UP_REQUIRED';
  if (header === 'malformed') return 'header.X-Service-Tracker-Id INVALID_FORMAT';
  if (header === 'foreign' || header === 'unknown') return 'TRACKER_FORBIDDEN';
  return codes[cell] ?? cell;
}

function outcomeOf(answer: Awaited<ReturnType<typeof attempt>>): string {
  const { status, error, issues } = answer;
  if (issues[0]?.startsWith('header.X-Service-Tracker-Id')) return issues[0];
  if (status < 400 || status === 404 || error?.code === 'VALIDATION_ERROR') return 'ok';
  return error?.code ?? String(status);
}

describe('completeness of the authorization matrix:', () => {
  it('the matrix has one line per route of the API', () => {
    const ofTheApi = Object.values(routes).filter(({ call }) => call.base === '/v1/financial');
    expect(rows.map(({ route }) => route)).toEqual(ofTheApi.map(({ call }) => call.name));
  });
});

describe.each(rows)('$route', ({ route, cells }) => {
  // @proves spec, Endpoints: X-Service-Tracker-Id
  // @proves spec, Authentication: rule 7
  // @proves spec, Errors: 403
  it.each(headers)(
    'authorizes or refuses each principal according to the matrix and the tracker header (%s)',
    async (header) => {
      const answers = await Promise.all(principals.map((name) => attempt(route, name, header)));
      const seen = principals.map((name, index) => [name, outcomeOf(answers[index] as (typeof answers)[number])]);
      expect(seen).toEqual(principals.map((name, index) => [name, expected(route, cells[index] ?? '', header)]));
    },
  );

  // @proves spec, Endpoints: Authorization
  // @proves spec, Authentication: rule 7
  // @proves spec, Errors: 401
  // @proves contract 5: 401
  it('returns 401 for each missing or invalid credential, whatever the tracker header contains', async () => {
    for (const [name, code] of Object.entries(refusedCredentials)) {
      for (const header of headers) {
        const { status, error } = await attempt(route, name, header);
        expect([name, header, status, error?.code]).toEqual([name, header, 401, code]);
      }
    }
  });
});
