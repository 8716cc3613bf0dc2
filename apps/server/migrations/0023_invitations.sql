-- A user is invited to a tracker and belongs to it only after accepting. Invitations have a table of their own, so that nothing
-- that reads app.members can take one for a membership. Source: contract, sections 9 and 10a
grant create on schema app to centavo_definer;

create table app.invitations (
  tracker_id uuid not null references app.trackers (id),
  user_id uuid not null references app.users (id),
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  invited_by uuid not null references app.users (id),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default now() + interval '30 days',
  constraint invitations_pkey primary key (tracker_id, user_id)
);

create index invitations_by_user on app.invitations (user_id, tracker_id);

alter table app.invitations enable row level security;
alter table app.invitations force row level security;

-- An expired invitation is seen by no request, as if it had never existed.
create policy invitations_seen_inside_or_own on app.invitations for select to centavo_app
  using ((tracker_id = (select app.current_tracker()) or user_id = (select app.current_user_id())) and expires_at > now());
create policy invitations_added_inside on app.invitations for insert to centavo_app
  with check (tracker_id = (select app.current_tracker()) and invited_by = (select app.current_user_id()));
create policy invitations_changed_inside on app.invitations for update to centavo_app
  using (tracker_id = (select app.current_tracker())) with check (tracker_id = (select app.current_tracker()));
create policy invitations_removed_inside_or_own on app.invitations for delete to centavo_app
  using (tracker_id = (select app.current_tracker()) or user_id = (select app.current_user_id()));
create policy invitations_for_definer on app.invitations to centavo_definer using (true) with check (true);

-- Requests add no members any more: a user joins by making a tracker or by accepting an invitation.
drop policy members_added_inside on app.members;
revoke insert on app.members from centavo_app;

-- Waits for other invitations of the user, removes the expired ones and returns how many are open: invitations of other
-- trackers count, which the caller does not see. Volatile, because the count must see what was committed during the wait.
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

-- The open invitations of the caller, with the name of each tracker and of the user who invited: the caller may see nothing
-- else of either.
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

-- The users who are invited to the tracker of the transaction: its members see these columns of a user, and not the row.
create function app.invited_users()
returns table (user_id uuid, email text, display_name text, role text, created_at timestamptz(3), registered_at timestamptz(3))
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select i.user_id, u.email, u.display_name, i.role, i.created_at, u.created_at
  from app.invitations i join app.users u on u.id = i.user_id
  where i.tracker_id = app.current_tracker() and i.expires_at > now()
$$;

-- Makes the caller a member as they were invited, and ends the invitation. No policy lets a user in who is not a member yet.
-- The transaction goes on in that tracker, to record there who joined. Returns whether there was an open invitation.
create function app.accept_invitation(p_tracker_id uuid) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text;
  v_set text;
begin
  delete from app.invitations
  where tracker_id = p_tracker_id and user_id = app.current_user_id() and expires_at > now()
  returning role into v_role;
  if v_role is null then
    return false;
  end if;
  insert into app.members (tracker_id, user_id, role) values (p_tracker_id, app.current_user_id(), v_role);
  v_set := set_config('app.tracker_id', p_tracker_id::text, true);
  return true;
end
$$;

-- Waits for whatever else makes the user an owner, and returns how many trackers they own, which only they see.
create function app.count_owned_trackers(p_user_id uuid) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('owned trackers ' || p_user_id, 4));
  return (select count(*) from app.members where user_id = p_user_id and role = 'owner');
end
$$;

grant select, insert (tracker_id, user_id, role, invited_by), update (role), delete on app.invitations to centavo_app;
grant select, delete on app.invitations to centavo_definer;

alter function app.count_open_invitations(uuid) owner to centavo_definer;
alter function app.open_invitations() owner to centavo_definer;
alter function app.invited_users() owner to centavo_definer;
alter function app.accept_invitation(uuid) owner to centavo_definer;
alter function app.count_owned_trackers(uuid) owner to centavo_definer;
revoke all on function app.count_open_invitations(uuid), app.open_invitations(), app.invited_users(),
  app.accept_invitation(uuid), app.count_owned_trackers(uuid) from public;
grant execute on function app.count_open_invitations(uuid), app.open_invitations(), app.invited_users(),
  app.accept_invitation(uuid), app.count_owned_trackers(uuid) to centavo_app;
revoke create on schema app from centavo_definer;
