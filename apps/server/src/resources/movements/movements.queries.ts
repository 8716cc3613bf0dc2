import { StaleRead, violatedConstraint, violatesNotNull } from '../../database/errors.js';
import { query } from '../../database/query.js';
import type { ContextValue, IdQuery } from '../../database/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { lockAccountsInUseSql } from '../accounts/index.js';
import { type CategoryFacts, directlyVisibleCategorySql } from '../categories/index.js';
import type { CorrectionPlan } from './decide-correction.js';
import type { CreateMovementFacts } from './decide-movement.js';
import type { MovementRow } from './movements.view.js';

const columns = `tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id, occurred_on,
  description, merchant_name, transfer_group_id, external_id, source_type, source_id, version, voided_at, created_at, updated_at`;

/**
 * Loads the facts that `decideMovement` needs, in one statement.
 * @returns the facts; `category` is null unless {@link directlyVisibleCategorySql} finds it
 */
export async function loadCreateMovementFacts(
  tx: Transaction,
  names: {
    readonly trackerId: string | ContextValue;
    readonly userId: string | ContextValue;
    readonly accountId: string;
    readonly categoryId: string;
    readonly externalId: string | null;
  },
): Promise<CreateMovementFacts & { readonly isCategoryInUse: boolean }> {
  const [row] = await query<{
    readonly account: (CreateMovementFacts['account'] & Pick<CreateMovementFacts, 'cashboxes'>) | null;
    readonly category: (CategoryFacts & { readonly isInUse: boolean }) | null;
    readonly movement_with_external_id?: string | null;
  }>(
    tx,
    `select ${lockAccountsInUseSql('accountId')} as held,
       (select json_build_object('id', a.id, 'currencyCode', a.currency_code, 'cashboxes', (
          select coalesce(json_agg(json_build_object('id', c.id, 'isEligible', c.status = 'active' and a.status = 'active')
            order by c.created_at, c.id), '[]')
          from app.cashboxes c where c.tracker_id = :trackerId and c.account_id = :accountId))
        from app.accounts a where a.tracker_id = :trackerId and a.id = :accountId) as account,
       (select json_build_object('id', c.id, 'kind', c.kind, 'status', c.status, 'isInUse', exists (
          select from app.categories_in_use u where u.tracker_id = :trackerId and u.category_id = c.id))
        from app.categories c where c.id = :categoryId and ${directlyVisibleCategorySql}) as category
       ${names.externalId === null ? '' : selectMovementWithExternalIdSql}`,
    names,
  );
  const { account = null, category = null, movement_with_external_id: movementWithExternalId = null } = row ?? {};
  const cashboxes = account?.cashboxes ?? [];
  return { account, cashboxes, category, isCategoryInUse: category?.isInUse === true, movementWithExternalId };
}

const selectMovementWithExternalIdSql = `, (select m.id from app.movements m
         where m.tracker_id = :trackerId and m.account_id = :accountId and m.external_id = :externalId
           and m.voided_at is null) as movement_with_external_id`;

const insertCategoryInUseSql = `, used as (
       insert into app.categories_in_use (tracker_id, category_id) values (:tracker_id, :category_id) on conflict do nothing
     )`;

/**
 * Inserts a movement and changes the balance of its cashbox, in one statement. The row lock of the cashbox serializes its movements. The
 * caller knows all values of the row and need not await the result, so the statement can be sent in the same batch as COMMIT. If the
 * cashbox or its account is archived, the statement sets the balance to null, so that the not-null constraint of the column rejects the
 * write. No CTE reads the result of another CTE, because Citus would then have to move rows between nodes.
 * @param options.isCategoryInUse whether the tracker already uses the category; a category that is in use stays in use
 * @throws StaleRead when the cashbox or account was archived, or the external id was used, after the facts were loaded
 */
export async function insertMovement(
  tx: Transaction,
  row: MovementRow,
  { isCategoryInUse }: { readonly isCategoryInUse: boolean },
): Promise<void> {
  await query(
    tx,
    `with moved as (
       update app.cashboxes
       set balance = case when status = 'active' and exists (
           select 1 from app.accounts where tracker_id = :tracker_id and id = :account_id and status = 'active')
           then balance + case when :type = 'income' then cast(:amount as numeric) else -cast(:amount as numeric) end end,
         expense_count = expense_count + case when :type = 'expense' then 1 else 0 end,
         income_count = income_count + case when :type = 'income' then 1 else 0 end
       where tracker_id = :tracker_id and id = :cashbox_id
     )${isCategoryInUse ? '' : insertCategoryInUseSql}
     insert into app.movements (${columns})
     values (:tracker_id, :id, :type, :kind, cast(:amount as numeric), :currency_code, :account_id, :cashbox_id,
       :category_id, cast(:occurred_on as date), :description, :merchant_name, :transfer_group_id, :external_id, :source_type,
       :source_id, :version, :voided_at, cast(:created_at as timestamptz), cast(:updated_at as timestamptz))`,
    { ...row },
  ).catch(toStaleRead);
}

