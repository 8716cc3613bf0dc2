import { query } from '../../database/query.js';
import type { ContextValue, IdQuery } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { lockAccountsInUseSql } from '../accounts/index.js';
import { type MovementRow, subtractVoidedSql } from '../movements/index.js';
import type { CreateTransferFacts, TransferPlan, TransferSideFacts } from './transfers.rules.js';
import type { TransferLegs } from './transfers.view.js';

const legColumns = `m.tracker_id, m.id, m.type, m.kind, m.amount, m.currency_code, m.account_id, m.cashbox_id, m.category_id,
  m.occurred_on, m.description, m.merchant_name, m.transfer_group_id, m.external_id, m.source_type, m.source_id, m.version,
  m.voided_at, m.created_at, m.updated_at`;

/** Loads both accounts of a transfer with their cashboxes, in one statement. */
export async function loadCreateTransferFacts(
  tx: Transaction,
  names: { readonly trackerId: string | ContextValue; readonly fromAccountId: string; readonly toAccountId: string },
): Promise<CreateTransferFacts> {
  const rows = await query<{ facts: TransferSideFacts }>(
    tx,
    `select ${lockAccountsInUseSql('fromAccountId', 'toAccountId')} as held, json_build_object('id', a.id, 'currencyCode', a.currency_code, 'cashboxes', (
       select coalesce(json_agg(json_build_object('id', c.id, 'isEligible', c.status = 'active' and a.status = 'active')
         order by c.created_at, c.id), '[]')
       from app.cashboxes c where c.tracker_id = :trackerId and c.account_id = a.id)) as facts
     from app.accounts a
     where a.tracker_id = :trackerId and a.id in (:fromAccountId, :toAccountId)`,
    names,
  );
  const find = (id: string) => rows.find(({ facts }) => facts.id === id)?.facts ?? null;
  return { from: find(names.fromAccountId), to: find(names.toAccountId) };
}

/**
 * Inserts a transfer with both legs and changes both balances, in one statement. The cashboxes are locked in the order of their
 * ids, so that concurrent transfers in opposite directions do not deadlock.
 * @returns the outgoing leg, then the incoming leg; undefined if a cashbox or account was archived after it was chosen
 */
export async function insertTransfer(
  tx: Transaction,
  transfer: TransferPlan & {
    readonly id: string;
    readonly trackerId: string;
    readonly outgoingId: string;
    readonly incomingId: string;
    readonly source: { readonly type: 'user' | 'integration_client'; readonly id: string };
  },
): Promise<TransferLegs | undefined> {
  const { source, ...plan } = transfer;
  const rows = await query<MovementRow>(
    tx,
    `with locked as materialized (
       select c.id from app.cashboxes c
       where c.tracker_id = :trackerId and c.id in (:fromCashboxId, :toCashboxId) and c.status = 'active' and exists (
         select 1 from app.accounts a where a.tracker_id = c.tracker_id and a.id = c.account_id and a.status = 'active')
       order by c.id for update
     ), both_active as materialized (
       select count(*) = 2 as holds from locked
     ), moved as (
       update app.cashboxes c
       set balance = c.balance + case when c.id = :toCashboxId then cast(:amountDecimal as numeric)
         else -cast(:amountDecimal as numeric) end,
         expense_count = c.expense_count + case when c.id = :fromCashboxId then 1 else 0 end,
         income_count = c.income_count + case when c.id = :toCashboxId then 1 else 0 end
       from both_active
       where both_active.holds and c.tracker_id = :trackerId and c.id in (:fromCashboxId, :toCashboxId)
       returning c.id
     ), grouped as (
       insert into app.transfers (tracker_id, id) select :trackerId, :id from both_active where both_active.holds
       returning id
     )
     insert into app.movements as m (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, occurred_on,
       description, transfer_group_id, source_type, source_id)
     select cast(:trackerId as uuid), leg.id, leg.type, 'transfer', cast(:amountDecimal as numeric), :currencyCode,
       leg.account_id, leg.cashbox_id, cast(:occurredOn as date), :description, cast(:id as uuid), :sourceType,
       cast(:sourceId as uuid)
     from (values
       (cast(:outgoingId as uuid), 'expense', cast(:fromAccountId as uuid), cast(:fromCashboxId as uuid)),
       (cast(:incomingId as uuid), 'income', cast(:toAccountId as uuid), cast(:toCashboxId as uuid))
     ) as leg (id, type, account_id, cashbox_id)
     join moved on moved.id = leg.cashbox_id
     returning ${legColumns}`,
    { ...plan, sourceType: source.type, sourceId: source.id },
  );
  return orderLegs(rows);
}

