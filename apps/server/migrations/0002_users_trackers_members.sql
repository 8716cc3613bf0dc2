create table app.trackers (
  id uuid primary key,
  name text not null,
  currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
  time_zone text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table app.users (
  id uuid primary key,
  -- Who vouches for the user, and under which name; an embedded user's subject is its id.
  issuer text not null,
  subject text not null,
  email text,
  display_name text,
  active_tracker_id uuid references app.trackers (id),
  default_tracker_id uuid references app.trackers (id),
  created_at timestamptz(3) not null default now(),
  constraint users_subject_key unique (issuer, subject)
);

create unique index users_email_key on app.users (issuer, lower(email));

create table app.members (
  tracker_id uuid not null references app.trackers (id),
  user_id uuid not null references app.users (id),
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  created_at timestamptz(3) not null default now(),
  constraint members_pkey primary key (tracker_id, user_id)
);

create index members_by_user on app.members (user_id, tracker_id);

-- The tracker of this transaction, only if its caller is a member of it now; policies evaluate it once a statement.
create function app.current_tracker() returns uuid
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select m.tracker_id
  from app.members m
  where m.tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid
    and m.user_id = app.current_user_id()
$$;

-- The trackers that the caller is a member of; a set, so that a policy hashes it once instead of asking for each row.
create function app.trackers_of_caller() returns setof uuid
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select m.tracker_id from app.members m where m.user_id = app.current_user_id()
$$;

-- A person is added to a tracker by e-mail address before anybody there may see the user.
create function app.find_user_by_email(p_email text) returns uuid
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select u.id from app.users u where lower(u.email) = lower(p_email) order by u.created_at limit 1
$$;

alter table app.trackers enable row level security;
alter table app.trackers force row level security;
alter table app.users enable row level security;
alter table app.users force row level security;
alter table app.members enable row level security;
alter table app.members force row level security;

create policy trackers_seen_by_members on app.trackers for select to centavo_app
  using (id in (select app.trackers_of_caller()));
create policy trackers_changed_inside on app.trackers for update to centavo_app
  using (id = (select app.current_tracker())) with check (id = (select app.current_tracker()));
create policy trackers_for_definer on app.trackers to centavo_definer using (true) with check (true);

create policy members_seen_inside_or_own on app.members for select to centavo_app
  using (tracker_id = (select app.current_tracker()) or user_id = (select app.current_user_id()));
create policy members_added_inside on app.members for insert to centavo_app
  with check (tracker_id = (select app.current_tracker()));
create policy members_changed_inside on app.members for update to centavo_app
  using (tracker_id = (select app.current_tracker())) with check (tracker_id = (select app.current_tracker()));
create policy members_removed_inside on app.members for delete to centavo_app
  using (tracker_id = (select app.current_tracker()));
create policy members_for_definer on app.members to centavo_definer using (true) with check (true);

create policy users_seen_by_fellow_members on app.users for select to centavo_app
  using (id = (select app.current_user_id())
    or id in (select m.user_id from app.members m where m.tracker_id = (select app.current_tracker())));
create policy users_change_themselves on app.users for update to centavo_app
  using (id = (select app.current_user_id())) with check (id = (select app.current_user_id()));
create policy users_for_identity on app.users to centavo_identity using (true) with check (true);
create policy users_for_definer on app.users to centavo_definer using (true) with check (true);

grant select, update (name, time_zone, updated_at) on app.trackers to centavo_app;
grant select, insert, update (role), delete on app.members to centavo_app;
grant select, update (active_tracker_id, default_tracker_id) on app.users to centavo_app;
grant select, insert on app.users to centavo_identity;
grant select, insert on app.trackers, app.members to centavo_definer;
grant select, update (active_tracker_id, default_tracker_id) on app.users to centavo_definer;

alter function app.current_tracker() owner to centavo_definer;
alter function app.trackers_of_caller() owner to centavo_definer;
alter function app.find_user_by_email(text) owner to centavo_definer;
revoke all on function app.current_tracker(), app.trackers_of_caller(), app.find_user_by_email(text) from public;
grant execute on function app.current_tracker(), app.trackers_of_caller(), app.find_user_by_email(text) to centavo_app;