/**
 * Handles the error of a statement that inserts movements: throws StaleRead for an expected conflict, and rethrows any other error.
 * @throws StaleRead when a cashbox or account was archived, or an external id was used, after the facts were loaded
 */
export function toStaleRead(error: unknown): never {
  // If a cashbox or its account is archived, the statement sets the balance to null. The not-null constraint of the column rejects this,
  // and PostgreSQL undoes the whole statement.
  const isStale = violatesNotNull(error, 'balance') || violatedConstraint(error) === 'movements_external_id_key';
  throw isStale ? new StaleRead() : error;
}

/** Finds a movement of the tracker. */
export async function findMovement(
  tx: Transaction,
  key: { readonly trackerId: string | ContextValue; readonly id: string },
): Promise<MovementRow | undefined> {
  const [row] = await query<MovementRow>(
    tx,
    `select ${columns} from app.movements where tracker_id = :trackerId and id = :id`,
    { ...key },
    { isLastRead: true },
  );
  return row;
}

/** Lists those movements of a tracker that have the given ids, voided ones included. */
export async function listMovementsById(
  tx: Transaction,
  { trackerId, ids }: { readonly trackerId: string | ContextValue; readonly ids: IdQuery },
): Promise<MovementRow[]> {
  return query<MovementRow>(
    tx,
    `select ${columns} from app.movements where tracker_id = :trackerId and id = any (array(${ids.sql}))`,
    { ...ids.bindings, trackerId },
  );
}

/**
 * Updates a movement if it still has the version that was read, and changes the balance of its cashbox by the difference between the new
 * and the old amount.
 * @returns undefined if a concurrent correction or void committed first
 */
export async function updateMovement(
  tx: Transaction,
  correction: CorrectionPlan & { readonly current: MovementRow },
): Promise<MovementRow | undefined> {
  const { current } = correction;
  const [row] = await query<MovementRow>(
    tx,
    `with used as (
       insert into app.categories_in_use (tracker_id, category_id) values (:trackerId, :categoryId) on conflict do nothing
     ), corrected as (
       update app.movements
       set amount = cast(:amount as numeric), category_id = :categoryId, description = :description,
         merchant_name = :merchantName, version = version + 1, updated_at = now()
       where tracker_id = :trackerId and id = :id and version = :version
       returning ${columns}
     ), moved as (
       update app.cashboxes c
       set balance = c.balance + (cast(:amount as numeric) - cast(:amountBefore as numeric))
         * case when corrected.type = 'income' then 1 else -1 end
       from corrected
       where c.tracker_id = :trackerId and c.id = corrected.cashbox_id
     )
     select * from corrected`,
    {
      trackerId: current.tracker_id,
      id: current.id,
      version: current.version,
      amountBefore: current.amount,
      amount: correction.amount,
      categoryId: correction.categoryId,
      description: correction.description,
      merchantName: correction.merchantName,
    },
  );
  return row;
}

/**
 * Voids a movement if it still has the version that was read, and removes its amount from the balance of its cashbox. The status of cashbox
 * and account does not matter.
 * @returns undefined if a concurrent correction or void committed first
 */
export async function voidMovement(tx: Transaction, current: MovementRow): Promise<MovementRow | undefined> {
  const [row] = await query<MovementRow>(
    tx,
    `with voided as (
       update app.movements
       set voided_at = now(), version = version + 1, updated_at = now()
       where tracker_id = :trackerId and id = :id and version = :version and voided_at is null
       returning ${columns}
     ), moved as (
       update app.cashboxes c
       set ${subtractVoidedSql}
       from voided
       where c.tracker_id = :trackerId and c.id = voided.cashbox_id
     )
     select * from voided`,
    { trackerId: current.tracker_id, id: current.id, version: current.version },
  );
  return row;
}

/**
 * SQL assignments for an update of a cashbox (alias `c`) when one of its movements (alias `voided`) is voided. They remove the amount of
 * the movement from the balance, and count the movement as voided.
 */
export const subtractVoidedSql = `balance = c.balance - case when voided.type = 'income' then voided.amount else -voided.amount end,
         expense_count = c.expense_count - case when voided.type = 'expense' then 1 else 0 end,
         income_count = c.income_count - case when voided.type = 'income' then 1 else 0 end,
         voided_expense_count = c.voided_expense_count + case when voided.type = 'expense' then 1 else 0 end,
         voided_income_count = c.voided_income_count + case when voided.type = 'income' then 1 else 0 end`;
