-- The schema after all migrations, for readers. Written by `node tools/run.mjs schema`; do not edit.

create schema app;
grant usage on schema app to centavo_app;
grant usage on schema app to centavo_definer;
grant usage on schema app to centavo_identity;

create schema identity;
grant usage on schema identity to centavo_definer;
grant usage on schema identity to centavo_identity;

create domain app.active_status as text CHECK ((VALUE = ANY (ARRAY['active'::text, 'archived'::text])));

create domain app.balance as numeric(28,4) CHECK (((VALUE > '-1000000000000000000000000'::numeric) AND (VALUE < '1000000000000000000000000'::numeric)));

create domain app.calendar_date as date CHECK (((VALUE >= '1900-01-01'::date) AND (VALUE < '10000-01-01'::date)));

create domain app.currency_code as text CHECK ((VALUE ~ '^[A-Z]{3}$'::text));

create domain app.external_id as text CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 200)));

create domain app.idempotency_key as text collate "C" CHECK (((octet_length(VALUE) >= 1) AND (octet_length(VALUE) <= 200)));

create domain app.member_role as text CHECK ((VALUE = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'viewer'::text])));

create domain app.movement_amount as numeric(19,4) CHECK (((VALUE > (0)::numeric) AND (VALUE < '1000000000000000'::numeric)));

create domain app.movement_kind as text CHECK ((VALUE = ANY (ARRAY['regular'::text, 'transfer'::text])));

create domain app.movement_type as text CHECK ((VALUE = ANY (ARRAY['expense'::text, 'income'::text])));

create domain app.opening_balance as numeric(19,4) CHECK (((VALUE > '-1000000000000000'::numeric) AND (VALUE < '1000000000000000'::numeric)));

create domain app.row_count as bigint CHECK ((VALUE >= 0));

create domain app.salt as bytea CHECK ((octet_length(VALUE) = 16));

create domain app.sha256_digest as bytea CHECK ((octet_length(VALUE) = 32));

create domain app.source_type as text CHECK ((VALUE = ANY (ARRAY['user'::text, 'integration_client'::text])));

create domain app.text_of_200 as text CHECK ((char_length(VALUE) <= 200));

create domain app.text_of_500 as text CHECK ((char_length(VALUE) <= 500));

create table app.accounts (
  tracker_id uuid not null,
  id uuid not null,
  name text not null,
  type text not null,
  currency_code app.currency_code not null,
  status app.active_status default 'active'::text not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  constraint accounts_pkey PRIMARY KEY (tracker_id, id),
  constraint accounts_type_check CHECK ((type = ANY (ARRAY['cash'::text, 'checking'::text, 'savings'::text, 'credit_card'::text, 'loan'::text, 'investment'::text, 'other'::text]))),
  constraint accounts_tracker_id_fkey FOREIGN KEY (tracker_id) REFERENCES app.trackers(id)
);
alter table app.accounts enable row level security;
alter table app.accounts force row level security;
create policy accounts_for_definer on app.accounts for select to centavo_definer
  using (true);
create policy accounts_inside on app.accounts for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
grant insert, select on app.accounts to centavo_app;
grant select on app.accounts to centavo_definer;
grant update (name, status, updated_at) on app.accounts to centavo_app;

create table app.audit_events (
  tracker_id uuid not null,
  id uuid not null,
  occurred_at timestamp(3) with time zone default now() not null,
  user_id uuid,
  credential_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  change jsonb,
  request_id uuid not null,
  insert_order bigint default nextval('app.event_order'::regclass),
  salt app.salt,
  change_digest app.sha256_digest,
  state_digest app.sha256_digest
);
CREATE INDEX audit_events_in_order ON app.audit_events USING btree (tracker_id, insert_order NULLS FIRST, id);
alter table app.audit_events enable row level security;
alter table app.audit_events force row level security;
create policy audit_events_inside on app.audit_events for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
create policy audit_events_numbered_by_definer on app.audit_events for all to centavo_definer
  using (true)
  with check (true);
grant delete, insert, select on app.audit_events to centavo_definer;
grant insert on app.audit_events to centavo_app;

create table app.budget_lines (
  tracker_id uuid not null,
  id uuid not null,
  budget_id uuid not null,
  category_id text not null,
  type app.movement_type not null,
  planned numeric(19,4) not null,
  note app.text_of_500,
  created_at timestamp(3) with time zone default now() not null,
  constraint budget_lines_pkey PRIMARY KEY (tracker_id, id),
  constraint budget_lines_category_key UNIQUE (tracker_id, budget_id, category_id, type),
  constraint budget_lines_planned_check CHECK (((planned >= (0)::numeric) AND (planned < '1000000000000000'::numeric))),
  constraint budget_lines_budget_fkey FOREIGN KEY (tracker_id, budget_id) REFERENCES app.budgets(tracker_id, id),
  constraint budget_lines_category_fkey FOREIGN KEY (tracker_id, category_id) REFERENCES app.categories_in_use(tracker_id, category_id)
);
CREATE INDEX budget_lines_by_category ON app.budget_lines USING btree (tracker_id, category_id, id);
alter table app.budget_lines enable row level security;
alter table app.budget_lines force row level security;
create policy budget_lines_for_definer on app.budget_lines for select to centavo_definer
  using (true);
create policy budget_lines_inside on app.budget_lines for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
grant insert, select on app.budget_lines to centavo_app;
grant select on app.budget_lines to centavo_definer;

create table app.budgets (
  tracker_id uuid not null,
  id uuid not null,
  name text not null,
  mode text not null,
  currency_code app.currency_code not null,
  period_start app.calendar_date not null,
  period_end app.calendar_date not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  constraint budgets_pkey PRIMARY KEY (tracker_id, id),
  constraint budgets_check CHECK (((period_end)::date >= (period_start)::date)),
  constraint budgets_mode_check CHECK ((mode = ANY (ARRAY['tracking'::text, 'planning'::text]))),
  constraint budgets_tracker_id_fkey FOREIGN KEY (tracker_id) REFERENCES app.trackers(id)
);
alter table app.budgets enable row level security;
alter table app.budgets force row level security;
create policy budgets_for_definer on app.budgets for select to centavo_definer
  using (true);
create policy budgets_inside on app.budgets for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
grant insert, select on app.budgets to centavo_app;
grant select on app.budgets to centavo_definer;
grant update (updated_at) on app.budgets to centavo_app;

create table app.cashboxes (
  tracker_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  name text not null,
  status app.active_status default 'active'::text not null,
  opening_balance app.opening_balance not null,
  balance app.balance not null,
  expense_count app.row_count default 0 not null,
  income_count app.row_count default 0 not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  voided_expense_count app.row_count default 0 not null,
  voided_income_count app.row_count default 0 not null,
  constraint cashboxes_pkey PRIMARY KEY (tracker_id, id),
  constraint cashboxes_account_key UNIQUE (tracker_id, account_id, id),
  constraint cashboxes_account_fkey FOREIGN KEY (tracker_id, account_id) REFERENCES app.accounts(tracker_id, id)
);
alter table app.cashboxes enable row level security;
alter table app.cashboxes force row level security;
create policy cashboxes_for_definer on app.cashboxes for select to centavo_definer
  using (true);
create policy cashboxes_inside on app.cashboxes for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
grant insert, select on app.cashboxes to centavo_app;
grant select on app.cashboxes to centavo_definer;
grant update (balance, expense_count, income_count, name, status, updated_at, voided_expense_count, voided_income_count) on app.cashboxes to centavo_app;

create table app.categories (
  id text not null,
  scope text not null,
  tracker_id uuid,
  user_id uuid,
  name text not null,
  name_folded text not null,
  kind text not null,
  parent_id text,
  status app.active_status default 'active'::text not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  constraint categories_pkey PRIMARY KEY (id),
  constraint categories_check CHECK (((scope = 'tracker'::text) = (tracker_id IS NOT NULL))),
  constraint categories_check1 CHECK (((scope = 'user'::text) = (user_id IS NOT NULL))),
  constraint categories_kind_check CHECK ((kind = ANY (ARRAY['expense'::text, 'income'::text, 'any'::text]))),
  constraint categories_scope_check CHECK ((scope = ANY (ARRAY['system'::text, 'tracker'::text, 'user'::text]))),
  constraint categories_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES app.categories(id),
  constraint categories_tracker_id_fkey FOREIGN KEY (tracker_id) REFERENCES app.trackers(id),
  constraint categories_user_id_fkey FOREIGN KEY (user_id) REFERENCES app.users(id)
);
CREATE INDEX categories_of_system ON app.categories USING btree (id) WHERE (scope = 'system'::text);
CREATE UNIQUE INDEX categories_name_in_tracker ON app.categories USING btree (tracker_id, name_folded) WHERE (scope = 'tracker'::text);
CREATE UNIQUE INDEX categories_name_of_user ON app.categories USING btree (user_id, name_folded) WHERE (scope = 'user'::text);
alter table app.categories enable row level security;
alter table app.categories force row level security;
create policy categories_created on app.categories for insert to centavo_app
  with check ((parent_id IS NULL OR app.sees_category(parent_id)) AND (scope = 'tracker'::text AND tracker_id = app.current_tracker() OR scope = 'user'::text AND user_id = app.current_user_id()));
create policy categories_for_definer on app.categories for all to centavo_definer
  using (true)
  with check (true);
