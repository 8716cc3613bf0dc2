create table app.accounts (
  tracker_id uuid not null references app.trackers (id),
  id uuid not null,
  name text not null,
  type text not null check (type in ('cash', 'checking', 'savings', 'credit_card', 'loan', 'investment', 'other')),
  currency_code app.currency_code not null,
  status app.active_status not null default 'active',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint accounts_pkey primary key (tracker_id, id)
);

create table app.cashboxes (
  tracker_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  name text not null,
  status app.active_status not null default 'active',
  opening_balance app.opening_balance not null,
  -- Opening balance + income − expense, changed in the transaction of each movement.
  balance app.balance not null,
  -- The number of movements of each type, legs of transfers included, so that the total of a list does not read the whole
  -- history. The update of the balance changes them too; `centavo-server check` counts the movements and compares.
  expense_count app.row_count not null default 0,
  income_count app.row_count not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint cashboxes_pkey primary key (tracker_id, id),
  constraint cashboxes_account_key unique (tracker_id, account_id, id),
  constraint cashboxes_account_fkey foreign key (tracker_id, account_id) references app.accounts (tracker_id, id)
);

alter table app.accounts enable row level security;
alter table app.accounts force row level security;
alter table app.cashboxes enable row level security;
alter table app.cashboxes force row level security;

create policy accounts_inside on app.accounts to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
create policy cashboxes_inside on app.cashboxes to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
-- `centavo-server check` reads the balances of all trackers as centavo_definer.
create policy accounts_for_definer on app.accounts for select to centavo_definer using (true);
create policy cashboxes_for_definer on app.cashboxes for select to centavo_definer using (true);

grant select, insert, update (name, status, updated_at) on app.accounts to centavo_app;
grant select, insert, update (name, status, balance, expense_count, income_count, updated_at) on app.cashboxes to centavo_app;
grant select on app.accounts, app.cashboxes to centavo_definer;
