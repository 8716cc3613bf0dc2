-- The login that serves requests owns nothing and can become centavo_app and centavo_identity only. These are the rights that
-- such a server needs beyond requests. centavo_identity has them, so that centavo_app still sees and changes nothing but the
-- rows of its caller.

-- Each start compares the applied migrations with those of its version.
grant usage on schema public to centavo_identity;
grant select on public.centavo_migrations to centavo_identity;

-- Removes old idempotency keys for a server that cannot become centavo_definer. The least age is one day, the least that
-- IDEMPOTENCY_RETENTION_DAYS accepts: a statement injected into a request cannot remove the keys of current requests.
create function app.forget_old_idempotency_keys(p_days integer, p_batch integer) returns integer
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.forget_idempotency_keys(make_interval(days => greatest(p_days, 1)), p_batch)
$$;

grant create on schema app to centavo_definer;
alter function app.forget_old_idempotency_keys(integer, integer) owner to centavo_definer;
revoke create on schema app from centavo_definer;
revoke all on function app.forget_old_idempotency_keys(integer, integer) from public;
grant execute on function app.forget_old_idempotency_keys(integer, integer) to centavo_identity;
