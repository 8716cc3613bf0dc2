import type pg from 'pg';
import type { Answer } from '../../acceptance/support/call-api.js';
import type { PreparedAccounts, PreparedWrite } from './prepared-writes.js';

export const bulkKinds = ['a bulk request in mode atomic', 'a bulk request in mode independent'] as const;
export type BulkKind = (typeof bulkKinds)[number];

const itemsMax = 5;

/**
 * The two kinds of POST /movements/bulk. `accounts` has the ids of the two accounts that the movements use. `marker` is a part of each
 * idempotency key, and the description of each movement.
 */
export const bulkOperations: Readonly<
  Record<BulkKind, (accounts: PreparedAccounts, marker: string) => Promise<PreparedWrite>>
> = {
  'a bulk request in mode atomic': async (accounts, marker) => ({
    ...common(accounts, marker),
    headers: { 'Idempotency-Key': marker },
    body: { movements: itemsOf(accounts, marker) },
    idOf: (data) => idsOf(data),
    isReplay: ({ meta }) => meta?.idempotentReplay === true && meta.bulk.replayed === itemsMax,
  }),
  'a bulk request in mode independent': async (accounts, marker) => ({
    ...common(accounts, marker),
    headers: {},
    body: {
      mode: 'independent',
      movements: itemsOf(accounts, marker).map((item, index) => ({ ...item, idempotencyKey: `${marker}-${index}` })),
    },
    idOf: (data) => idsOf(data.map(({ movement }: { movement: unknown }) => movement)),
    isReplay: ({ meta }) => meta?.bulk?.replayed === itemsMax,
  }),
};

function common({ accountId }: PreparedAccounts, marker: string) {
  return {
    methodAndPath: 'POST /v1/financial/movements/bulk',
    pathOf: () => `/v1/financial/movements?accountId=${accountId}`,
    countEffects: (ownerConnection: pg.ClientBase) => countEffects(ownerConnection, marker),
  };
}

function itemsOf({ accountId, otherAccountId }: PreparedAccounts, marker: string): readonly object[] {
  return Array.from({ length: itemsMax }, (_, index) => ({
    type: 'expense',
    amountDecimal: '1.00',
    accountId: index % 2 === 0 ? accountId : otherAccountId,
    externalId: `${marker}-${index}`,
    description: marker,
  }));
}

function idsOf(movements: Answer['data']): string {
  return movements.map(({ id }: { id: string }) => id).join();
}

/**
 * Returns 0 if no movement is recorded, 1 if each is recorded once with one event, and `wrongEffects` after a partial or repeated write.
 * @param ownerConnection a connection as a superuser, so that row-level security hides no rows
 */
async function countEffects(ownerConnection: pg.ClientBase, marker: string): Promise<number> {
  const { rows } = await ownerConnection.query<{ movements: number; ids: number; events: number }>(
    `select count(*)::int as movements, count(distinct m.external_id)::int as ids, (
       select count(*)::int from app.recorded_events e
       where e.resource_type = 'movement' and e.resource_id in (
         select own.id::text from app.movements own where own.description = $1)) as events
     from app.movements m where m.description = $1`,
    [marker],
  );
  const { movements = 0, ids = 0, events = 0 } = rows[0] ?? {};
  if (movements === 0) return 0;
  return movements === itemsMax && ids === itemsMax && events === itemsMax ? 1 : wrongEffects;
}

/** A number of effects that no correct write has. */
const wrongEffects = 100;
