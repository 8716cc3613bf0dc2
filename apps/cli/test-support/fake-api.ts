import { randomUUID } from 'node:crypto';
import { aSecret } from '@centavo/sdk/testing';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { FakeChanges } from './fake-changes.js';
import { FakeEvents } from './fake-events.js';
import { listMovements, summarizeMovements } from './fake-movement-list.js';
import { FakeRecords } from './fake-records.js';
import { accountDefaultsOf, refusal, success, tracker, trackerId } from './fake-responses.js';
import { goodServerPages, serverPageHandlers } from './fake-server-pages.js';
import { recordTransfer, replay } from './fake-transfers.js';
import { FakeWebhooks } from './fake-webhooks.js';

export { refusal, success, tracker, trackerId };

type Json = Record<string, unknown>;

/** Returns the response that the API sends instead of its normal response; undefined if it sends the normal response. */
export type Fault = (request: { url: URL; body: Json; headers: Headers }) => Response | undefined;

const root = 'http://127.0.0.1:8080';
const userId = '0199c5a0-7d3e-7c1a-9f00-000000000001';
const createdAt = '2026-01-01T00:00:00.000Z';

/**
 * The part of the API that the CLI needs, in memory. It supports envelopes, idempotency keys, ETags, and sessions whose
 * refresh tokens work only once. It checks no permissions. Tests add error responses with a {@link Fault}.
 */
export class FakeApi {
  readonly accounts: Json[] = [];
  readonly categories: Json[] = [
    category({ id: 'cat_unknown', name: 'Desconocido', scope: 'system', isUnknown: true }),
  ];
  readonly movements: Json[] = [];
  readonly trackers: Json[] = [tracker({ id: trackerId, name: 'Household' })];
  readonly records = new FakeRecords();
  readonly events = new FakeEvents();
  readonly webhooks = new FakeWebhooks();
  readonly changes = new FakeChanges();
  readonly requests: { method: string; path: string; query: string; headers: Headers; body: Json }[] = [];
  /** The valid access tokens of sessions. */
  readonly accessTokens = new Set<string>();
  readonly refreshTokens = new Set<string>();
  fault: Fault = () => undefined;
  /** Whether the API has POST /movements/bulk. The first version did not have it. */
  hasBulk = false;
  /** Whether the API has GET /movements/summary. The first version did not have it. */
  hasSummary = false;
  pages = goodServerPages();
  /**
   * Maps the new token of a rotation to the token that it replaced. The replaced token owns the idempotency keys that are sent
   * with either of the two tokens.
   */
  readonly keyOwners = new Map<string, string>();
  readonly #storedResponses = new Map<string, Json>();

  readonly server = setupServer(
    ...serverPageHandlers(root, () => this.pages),
    http.all(`${root}/v1/*`, async ({ request }) => {
      const url = new URL(request.url);
      const text = await request.text();
      const body = text === '' ? {} : (JSON.parse(text) as Json);
      const path = url.pathname.replace(/^\/v1\/(financial|identity)/, '');
      this.requests.push({ method: request.method, path, query: url.search, headers: request.headers, body });
      const fault = this.fault({ url, body, headers: request.headers });
      if (fault !== undefined) return fault;
      return this.#respond(`${request.method} ${path}`, { body, headers: request.headers, url });
    }),
  );

