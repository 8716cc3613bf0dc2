import { type BulkResult, type CreateMovements, type Movement, routes, unknownCategoryId } from '@centavo/contracts';
import { ApiError, validationError } from '../../api-error.js';
import type { EffectiveTracker } from '../../auth/principal.js';
import { type EndpointRequest, loadingEndpoint, type Outcome } from '../../http/endpoint.js';
import { toIssues } from '../../http/validate.js';
import { completeStoredRecord } from '../../idempotency/complete-stored-record.js';
import { requestFingerprint } from '../../idempotency/fingerprint.js';
import type { ItemRecords, KeyedAnswer } from '../../idempotency/items.queries.js';
import { decideReplay } from '../../idempotency/replay.js';
import { DuplicateInProgress } from '../../idempotency/retry.js';
import { listVisibleCategoryFacts } from '../categories/index.js';
import {
  enterKeys,
  insertEachMovement,
  insertMovements,
  type KeyFacts,
  type LoadedFacts,
  loadCreateMovementsFacts,
} from './bulk-movements.queries.js';
import { decideMovements, factsOf, tryToDecide } from './decide-movements.js';
import { type MovementRow, toMovementView, toNewMovementRow } from './movements.view.js';
import { movementEtag } from './versions.rules.js';

type Route = typeof routes.createMovements;
type Request = EndpointRequest<Route>;
type Loaded = { readonly keys: readonly KeyFacts[]; readonly facts: LoadedFacts };

/** The operation POST /movements/bulk. */
export const createMovementsEndpoint = loadingEndpoint(routes.createMovements, {
  load: async ({ tx, trackerId, userId, body }): Promise<Loaded> => {
    const movements = validMovements(body);
    const keys = body.mode === 'atomic' ? [] : body.items.map(({ idempotencyKey }) => idempotencyKey);
    const [entered, facts] = await Promise.all([
      enterKeys(tx, keys),
      loadCreateMovementsFacts(tx, {
        trackerId,
        userId,
        accountIds: distinct(movements.map(({ accountId }) => accountId)),
        categoryIds: distinct(movements.map(({ categoryId = unknownCategoryId }) => categoryId)),
        externalIds: distinct(movements.flatMap(({ externalId }) => externalId ?? [])),
      }),
    ]);
    return { keys: entered, facts };
  },
  handle: async (request, loaded) => {
    const { body } = request;
    const facts = await withOtherCategories(request, loaded.facts);
    return body.mode === 'atomic'
      ? recordAtomic(request, { movements: body.movements, facts })
      : recordIndependent(request, { items: body.items, keys: loaded.keys, facts });
  },
});

