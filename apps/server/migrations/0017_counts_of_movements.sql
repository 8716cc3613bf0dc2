-- How many movements of each type a cashbox has, legs of transfers too. They are kept with the balance, in the same update
-- of the same row, so that the total of a list need not read a whole history. `centavo-server check` counts anew.
alter table app.cashboxes
  add column expense_count bigint not null default 0 check (expense_count >= 0),
  add column income_count bigint not null default 0 check (income_count >= 0);

-- Policies bind the owner too, who is nobody's member and would count nothing.
alter table app.cashboxes no force row level security;
alter table app.movements no force row level security;

update app.cashboxes c
set expense_count = m.expenses, income_count = m.incomes
from (
  select tracker_id, cashbox_id, count(*) filter (where type = 'expense') as expenses,
    count(*) filter (where type = 'income') as incomes
  from app.movements group by tracker_id, cashbox_id
) m
where c.tracker_id = m.tracker_id and c.id = m.cashbox_id;

alter table app.cashboxes force row level security;
alter table app.movements force row level security;

grant update (expense_count, income_count) on app.cashboxes to centavo_app;