create policy categories_seen on app.categories for select to centavo_app
  using (scope = 'system'::text OR tracker_id = app.current_tracker() OR user_id = app.current_user_id() OR scope = 'user'::text AND app.current_tracker() IS NOT NULL AND app.uses_category(id));
grant insert, select on app.categories to centavo_app;
grant select on app.categories to centavo_definer;

create table app.categories_in_use (
  tracker_id uuid not null,
  category_id text not null,
  constraint categories_in_use_pkey PRIMARY KEY (tracker_id, category_id),
  constraint categories_in_use_category_id_fkey FOREIGN KEY (category_id) REFERENCES app.categories(id),
  constraint categories_in_use_tracker_id_fkey FOREIGN KEY (tracker_id) REFERENCES app.trackers(id)
);
alter table app.categories_in_use enable row level security;
alter table app.categories_in_use force row level security;
create policy categories_in_use_added on app.categories_in_use for insert to centavo_app
  with check (tracker_id = app.current_tracker() AND app.sees_category(category_id));
create policy categories_in_use_for_definer on app.categories_in_use for all to centavo_definer
  using (true)
  with check (true);
create policy categories_in_use_inside on app.categories_in_use for select to centavo_app
  using (tracker_id = app.current_tracker());
grant insert, select on app.categories_in_use to centavo_app;
grant insert, select on app.categories_in_use to centavo_definer;

create table app.credentials (
  id uuid not null,
  user_id uuid not null,
  lineage_id uuid not null,
  kind text not null,
  name text not null,
  scopes text[] not null,
  access_mode text not null,
  tracker_ids uuid[] default '{}'::uuid[] not null,
  default_tracker_id uuid,
  active_tracker_id uuid,
  secret_sha256 app.sha256_digest not null,
  secret_last4 text not null,
  expires_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  rotated_from uuid,
  created_at timestamp(3) with time zone default now() not null,
  constraint credentials_pkey PRIMARY KEY (id),
  constraint credentials_secret_key UNIQUE (secret_sha256),
  constraint credentials_access_mode_check CHECK ((access_mode = ANY (ARRAY['selected'::text, 'all_managed'::text, 'all_memberships'::text]))),
  constraint credentials_check CHECK (((access_mode = 'selected'::text) = (cardinality(tracker_ids) > 0))),
  constraint credentials_kind_check CHECK ((kind = ANY (ARRAY['secure'::text, 'legacy'::text, 'integration_client'::text]))),
  constraint credentials_scopes_check CHECK ((cardinality(scopes) > 0)),
  constraint credentials_secret_last4_check CHECK ((char_length(secret_last4) = 4)),
  constraint credentials_active_tracker_id_fkey FOREIGN KEY (active_tracker_id) REFERENCES app.trackers(id),
  constraint credentials_default_tracker_id_fkey FOREIGN KEY (default_tracker_id) REFERENCES app.trackers(id),
  constraint credentials_rotated_from_fkey FOREIGN KEY (rotated_from) REFERENCES app.credentials(id),
  constraint credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES app.users(id)
);
CREATE INDEX credentials_by_user ON app.credentials USING btree (user_id, created_at DESC);
alter table app.credentials enable row level security;
alter table app.credentials force row level security;
create policy credentials_for_definer on app.credentials for all to centavo_definer
  using (true)
  with check (true);
create policy credentials_of_their_owner on app.credentials for all to centavo_app
  using (user_id = app.current_user_id())
  with check (user_id = app.current_user_id());
grant insert, select on app.credentials to centavo_app;
grant select on app.credentials to centavo_definer;
grant update (active_tracker_id, default_tracker_id, revoked_at) on app.credentials to centavo_app;
grant update (last_used_at) on app.credentials to centavo_definer;

create table app.event_heads (
  tracker_id uuid not null,
  sequence bigint not null,
  hash app.sha256_digest not null,
  floor_sequence bigint not null,
  floor_hash app.sha256_digest not null,
  constraint event_heads_pkey PRIMARY KEY (tracker_id)
);
alter table app.event_heads enable row level security;
alter table app.event_heads force row level security;
create policy event_heads_for_definer on app.event_heads for all to centavo_definer
  using (true)
  with check (true);
create policy event_heads_inside on app.event_heads for select to centavo_app
  using (tracker_id = app.current_tracker());
grant insert, select, update on app.event_heads to centavo_definer;
grant select on app.event_heads to centavo_app;

create table app.event_order (
  last_value bigint not null,
  log_cnt bigint not null,
  is_called boolean not null
);
grant usage on app.event_order to centavo_app;
grant usage on app.event_order to centavo_definer;

create table app.events (
  tracker_id uuid not null,
  sequence bigint not null,
  hash app.sha256_digest not null,
  id uuid not null,
  occurred_at timestamp(3) with time zone not null,
  user_id uuid,
  credential_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  change jsonb,
  request_id uuid not null,
  insert_order bigint,
  salt bytea,
  change_digest bytea,
  state_digest bytea,
  constraint events_pkey PRIMARY KEY (tracker_id, sequence),
  constraint events_sequence_check CHECK ((sequence > 0))
);
CREATE INDEX events_of_resource ON app.events USING btree (tracker_id, resource_type, resource_id, sequence);
alter table app.events enable row level security;
alter table app.events force row level security;
create policy events_for_definer on app.events for all to centavo_definer
  using (true)
  with check (true);
create policy events_inside on app.events for select to centavo_app
  using (tracker_id = app.current_tracker());
grant delete, insert, select on app.events to centavo_definer;
grant select on app.events to centavo_app;

create table app.idempotency_keys (
  tracker_id uuid not null,
  principal_root text not null,
  key app.idempotency_key not null,
  tracker_explicit boolean not null,
  fingerprint app.sha256_digest not null,
  call_name text not null,
  etag text,
  data json not null,
  request_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (tracker_id, principal_root, key)
);
CREATE INDEX idempotency_keys_by_age ON app.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_by_principal ON app.idempotency_keys USING btree (principal_root, key);
alter table app.idempotency_keys enable row level security;
alter table app.idempotency_keys force row level security;
create policy idempotency_keys_for_definer on app.idempotency_keys for select to centavo_definer
  using (true);
create policy idempotency_keys_locked_by_definer on app.idempotency_keys for update to centavo_definer
  using (true);
create policy idempotency_keys_of_principal on app.idempotency_keys for all to centavo_app
  using (tracker_id = app.current_tracker() AND principal_root = app.current_principal_root())
  with check (tracker_id = app.current_tracker() AND principal_root = app.current_principal_root());
create policy idempotency_keys_removed_by_definer on app.idempotency_keys for delete to centavo_definer
  using (true);
grant delete, select on app.idempotency_keys to centavo_definer;
grant insert, select on app.idempotency_keys to centavo_app;
grant update (created_at) on app.idempotency_keys to centavo_definer;

create table app.invitations (
  tracker_id uuid not null,
  user_id uuid not null,
  role app.member_role not null,
  invited_by uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone default (now() + '30 days'::interval) not null,
  constraint invitations_pkey PRIMARY KEY (tracker_id, user_id),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES app.users(id),
  constraint invitations_tracker_id_fkey FOREIGN KEY (tracker_id) REFERENCES app.trackers(id),
  constraint invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES app.users(id)
);
CREATE INDEX invitations_by_user ON app.invitations USING btree (user_id, tracker_id);
alter table app.invitations enable row level security;
alter table app.invitations force row level security;
create policy invitations_added_inside on app.invitations for insert to centavo_app
  with check (tracker_id = app.current_tracker() AND invited_by = app.current_user_id());
create policy invitations_changed_inside on app.invitations for update to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
create policy invitations_for_definer on app.invitations for all to centavo_definer
  using (true)
  with check (true);
create policy invitations_removed_inside_or_own on app.invitations for delete to centavo_app
  using (tracker_id = app.current_tracker() OR user_id = app.current_user_id());
create policy invitations_seen_inside_or_own on app.invitations for select to centavo_app
  using ((tracker_id = app.current_tracker() OR user_id = app.current_user_id()) AND expires_at > now());
grant delete, select on app.invitations to centavo_app;
grant delete, select on app.invitations to centavo_definer;
grant insert (invited_by, role, tracker_id, user_id) on app.invitations to centavo_app;
grant update (role) on app.invitations to centavo_app;

