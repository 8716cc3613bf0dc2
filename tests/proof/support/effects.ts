import type pg from 'pg';

/**
 * For each kind of write with an idempotency key, an SQL statement that returns one row for each effect in the database. The row contains
 * the marker, the id of the record, and the number of times that the write took effect. The marker is a unique text in the record, and
 * also the idempotency key of the write.
 */
const effectsOfKinds = {
  'an expense': `select description as marker, id::text, 1 as times from app.movements where kind = 'regular' and version = 1`,
  // A transfer that does not have two legs counts as 100, so that it cannot be confused with no transfer or two transfers.
  'a transfer': `select min(description) as marker, transfer_group_id::text as id, case count(*) when 2 then 1 else 100 end as times
    from app.movements where kind = 'transfer' group by transfer_group_id`,
  // Each successful correction creates one version, so version 2 is the first correction.
  'a correction': `select description as marker, id::text, version - 1 as times from app.movements where version > 1`,
  'a category': `select name as marker, id, 1 as times from app.categories`,
  'a budget': `select name as marker, id::text, 1 as times from app.budgets`,
  'a line of a budget': `select note as marker, id::text, 1 as times from app.budget_lines`,
} as const;

export type Kind = keyof typeof effectsOfKinds;
export const kinds = Object.keys(effectsOfKinds) as [Kind, ...Kind[]];

const effects = {
  ...effectsOfKinds,
  // The movements to which the corrections are applied. The merchant is the marker, because a correction changes the description.
  'an income': `select merchant_name as marker, id::text, 1 as times from app.movements where type = 'income' and kind = 'regular'`,
} as const;

/** A kind of write, or `an income`: the write of the movement that is corrected later. */
export type Effect = keyof typeof effects;

/** Returns the number of effects of the write with this marker, which must be 1. Reads as a superuser, without row-level security. */
export async function countEffects(ownerConnection: pg.ClientBase, { kind, marker }: { kind: Kind; marker: string }) {
  const { rows } = await ownerConnection.query<{ times: number }>(
    `select coalesce(sum(times), 0)::int as times from (${effects[kind]}) as effects where marker = $1`,
    [marker],
  );
  return rows[0]?.times ?? 0;
}

/** For each kind of effect and each marker, the id of the record that the server returned to the client. */
export type AcknowledgedIds = ReadonlyMap<Effect, ReadonlyMap<string, string>>;

/** The differences between the database and the responses. */
export interface Findings {
  readonly lost: number;
  readonly duplicated: number;
  /** Transfers that do not have exactly two legs. */
  readonly withoutTwoLegs: number;
  /** Writes whose id in the responses differs from the id in the database. */
  readonly withOtherId: number;
  /** Writes whose key is not stored, or that do not have exactly one audit record. */
  readonly unrecorded: number;
  /** Cashboxes whose balance is not the opening balance plus the sum of their movements. */
  readonly drifted: number;
  /** The difference between the change of all balances and the sum of the acknowledged writes, in cents. */
  readonly unexplainedCents: number;
}

/** Compares all responses to the clients with the database, with one statement for each kind and one for the balances. */
export async function findViolations(ownerConnection: pg.ClientBase, acknowledged: AcknowledgedIds): Promise<Findings> {
  const found = { lost: 0, duplicated: 0, withoutTwoLegs: 0, withOtherId: 0, unrecorded: 0 };
  for (const [kind, idByMarker] of acknowledged) {
    const { rows } = await ownerConnection.query<typeof found>(
      `select count(*) filter (where coalesce(done.times, 0) = 0)::int as lost,
         count(*) filter (where done.times between 2 and 99)::int as duplicated,
         count(*) filter (where done.times >= 100)::int as "withoutTwoLegs",
         count(*) filter (where done.times = 1 and done.id <> acknowledged.id)::int as "withOtherId",
         count(*) filter (where keys.key is null or audits.audits is distinct from 1)::int as unrecorded
       from unnest($1::text[], $2::text[]) as acknowledged (marker, id)
       left join (select marker, min(id) as id, sum(times) as times from (${effects[kind]}) as effects group by marker) as done
         on done.marker = acknowledged.marker
       left join app.idempotency_keys as keys on keys.key = acknowledged.marker
       left join (select request_id, count(*) as audits from app.recorded_events group by request_id) as audits
         on audits.request_id = keys.request_id`,
      [[...idByMarker.keys()], [...idByMarker.values()]],
    );
    for (const finding of Object.keys(found) as (keyof typeof found)[]) found[finding] += rows[0]?.[finding] ?? 0;
  }
  return { ...found, ...(await recomputeBalances(ownerConnection, acknowledged)) };
}

/** Recomputes each balance from its movements, and the change of all balances from the requests of the clients. */
async function recomputeBalances(
  ownerConnection: pg.ClientBase,
  acknowledged: AcknowledgedIds,
): Promise<Pick<Findings, 'drifted' | 'unexplainedCents'>> {
  const countOf = (kind: Kind) => acknowledged.get(kind)?.size ?? 0;
  // An expense is 1.00, a corrected income is 4.00, and a transfer leaves the sum unchanged.
  const requestedCents = 400 * countOf('a correction') - 100 * countOf('an expense');
  const { rows } = await ownerConnection.query<{ drifted: number; cents: number }>(
    `select count(*) filter (where balance <> opening_balance + coalesce(total, 0))::int as drifted,
       abs(100 * sum(balance - opening_balance) - $1)::int as cents
     from app.cashboxes
     left join (
       select cashbox_id, sum(case type when 'income' then amount else -amount end) as total
       from app.movements group by cashbox_id
     ) as moved on moved.cashbox_id = cashboxes.id`,
    [requestedCents],
  );
  return { drifted: rows[0]?.drifted ?? 0, unexplainedCents: rows[0]?.cents ?? 0 };
}