function validMovements(body: CreateMovements) {
  if (body.mode === 'atomic') return body.movements;
  return body.items.flatMap(({ movement }) => (movement.success ? [movement.data] : []));
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/**
 * Adds to `facts` the categories of the request that are not in `facts` yet and that the caller sees. These are user-wide categories of
 * other users. The caller sees them only because the tracker already uses them.
 */
async function withOtherCategories(
  { tx, body, tracker, principal }: Request,
  facts: LoadedFacts,
): Promise<LoadedFacts> {
  const found = new Set(facts.categories.map(({ id }) => id));
  const named = distinct(validMovements(body).map(({ categoryId = unknownCategoryId }) => categoryId));
  const categoryIds = named.filter((id) => !found.has(id));
  const others = await listVisibleCategoryFacts(tx, { trackerId: tracker.id, userId: principal.userId, categoryIds });
  return { ...facts, categories: [...facts.categories, ...others.map((category) => ({ ...category, isInUse: true }))] };
}

function recordAtomic(
  request: Request,
  {
    movements,
    facts,
  }: { readonly movements: Parameters<typeof decideMovements>[0]['movements']; readonly facts: LoadedFacts },
): Outcome<Movement[]> {
  const { tracker, principal, newId } = request;
  const plans = decideMovements({ movements, facts, today: tracker.today });
  const rows = plans.map((plan) => toNewMovementRow(plan, { id: newId(), tracker, source: principal }));
  insertWithCommit(request, { rows, facts });
  return {
    data: rows.map(toMovementView),
    bulk: { created: rows.length, replayed: 0, failed: 0 },
    items: toItemRecords(tracker, { rows, answers: [], replayed: [] }),
  };
}

/**
 * Records each item under its own idempotency key, and returns the result of each item.
 * @throws DuplicateInProgress if another request with one of the keys is in progress, and there is still time to wait for it
 */
function recordIndependent(
  request: Request,
  given: {
    readonly items: Extract<CreateMovements, { mode: 'independent' }>['items'];
    readonly keys: readonly KeyFacts[];
    readonly facts: LoadedFacts;
  },
): Outcome<BulkResult[]> {
  const { tracker, principal, newId, requestId, mayWaitForDuplicate } = request;
  // `today` is read once, because each read converts the time to the tracker's time zone.
  const { today } = tracker;
  const rows: MovementRow[] = [];
  const answers: KeyedAnswer[] = [];
  const replayed: Movement[] = [];
  let facts: LoadedFacts = given.facts;
  const run = (item: (typeof given.items)[number], key: KeyFacts): Pick<BulkResult, 'status' | 'movement'> => {
    if (!item.movement.success) throw validationError(toIssues(item.movement.error, ''));
    const body = item.movement.data;
    const { call } = routes.createMovement;
    const route = call.base + call.path;
    const fingerprint = requestFingerprint({
      method: call.method,
      route,
      pathParameters: {},
      trackerId: tracker.id,
      body,
    });
    const decision = decideReplay({ facts: key, tracker, fingerprint, requestId });
    if (decision.kind === 'duplicate_in_progress') {
      if (mayWaitForDuplicate) throw new DuplicateInProgress();
      throw keyInProgress();
    }
    if (decision.kind !== 'first') {
      const movement = completeStoredRecord(call.name, decision.answer.data) as Movement;
      replayed.push(movement);
      return { status: decision.kind === 'own' ? 'created' : 'replayed', movement };
    }
    const plan = tryToDecide({ body, facts: factsOf(body, facts), today });
    if (plan instanceof ApiError) throw plan;
    const row = toNewMovementRow(plan, { id: newId(), tracker, source: principal });
    const movement = toMovementView(row);
    rows.push(row);
    answers.push({
      idempotencyKey: item.idempotencyKey,
      fingerprint,
      callName: call.name,
      etag: movementEtag(row),
      data: movement,
    });
    facts = withExternalId(facts, row);
    return { status: 'created', movement };
  };
  const results = given.items.map((item, index): BulkResult => {
    const key = given.keys[index];
    if (key === undefined) throw new Error('No data was loaded for the idempotency key of an item.');
    try {
      return { index, ...run(item, key), error: null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message, details } = error;
      return { index, status: 'failed', movement: null, error: { code, message, details } };
    }
  });
  if (rows.length > 0) insertWithCommit(request, { rows, facts: given.facts });
  const count = (status: BulkResult['status']) => results.filter((result) => result.status === status).length;
  return {
    data: results,
    status: 200,
    bulk: { created: count('created'), replayed: count('replayed'), failed: count('failed') },
    items: toItemRecords(tracker, { rows, answers, replayed }),
  };
}

/** Returns the facts with a new movement, so that no later item of the request can use the movement's external id in the same account. */
function withExternalId(facts: LoadedFacts, row: MovementRow): LoadedFacts {
  if (row.external_id === null) return facts;
  const added = { id: row.id, accountId: row.account_id, externalId: row.external_id };
  return { ...facts, movementsWithExternalId: [...facts.movementsWithExternalId, added] };
}

function keyInProgress(): ApiError {
  return new ApiError({
    code: 'IDEMPOTENCY_IN_PROGRESS',
    message: 'Another request with this idempotency key is still in progress. Repeat this movement with the same key.',
    details: { retryAfterSeconds: 1 },
  });
}

function insertWithCommit(
  { tx, isSharded }: Request,
  { rows, facts }: { readonly rows: readonly MovementRow[]; readonly facts: LoadedFacts },
): void {
  const inUse = new Set(facts.categories.filter(({ isInUse }) => isInUse).map(({ id }) => id));
  const newCategoryIds = distinct(rows.flatMap(({ category_id: id }) => (id === null || inUse.has(id) ? [] : [id])));
  const insert = isSharded ? insertEachMovement : insertMovements;
  tx.sendWithCommit(() => insert(tx, { rows, newCategoryIds }));
}

function toItemRecords(
  tracker: EffectiveTracker,
  written: {
    readonly rows: readonly MovementRow[];
    readonly answers: readonly KeyedAnswer[];
    readonly replayed: readonly unknown[];
  },
): ItemRecords {
  const { rows, answers, replayed } = written;
  const effects = rows.map((row) => ({
    action: 'movement.created',
    resourceType: 'movement',
    resourceId: row.id,
    trackerId: tracker.id,
    state: toMovementView(row),
  }));
  return { tracker, effects, answers, replayed: new Set(replayed) };
}
