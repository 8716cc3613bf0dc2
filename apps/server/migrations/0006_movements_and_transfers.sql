-- Groups the two movements of a transfer. Amount, date and description are in these movements, and never change. The
-- table has no foreign key to trackers. The key would cost a query and a lock on the row of the tracker for each insert, and
-- the reference is valid without it. A policy accepts only rows of the tracker in the request context, whose membership
-- refers to the tracker. The cashboxes of the two movements refer to the tracker by their account. No role that serves
-- requests may delete a tracker, and other roles cannot delete a tracker with accounts, members or categories.
create table app.transfers (
  tracker_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint transfers_pkey primary key (tracker_id, id)
);

create table app.movements (
  tracker_id uuid not null,
  id uuid not null,
  type app.movement_type not null,
  kind app.movement_kind not null,
  amount app.movement_amount not null,
  currency_code text not null,
  account_id uuid not null,
  cashbox_id uuid not null,
  category_id text,
  occurred_on app.calendar_date not null,
  description app.text_of_500,
  merchant_name app.text_of_200,
  transfer_group_id uuid,
  source_type app.source_type not null,
  source_id uuid not null,
  version integer not null default 1,
  -- Milliseconds, as in the API, so that a cursor holds exactly the value by which rows are sorted.
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint movements_pkey primary key (tracker_id, id),
  constraint movements_cashbox_fkey foreign key (tracker_id, account_id, cashbox_id)
    references app.cashboxes (tracker_id, account_id, id),
  constraint movements_category_fkey foreign key (tracker_id, category_id)
    references app.categories_in_use (tracker_id, category_id),
  constraint movements_transfer_fkey foreign key (tracker_id, transfer_group_id) references app.transfers (tracker_id, id),
  check ((kind = 'transfer') = (transfer_group_id is not null)),
  check ((kind = 'transfer') = (category_id is null))
);

-- Every index makes each insert slower, so each index exists for the query that its comment names.

-- GET /movements. The order is total, because the id breaks the last tie.
create index movements_by_date on app.movements (tracker_id, occurred_on desc, created_at desc, id desc);
-- GET /movements?accountId
create index movements_by_account on app.movements (tracker_id, account_id, occurred_on desc, created_at desc, id desc);
-- GET /movements?categoryId
create index movements_by_category on app.movements (tracker_id, category_id, occurred_on desc, created_at desc, id desc);
-- GET /movements?cashboxId: without this index, PostgreSQL searches the whole history for a cashbox with few movements.
create index movements_by_cashbox on app.movements (tracker_id, cashbox_id, occurred_on desc, created_at desc, id desc);
-- GET /movements?kind=transfer: many trackers have few transfers, or none. Inserts of other movements do not change this
-- index.
create index movements_of_transfers on app.movements (tracker_id, occurred_on desc, created_at desc, id desc)
  where kind = 'transfer';
-- A transfer has one outgoing and one incoming movement, never two of a type.
create unique index movements_leg_key on app.movements (tracker_id, transfer_group_id, type)
  where transfer_group_id is not null;

-- The planner assumes that columns are independent. An account belongs to one tracker, so a filter by tracker and account
-- selects the same rows as a filter by the account alone. The same holds for a category. Without these statistics, the planner's
-- estimate is a third of the actual number of rows.
create statistics app.movements_of_account (dependencies) on tracker_id, account_id from app.movements;
create statistics app.movements_of_category (dependencies) on tracker_id, category_id from app.movements;

alter table app.transfers enable row level security;
alter table app.transfers force row level security;
alter table app.movements enable row level security;
alter table app.movements force row level security;

create policy transfers_inside on app.transfers to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
create policy movements_inside on app.movements to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
-- `centavo-server check` adds up the movements of all trackers as centavo_definer.
create policy transfers_for_definer on app.transfers for select to centavo_definer using (true);
create policy movements_for_definer on app.movements for select to centavo_definer using (true);

grant select, insert on app.transfers to centavo_app;
grant select, insert, update (amount, category_id, description, merchant_name, version, updated_at) on app.movements
  to centavo_app;
grant select on app.movements, app.transfers to centavo_definer;
