import { routes, unknownCategoryId } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import { StaleRead } from '../../database/errors.js';
import { type Endpoint, loadingEndpoint } from '../../http/endpoint.js';
import { toMovementsJson } from '../../optimizations/movements-json.js';
import { WrittenJson } from '../../optimizations/written-json.js';
import { findVisibleCategory } from '../categories/index.js';
import { createMovementsEndpoint } from './bulk-movements.endpoints.js';
import { decideCorrection } from './decide-correction.js';
import { decideMovement } from './decide-movement.js';
import { choosePageStart, describePage } from './list-movements.js';
import { listMovements } from './list-movements.queries.js';
import {
  findMovement,
  insertMovement,
  loadCreateMovementFacts,
  updateMovement,
  voidMovement,
} from './movements.queries.js';
import { toListedView, toMovementView, toNewMovementRow } from './movements.view.js';
import { summarizeMovements } from './summarize-movements.queries.js';
import { toSummaryView } from './summarize-movements.view.js';
import { movementEtag, requireVoidableMovement } from './versions.rules.js';

/** The operations on movements. */
export const movementsEndpoints: readonly Endpoint[] = [
  loadingEndpoint(routes.createMovement, {
    load: ({ tx, trackerId, userId, body: { accountId, categoryId = unknownCategoryId, externalId = null } }) =>
      loadCreateMovementFacts(tx, { trackerId, userId, accountId, categoryId, externalId }),
    handle: async ({ tx, body, principal, tracker, newId }, loaded) => {
      const { userId } = principal;
      const { categoryId = unknownCategoryId } = body;
      const category =
        loaded.category ?? (await findVisibleCategory(tx, { trackerId: tracker.id, userId, categoryId }));
      const plan = decideMovement({ body, facts: { ...loaded, category }, today: tracker.today });
      const row = toNewMovementRow(plan, { id: newId(), tracker, source: principal });
      tx.sendWithCommit(() => insertMovement(tx, row, loaded));
      const data = toMovementView(row);
      return {
        data,
        etag: movementEtag(row),
        effect: {
          action: 'movement.created',
          resourceType: 'movement',
          resourceId: row.id,
          trackerId: tracker.id,
          state: data,
        },
      };
    },
  }),

  createMovementsEndpoint,

  loadingEndpoint(routes.getMovement, {
    load: ({ tx, trackerId, pathParameters }) => findMovement(tx, { trackerId, id: pathParameters.movementId }),
    handle: async (_, row) => {
      if (row === undefined) throw notFound();
      return { data: toMovementView(row), etag: movementEtag(row) };
    },
  }),

  loadingEndpoint(routes.correctMovement, {
    load: ({ tx, trackerId, pathParameters }) => findMovement(tx, { trackerId, id: pathParameters.movementId }),
    handle: async ({ tx, body, ifMatch, principal, tracker }, current) => {
      const named = body.categoryId === null ? unknownCategoryId : body.categoryId;
      const category =
        named === undefined
          ? undefined
          : await findVisibleCategory(tx, { trackerId: tracker.id, userId: principal.userId, categoryId: named });
      const plan = decideCorrection({ body, current, category, ifMatch, today: tracker.today });
      if (current === undefined) throw notFound();
      if (Object.keys(plan.change).length === 0) return { data: toMovementView(current), etag: movementEtag(current) };
      const row = await updateMovement(tx, { ...plan, current });
      // A concurrent correction or void committed first. `StaleRead` makes `retryTransaction` run this operation again, with the new
      // version.
      if (row === undefined) throw new StaleRead();
      const data = toMovementView(row);
      return {
        data,
        etag: movementEtag(row),
        effect: {
          action: 'movement.corrected',
          resourceType: 'movement',
          resourceId: row.id,
          trackerId: tracker.id,
          change: plan.change,
          state: data,
        },
      };
    },
  }),

  loadingEndpoint(routes.voidMovement, {
    load: ({ tx, trackerId, pathParameters }) => findMovement(tx, { trackerId, id: pathParameters.movementId }),
    handle: async ({ tx, ifMatch, tracker }, current) => {
      const row = await voidMovement(tx, requireVoidableMovement(current, ifMatch));
      // A concurrent correction or void committed first. `StaleRead` makes `retryTransaction` run this operation again, with the new
      // version.
      if (row === undefined) throw new StaleRead();
      const data = toMovementView(row);
      return {
        data,
        etag: movementEtag(row),
        effect: {
          action: 'movement.voided',
          resourceType: 'movement',
          resourceId: row.id,
          trackerId: tracker.id,
          change: { voidedAt: [null, row.voided_at] },
          state: data,
        },
      };
    },
  }),

  loadingEndpoint(routes.summarizeMovements, {
    load: ({ tx, query: filters, trackerId }) => summarizeMovements(tx, { trackerId, filters }),
    handle: async ({ query: { limit } }, groups) => toSummaryView(groups, limit),
  }),

  loadingEndpoint(routes.listMovements, {
    load: ({ tx, query: filters, trackerId }) => {
      const { after, offset } = choosePageStart(filters);
      const { limit, includeTotal } = filters;
      return listMovements(tx, { trackerId, filters, limit, offset, after, includeTotal });
    },
    handle: async ({ query: filters, tracker }, page) => {
      const { shown, pagination } = describePage({ filters, ...page });
      const movements = shown.map((row) => toListedView(row, tracker.id));
      return { data: new WrittenJson(toMovementsJson(movements)), pagination };
    },
  }),
];