create table app.members (
  tracker_id uuid not null,
  user_id uuid not null,
  role app.member_role not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint members_pkey PRIMARY KEY (tracker_id, user_id),
  constraint members_tracker_id_fkey FOREIGN KEY (tracker_id) REFERENCES app.trackers(id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES app.users(id)
);
CREATE INDEX members_by_user ON app.members USING btree (user_id, tracker_id);
alter table app.members enable row level security;
alter table app.members force row level security;
create policy members_changed_inside on app.members for update to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
create policy members_for_definer on app.members for all to centavo_definer
  using (true)
  with check (true);
create policy members_removed_inside on app.members for delete to centavo_app
  using (tracker_id = app.current_tracker());
create policy members_seen_inside_or_own on app.members for select to centavo_app
  using (tracker_id = app.current_tracker() OR user_id = app.current_user_id());
grant delete, select on app.members to centavo_app;
grant insert, select on app.members to centavo_definer;
grant update (role) on app.members to centavo_app;

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
  version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  external_id app.external_id,
  voided_at timestamp(3) with time zone,
  constraint movements_pkey PRIMARY KEY (tracker_id, id),
  constraint movements_check CHECK ((((kind)::text = 'transfer'::text) = (transfer_group_id IS NOT NULL))),
  constraint movements_check1 CHECK ((((kind)::text = 'transfer'::text) = (category_id IS NULL))),
  constraint movements_external_id_of_regular CHECK ((((kind)::text = 'regular'::text) OR (external_id IS NULL))),
  constraint movements_cashbox_fkey FOREIGN KEY (tracker_id, account_id, cashbox_id) REFERENCES app.cashboxes(tracker_id, account_id, id),
  constraint movements_category_fkey FOREIGN KEY (tracker_id, category_id) REFERENCES app.categories_in_use(tracker_id, category_id),
  constraint movements_transfer_fkey FOREIGN KEY (tracker_id, transfer_group_id) REFERENCES app.transfers(tracker_id, id)
);
CREATE INDEX movements_by_account ON app.movements USING btree (tracker_id, account_id, occurred_on DESC, created_at DESC, id DESC);
CREATE INDEX movements_by_cashbox ON app.movements USING btree (tracker_id, cashbox_id, occurred_on DESC, created_at DESC, id DESC);
CREATE INDEX movements_by_category ON app.movements USING btree (tracker_id, category_id, occurred_on DESC, created_at DESC, id DESC);
CREATE INDEX movements_by_date ON app.movements USING btree (tracker_id, occurred_on DESC, created_at DESC, id DESC);
CREATE INDEX movements_by_external_id ON app.movements USING btree (tracker_id, external_id, occurred_on DESC, created_at DESC, id DESC) WHERE (external_id IS NOT NULL);
CREATE INDEX movements_of_transfers ON app.movements USING btree (tracker_id, occurred_on DESC, created_at DESC, id DESC) WHERE ((kind)::text = 'transfer'::text);
CREATE INDEX movements_of_voided ON app.movements USING btree (tracker_id, occurred_on) WHERE (voided_at IS NOT NULL);
CREATE UNIQUE INDEX movements_external_id_key ON app.movements USING btree (tracker_id, account_id, external_id) WHERE ((external_id IS NOT NULL) AND (voided_at IS NULL));
CREATE UNIQUE INDEX movements_leg_key ON app.movements USING btree (tracker_id, transfer_group_id, type) WHERE (transfer_group_id IS NOT NULL);
CREATE STATISTICS app.movements_of_account (dependencies) ON tracker_id, account_id FROM app.movements;
CREATE STATISTICS app.movements_of_category (dependencies) ON tracker_id, category_id FROM app.movements;
alter table app.movements enable row level security;
alter table app.movements force row level security;
create policy movements_for_definer on app.movements for select to centavo_definer
  using (true);
create policy movements_inside on app.movements for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
grant insert, select on app.movements to centavo_app;
grant select on app.movements to centavo_definer;
grant update (amount, category_id, description, merchant_name, updated_at, version, voided_at) on app.movements to centavo_app;

create table app.recorded_events (
  tracker_id uuid,
  sequence bigint,
  hash bytea,
  id uuid,
  occurred_at timestamp(3) with time zone,
  user_id uuid,
  credential_id uuid,
  action text,
  resource_type text,
  resource_id text,
  change jsonb,
  request_id uuid,
  insert_order bigint,
  salt bytea,
  change_digest bytea,
  state_digest bytea
);

create table app.trackers (
  id uuid not null,
  name text not null,
  currency_code app.currency_code not null,
  time_zone text not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  constraint trackers_pkey PRIMARY KEY (id)
);
alter table app.trackers enable row level security;
alter table app.trackers force row level security;
create policy trackers_changed_inside on app.trackers for update to centavo_app
  using (id = app.current_tracker())
  with check (id = app.current_tracker());
create policy trackers_for_definer on app.trackers for all to centavo_definer
  using (true)
  with check (true);
create policy trackers_seen_by_members on app.trackers for select to centavo_app
  using ((id IN ( SELECT app.trackers_of_caller() AS trackers_of_caller)));
grant insert, select on app.trackers to centavo_definer;
grant select on app.trackers to centavo_app;
grant update (name, time_zone, updated_at) on app.trackers to centavo_app;

create table app.transfers (
  tracker_id uuid not null,
  id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint transfers_pkey PRIMARY KEY (tracker_id, id)
);
alter table app.transfers enable row level security;
alter table app.transfers force row level security;
create policy transfers_for_definer on app.transfers for select to centavo_definer
  using (true);
create policy transfers_inside on app.transfers for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
grant insert, select on app.transfers to centavo_app;
grant select on app.transfers to centavo_definer;

create table app.user_audit_events (
  user_id uuid not null,
  id uuid not null,
  occurred_at timestamp(3) with time zone default now() not null,
  credential_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  change jsonb,
  request_id uuid not null,
  constraint user_audit_events_pkey PRIMARY KEY (user_id, id),
  constraint user_audit_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES app.users(id)
);
CREATE INDEX user_audit_events_newest_first ON app.user_audit_events USING btree (user_id, occurred_at, id);
alter table app.user_audit_events enable row level security;
alter table app.user_audit_events force row level security;
create policy user_audit_events_own on app.user_audit_events for all to centavo_app
  using (user_id = app.current_user_id())
  with check (user_id = app.current_user_id());
grant insert, select on app.user_audit_events to centavo_app;

create table app.users (
  id uuid not null,
  issuer text not null,
  subject text not null,
  email text,
  email_key text generated always as (app.email_key(email)) stored,
  display_name text,
  active_tracker_id uuid,
  default_tracker_id uuid,
  created_at timestamp(3) with time zone default now() not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_subject_key UNIQUE (issuer, subject),
  constraint users_active_tracker_id_fkey FOREIGN KEY (active_tracker_id) REFERENCES app.trackers(id),
  constraint users_default_tracker_id_fkey FOREIGN KEY (default_tracker_id) REFERENCES app.trackers(id)
);
CREATE INDEX users_by_address ON app.users USING btree (email_key);
CREATE UNIQUE INDEX users_email_key ON app.users USING btree (issuer, email_key);
alter table app.users enable row level security;
alter table app.users force row level security;
create policy users_change_themselves on app.users for update to centavo_app
  using (id = app.current_user_id())
  with check (id = app.current_user_id());
create policy users_for_definer on app.users for all to centavo_definer
  using (true)
  with check (true);
create policy users_for_identity on app.users for all to centavo_identity
  using (true)
  with check (true);
create policy users_seen_by_fellow_members on app.users for select to centavo_app
  using (id = app.current_user_id() OR (id IN ( SELECT m.user_id
   FROM app.members m
  WHERE m.tracker_id = app.current_tracker())));
grant insert, select on app.users to centavo_identity;
grant select on app.users to centavo_app;
grant select on app.users to centavo_definer;
grant update (active_tracker_id, default_tracker_id) on app.users to centavo_app;
grant update (active_tracker_id, default_tracker_id) on app.users to centavo_definer;

create table app.webhook_deliveries (
  tracker_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  id uuid default app.uuid_v7() not null,
  "position" bigint not null,
  sequence bigint,
  type text not null,
  status text default 'pending'::text not null,
  attempts integer default 0 not null,
  counted_attempts integer default 0 not null,
  round integer default 1 not null,
  next_attempt_at timestamp(3) with time zone,
  last_status integer,
  last_error text,
  body text,
  created_at timestamp(3) with time zone default now() not null,
  completed_at timestamp(3) with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (endpoint_id, event_id),
  constraint webhook_deliveries_id_key UNIQUE (endpoint_id, id),
  constraint webhook_deliveries_completed CHECK (((status = 'pending'::text) = (completed_at IS NULL))),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'dropped'::text]))),
  constraint webhook_deliveries_endpoint_fkey FOREIGN KEY (tracker_id, endpoint_id) REFERENCES app.webhook_endpoints(tracker_id, id)
);
CREATE INDEX webhook_deliveries_completed_at ON app.webhook_deliveries USING btree (completed_at) WHERE (status <> 'pending'::text);
CREATE INDEX webhook_deliveries_listed ON app.webhook_deliveries USING btree (endpoint_id, "position" DESC);
CREATE INDEX webhook_deliveries_pending ON app.webhook_deliveries USING btree (endpoint_id, next_attempt_at) WHERE (status = 'pending'::text);
alter table app.webhook_deliveries enable row level security;
alter table app.webhook_deliveries force row level security;
create policy webhook_deliveries_for_definer on app.webhook_deliveries for all to centavo_definer
  using (true)
  with check (true);
create policy webhook_deliveries_inside on app.webhook_deliveries for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
grant delete, select, update on app.webhook_deliveries to centavo_definer;
grant insert, select on app.webhook_deliveries to centavo_app;
grant update (body, completed_at, counted_attempts, next_attempt_at, round, status) on app.webhook_deliveries to centavo_app;

create table app.webhook_deliveries_position_seq (
  last_value bigint not null,
  log_cnt bigint not null,
  is_called boolean not null
);

