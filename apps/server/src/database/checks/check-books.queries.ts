import { assumeRole, query } from '../query.js';
import type { Transaction } from '../transaction.js';

/** The result of a check of balances, counts and transfers. */
export interface BooksReport {
  readonly cashboxCount: number;
  readonly transferCount: number;
  /** One sentence for each contradiction, with the ids of the tracker and the record. */
  readonly contradictions: readonly string[];
}

// The check reads all movements, so it may take a long time. Only the operator waits for it.
const oneDay = { answerMsMax: 86_400_000 };

/**
 * Recomputes each balance and count from the movements, checks both legs of each transfer, and returns the contradictions. A balance is the
 * opening balance plus incomes minus expenses, without voided movements. A transfer is one expense and one income of the same amount and
 * currency on the same day. Either both legs were voided at the same time, or neither is voided.
 * @source docs/contract.md, sections 3 and 10
 */
export async function checkBooks(tx: Transaction): Promise<BooksReport> {
  await assumeRole(tx, 'centavo_definer');
  const [counted] = await query<{ cashboxes: number; transfers: number }>(
    tx,
    `select (select count(*)::int from app.cashboxes) as cashboxes, (select count(*)::int from app.transfers) as transfers`,
    {},
    oneDay,
  );
  const cashboxes = await query<CashboxDrift>(
    tx,
    `select c.tracker_id, c.id, c.balance, c.opening_balance + coalesce(m.total, 0) as expected, c.expense_count, c.income_count,
       c.voided_expense_count, c.voided_income_count, coalesce(m.expenses, 0) as expenses, coalesce(m.incomes, 0) as incomes,
       coalesce(m.voided_expenses, 0) as voided_expenses, coalesce(m.voided_incomes, 0) as voided_incomes
     from app.cashboxes c
     left join (
       select tracker_id, cashbox_id,
         sum(case when type = 'income' then amount else -amount end) filter (where voided_at is null) as total,
         count(*) filter (where type = 'expense' and voided_at is null) as expenses,
         count(*) filter (where type = 'income' and voided_at is null) as incomes,
         count(*) filter (where type = 'expense' and voided_at is not null) as voided_expenses,
         count(*) filter (where type = 'income' and voided_at is not null) as voided_incomes
       from app.movements group by tracker_id, cashbox_id
     ) m on m.tracker_id = c.tracker_id and m.cashbox_id = c.id
     where c.balance is distinct from c.opening_balance + coalesce(m.total, 0)
       or c.expense_count <> coalesce(m.expenses, 0) or c.income_count <> coalesce(m.incomes, 0)
       or c.voided_expense_count <> coalesce(m.voided_expenses, 0) or c.voided_income_count <> coalesce(m.voided_incomes, 0)
     order by c.tracker_id, c.id`,
    {},
    oneDay,
  );
  const transfers = await query<{ tracker_id: string; id: string; legs: number }>(
    tx,
    `select t.tracker_id, t.id, count(m.id)::int as legs
     from app.transfers t
     left join app.movements m on m.tracker_id = t.tracker_id and m.transfer_group_id = t.id
     group by t.tracker_id, t.id
     having count(m.id) <> 2 or count(distinct m.type) <> 2 or count(distinct (m.amount, m.currency_code, m.occurred_on, m.voided_at)) <> 1
     order by t.tracker_id, t.id`,
    {},
    oneDay,
  );
  return {
    cashboxCount: counted?.cashboxes ?? 0,
    transferCount: counted?.transfers ?? 0,
    contradictions: [
      ...cashboxes.flatMap(describeDrift),
      ...transfers.map(
        (row) =>
          `Tracker ${row.tracker_id}, transfer ${row.id}: its ${row.legs} movements are not one expense and one matching income.`,
      ),
    ],
  };
}

/** A cashbox whose balance or counts contradict its movements. Counts are strings, because the driver returns a bigint as a string. */
interface CashboxDrift {
  readonly tracker_id: string;
  readonly id: string;
  readonly balance: string;
  readonly expected: string;
  readonly expense_count: string;
  readonly income_count: string;
  readonly expenses: string;
  readonly incomes: string;
  readonly voided_expense_count: string;
  readonly voided_income_count: string;
  readonly voided_expenses: string;
  readonly voided_incomes: string;
}

function describeDrift(row: CashboxDrift): string[] {
  const cashbox = `Tracker ${row.tracker_id}, cashbox ${row.id}`;
  const areCountsCorrect = row.expense_count === row.expenses && row.income_count === row.incomes;
  const areVoidedCountsCorrect =
    row.voided_expense_count === row.voided_expenses && row.voided_income_count === row.voided_incomes;
  return [
    ...(row.balance === row.expected
      ? []
      : [`${cashbox}: the balance is ${row.balance}, but opening balance and movements add up to ${row.expected}.`]),
    ...(areCountsCorrect
      ? []
      : [
          `${cashbox}: it stores the counts ${row.expense_count} and ${row.income_count} for expenses and incomes, but there are ${row.expenses} and ${row.incomes}.`,
        ]),
    ...(areVoidedCountsCorrect
      ? []
      : [
          `${cashbox}: it stores the counts ${row.voided_expense_count} and ${row.voided_income_count} for voided expenses and voided incomes, but there are ${row.voided_expenses} and ${row.voided_incomes}.`,
        ]),
  ];
}
