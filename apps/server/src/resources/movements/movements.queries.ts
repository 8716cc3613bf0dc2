import type { ContextValue } from '../../database/context-value.js';
import type { Transaction } from '../../database/database.js';
import { StaleFacts, violatesNotNull } from '../../database/postgres-errors.js';
import { query } from '../../database/query.js';
import { lockAccountsInUseSql } from '../accounts/index.js';
import { type CategoryFacts, directlyVisibleCategorySql } from '../categories/index.js';
import type { CorrectionPlan } from './decide-correction.js';
import type { CreateMovementFacts } from './decide-movement.js';
import type { MovementRow } from './movements.view.js';

const columns = `tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id, occurred_on,
  description, merchant_name, transfer_group_id, source_type, source_id, version, created_at, updated_at`;

/**
 * Loads what the decision to record a movement needs, in one statement.
 * @returns a category only where the caller sees it whether it is used or not
 */
export async function loadCreateMovementFacts(
  tx: Transaction,
  names: {
    readonly trackerId: string | ContextValue;
    readonly userId: string | ContextValue;
    readonly accountId: string;
    readonly categoryId: string;
  },
): Promise<CreateMovementFacts & { readonly isCategoryInUse: boolean }> {
  const [row] = await query<{
    readonly account: (CreateMovementFacts['account'] & Pick<CreateMovementFacts, 'cashboxes'>) | null;
    readonly category: (CategoryFacts & { readonly isInUse: boolean }) | null;
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
        from app.categories c where c.id = :categoryId and ${directlyVisibleCategorySql}) as category`,
    names,
  );
  const { account = null, category = null } = row ?? {};
  return { account, cashboxes: account?.cashboxes ?? [], category, isCategoryInUse: category?.isInUse === true };
}

const andUsed = `, used as (
       insert into app.categories_in_use (tracker_id, category_id) values (:tracker_id, :category_id) on conflict do nothing
     )`;

/**
 * Records a movement and moves the balance of its cashbox, in one statement. The balance's row lock makes movements of one
 * cashbox follow each other, and an archived cashbox or account takes none. Everything in the row is known before, so that
 * nobody has to wait for it and it can travel with COMMIT. No part reads what another gives: where the tables are spread
 * over machines, that would have to be brought from one to the next.
 * @param options.isCategoryInUse whether the tracker is known to use its category, which is then for ever
 * @throws StaleFacts when cashbox or account was archived since it was chosen
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
     )${isCategoryInUse ? '' : andUsed}
     insert into app.movements (${columns})
     values (:tracker_id, :id, :type, :kind, cast(:amount as numeric), :currency_code, :account_id, :cashbox_id,
       :category_id, cast(:occurred_on as date), :description, :merchant_name, :transfer_group_id, :source_type, :source_id,
       :version, cast(:created_at as timestamptz), cast(:updated_at as timestamptz))`,
    { ...row },
  ).catch((error: unknown) => {
    // What is archived has no next balance, which its column refuses, and with it everything else is undone.
    throw violatesNotNull(error, 'balance') ? new StaleFacts() : error;
  });
}

/** The movement with this id in the tracker, or undefined. */
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

/**
 * Corrects a movement if it still has the version that was decided on, and moves the balance by the difference.
 * @returns undefined when another correction came first
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
