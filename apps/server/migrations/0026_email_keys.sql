-- The form in which e-mail addresses are compared. lower() alone depends on the locale of the database: in "C" it leaves "Ä" as it
-- is, in Turkish it turns "I" into "ı". ICU's root locale follows Unicode everywhere. PostgreSQL makes this form, and no program.
create function app.email_key(p_email text) returns text
language sql immutable strict parallel safe
return normalize(lower(normalize(p_email, nfc) collate "und-x-icu"), nfc);

revoke all on function app.email_key(text) from public;
grant execute on function app.email_key(text) to centavo_identity, centavo_definer;

alter table app.users add column email_key text generated always as (app.email_key(email)) stored;

-- Policies bind the owner too, who would see no user.
alter table app.users no force row level security;
do $$
declare
  v_ids text;
begin
  select string_agg(u.id::text, ', ' order by u.created_at) into v_ids
  from app.users u
  where exists (select from app.users o where o.issuer = u.issuer and o.email_key = u.email_key and o.id <> u.id);
  if v_ids is not null then
    raise exception 'Several users have the same e-mail address in different spellings: %.', v_ids
      using hint = 'Change app.users.email of all but one of them, and start again.';
  end if;
end
$$;
alter table app.users force row level security;

drop index app.users_email_key;
drop index app.users_by_address;
create unique index users_email_key on app.users (issuer, email_key);
create index users_by_address on app.users (email_key);

create or replace function app.find_user_by_email(p_email text) returns uuid
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select u.id from app.users u
  where u.email_key = app.email_key(p_email)
    and u.issuer = coalesce((select c.issuer from app.users c where c.id = app.current_user_id()), u.issuer)
  order by u.created_at
  limit 1
$$;
