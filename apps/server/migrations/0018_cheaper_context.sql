-- Every policy of every statement asks for the context, so what that costs counts. These bodies are parsed here and now, names
-- and all: they need no search_path of their own, which would be set and reset at each call, and the first two become part of
-- the query that asks.
create or replace function app.current_user_id() returns uuid
language sql stable parallel safe
return nullif(current_setting('app.user_id', true), '')::uuid;

create or replace function app.current_principal_root() returns text
language sql stable parallel safe
return nullif(current_setting('app.principal_root', true), '');

create or replace function app.current_tracker() returns uuid
language sql stable security definer
return (
  select m.tracker_id
  from app.members m
  where m.tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid
    and m.user_id = nullif(current_setting('app.user_id', true), '')::uuid
);
