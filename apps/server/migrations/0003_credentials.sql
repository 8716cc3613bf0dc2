create table app.credentials (
  id uuid primary key,
  user_id uuid not null references app.users (id),
  -- The first credential of a chain of rotations; all credentials of the chain share their idempotency keys.
  lineage_id uuid not null,
  kind text not null check (kind in ('secure', 'legacy', 'integration_client')),
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  access_mode text not null check (access_mode in ('selected', 'all_managed', 'all_memberships')),
  -- The requested trackers. Each request intersects them with the memberships of the owner.
  tracker_ids uuid[] not null default '{}' check ((access_mode = 'selected') = (cardinality(tracker_ids) > 0)),
  default_tracker_id uuid references app.trackers (id),
  active_tracker_id uuid references app.trackers (id),
  secret_sha256 app.sha256_digest not null,
  secret_last4 text not null check (char_length(secret_last4) = 4),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  rotated_from uuid references app.credentials (id),
  created_at timestamptz(3) not null default now(),
  constraint credentials_secret_key unique (secret_sha256)
);

create index credentials_by_user on app.credentials (user_id, created_at desc);

alter table app.credentials enable row level security;
alter table app.credentials force row level security;

create policy credentials_of_their_owner on app.credentials to centavo_app
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy credentials_for_definer on app.credentials to centavo_definer using (true) with check (true);

-- Records the use of a credential, at most once a minute: otherwise concurrent requests would wait for each other's update of the
-- row.
create function app.note_credential_use(p_id uuid) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  update app.credentials set last_used_at = now()
  where id = p_id and (last_used_at is null or last_used_at < now() - interval '1 minute')
$$;

grant select, insert, update (revoked_at, default_tracker_id, active_tracker_id) on app.credentials to centavo_app;
grant select, update (last_used_at) on app.credentials to centavo_definer;

alter function app.note_credential_use(uuid) owner to centavo_definer;
revoke all on function app.note_credential_use(uuid) from public;
grant execute on function app.note_credential_use(uuid) to centavo_app;
