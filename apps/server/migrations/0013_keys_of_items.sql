-- Idempotency keys of the items of one request.

-- Tries to lock the keys, and looks up their stored responses, for the caller and in the context that app.enter_request has set.
-- Returns one object for each key, in the order of the keys, or null without a tracker. Volatile, because the responses must be
-- read in a later statement than the one that takes the locks.
create function app.enter_keys(p_keys text[]) returns json
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_root text := app.current_principal_root();
  v_locked boolean[];
begin
  if v_root is null or app.current_tracker() is null then
    return null;
  end if;
  -- The lock is only tried, because a wait would occupy a connection, and two requests could wait for each other.
  v_locked := array(
    select pg_try_advisory_xact_lock(hashtextextended(v_root || ' ' || k.key, 3))
    from unnest(p_keys) with ordinality as k (key, position) order by k.position);
  return (
    select json_agg(json_build_object('keyLocked', v_locked[k.position],
      'storedAnswers', coalesce(app.stored_answers(v_root, k.key), '[]')) order by k.position)
    from unnest(p_keys) with ordinality as k (key, position));
end
$$;

grant create on schema app to centavo_definer;
alter function app.enter_keys(text[]) owner to centavo_definer;
revoke create on schema app from centavo_definer;
revoke all on function app.enter_keys(text[]) from public;
grant execute on function app.enter_keys(text[]) to centavo_app;
