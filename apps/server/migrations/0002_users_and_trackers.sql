-- Users, trackers, the members of a tracker and its open invitations.

-- Returns the form in which e-mail addresses are compared. lower() alone depends on the locale of the database: in "C" it does not change
-- "Ä", and in Turkish it turns "I" into "ı". ICU's root locale follows Unicode everywhere. Only PostgreSQL computes this form.
create function app.email_key(p_email text) returns text
language sql immutable strict parallel safe
return normalize(lower(normalize(p_email, nfc) collate "und-x-icu"), nfc);

revoke all on function app.email_key(text) from public;
grant execute on function app.email_key(text) to centavo_identity, centavo_definer;

create table app.trackers (
  id uuid primary key,
  name text not null,
  currency_code app.currency_code not null,
  time_zone text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table app.users (
  id uuid primary key,
  -- The identity provider of the user, and the provider's id for the user. The embedded provider uses the id of this row.
  issuer text not null,
  subject text not null,
  email text,
  email_key text generated always as (app.email_key(email)) stored,
  display_name text,
  active_tracker_id uuid references app.trackers (id),
  default_tracker_id uuid references app.trackers (id),
  created_at timestamptz(3) not null default now(),
  constraint users_subject_key unique (issuer, subject)
);

create unique index users_email_key on app.users (issuer, email_key);
-- For app.find_user_by_email: its condition on the issuer depends on the found row, so it cannot use users_email_key.
create index users_by_address on app.users (email_key);

create table app.members (
  tracker_id uuid not null references app.trackers (id),
  user_id uuid not null references app.users (id),
  role app.member_role not null,
  created_at timestamptz(3) not null default now(),
  constraint members_pkey primary key (tracker_id, user_id)
);

create index members_by_user on app.members (user_id, tracker_id);

-- A user is invited to a tracker and becomes a member by accepting the invitation. Invitations have a table of their own, so that
-- no statement that reads app.members takes an invitation for a membership. Source: docs/contract.md, sections 9 and 10a
create table app.invitations (
  tracker_id uuid not null references app.trackers (id),
  user_id uuid not null references app.users (id),
  role app.member_role not null,
  invited_by uuid not null references app.users (id),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default now() + interval '30 days',
  constraint invitations_pkey primary key (tracker_id, user_id)
);

create index invitations_by_user on app.invitations (user_id, tracker_id);

-- Returns the trackers of the user as a set, so that a policy hashes the set once instead of calling the function for each row.
create function app.trackers_of_caller() returns setof uuid
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select m.tracker_id from app.members m where m.user_id = app.current_user_id()
$$;

-- Finds the user to invite. Row-level security hides this user's row from the members of the tracker. Addresses are unique only within an
-- issuer. A member can invite only users of the member's own issuer, because a user of another identity provider with the same address may
-- never have proved its ownership. The commands of the operator run without a user: they find the oldest user with the address.
create function app.find_user_by_email(p_email text) returns uuid
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select u.id from app.users u
  where u.email_key = app.email_key(p_email)
    and u.issuer = coalesce((select c.issuer from app.users c where c.id = app.current_user_id()), u.issuer)
  order by u.created_at
  limit 1
$$;

-- Waits for concurrent invitations of the user, removes the user's expired invitations, and returns the number of open ones. It also counts
-- invitations to other trackers, which the caller cannot read. Volatile, because the count must see rows that were committed during the
-- wait.
create function app.count_open_invitations(p_user_id uuid) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('invitations ' || p_user_id, 4));
  delete from app.invitations where user_id = p_user_id and expires_at <= now();
  return (select count(*) from app.invitations where user_id = p_user_id);
end
$$;

-- Returns the open invitations of the user, with the name of each tracker, and with the name and the address of the inviting
-- user. The invited user may see no other data of these trackers and users.
create function app.open_invitations()
returns table (tracker_id uuid, tracker_name text, role text, invited_by uuid, email text, display_name text,
  created_at timestamptz(3), expires_at timestamptz(3))
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select i.tracker_id, (select t.name from app.trackers t where t.id = i.tracker_id), i.role, i.invited_by,
    (select u.email from app.users u where u.id = i.invited_by),
    (select u.display_name from app.users u where u.id = i.invited_by), i.created_at, i.expires_at
  from app.invitations i
  where i.user_id = app.current_user_id() and i.expires_at > now()
  order by i.created_at, i.tracker_id
$$;

