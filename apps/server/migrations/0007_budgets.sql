create table app.budgets (
  tracker_id uuid not null references app.trackers (id),
  id uuid not null,
  name text not null,
  mode text not null check (mode in ('tracking', 'planning')),
  currency_code app.currency_code not null,
  period_start app.calendar_date not null,
  period_end app.calendar_date not null check (period_end >= period_start),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint budgets_pkey primary key (tracker_id, id)
);

create table app.budget_lines (
  tracker_id uuid not null,
  id uuid not null,
  budget_id uuid not null,
  category_id text not null,
  type app.movement_type not null,
  planned numeric(19, 4) not null check (planned >= 0 and planned < 1e15),
  note app.text_of_500,
  created_at timestamptz(3) not null default now(),
  constraint budget_lines_pkey primary key (tracker_id, id),
  constraint budget_lines_category_key unique (tracker_id, budget_id, category_id, type),
  constraint budget_lines_budget_fkey foreign key (tracker_id, budget_id) references app.budgets (tracker_id, id),
  constraint budget_lines_category_fkey foreign key (tracker_id, category_id)
    references app.categories_in_use (tracker_id, category_id)
);

-- GET /categories: checks whether a budget of the tracker uses a category of another user. If so, the tracker's members see the
-- name of that category.
create index budget_lines_by_category on app.budget_lines (tracker_id, category_id, id);

alter table app.budgets enable row level security;
alter table app.budgets force row level security;
alter table app.budget_lines enable row level security;
alter table app.budget_lines force row level security;

create policy budgets_inside on app.budgets to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
create policy budget_lines_inside on app.budget_lines to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());

grant select, insert, update (updated_at) on app.budgets to centavo_app;
grant select, insert on app.budget_lines to centavo_app;
