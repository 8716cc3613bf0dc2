import { isDeepStrictEqual } from 'node:util';
import type { FinancialClient } from '@centavo/sdk';
import type pg from 'pg';
import type { Follower } from './follow.js';
import type { Mirror } from './mirror.js';

/** Counts the event numbers for which the mirror and the database have different events, or only one of them has an event. */
export async function countDifferingNumbers(owner: pg.Client, trackerId: string, mirror: Mirror): Promise<number> {
  const { rows } = await owner.query(
    `select sequence::int as sequence, id, action as type, request_id as "requestId", encode(hash, 'hex') as hash,
       resource_id as "resourceId"
     from app.recorded_events where tracker_id = $1 order by sequence`,
    [trackerId],
  );
  const length = Math.max(rows.length, mirror.entries.length);
  return Array.from({ length }, (_, index) => index).filter(
    (index) => !isDeepStrictEqual(rows[index], mirror.entries[index]),
  ).length;
}

/**
 * Compares, for each resource and change type, the number of changes in the mirror with the number that the tables imply. Returns the
 * number of differences. For example, the numbers differ if the mirror contains a change although its write was rolled back.
 */
export async function countUnmatchedRecords(owner: pg.Client, trackerId: string, mirror: Mirror): Promise<number> {
  const { rows } = await owner.query<{ type: string; id: string; times: number }>(
    `select 'movement.created' as type, id::text as id, 1 as times
       from app.movements where tracker_id = $1 and kind = 'regular'
     union all select 'movement.corrected', id::text, version - case when voided_at is null then 1 else 2 end
       from app.movements where tracker_id = $1 and version > case when voided_at is null then 1 else 2 end
         and kind = 'regular'
     union all select 'movement.voided', id::text, 1
       from app.movements where tracker_id = $1 and kind = 'regular' and voided_at is not null
     union all select 'transfer.created', id::text, 1 from app.transfers where tracker_id = $1
     union all select distinct 'transfer.voided', transfer_group_id::text, 1
       from app.movements where tracker_id = $1 and kind = 'transfer' and voided_at is not null
     union all select 'account.created', id::text, 1 from app.accounts where tracker_id = $1
     union all select 'cashbox.created', id::text, 1 from app.cashboxes where tracker_id = $1
     union all select 'category.created', id, 1 from app.categories where tracker_id = $1
     union all select 'budget.created', id::text, 1 from app.budgets where tracker_id = $1
     union all select 'budget_line.added', id::text, 1 from app.budget_lines where tracker_id = $1`,
    [trackerId],
  );
  // The comparison is not in SQL: Citus cannot join the rows of the statement above with the changes of the mirror.
  const changes = new Map<string, number>();
  for (const { type, resourceId } of mirror.entries) {
    if (/^(?:account|cashbox|tracker)\.updated$/.test(type)) continue;
    const key = `${type} ${resourceId}`;
    changes.set(key, (changes.get(key) ?? 0) + 1);
  }
  const records = new Map(rows.map(({ type, id, times }) => [`${type} ${id}`, Number(times)]));
  return [...new Set([...changes.keys(), ...records.keys()])].filter((key) => changes.get(key) !== records.get(key))
    .length;
}

/** Returns the number of movements, transfers, accounts and cashboxes that differ between the mirror and a full read of the tracker. */
export async function countDifferingRecords(
  { owner, client }: { readonly owner: pg.Client; readonly client: FinancialClient },
  { trackerId, mirror }: Follower,
): Promise<number> {
  const movements = new Map<string, unknown>();
  const transferIds = new Set<string>();
  for await (const movement of client.movements.list({ includeVoided: true, limit: 200 })) {
    if (movement.transferGroupId === null) movements.set(`movement ${movement.id}`, movement);
    else transferIds.add(movement.transferGroupId);
  }
  const transfers = new Map<string, unknown>();
  for (const id of transferIds) transfers.set(`transfer ${id}`, await client.transfers.get(id));
  const { rows: named } = await owner.query<{ key: string; name: string; status: string }>(
    `select 'account ' || id as key, name, status from app.accounts where tracker_id = $1
     union all select 'cashbox ' || id, name, status from app.cashboxes where tracker_id = $1`,
    [trackerId],
  );
  const read = new Map<string, unknown>([...movements, ...transfers]);
  for (const { key, name, status } of named) read.set(key, { name, status });
  const mirrored = [...mirror.records]
    .filter(([key]) => /^(?:movement|transfer|account|cashbox) /.test(key))
    .map(([key, record]) => [key, nameOnly(key, record)] as const);
  return (
    mirrored.filter(([key, record]) => !isDeepStrictEqual(record, read.get(key))).length +
    Math.max(0, read.size - mirrored.length)
  );
}

/**
 * Reduces an account or cashbox to its name and status, because its other fields also change when another record is written. Returns
 * other records unchanged.
 */
function nameOnly(key: string, record: object): unknown {
  if (!/^(?:account|cashbox) /.test(key)) return record;
  const { name, status } = record as { readonly name: string; readonly status: string };
  return { name, status };
}