  /** Resets all state between two tests. */
  reset(): void {
    this.fault = () => undefined;
    this.hasBulk = false;
    this.hasSummary = false;
    this.pages = goodServerPages();
    for (const list of [this.accounts, this.movements, this.requests]) list.length = 0;
    this.records.reset();
    this.events.reset();
    this.webhooks.reset();
    this.changes.reset();
    this.categories.length = 1;
    this.trackers.splice(0, this.trackers.length, tracker({ id: trackerId, name: 'Household' }));
    for (const memory of [this.#storedResponses, this.keyOwners, this.accessTokens, this.refreshTokens]) memory.clear();
  }

  addAccount(fields: Json): Json {
    const account = {
      id: randomUUID(),
      trackerId,
      type: 'checking',
      currencyCode: 'USD',
      status: 'active',
      eligibleCashboxCount: 1,
      createdAt,
      updatedAt: createdAt,
      ...fields,
    };
    this.accounts.push(account);
    return account;
  }

  addCategory(fields: Json): Json {
    const added = category(fields);
    this.categories.push(added);
    return added;
  }

  /** The method and path of each write that the API received, in order, without dry runs. */
  get writes(): readonly string[] {
    return this.requests
      .filter(({ method, query }) => method !== 'GET' && !query.includes('dryRun=true'))
      .map(({ method, path }) => `${method} ${path}`);
  }

  #respond(
    route: string,
    { body, headers, url }: { body: Json; headers: Headers; url: URL },
  ): Response | Promise<Response> {
    switch (route) {
      case 'POST /users': {
        const { email, displayName = null } = body;
        return success({ userId: randomUUID(), email, displayName, createdAt }, { status: 201 });
      }
      case 'POST /sessions':
        return body.password === 'correct horse battery'
          ? success(this.#session(), { status: 201 })
          : refusal(401, 'CREDENTIAL_INVALID');
      case 'POST /sessions/refresh': {
        const isValid = this.refreshTokens.delete(String(body.refreshToken));
        return isValid ? success(this.#session()) : refusal(401, 'CREDENTIAL_REVOKED');
      }
      case 'DELETE /sessions/current':
        return new HttpResponse(null, { status: 204 });
      case 'GET /me':
        return success({ userId: randomUUID(), email: 'ana@example.com', displayName: null, totpEnrolled: true });
      case 'POST /totp/verify':
        this.accessTokens.add('stepped-up');
        return success({ accessToken: 'stepped-up', expiresAt: '2026-01-01T12:15:00.000Z' });
      case 'GET /trackers':
        return success(this.trackers);
      case 'GET /accounts':
        return success(this.accounts);
      case 'POST /accounts':
        return success(
          { ...this.addAccount({ ...accountDefaultsOf(this.trackers, headers), ...body }), cashboxes: [] },
          { status: 201 },
        );
      case 'GET /categories':
        return success(this.categories);
      case 'POST /categories':
        return success(this.addCategory({ id: `cat_${randomUUID()}`, ...body }), { status: 201 });
      case 'POST /api-keys':
        return success(credential(body), { status: 201 });
      case 'GET /changes':
        return this.changes.list(url.searchParams);
      case 'GET /movements':
        return listMovements(this.movements, url);
      case 'GET /movements/summary':
        return this.hasSummary ? summarizeMovements(this.movements, url) : refusal(404, 'NOT_FOUND');
      case 'POST /movements':
        return this.#recordMovement(body, headers, { isDryRun: url.searchParams.get('dryRun') === 'true' });
      case 'POST /movements/bulk':
        return this.hasBulk
          ? this.#recordMany(body, { headers, isDryRun: url.searchParams.get('dryRun') === 'true' })
          : refusal(405, 'METHOD_NOT_ALLOWED');
      case 'POST /transfers':
        return recordTransfer(
          { body, key: this.#keyOf(headers), isDryRun: url.searchParams.get('dryRun') === 'true' },
          {
            storedResponses: this.#storedResponses,
            transfers: this.records.transfers,
            addMovement: (fields) => this.#addMovement({ ...fields, source: this.#sourceOf(headers) }),
          },
        );
      default:
        return (
          this.events.respond(route, url) ??
          this.webhooks.respond(route, { body, query: url.searchParams }) ??
          this.records.respond({ route, body, url, headers }, this) ??
          this.#respondToMovementRequest(route, { body, headers })
        );
    }
  }

  #respondToMovementRequest(route: string, { body, headers }: { body: Json; headers: Headers }): Response {
    const voidedId = /^POST \/movements\/([^/]+)\/void$/.exec(route)?.[1];
    const id = voidedId ?? /^(?:GET|PATCH) \/movements\/([^/]+)$/.exec(route)?.[1];
    const movement = this.movements.find((candidate) => candidate.id === id);
    if (movement === undefined) return refusal(404, 'NOT_FOUND');
    if (!route.startsWith('GET')) {
      if (headers.get('if-match') !== etagOf(movement)) return refusal(409, 'VERSION_CONFLICT');
      const changes = voidedId === undefined ? body : { voidedAt: createdAt };
      Object.assign(movement, changes, { version: Number(movement.version) + 1 });
    }
    return success(movement, { etag: etagOf(movement) });
  }

  /** Records each movement of a bulk request on its own, as in the mode `independent`. The other modes are not supported. */
  async #recordMany(
    { movements }: Json,
    { headers, isDryRun }: { headers: Headers; isDryRun: boolean },
  ): Promise<Response> {
    const results = (movements as Json[]).map(async ({ idempotencyKey, ...body }, index) => {
      const ownKey = String(idempotencyKey);
      const stored = replay(this.#storedResponses, { key: this.#keyOf(headers, ownKey), body });
      if (isDryRun && stored === undefined)
        return { index, status: 'created', movement: { ...body, id: null }, error: null };
      const response = this.#recordMovement(body, headers, { ownKey });
      const { data = null, error = null } = (await response.json()) as { data?: unknown; error?: unknown };
      const status = error !== null ? 'failed' : response.status === 201 ? 'created' : 'replayed';
      return { index, status, movement: data, error };
    });
    return success(await Promise.all(results));
  }

  #recordMovement(
    body: Json,
    headers: Headers,
    { ownKey = headers.get('idempotency-key') ?? '', isDryRun = false }: { ownKey?: string; isDryRun?: boolean },
  ): Response {
    const key = this.#keyOf(headers, ownKey);
    const stored = replay(this.#storedResponses, { key, body });
    if (stored !== undefined) return stored;
    // The nil UUID stands for an unknown account. Other account ids are not checked.
    if (/^[0-]+$/.test(String(body.accountId))) return refusal(404, 'NOT_FOUND');
    const duplicate = this.movements.find(
      ({ accountId, externalId, voidedAt }) =>
        externalId !== undefined &&
        externalId === body.externalId &&
        accountId === body.accountId &&
        typeof voidedAt !== 'string',
    );
    if (duplicate !== undefined) {
      const details = { reason: 'external_id_exists', movementId: duplicate.id };
      return refusal(409, 'STATE_CONFLICT', { details });
    }
    if (isDryRun) return success({ ...body, id: null }, { dryRun: true });
    const movement = this.#addMovement({ ...body, source: this.#sourceOf(headers) });
    this.#storedResponses.set(key, { body, data: movement });
    return success(movement, { status: 201, etag: '"1"' });
  }

  /** Returns an idempotency key with its owner as a prefix. */
  #keyOf(headers: Headers, key = headers.get('idempotency-key') ?? ''): string {
    return `${this.#ownerOf(headers)} ${key}`;
  }

  /**
   * Returns the owner of the idempotency keys that a request uses: `user` for the access token of a session. For an API key, the
   * owner is the key itself or, after a rotation, the key that it replaced.
   */
  #ownerOf(headers: Headers): string {
    const token = (headers.get('authorization') ?? '').replace('Bearer ', '');
    return this.accessTokens.has(token) ? 'user' : (this.keyOwners.get(token) ?? token);
  }

  #sourceOf(headers: Headers): Json {
    const owner = this.#ownerOf(headers);
    return owner === 'user' ? { type: 'user', id: userId } : { type: 'integration_client', id: `id-of-${owner}` };
  }

