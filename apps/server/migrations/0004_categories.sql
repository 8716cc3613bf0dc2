create table app.categories (
  id text primary key,
  scope text not null check (scope in ('system', 'tracker', 'user')),
  tracker_id uuid references app.trackers (id),
  user_id uuid references app.users (id),
  name text not null,
  -- The form in which names are compared. The server computes it, because lower() depends on the locale.
  name_folded text not null,
  kind text not null check (kind in ('expense', 'income', 'any')),
  parent_id text references app.categories (id),
  status app.active_status not null default 'active',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((scope = 'tracker') = (tracker_id is not null)),
  check ((scope = 'user') = (user_id is not null))
);

create unique index categories_name_in_tracker on app.categories (tracker_id, name_folded) where scope = 'tracker';
create unique index categories_name_of_user on app.categories (user_id, name_folded) where scope = 'user';
-- GET /categories: finds the system categories in a table that contains the categories of all trackers and users.
create index categories_of_system on app.categories (id) where scope = 'system';

-- The categories that movements and budget lines of a tracker may name. A foreign key ignores row-level security, so a plain
-- reference to categories(id) would accept a category of another tracker. A reference to this table stays inside the tracker.
create table app.categories_in_use (
  tracker_id uuid not null references app.trackers (id),
  category_id text not null references app.categories (id),
  constraint categories_in_use_pkey primary key (tracker_id, category_id)
);

insert into app.categories (id, scope, name, name_folded, kind)
values ('cat_unknown', 'system', 'Desconocido', 'desconocido', 'any');

alter table app.categories enable row level security;
alter table app.categories force row level security;
alter table app.categories_in_use enable row level security;
alter table app.categories_in_use force row level security;

create policy categories_in_use_inside on app.categories_in_use for select to centavo_app
  using (tracker_id = app.current_tracker());
create policy categories_for_definer on app.categories to centavo_definer using (true) with check (true);
create policy categories_in_use_for_definer on app.categories_in_use to centavo_definer using (true) with check (true);

-- The policies of categories depend on other rows. They call two functions, so that policies themselves read no table.
-- `centavo-server shard` replaces both bodies with bodies that run no query, because Citus evaluates policies on machines without
-- these rows.

-- Returns whether the tracker of the context uses a category. If it does, the tracker's members can read the category, even if it
-- is another user's category.
create function app.uses_category(p_id text) returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from app.categories_in_use u where u.tracker_id = app.current_tracker() and u.category_id = p_id);
end
$$;

-- Returns whether row-level security lets the user read a category. The function is written in plpgsql. PostgreSQL would inline
-- an SQL function, and a policy that queries its own table recurses.
create function app.sees_category(p_id text) returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select 1 from app.categories c where c.id = p_id);
end
$$;

-- Each start of the server counts the rows that are visible without a context. The condition on the tracker comes before
-- app.uses_category, so that this count does not call the function for each user-wide category.
create policy categories_seen on app.categories for select to centavo_app
  using (scope = 'system' or tracker_id = app.current_tracker() or user_id = app.current_user_id()
    or scope = 'user' and app.current_tracker() is not null and app.uses_category(id));
create policy categories_in_use_added on app.categories_in_use for insert to centavo_app
  with check (tracker_id = app.current_tracker() and app.sees_category(category_id));
create policy categories_created on app.categories for insert to centavo_app
  with check ((parent_id is null or app.sees_category(parent_id))
    and ((scope = 'tracker' and tracker_id = app.current_tracker())
      or (scope = 'user' and user_id = app.current_user_id())));

-- Creates a tracker with its owner and the category `cat_unknown`. It becomes the active tracker of a user who has none, and
-- likewise the default tracker. A new tracker has no member, so no policy could let its creator insert these rows.
create function app.create_tracker(p_id uuid, p_name text, p_currency_code text, p_time_zone text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.trackers (id, name, currency_code, time_zone) values (p_id, p_name, p_currency_code, p_time_zone);
  insert into app.members (tracker_id, user_id, role) values (p_id, app.current_user_id(), 'owner');
  insert into app.categories_in_use (tracker_id, category_id) values (p_id, 'cat_unknown');
  update app.users
  set active_tracker_id = coalesce(active_tracker_id, p_id), default_tracker_id = coalesce(default_tracker_id, p_id)
  where id = app.current_user_id();
end
$$;

grant select, insert on app.categories, app.categories_in_use to centavo_app;
grant select on app.categories to centavo_definer;
grant select, insert on app.categories_in_use to centavo_definer;
alter function app.create_tracker(uuid, text, text, text) owner to centavo_definer;
revoke all on function app.uses_category(text), app.sees_category(text), app.create_tracker(uuid, text, text, text) from public;
grant execute on function app.uses_category(text), app.sees_category(text), app.create_tracker(uuid, text, text, text)
  to centavo_app;