create table app.webhook_endpoints (
  tracker_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  event_types text[] not null,
  payload text not null,
  exclude_own_writes boolean not null,
  max_in_flight integer not null,
  status text default 'active'::text not null,
  disabled_reason text,
  owner_user_id uuid not null,
  owner_credential_id uuid,
  owner_lineage_id uuid,
  cursor_sequence bigint not null,
  failure_count integer default 0 not null,
  first_failure_at timestamp(3) with time zone,
  retry_at timestamp(3) with time zone,
  is_throttled boolean default false not null,
  last_success_at timestamp(3) with time zone,
  active_since timestamp(3) with time zone default now() not null,
  secret text,
  secret_last4 text not null,
  previous_secret text,
  previous_secret_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  deleted_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone default now() not null,
  leased_by uuid,
  leased_until timestamp(3) with time zone,
  lease_epoch bigint default 0 not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (tracker_id, id),
  constraint webhook_endpoints_id_key UNIQUE (id),
  constraint webhook_endpoints_cursor_sequence_check CHECK ((cursor_sequence >= 0)),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['failing'::text, 'gone'::text, 'owner_lost_access'::text]))),
  constraint webhook_endpoints_event_types_check CHECK (((cardinality(event_types) >= 1) AND (cardinality(event_types) <= 50))),
  constraint webhook_endpoints_max_in_flight_check CHECK (((max_in_flight >= 1) AND (max_in_flight <= 16))),
  constraint webhook_endpoints_owner CHECK (((owner_credential_id IS NULL) = (owner_lineage_id IS NULL))),
  constraint webhook_endpoints_payload_check CHECK ((payload = ANY (ARRAY['reference'::text, 'record'::text]))),
  constraint webhook_endpoints_reason CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhook_endpoints_secret_last4_check CHECK ((char_length(secret_last4) = 4)),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text]))),
  constraint webhook_endpoints_url_check CHECK ((char_length(url) <= 2000)),
  constraint webhook_endpoints_owner_credential_id_fkey FOREIGN KEY (owner_credential_id) REFERENCES app.credentials(id),
  constraint webhook_endpoints_owner_lineage_id_fkey FOREIGN KEY (owner_lineage_id) REFERENCES app.credentials(id),
  constraint webhook_endpoints_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES app.users(id),
  constraint webhook_endpoints_tracker_id_fkey FOREIGN KEY (tracker_id) REFERENCES app.trackers(id)
);
CREATE INDEX webhook_endpoints_due ON app.webhook_endpoints USING btree (due_at) WHERE ((status = 'active'::text) AND (deleted_at IS NULL));
alter table app.webhook_endpoints enable row level security;
alter table app.webhook_endpoints force row level security;
create policy webhook_endpoints_for_definer on app.webhook_endpoints for all to centavo_definer
  using (true)
  with check (true);
create policy webhook_endpoints_inside on app.webhook_endpoints for all to centavo_app
  using (tracker_id = app.current_tracker())
  with check (tracker_id = app.current_tracker());
grant insert, select on app.webhook_endpoints to centavo_app;
grant select, update on app.webhook_endpoints to centavo_definer;
grant update (active_since, cursor_sequence, deleted_at, description, disabled_reason, due_at, event_types, exclude_own_writes, failure_count, first_failure_at, is_throttled, max_in_flight, owner_credential_id, owner_lineage_id, owner_user_id, payload, previous_secret, previous_secret_until, retry_at, secret, secret_last4, status, updated_at, url) on app.webhook_endpoints to centavo_app;

create table identity.passwords (
  user_id uuid not null,
  password_hash text not null,
  constraint passwords_pkey PRIMARY KEY (user_id),
  constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES app.users(id)
);
grant insert, select, update on identity.passwords to centavo_identity;

create table identity.refresh_tokens (
  token_sha256 app.sha256_digest not null,
  session_id uuid not null,
  created_at timestamp(3) with time zone default now() not null,
  used_at timestamp(3) with time zone,
  constraint refresh_tokens_pkey PRIMARY KEY (token_sha256),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES identity.sessions(id)
);
CREATE INDEX refresh_tokens_by_session ON identity.refresh_tokens USING btree (session_id);
grant delete, insert, select, update on identity.refresh_tokens to centavo_identity;

create table identity.sessions (
  id uuid not null,
  user_id uuid not null,
  amr jsonb not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES app.users(id)
);
CREATE INDEX sessions_by_end ON identity.sessions USING btree (LEAST(expires_at, ended_at));
CREATE INDEX sessions_by_user ON identity.sessions USING btree (user_id);
grant delete, insert, select, update on identity.sessions to centavo_identity;
grant select on identity.sessions to centavo_definer;

create table identity.signing_keys (
  kid text not null,
  private_jwk jsonb not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint signing_keys_pkey PRIMARY KEY (kid)
);
grant insert, select, update on identity.signing_keys to centavo_identity;

create table identity.totp (
  user_id uuid not null,
  secret text,
  pending_secret text,
  last_step bigint,
  failed_at timestamp(3) with time zone[] default '{}'::timestamp with time zone[] not null,
  used_steps bigint[] default '{}'::bigint[] not null,
  used_steps_of text,
  constraint totp_pkey PRIMARY KEY (user_id),
  constraint totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES app.users(id)
);
grant insert, select, update on identity.totp to centavo_identity;

