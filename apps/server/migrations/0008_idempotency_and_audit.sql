-- One row for each write that succeeded; kept for ever unless the operator says otherwise, so that a late retry is still one effect.
create table app.idempotency_keys (
  tracker_id uuid not null references app.trackers (id),
  -- 'user:<id>' for sessions, 'lineage:<id>' for a secret and those it was rotated from or into.
  principal_root text not null,
  key text collate "C" not null check (octet_length(key) between 1 and 200),
  -- Whether the request named its tracker; one that did not may mean another tracker the next time.
  tracker_explicit boolean not null,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  call_name text not null,
  etag text,
  -- The `data` of the first answer; json rather than jsonb, which would sort its fields.
  data json not null,
  -- By this a request whose COMMIT went unanswered recognises its own row.
  request_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint idempotency_keys_pkey primary key (tracker_id, principal_root, key)
);

create index idempotency_keys_by_principal on app.idempotency_keys (principal_root, key);

-- What happened in a tracker. Nobody who serves requests can change or remove a row.
create table app.audit_events (
  tracker_id uuid not null references app.trackers (id),
  id uuid not null,
  occurred_at timestamptz(3) not null default now(),
  user_id uuid not null,
  credential_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  -- For changes, each changed field with its values before and after.
  change jsonb,
  request_id uuid not null,
  constraint audit_events_pkey primary key (tracker_id, id)
);

-- The same for what belongs to a user rather than a tracker: credentials, chosen trackers.
create table app.user_audit_events (
  user_id uuid not null references app.users (id),
  id uuid not null,
  occurred_at timestamptz(3) not null default now(),
  credential_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  change jsonb,
  request_id uuid not null,
  constraint user_audit_events_pkey primary key (user_id, id)
);

alter table app.idempotency_keys enable row level security;
alter table app.idempotency_keys force row level security;
alter table app.audit_events enable row level security;
alter table app.audit_events force row level security;
alter table app.user_audit_events enable row level security;
alter table app.user_audit_events force row level security;

create policy idempotency_keys_of_principal on app.idempotency_keys to centavo_app
  using (tracker_id = (select app.current_tracker()) and principal_root = (select app.current_principal_root()))
  with check (tracker_id = (select app.current_tracker()) and principal_root = (select app.current_principal_root()));
create policy idempotency_keys_for_definer on app.idempotency_keys for select to centavo_definer using (true);
create policy audit_events_inside on app.audit_events to centavo_app
  using (tracker_id = (select app.current_tracker())) with check (tracker_id = (select app.current_tracker()));
create policy user_audit_events_own on app.user_audit_events to centavo_app
  using (user_id = (select app.current_user_id())) with check (user_id = (select app.current_user_id()));

grant select, insert on app.idempotency_keys to centavo_app;
grant select on app.idempotency_keys to centavo_definer;
grant insert on app.audit_events, app.user_audit_events to centavo_app;