/** Finds both legs of a transfer, the outgoing leg first. */
export async function findTransferLegs(
  tx: Transaction,
  key: { readonly trackerId: string | ContextValue; readonly groupId: string },
): Promise<TransferLegs | undefined> {
  const rows = await query<MovementRow>(
    tx,
    `select ${legColumns} from app.movements m where m.tracker_id = :trackerId and m.transfer_group_id = :groupId`,
    key,
  );
  return orderLegs(rows);
}

/** Lists both legs of the transfers with the given ids, the outgoing leg of each transfer first. */
export async function listTransferLegsById(
  tx: Transaction,
  { trackerId, ids }: { readonly trackerId: string | ContextValue; readonly ids: IdQuery },
): Promise<TransferLegs[]> {
  const rows = await query<MovementRow>(
    tx,
    `select ${legColumns} from app.movements m where m.tracker_id = :trackerId and m.transfer_group_id = any (array(${ids.sql}))`,
    { ...ids.bindings, trackerId },
  );
  const legsOf = new Map<string | null, MovementRow[]>();
  for (const leg of rows) legsOf.set(leg.transfer_group_id, [...(legsOf.get(leg.transfer_group_id) ?? []), leg]);
  return [...legsOf.values()].flatMap((legs) => {
    const ordered = orderLegs(legs);
    return ordered === undefined ? [] : [ordered];
  });
}

/**
 * Voids both legs of a transfer and removes their amounts from both balances, in one statement. The cashboxes are locked in the
 * order of their ids, as in {@link insertTransfer}. The status of cashboxes and accounts does not matter.
 * @returns the outgoing leg, then the incoming leg; undefined if a concurrent void committed first
 */
export async function voidTransfer(
  tx: Transaction,
  [outgoing, incoming]: TransferLegs,
): Promise<TransferLegs | undefined> {
  const rows = await query<MovementRow>(
    tx,
    `with locked as materialized (
       select c.id from app.cashboxes c
       where c.tracker_id = :trackerId and c.id in (:fromCashboxId, :toCashboxId)
       order by c.id for update
     ), both_locked as materialized (
       select count(*) = 2 as holds from locked
     ), voided as (
       update app.movements m
       set voided_at = now(), version = m.version + 1, updated_at = now()
       from both_locked
       where both_locked.holds and m.tracker_id = :trackerId and m.transfer_group_id = :groupId and m.voided_at is null
       returning ${legColumns}
     ), moved as (
       update app.cashboxes c
       set ${subtractVoidedSql}
       from voided
       where c.tracker_id = :trackerId and c.id = voided.cashbox_id
     )
     select * from voided`,
    {
      trackerId: outgoing.tracker_id,
      groupId: outgoing.transfer_group_id,
      fromCashboxId: outgoing.cashbox_id,
      toCashboxId: incoming.cashbox_id,
    },
  );
  return orderLegs(rows);
}

function orderLegs(rows: readonly MovementRow[]): TransferLegs | undefined {
  const outgoing = rows.find(({ type }) => type === 'expense');
  const incoming = rows.find(({ type }) => type === 'income');
  return outgoing === undefined || incoming === undefined ? undefined : [outgoing, incoming];
}