CREATE OR REPLACE FUNCTION app.accept_invitation(p_tracker_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_role text;
  v_set boolean;
begin
  delete from app.invitations
  where tracker_id = p_tracker_id and user_id = app.current_user_id() and expires_at > now()
  returning role into v_role;
  if v_role is null then
    return false;
  end if;
  insert into app.members (tracker_id, user_id, role) values (p_tracker_id, app.current_user_id(), v_role);
  v_set := app.set_context(app.current_user_id(), p_tracker_id, app.current_principal_root());
  return true;
end
$function$;
alter function app.accept_invitation(uuid) owner to centavo_definer;
grant execute on function app.accept_invitation(uuid) to centavo_app;
grant execute on function app.accept_invitation(uuid) to centavo_definer;

CREATE OR REPLACE FUNCTION app.authorize_webhook(p_endpoint_id uuid, p_worker uuid, p_epoch bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_limits text;
  v_set boolean;
  v_found app.webhook_endpoints;
  v_endpoint app.webhook_endpoints;
  v_owner jsonb;
begin
  v_limits := set_config('lock_timeout', '2s', true) || set_config('statement_timeout', '3s', true)
    || set_config('idle_in_transaction_session_timeout', '10s', true);
  -- As in every request, the locks of the owner are taken before the row is locked. If the owner changed in between, the loop repeats.
  for v_try in 1 .. 3 loop
    select * into v_found from app.webhook_endpoints e where e.id = p_endpoint_id;
    v_owner := app.lock_webhook_owner(v_found);
    select * into v_endpoint from app.webhook_endpoints e
    where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch and e.status = 'active'
      and e.deleted_at is null
    for no key update;
    if v_endpoint.id is null then
      return null;
    end if;
    exit when (v_endpoint.owner_user_id, v_endpoint.owner_lineage_id)
      is not distinct from (v_found.owner_user_id, v_found.owner_lineage_id);
    v_owner := null;
  end loop;
  update app.webhook_endpoints e set leased_until = now() + interval '30 seconds' where e.id = p_endpoint_id;
  if v_owner is not null then
    v_set := app.set_context(v_endpoint.owner_user_id, v_endpoint.tracker_id, v_owner ->> 'root');
  end if;
  return jsonb_build_object('trackerId', v_endpoint.tracker_id, 'url', v_endpoint.url, 'eventTypes', v_endpoint.event_types,
    'payload', v_endpoint.payload, 'excludeOwnWrites', v_endpoint.exclude_own_writes, 'maxInFlight', v_endpoint.max_in_flight,
    'cursorSequence', v_endpoint.cursor_sequence, 'failureCount', v_endpoint.failure_count,
    'isThrottled', v_endpoint.is_throttled, 'mayRetry', coalesce(v_endpoint.retry_at <= now(), true),
    'secret', v_endpoint.secret,
    'previousSecret', case when v_endpoint.previous_secret_until > now() then v_endpoint.previous_secret end,
    'owner', v_owner);
end
$function$;
alter function app.authorize_webhook(uuid,uuid,bigint) owner to centavo_definer;
grant execute on function app.authorize_webhook(uuid,uuid,bigint) to centavo_definer;
grant execute on function app.authorize_webhook(uuid,uuid,bigint) to centavo_identity;

CREATE OR REPLACE FUNCTION app.carry_context()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
end
$function$;
grant execute on function app.carry_context() to centavo_app;
grant execute on function app.carry_context() to centavo_definer;

CREATE OR REPLACE FUNCTION app.count_open_invitations(p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('invitations ' || p_user_id, 4));
  delete from app.invitations where user_id = p_user_id and expires_at <= now();
  return (select count(*) from app.invitations where user_id = p_user_id);
end
$function$;
alter function app.count_open_invitations(uuid) owner to centavo_definer;
grant execute on function app.count_open_invitations(uuid) to centavo_app;
grant execute on function app.count_open_invitations(uuid) to centavo_definer;

CREATE OR REPLACE FUNCTION app.count_owned_trackers(p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('owned trackers ' || p_user_id, 4));
  return (select count(*) from app.members where user_id = p_user_id and role = 'owner');
end
$function$;
alter function app.count_owned_trackers(uuid) owner to centavo_definer;
grant execute on function app.count_owned_trackers(uuid) to centavo_app;
grant execute on function app.count_owned_trackers(uuid) to centavo_definer;

CREATE OR REPLACE FUNCTION app.count_pending_events()
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select count(*) from app.audit_events
$function$;
alter function app.count_pending_events() owner to centavo_definer;
grant execute on function app.count_pending_events() to centavo_definer;
grant execute on function app.count_pending_events() to centavo_identity;

CREATE OR REPLACE FUNCTION app.create_tracker(p_id uuid, p_name text, p_currency_code text, p_time_zone text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into app.trackers (id, name, currency_code, time_zone) values (p_id, p_name, p_currency_code, p_time_zone);
  insert into app.members (tracker_id, user_id, role) values (p_id, app.current_user_id(), 'owner');
  insert into app.categories_in_use (tracker_id, category_id) values (p_id, 'cat_unknown');
  update app.users
  set active_tracker_id = coalesce(active_tracker_id, p_id), default_tracker_id = coalesce(default_tracker_id, p_id)
  where id = app.current_user_id();
end
$function$;
alter function app.create_tracker(uuid,text,text,text) owner to centavo_definer;
grant execute on function app.create_tracker(uuid,text,text,text) to centavo_app;
grant execute on function app.create_tracker(uuid,text,text,text) to centavo_definer;

CREATE OR REPLACE FUNCTION app.current_principal_root()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.principal_root'::text, true), ''::text);
grant execute on function app.current_principal_root() to centavo_app;
grant execute on function app.current_principal_root() to centavo_definer;

CREATE OR REPLACE FUNCTION app.current_tracker()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.tracker_id'::text, true), ''::text))::uuid;
grant execute on function app.current_tracker() to centavo_app;
grant execute on function app.current_tracker() to centavo_definer;

CREATE OR REPLACE FUNCTION app.current_user_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid;
grant execute on function app.current_user_id() to centavo_app;
grant execute on function app.current_user_id() to centavo_definer;

CREATE OR REPLACE FUNCTION app.discard_webhook_secrets(p_prefix text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_count integer;
begin
  update app.webhook_endpoints e set
    previous_secret = case when starts_with(e.previous_secret, p_prefix) then null else e.previous_secret end,
    previous_secret_until = case when starts_with(e.previous_secret, p_prefix) then null else e.previous_secret_until end,
    secret = case when starts_with(e.secret, p_prefix) then null else e.secret end,
    status = case when starts_with(e.secret, p_prefix) then 'paused' else e.status end,
    disabled_reason = case when starts_with(e.secret, p_prefix) then null else e.disabled_reason end
  where starts_with(e.secret, p_prefix) or starts_with(e.previous_secret, p_prefix);
  get diagnostics v_count = row_count;
  return v_count;
end
$function$;
alter function app.discard_webhook_secrets(text) owner to centavo_definer;
grant execute on function app.discard_webhook_secrets(text) to centavo_definer;

CREATE OR REPLACE FUNCTION app.email_key(p_email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN NORMALIZE(lower((NORMALIZE(p_email, NFC) COLLATE "und-x-icu")), NFC);
grant execute on function app.email_key(text) to centavo_definer;
grant execute on function app.email_key(text) to centavo_identity;

CREATE OR REPLACE FUNCTION app.enter_keys(p_keys text[])
 RETURNS json
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_root text := app.current_principal_root();
  v_locked boolean[];
begin
  if v_root is null or app.current_tracker() is null then
    return null;
  end if;
  -- The lock is only tried, because a wait would occupy a connection, and two requests could wait for each other.
  v_locked := array(
    select pg_try_advisory_xact_lock(hashtextextended(v_root || ' ' || k.key, 3))
    from unnest(p_keys) with ordinality as k (key, position) order by k.position);
  return (
    select json_agg(json_build_object('keyLocked', v_locked[k.position],
      'storedAnswers', coalesce(app.stored_answers(v_root, k.key), '[]')) order by k.position)
    from unnest(p_keys) with ordinality as k (key, position));
end
$function$;
alter function app.enter_keys(text[]) owner to centavo_definer;
grant execute on function app.enter_keys(text[]) to centavo_app;
grant execute on function app.enter_keys(text[]) to centavo_definer;

CREATE OR REPLACE FUNCTION app.enter_replica(p_user_id uuid, p_tracker_id uuid, p_principal_root text, p_read_after pg_lsn)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_limits text;
begin
  v_limits := set_config('lock_timeout', '2s', true) || set_config('statement_timeout', '3s', true)
    || set_config('idle_in_transaction_session_timeout', '10s', true);
  if pg_is_in_recovery() and pg_last_wal_replay_lsn() >= p_read_after
    and exists (select from app.members m where m.tracker_id = p_tracker_id and m.user_id = p_user_id)
    and not exists (select from pg_extension where extname = 'citus')
  then
    return app.set_context(p_user_id, p_tracker_id, p_principal_root);
  end if;
  return false;
end
$function$;
alter function app.enter_replica(uuid,uuid,text,pg_lsn) owner to centavo_definer;
grant execute on function app.enter_replica(uuid,uuid,text,pg_lsn) to centavo_app;
grant execute on function app.enter_replica(uuid,uuid,text,pg_lsn) to centavo_definer;

CREATE OR REPLACE FUNCTION app.enter_request(p_secret_sha256 bytea, p_issuer text, p_subject text, p_session_id uuid, p_tracker_id uuid, p_is_write boolean, p_idempotency_key text)
 RETURNS json
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  -- Assigned and never read: an assignment costs less than PERFORM.
  v_limits text;
  v_set boolean;
  v_locked boolean;
  v_caller record;
  v_chosen_id uuid;
  v_tracker_id uuid;
  v_resolved_by text;
  v_tracker record;
  v_keys json;
  v_key_locked boolean;
begin
  -- A stuck statement must not outlive the response. These timeouts apply until the transaction ends.
  v_limits := set_config('lock_timeout', '2s', true) || set_config('statement_timeout', '3s', true)
    || set_config('idle_in_transaction_session_timeout', '10s', true);
  -- A read that is sent without BEGIN is not read-only yet.
  if not p_is_write then
    v_limits := set_config('transaction_read_only', 'on', true);
  end if;

  -- A write must not commit after its caller lost the right to it: revoking takes these locks exclusively.
  if p_secret_sha256 is not null then
    if p_is_write then
      v_locked := pg_advisory_xact_lock_shared(hashtextextended(encode(p_secret_sha256, 'hex'), 1)) is null;
    end if;
    select c.user_id, c.id as credential_id, c.kind, c.name, c.scopes, c.active_tracker_id, c.default_tracker_id,
      c.expires_at, c.expires_at <= clock_timestamp() as is_expired, c.revoked_at is not null as is_revoked,
      null::boolean as session_active, 'lineage:' || c.lineage_id as root,
      array(select m.tracker_id from app.members m
        where m.user_id = c.user_id
          and (c.access_mode <> 'selected' or m.tracker_id = any (c.tracker_ids))
          and (not reach.only_managed or m.role in ('owner', 'admin'))
        order by m.created_at, m.tracker_id) as eligible, reach.only_managed
    into v_caller
    from app.credentials c
      cross join lateral (
        select c.access_mode = 'all_managed' or c.access_mode = 'selected' and c.kind = 'secure' as only_managed) reach
    where c.secret_sha256 = p_secret_sha256;
  else
    if p_is_write and p_session_id is not null then
      v_locked := pg_advisory_xact_lock_shared(hashtextextended(p_session_id::text, 1)) is null;
    end if;
    select u.id as user_id, null::uuid as credential_id, null::text as kind,
      coalesce(u.display_name, u.email, u.id::text) as name, null::text[] as scopes, u.active_tracker_id, u.default_tracker_id,
      null::timestamptz as expires_at, null::boolean as is_expired, false as is_revoked,
      case when p_session_id is not null then exists (
        select 1 from identity.sessions s
        where s.id = p_session_id and s.user_id = u.id and s.ended_at is null and s.expires_at > clock_timestamp())
      end as session_active,
      'user:' || u.id as root,
      array(select m.tracker_id from app.members m where m.user_id = u.id order by m.created_at, m.tracker_id) as eligible,
      false as only_managed
    into v_caller
    from app.users u
    where u.issuer = p_issuer and u.subject = p_subject;
  end if;

  if v_caller.user_id is null then
    return null;
  end if;

  -- A credential or session that is no longer valid gets no context: statements that were sent in the same batch find no row.
  -- A check that does not apply to this caller is null, and refuses nothing.
  if v_caller.is_expired or v_caller.is_revoked or not v_caller.session_active then
    v_caller.eligible := '{}';
  else
    v_chosen_id := coalesce(v_caller.active_tracker_id, v_caller.default_tracker_id);

    if p_tracker_id is not null then
      v_tracker_id := case when p_tracker_id = any (v_caller.eligible) then p_tracker_id end;
      v_resolved_by := 'header';
    elsif v_caller.kind is distinct from 'secure' and v_chosen_id is not null then
      -- As in version 1: the chosen tracker or none, and never another one instead.
      v_tracker_id := case when v_chosen_id = any (v_caller.eligible) then v_chosen_id end;
      v_resolved_by := case when v_caller.active_tracker_id is not null then 'active' else 'default' end;
    elsif cardinality(v_caller.eligible) = 1 then
      v_tracker_id := v_caller.eligible[1];
      v_resolved_by := 'single';
    end if;

    if v_tracker_id is not null then
      if p_is_write then
        v_locked := pg_advisory_xact_lock_shared(hashtextextended(v_tracker_id || ' ' || v_caller.user_id, 2)) is null;
      end if;
      select t.id, t.name, m.role, t.currency_code, t.time_zone, floor(extract(epoch from now()) * 1000)::bigint as now_ms,
        v_resolved_by as resolved_by
      into v_tracker
      from app.trackers t join app.members m on m.tracker_id = t.id
      where t.id = v_tracker_id and m.user_id = v_caller.user_id
        and (not v_caller.only_managed or m.role in ('owner', 'admin'));
      if not found then
        v_caller.eligible := array_remove(v_caller.eligible, v_tracker_id);
        v_tracker_id := null;
      end if;
    end if;

    v_set := app.set_context(v_caller.user_id, v_tracker_id, v_caller.root);

    if v_tracker_id is not null and p_idempotency_key is not null then
      -- The lock is only tried, because a wait would occupy a connection. The stored answers are read after the lock, so that its
      -- holder sees the answer that a duplicate stored before.
      v_key_locked := pg_try_advisory_xact_lock(hashtextextended(v_caller.root || ' ' || p_idempotency_key, 3));
      v_keys := app.stored_answers(v_caller.root, p_idempotency_key);
    end if;
  end if;

  -- PostgreSQL converts a whole record to JSON faster than it builds an object field by field.
  return json_build_object('caller', v_caller, 'tracker', case when v_tracker_id is not null then v_tracker end,
    'storedAnswers', coalesce(v_keys, '[]'), 'keyLocked', v_key_locked);
end
$function$;
alter function app.enter_request(bytea,text,text,uuid,uuid,boolean,text) owner to centavo_definer;
grant execute on function app.enter_request(bytea,text,text,uuid,uuid,boolean,text) to centavo_app;
grant execute on function app.enter_request(bytea,text,text,uuid,uuid,boolean,text) to centavo_definer;

CREATE OR REPLACE FUNCTION app.event_leaf(e app.audit_events, p_sequence bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN concat_ws('
'::text, 'centavo-event-v1', ((e).tracker_id)::text, (p_sequence)::text, ((e).id)::text, to_char(((e).occurred_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text), CASE WHEN ((e).credential_id IS NOT NULL) THEN ((('credential:'::text || (e).credential_id) || ' user:'::text) || (e).user_id) WHEN ((e).user_id IS NOT NULL) THEN ('user:'::text || (e).user_id) ELSE 'system'::text END, (e).action, (((e).resource_type || ' '::text) || (e).resource_id), ((e).request_id)::text, COALESCE(encode(((e).change_digest)::bytea, 'hex'::text), '-'::text), COALESCE(encode(((e).state_digest)::bytea, 'hex'::text), '-'::text));
grant execute on function app.event_leaf(app.audit_events,bigint) to centavo_definer;

CREATE OR REPLACE FUNCTION app.find_user_by_email(p_email text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select u.id from app.users u
  where u.email_key = app.email_key(p_email)
    and u.issuer = coalesce((select c.issuer from app.users c where c.id = app.current_user_id()), u.issuer)
  order by u.created_at
  limit 1
$function$;
alter function app.find_user_by_email(text) owner to centavo_definer;
grant execute on function app.find_user_by_email(text) to centavo_app;
grant execute on function app.find_user_by_email(text) to centavo_definer;

CREATE OR REPLACE FUNCTION app.forget_idempotency_keys(p_older_than interval, p_batch integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  with removed as (
    delete from app.idempotency_keys
    where ctid = any (array(
      select ctid from app.idempotency_keys
      where created_at < now() - p_older_than
      order by created_at
      limit p_batch
      for update skip locked))
    returning 1
  )
  select count(*)::integer from removed
$function$;
alter function app.forget_idempotency_keys(interval,integer) owner to centavo_definer;
grant execute on function app.forget_idempotency_keys(interval,integer) to centavo_definer;

CREATE OR REPLACE FUNCTION app.forget_old_idempotency_keys(p_days integer, p_batch integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select app.forget_idempotency_keys(make_interval(days => greatest(p_days, 1)), p_batch)
$function$;
alter function app.forget_old_idempotency_keys(integer,integer) owner to centavo_definer;
grant execute on function app.forget_old_idempotency_keys(integer,integer) to centavo_definer;
grant execute on function app.forget_old_idempotency_keys(integer,integer) to centavo_identity;

CREATE OR REPLACE FUNCTION app.genesis_hash(p_tracker_id uuid)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to((('centavo-chain-v1'::text || '
'::text) || (p_tracker_id)::text), 'UTF8'::name));
grant execute on function app.genesis_hash(uuid) to centavo_app;
grant execute on function app.genesis_hash(uuid) to centavo_definer;

CREATE OR REPLACE FUNCTION app.invited_users()
 RETURNS TABLE(user_id uuid, email text, display_name text, role text, created_at timestamp with time zone, registered_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select i.user_id, u.email, u.display_name, i.role, i.created_at, u.created_at
  from app.invitations i join app.users u on u.id = i.user_id
  where i.tracker_id = app.current_tracker() and i.expires_at > now()
$function$;
alter function app.invited_users() owner to centavo_definer;
grant execute on function app.invited_users() to centavo_app;
grant execute on function app.invited_users() to centavo_definer;

CREATE OR REPLACE FUNCTION app.lease_webhooks(p_worker uuid, p_max integer)
 RETURNS TABLE(endpoint_id uuid, epoch bigint, late_seconds double precision)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_ids uuid[];
  v_tracker_ids uuid[];
  v_heads jsonb;
begin
  select array_agg(d.id), array_agg(d.tracker_id) into v_ids, v_tracker_ids
  from (
    select e.id, e.tracker_id from app.webhook_endpoints e
    where e.status = 'active' and e.deleted_at is null and e.due_at <= now()
      and (e.leased_until is null or e.leased_until < now())
    order by e.due_at limit 200 for no key update skip locked) d;
  if v_ids is null then
    return;
  end if;
  -- This is a separate statement, because Citus refuses a join with a table of the coordinator here.
  select jsonb_object_agg(h.tracker_id, h.sequence) into v_heads from app.event_heads h where h.tracker_id = any (v_tracker_ids);
  update app.webhook_endpoints e set due_at = now() + interval '30 seconds'
  where e.id = any (v_ids) and e.cursor_sequence >= coalesce((v_heads ->> e.tracker_id::text)::bigint, 0)
    and not exists (select 1 from app.webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending')
    and exists (
      select 1 from app.members m
      where m.tracker_id = e.tracker_id and m.user_id = e.owner_user_id and m.role in ('admin', 'owner'))
    and (e.owner_lineage_id is null or exists (
      select 1 from app.credentials c
      where c.user_id = e.owner_user_id and c.lineage_id = e.owner_lineage_id and c.revoked_at is null and c.expires_at > now()));
  return query
    update app.webhook_endpoints e
    set leased_by = p_worker, leased_until = now() + interval '30 seconds', lease_epoch = e.lease_epoch + 1
    from (
      select d.id, d.due_at from app.webhook_endpoints d
      where d.id = any (v_ids) and d.due_at <= now() order by d.due_at limit p_max) as due
    where e.id = due.id
    returning e.id, e.lease_epoch, extract(epoch from now() - due.due_at)::double precision;
end
$function$;
alter function app.lease_webhooks(uuid,integer) owner to centavo_definer;
grant execute on function app.lease_webhooks(uuid,integer) to centavo_definer;
grant execute on function app.lease_webhooks(uuid,integer) to centavo_identity;

CREATE OR REPLACE FUNCTION app.lock_webhook(p_endpoint_id uuid, p_worker uuid, p_epoch bigint)
 RETURNS jsonb
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select jsonb_build_object('status', e.status, 'disabledReason', e.disabled_reason, 'failureCount', e.failure_count,
    'firstFailureAtMs', extract(epoch from e.first_failure_at) * 1000, 'retryAtMs', extract(epoch from e.retry_at) * 1000,
    'isThrottled', e.is_throttled, 'lastSuccessAtMs', extract(epoch from e.last_success_at) * 1000,
    'activeSinceMs', extract(epoch from e.active_since) * 1000, 'nowMs', extract(epoch from clock_timestamp()) * 1000)
  from app.webhook_endpoints e
  where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch
  for no key update
$function$;
alter function app.lock_webhook(uuid,uuid,bigint) owner to centavo_definer;
grant execute on function app.lock_webhook(uuid,uuid,bigint) to centavo_definer;
grant execute on function app.lock_webhook(uuid,uuid,bigint) to centavo_identity;

CREATE OR REPLACE FUNCTION app.lock_webhook_owner(e app.webhook_endpoints)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_locked boolean;
  v_candidate record;
  v_credential app.credentials;
  v_role text;
begin
  if e.owner_lineage_id is not null then
    for v_candidate in
      select c.id, c.secret_sha256 from app.credentials c
      where c.user_id = e.owner_user_id and c.lineage_id = e.owner_lineage_id and c.revoked_at is null
        and c.expires_at > clock_timestamp()
      order by c.created_at desc, c.id desc
    loop
      v_locked := pg_advisory_xact_lock_shared(hashtextextended(encode(v_candidate.secret_sha256, 'hex'), 1)) is null;
      select * into v_credential from app.credentials c
      where c.id = v_candidate.id and c.revoked_at is null and c.expires_at > clock_timestamp();
      exit when found;
    end loop;
    if v_credential.id is null or v_credential.access_mode = 'selected' and e.tracker_id <> all (v_credential.tracker_ids) then
      return null;
    end if;
  end if;
  v_locked := pg_advisory_xact_lock_shared(hashtextextended(e.tracker_id || ' ' || e.owner_user_id, 2)) is null;
  select m.role into v_role from app.members m where m.tracker_id = e.tracker_id and m.user_id = e.owner_user_id;
  if v_role is null or v_role not in ('admin', 'owner') then
    return null;
  end if;
  return jsonb_build_object('userId', e.owner_user_id, 'role', v_role, 'credentialId', v_credential.id,
    'scopes', v_credential.scopes,
    'credentialIds', (select jsonb_agg(c.id) from app.credentials c
      where c.user_id = e.owner_user_id and c.lineage_id = e.owner_lineage_id),
    'root', coalesce('lineage:' || e.owner_lineage_id, 'user:' || e.owner_user_id));
end
$function$;
alter function app.lock_webhook_owner(app.webhook_endpoints) owner to centavo_definer;
grant execute on function app.lock_webhook_owner(app.webhook_endpoints) to centavo_definer;

CREATE OR REPLACE FUNCTION app.note_credential_use(p_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.credentials set last_used_at = now()
  where id = p_id and (last_used_at is null or last_used_at < now() - interval '1 minute')
$function$;
alter function app.note_credential_use(uuid) owner to centavo_definer;
grant execute on function app.note_credential_use(uuid) to centavo_app;
grant execute on function app.note_credential_use(uuid) to centavo_definer;

CREATE OR REPLACE FUNCTION app.number_and_read_heads(p_tracker_ids uuid[])
 RETURNS TABLE(tracker_id uuid, sequence bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_tracker_id uuid;
  v_numbered integer;
begin
  for v_tracker_id in select id from unnest(p_tracker_ids) as id order by id loop
    v_numbered := app.number_events(v_tracker_id);
  end loop;
  return query select h.tracker_id, h.sequence from app.event_heads h where h.tracker_id = any (p_tracker_ids);
end
$function$;
alter function app.number_and_read_heads(uuid[]) owner to centavo_definer;
grant execute on function app.number_and_read_heads(uuid[]) to centavo_definer;
grant execute on function app.number_and_read_heads(uuid[]) to centavo_identity;

CREATE OR REPLACE FUNCTION app.number_events(p_tracker_id uuid, p_max integer DEFAULT 1000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_numbered integer;
begin
  v_numbered := app.number_tracker_events(p_tracker_id, p_max);
  if v_numbered > 0 then
    perform app.wake_webhooks(p_tracker_id);
  end if;
  return v_numbered;
end
$function$;
alter function app.number_events(uuid,integer) owner to centavo_definer;
grant execute on function app.number_events(uuid,integer) to centavo_app;
grant execute on function app.number_events(uuid,integer) to centavo_definer;

CREATE OR REPLACE FUNCTION app.number_pending_trackers(p_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_tracker_id uuid;
  v_numbered integer;
  v_count integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('numbering of events', 4)) then
    return 0;
  end if;
  for v_tracker_id in
    select p.tracker_id from (select distinct tracker_id from app.audit_events limit p_max) p order by p.tracker_id
  loop
    v_numbered := app.number_events(v_tracker_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;
alter function app.number_pending_trackers(integer) owner to centavo_definer;
grant execute on function app.number_pending_trackers(integer) to centavo_definer;
grant execute on function app.number_pending_trackers(integer) to centavo_identity;

CREATE OR REPLACE FUNCTION app.number_tracker_events(p_tracker_id uuid, p_max integer DEFAULT 1000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_head app.event_heads;
  v_event app.audit_events;
  v_ids uuid[] := '{}';
begin
  -- A request numbers the events of its own tracker only.
  if current_setting('role') = 'centavo_app' and p_tracker_id is distinct from app.current_tracker() then
    raise insufficient_privilege using message = 'The tracker differs from the tracker of the request.';
  end if;
  if not exists (select from app.audit_events where tracker_id = p_tracker_id) then
    return 0;
  end if;
  insert into app.event_heads (tracker_id, sequence, hash, floor_sequence, floor_hash)
  values (p_tracker_id, 0, app.genesis_hash(p_tracker_id), 0, app.genesis_hash(p_tracker_id))
  on conflict (tracker_id) do nothing;
  select * into v_head from app.event_heads where tracker_id = p_tracker_id for update;
  for v_event in
    select * from app.audit_events where tracker_id = p_tracker_id order by insert_order nulls first, id limit p_max
  loop
    v_head.sequence := v_head.sequence + 1;
    v_head.hash := sha256(v_head.hash || convert_to(app.event_leaf(v_event, v_head.sequence), 'UTF8'));
    v_ids := v_ids || v_event.id;
    insert into app.events (tracker_id, sequence, hash, id, occurred_at, user_id, credential_id, action, resource_type,
      resource_id, change, request_id, insert_order, salt, change_digest, state_digest)
    values (p_tracker_id, v_head.sequence, v_head.hash, v_event.id, v_event.occurred_at, v_event.user_id, v_event.credential_id,
      v_event.action, v_event.resource_type, v_event.resource_id, v_event.change, v_event.request_id, v_event.insert_order,
      v_event.salt, v_event.change_digest, v_event.state_digest);
  end loop;
  -- Another write may have committed an event between these in the order since the loop read them, so the ids decide.
  delete from app.audit_events
  where tracker_id = p_tracker_id and id = any (v_ids)
    and (insert_order is null or insert_order <= v_event.insert_order or v_event.insert_order is null);
  update app.event_heads set sequence = v_head.sequence, hash = v_head.hash where tracker_id = p_tracker_id;
  return cardinality(v_ids);
end
$function$;
alter function app.number_tracker_events(uuid,integer) owner to centavo_definer;
grant execute on function app.number_tracker_events(uuid,integer) to centavo_definer;

CREATE OR REPLACE FUNCTION app.open_invitations()
 RETURNS TABLE(tracker_id uuid, tracker_name text, role text, invited_by uuid, email text, display_name text, created_at timestamp with time zone, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select i.tracker_id, (select t.name from app.trackers t where t.id = i.tracker_id), i.role, i.invited_by,
    (select u.email from app.users u where u.id = i.invited_by),
    (select u.display_name from app.users u where u.id = i.invited_by), i.created_at, i.expires_at
  from app.invitations i
  where i.user_id = app.current_user_id() and i.expires_at > now()
  order by i.created_at, i.tracker_id
$function$;
alter function app.open_invitations() owner to centavo_definer;
grant execute on function app.open_invitations() to centavo_app;
grant execute on function app.open_invitations() to centavo_definer;

CREATE OR REPLACE FUNCTION app.release_webhook(p_endpoint_id uuid, p_worker uuid, p_epoch bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_endpoint app.webhook_endpoints;
  v_next timestamptz;
begin
  select * into v_endpoint from app.webhook_endpoints e
  where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch for no key update;
  if v_endpoint.id is null then
    return;
  end if;
  select case when v_endpoint.retry_at is null then min(d.next_attempt_at) else v_endpoint.retry_at end into v_next
  from app.webhook_deliveries d where d.endpoint_id = p_endpoint_id and d.status = 'pending';
  -- Citus refuses a subquery without columns.
  if v_endpoint.retry_at is null and exists (
    select 1 from app.event_heads h
    where h.tracker_id = v_endpoint.tracker_id and h.sequence > v_endpoint.cursor_sequence)
    and (select count(*) from app.webhook_deliveries d where d.endpoint_id = p_endpoint_id and d.status = 'pending') < 1000
  then
    v_next := now();
  end if;
  update app.webhook_endpoints e
  set leased_by = null, leased_until = null, due_at = least(v_next, now() + interval '30 seconds')
  where e.id = p_endpoint_id;
end
$function$;
alter function app.release_webhook(uuid,uuid,bigint) owner to centavo_definer;
grant execute on function app.release_webhook(uuid,uuid,bigint) to centavo_definer;
grant execute on function app.release_webhook(uuid,uuid,bigint) to centavo_identity;

CREATE OR REPLACE FUNCTION app.remove_old_events(p_days integer, p_batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_limit timestamptz := now() - make_interval(days => p_days);
  v_tracker_id uuid;
  v_head app.event_heads;
  v_last bigint;
  v_removed integer;
  v_total integer := 0;
begin
  for v_tracker_id in
    select h.tracker_id from app.event_heads h
    where exists (
      select 1 from app.events e
      where e.tracker_id = h.tracker_id and e.sequence = h.floor_sequence + 1 and e.occurred_at < v_limit)
  loop
    -- The loop locks one row at a time, because Citus cannot lock rows of several machines in one statement.
    select h.* into v_head from app.event_heads h where h.tracker_id = v_tracker_id for update skip locked;
    continue when not found;
    select max(o.sequence) into v_last
    from (
      select e.sequence, bool_and(e.occurred_at < v_limit) over (order by e.sequence) as is_old
      from app.events e
      where e.tracker_id = v_head.tracker_id and e.sequence > v_head.floor_sequence
        and e.sequence <= v_head.floor_sequence + p_batch - v_total
    ) o
    where o.is_old;
    -- Another process has removed the old events meanwhile.
    continue when v_last is null;
    update app.event_heads
    set floor_sequence = v_last,
      floor_hash = (select e.hash from app.events e where e.tracker_id = v_head.tracker_id and e.sequence = v_last)
    where tracker_id = v_head.tracker_id;
    delete from app.events where tracker_id = v_head.tracker_id and sequence <= v_last;
    get diagnostics v_removed = row_count;
    v_total := v_total + v_removed;
    exit when v_total >= p_batch;
  end loop;
  return v_total;
end
$function$;
alter function app.remove_old_events(integer,integer) owner to centavo_definer;
grant execute on function app.remove_old_events(integer,integer) to centavo_definer;
grant execute on function app.remove_old_events(integer,integer) to centavo_identity;

CREATE OR REPLACE FUNCTION app.remove_old_webhook_deliveries(p_max integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  with old as (
    select d.endpoint_id, d.event_id from app.webhook_deliveries d
    where d.status <> 'pending' and d.completed_at < now() - interval '7 days'
      and (d.status = 'succeeded' or d.completed_at < now() - interval '30 days')
    limit p_max for update skip locked),
  removed as (
    delete from app.webhook_deliveries d using old
    where d.endpoint_id = old.endpoint_id and d.event_id = old.event_id returning 1)
  select count(*)::integer from removed
$function$;
alter function app.remove_old_webhook_deliveries(integer) owner to centavo_definer;
grant execute on function app.remove_old_webhook_deliveries(integer) to centavo_definer;
grant execute on function app.remove_old_webhook_deliveries(integer) to centavo_identity;

CREATE OR REPLACE FUNCTION app.renew_webhook_lease(p_endpoint_id uuid, p_worker uuid, p_epoch bigint)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  with renewed as (
    update app.webhook_endpoints e set leased_until = now() + interval '30 seconds'
    where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch
    returning 1)
  select exists (select from renewed)
$function$;
alter function app.renew_webhook_lease(uuid,uuid,bigint) owner to centavo_definer;
grant execute on function app.renew_webhook_lease(uuid,uuid,bigint) to centavo_definer;
grant execute on function app.renew_webhook_lease(uuid,uuid,bigint) to centavo_identity;

CREATE OR REPLACE FUNCTION app.sees_category(p_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return exists (select 1 from app.categories c where c.id = p_id);
end
$function$;
grant execute on function app.sees_category(text) to centavo_app;

CREATE OR REPLACE FUNCTION app.set_context(p_user_id uuid, p_tracker_id uuid, p_principal_root text)
 RETURNS boolean
 LANGUAGE sql
RETURN (((set_config('app.user_id'::text, (p_user_id)::text, true) || set_config('app.tracker_id'::text, COALESCE((p_tracker_id)::text, ''::text), true)) || set_config('app.principal_root'::text, p_principal_root, true)) IS NOT NULL);
grant execute on function app.set_context(uuid,uuid,text) to centavo_definer;

CREATE OR REPLACE FUNCTION app.settle_webhook(p_endpoint_id uuid, p_state jsonb, p_deliveries jsonb, p_event_id uuid, p_request_id uuid, p_salt bytea)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_before app.webhook_endpoints;
begin
  select * into v_before from app.webhook_endpoints e where e.id = p_endpoint_id;
  update app.webhook_deliveries d
  set attempts = d.attempts + 1, last_status = r."lastStatus", last_error = r."lastError"
  from jsonb_to_recordset(p_deliveries) as r ("eventId" uuid, "lastStatus" integer, "lastError" text)
  where d.endpoint_id = p_endpoint_id and d.event_id = r."eventId";
  update app.webhook_deliveries d
  set status = r.status, counted_attempts = r."countedAttempts",
    next_attempt_at = to_timestamp(r."nextAttemptAtMs" / 1000),
    completed_at = case when r.status <> 'pending' then now() end,
    -- The body of a test cannot be made again.
    body = case when r.status <> 'succeeded' or d.sequence is null then d.body end
  from jsonb_to_recordset(p_deliveries)
    as r ("eventId" uuid, round integer, status text, "countedAttempts" integer, "nextAttemptAtMs" double precision)
  where d.endpoint_id = p_endpoint_id and d.event_id = r."eventId" and d.round = r.round
    and (d.status = 'pending' or r.status = 'succeeded');

  update app.webhook_endpoints e
  set status = p_state ->> 'status', disabled_reason = p_state ->> 'disabledReason',
    failure_count = (p_state ->> 'failureCount')::integer,
    first_failure_at = to_timestamp((p_state ->> 'firstFailureAtMs')::double precision / 1000),
    retry_at = to_timestamp((p_state ->> 'retryAtMs')::double precision / 1000),
    is_throttled = (p_state ->> 'isThrottled')::boolean,
    last_success_at = to_timestamp((p_state ->> 'lastSuccessAtMs')::double precision / 1000),
    leased_until = now() + interval '30 seconds'
  where e.id = p_endpoint_id;

  if v_before.retry_at is not null and p_state -> 'retryAtMs' = 'null' then
    update app.webhook_deliveries d set next_attempt_at = now()
    where d.endpoint_id = p_endpoint_id and d.status = 'pending' and d.next_attempt_at > now();
  end if;

  if v_before.status = 'active' and p_state ->> 'status' = 'disabled' then
    insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id, salt)
    values (v_before.tracker_id, p_event_id, null, 'webhook.disabled', 'webhook', p_endpoint_id::text, p_request_id, p_salt);
  end if;
end
$function$;
alter function app.settle_webhook(uuid,jsonb,jsonb,uuid,uuid,bytea) owner to centavo_definer;
grant execute on function app.settle_webhook(uuid,jsonb,jsonb,uuid,uuid,bytea) to centavo_definer;
grant execute on function app.settle_webhook(uuid,jsonb,jsonb,uuid,uuid,bytea) to centavo_identity;

CREATE OR REPLACE FUNCTION app.store_webhook_secrets(p_secrets jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.webhook_endpoints e set secret = s.secret, previous_secret = s."previousSecret"
  from jsonb_to_recordset(p_secrets) as s (id uuid, secret text, "previousSecret" text)
  where e.id = s.id
$function$;
alter function app.store_webhook_secrets(jsonb) owner to centavo_definer;
grant execute on function app.store_webhook_secrets(jsonb) to centavo_definer;
grant execute on function app.store_webhook_secrets(jsonb) to centavo_identity;

CREATE OR REPLACE FUNCTION app.stored_answers(p_principal_root text, p_key text)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
  select json_agg(json_build_object('trackerId', k.tracker_id, 'trackerExplicit', k.tracker_explicit,
    'fingerprint', encode(k.fingerprint, 'hex'), 'requestId', k.request_id, 'etag', k.etag, 'data', k.data))
  from app.idempotency_keys k
  where k.principal_root = p_principal_root and k.key = p_key
$function$;
grant execute on function app.stored_answers(text,text) to centavo_definer;

CREATE OR REPLACE FUNCTION app.trackers_of_caller()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select m.tracker_id from app.members m where m.user_id = app.current_user_id()
$function$;
alter function app.trackers_of_caller() owner to centavo_definer;
grant execute on function app.trackers_of_caller() to centavo_app;
grant execute on function app.trackers_of_caller() to centavo_definer;

CREATE OR REPLACE FUNCTION app.uses_category(p_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return exists (select from app.categories_in_use u where u.tracker_id = app.current_tracker() and u.category_id = p_id);
end
$function$;
grant execute on function app.uses_category(text) to centavo_app;

CREATE OR REPLACE FUNCTION app.uuid_v7()
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$function$;
grant execute on function app.uuid_v7() to centavo_app;
grant execute on function app.uuid_v7() to centavo_definer;

CREATE OR REPLACE FUNCTION app.wake_webhooks(p_tracker_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.webhook_endpoints e set due_at = now()
  where e.tracker_id = p_tracker_id and e.status = 'active' and e.deleted_at is null
$function$;
alter function app.wake_webhooks(uuid) owner to centavo_definer;
grant execute on function app.wake_webhooks(uuid) to centavo_definer;

CREATE OR REPLACE FUNCTION app.webhook_owner_access(p_endpoint_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_endpoint app.webhook_endpoints;
begin
  select * into v_endpoint from app.webhook_endpoints e where e.id = p_endpoint_id and e.tracker_id = app.current_tracker();
  if v_endpoint.id is null then
    return null;
  end if;
  return app.lock_webhook_owner(v_endpoint);
end
$function$;
alter function app.webhook_owner_access(uuid) owner to centavo_definer;
grant execute on function app.webhook_owner_access(uuid) to centavo_app;
grant execute on function app.webhook_owner_access(uuid) to centavo_definer;

CREATE OR REPLACE FUNCTION app.webhook_secrets_to_encrypt(p_prefix text, p_max integer)
 RETURNS TABLE(endpoint_id uuid, secret text, previous_secret text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select e.id, e.secret, e.previous_secret from app.webhook_endpoints e
  where not starts_with(e.secret, p_prefix) or not starts_with(e.previous_secret, p_prefix)
  limit p_max for update skip locked
$function$;
alter function app.webhook_secrets_to_encrypt(text,integer) owner to centavo_definer;
grant execute on function app.webhook_secrets_to_encrypt(text,integer) to centavo_definer;
grant execute on function app.webhook_secrets_to_encrypt(text,integer) to centavo_identity;
