-- Three roles without a login. The user of DATABASE_URL switches to them, so one connection string is enough:
--   centavo_app       runs requests; owns nothing and is subject to row-level security
--   centavo_identity  runs the embedded identity provider and the background jobs; can access passwords and sessions, but no
--                     financial data
--   centavo_definer   owns the functions that access more than one tracker; no request can become it
-- The user who runs the migrations owns the tables.
do $$
declare
  v_role text;
  v_may_become boolean;
begin
  foreach v_role in array array['centavo_app', 'centavo_identity', 'centavo_definer'] loop
    if not exists (select 1 from pg_roles where rolname = v_role) then
      -- Roles belong to the cluster: a migration of another database may create the same role at the same time.
      begin
        execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', v_role);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then
          raise exception 'The user % of DATABASE_URL may not create the role %.', current_user, v_role
            using hint = 'Let a superuser run: create role ' || v_role || ' nologin; grant ' || v_role || ' to ' || quote_ident(current_user);
      end;
    end if;
    -- Since PostgreSQL 16 the creator of a role administers it, but needs a grant to become it.
    if current_setting('server_version_num')::int >= 160000 then
      v_may_become := pg_has_role(current_user, v_role, 'SET') and pg_has_role(current_user, v_role, 'USAGE');
    else
      v_may_become := pg_has_role(current_user, v_role, 'MEMBER');
    end if;
    if not v_may_become then
      begin
        execute format('grant %I to current_user', v_role);
      exception when insufficient_privilege then
        raise exception 'The user % of DATABASE_URL may not become the role %.', current_user, v_role
          using hint = 'Let a superuser run: grant ' || v_role || ' to ' || quote_ident(current_user);
      end;
    end if;
  end loop;
end
$$;

create schema app;
create schema identity;

revoke all on schema app, identity from public;
grant usage on schema app to centavo_app, centavo_definer, centavo_identity;
grant usage on schema identity to centavo_identity, centavo_definer;
-- A role can own a function only in a schema in which it may create objects. Migration 0010 revokes this right. Later migrations grant it,
-- and revoke it again.
grant create on schema app to centavo_definer;

-- The request context consists of transaction-local settings. In a request, only app.set_context sets them. Policies read them through the
-- functions below, which read no table. The bodies of these functions are parsed when the functions are created. Therefore they need no
-- search_path, and PostgreSQL inlines them: a policy costs one comparison, also on a distributed database. After the transaction, such a
-- setting returns '' instead of null.

-- The tracker of this transaction, or null. The user was a member when the context was set; a write locks that membership until
-- its transaction ends.
create function app.current_tracker() returns uuid
language sql stable parallel safe
return nullif(current_setting('app.tracker_id', true), '')::uuid;

-- The user of this transaction, or null.
create function app.current_user_id() returns uuid
language sql stable parallel safe
return nullif(current_setting('app.user_id', true), '')::uuid;

-- The owner of the idempotency keys of this transaction: a user, or a credential with its rotations.
create function app.current_principal_root() returns text
language sql stable parallel safe
return nullif(current_setting('app.principal_root', true), '');

revoke all on function app.current_tracker(), app.current_user_id(), app.current_principal_root() from public;
grant execute on function app.current_tracker(), app.current_user_id(), app.current_principal_root() to centavo_app, centavo_definer;

-- Types of columns with a rule. A domain has advantages over a check constraint of a table: PostgreSQL parses its rule once for each
-- connection instead of once for each statement, and checks a column only if a statement sets it. Together, these domains save a tenth
-- of PostgreSQL's time for a recorded movement.
create domain app.currency_code as text check (value ~ '^[A-Z]{3}$');
create domain app.active_status as text check (value in ('active', 'archived'));
create domain app.member_role as text check (value in ('owner', 'admin', 'editor', 'viewer'));
create domain app.movement_type as text check (value in ('expense', 'income'));
create domain app.movement_kind as text check (value in ('regular', 'transfer'));
create domain app.source_type as text check (value in ('user', 'integration_client'));
create domain app.calendar_date as date check (value >= '1900-01-01' and value < '10000-01-01');
create domain app.row_count as bigint check (value >= 0);
create domain app.text_of_200 as text check (char_length(value) <= 200);
create domain app.text_of_500 as text check (char_length(value) <= 500);
create domain app.external_id as text check (char_length(value) between 1 and 200);
create domain app.idempotency_key as text collate "C" check (octet_length(value) between 1 and 200);
create domain app.salt as bytea check (octet_length(value) = 16);
create domain app.sha256_digest as bytea check (octet_length(value) = 32);
-- numeric accepts NaN, and NaN > 0 is true; the upper bounds reject it.
create domain app.movement_amount as numeric(19, 4) check (value > 0 and value < 1e15);
create domain app.opening_balance as numeric(19, 4) check (value > -1e15 and value < 1e15);
create domain app.balance as numeric(28, 4) check (value > -1e24 and value < 1e24);
