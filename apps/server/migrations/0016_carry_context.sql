-- Every request calls this once its context is set. A database on one machine has nowhere to carry it. On one that is
-- spread over several, `centavo-server shard` gives this function the body that tells the other machines, because
-- set_config() does not reach them.
create function app.carry_context() returns void
language plpgsql volatile
as $$
begin
end
$$;

revoke all on function app.carry_context() from public;
grant execute on function app.carry_context() to centavo_app, centavo_definer;