-- Returns the users who are invited to the tracker of the transaction. The tracker's members can read only these columns of an
-- invited user.
create function app.invited_users()
returns table (user_id uuid, email text, display_name text, role text, created_at timestamptz(3), registered_at timestamptz(3))
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select i.user_id, u.email, u.display_name, i.role, i.created_at, u.created_at
  from app.invitations i join app.users u on u.id = i.user_id
  where i.tracker_id = app.current_tracker() and i.expires_at > now()
$$;

-- Makes the user a member with the role of the invitation, and deletes the invitation. A request cannot do this itself, because
-- no policy lets it add members. The function also sets the tracker in the request context, so that the new membership is audited
-- there. Returns false if there was no open invitation.
create function app.accept_invitation(p_tracker_id uuid) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
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
$$;

-- Waits for other transactions that make the user an owner, and returns the number of trackers that the user owns. Other users
-- cannot read these memberships themselves.
create function app.count_owned_trackers(p_user_id uuid) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('owned trackers ' || p_user_id, 4));
  return (select count(*) from app.members where user_id = p_user_id and role = 'owner');
end
$$;

alter table app.trackers enable row level security;
alter table app.trackers force row level security;
alter table app.users enable row level security;
alter table app.users force row level security;
alter table app.members enable row level security;
alter table app.members force row level security;
alter table app.invitations enable row level security;
alter table app.invitations force row level security;

create policy trackers_seen_by_members on app.trackers for select to centavo_app
  using (id in (select app.trackers_of_caller()));
create policy trackers_changed_inside on app.trackers for update to centavo_app
  using (id = app.current_tracker()) with check (id = app.current_tracker());
create policy trackers_for_definer on app.trackers to centavo_definer using (true) with check (true);

create policy users_seen_by_fellow_members on app.users for select to centavo_app
  using (id = app.current_user_id()
    or id in (select m.user_id from app.members m where m.tracker_id = app.current_tracker()));
create policy users_change_themselves on app.users for update to centavo_app
  using (id = app.current_user_id()) with check (id = app.current_user_id());
create policy users_for_identity on app.users to centavo_identity using (true) with check (true);
create policy users_for_definer on app.users to centavo_definer using (true) with check (true);

-- No policy lets a request add a member: a user joins by creating a tracker or by accepting an invitation.
create policy members_seen_inside_or_own on app.members for select to centavo_app
  using (tracker_id = app.current_tracker() or user_id = app.current_user_id());
create policy members_changed_inside on app.members for update to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
create policy members_removed_inside on app.members for delete to centavo_app
  using (tracker_id = app.current_tracker());
create policy members_for_definer on app.members to centavo_definer using (true) with check (true);

-- No request sees an expired invitation.
create policy invitations_seen_inside_or_own on app.invitations for select to centavo_app
  using ((tracker_id = app.current_tracker() or user_id = app.current_user_id()) and expires_at > now());
create policy invitations_added_inside on app.invitations for insert to centavo_app
  with check (tracker_id = app.current_tracker() and invited_by = app.current_user_id());
create policy invitations_changed_inside on app.invitations for update to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
create policy invitations_removed_inside_or_own on app.invitations for delete to centavo_app
  using (tracker_id = app.current_tracker() or user_id = app.current_user_id());
create policy invitations_for_definer on app.invitations to centavo_definer using (true) with check (true);

grant select, update (name, time_zone, updated_at) on app.trackers to centavo_app;
grant select, update (active_tracker_id, default_tracker_id) on app.users to centavo_app;
grant select, update (role), delete on app.members to centavo_app;
grant select, insert (tracker_id, user_id, role, invited_by), update (role), delete on app.invitations to centavo_app;
grant select, insert on app.users to centavo_identity;
grant select, insert on app.trackers, app.members to centavo_definer;
grant select, update (active_tracker_id, default_tracker_id) on app.users to centavo_definer;
grant select, delete on app.invitations to centavo_definer;

alter function app.trackers_of_caller() owner to centavo_definer;
alter function app.find_user_by_email(text) owner to centavo_definer;
alter function app.count_open_invitations(uuid) owner to centavo_definer;
alter function app.open_invitations() owner to centavo_definer;
alter function app.invited_users() owner to centavo_definer;
alter function app.accept_invitation(uuid) owner to centavo_definer;
alter function app.count_owned_trackers(uuid) owner to centavo_definer;
revoke all on function app.trackers_of_caller(), app.find_user_by_email(text),
  app.count_open_invitations(uuid), app.open_invitations(), app.invited_users(), app.accept_invitation(uuid),
  app.count_owned_trackers(uuid) from public;
grant execute on function app.trackers_of_caller(), app.find_user_by_email(text),
  app.count_open_invitations(uuid), app.open_invitations(), app.invited_users(), app.accept_invitation(uuid),
  app.count_owned_trackers(uuid) to centavo_app;
