-- Addresses are unique within an issuer only. A member adds users of the issuer that vouches for the member: after a change
-- of identity providers the same address may stand beside a user of the old one, who was perhaps never asked to prove it
-- and whose keys still work. The operator's commands act for nobody and find the oldest, as before.
create or replace function app.find_user_by_email(p_email text) returns uuid
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select u.id from app.users u
  where lower(u.email) = lower(p_email)
    and u.issuer = coalesce((select c.issuer from app.users c where c.id = app.current_user_id()), u.issuer)
  order by u.created_at
  limit 1
$$;