  #addMovement(fields: Json): Json {
    const movement = {
      id: randomUUID(),
      trackerId,
      kind: 'regular',
      currencyCode: 'USD',
      cashboxId: randomUUID(),
      categoryId: 'cat_unknown',
      occurredOn: '2026-01-01',
      description: null,
      merchantName: null,
      transferGroupId: null,
      source: { type: 'user', id: userId },
      version: 1,
      createdAt,
      updatedAt: createdAt,
      ...fields,
    };
    this.movements.push(movement);
    return movement;
  }

  #session(): Json {
    const [accessToken, refreshToken] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.accessTokens.add(accessToken);
    this.refreshTokens.add(refreshToken);
    return {
      sessionId: randomUUID(),
      accessToken,
      tokenType: 'Bearer',
      expiresAt: '2026-01-01T12:15:00.000Z',
      refreshToken,
      refreshExpiresAt: '2026-01-31T12:00:00.000Z',
      totpEnrolled: true,
    };
  }
}

function category(fields: Json): Json {
  return {
    kind: 'any',
    scope: 'tracker',
    trackerId,
    parentId: null,
    isUnknown: false,
    status: 'active',
    createdAt,
    updatedAt: createdAt,
    ...fields,
  };
}

function credential(body: Json): Json {
  return {
    clientId: randomUUID(),
    kind: 'secure',
    scopes: [],
    secretPrefix: 'centavo_live_',
    secretLast4: 'abcd',
    status: 'active',
    expiresAt: '2026-04-01T00:00:00.000Z',
    lastUsedAt: null,
    rotatedFrom: null,
    createdAt,
    revokedAt: null,
    defaultTrackerId: null,
    ...body,
    access: { mode: 'all_managed', trackerIds: [], ...(body.access as Json) },
    secret: aSecret(),
  };
}

/** Returns the ETag of a movement: its version, unless a test sets another tag. */
function etagOf({ etag, version }: Json): string {
  return typeof etag === 'string' ? etag : `"${version}"`;
}
