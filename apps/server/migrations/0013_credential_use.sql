-- When a credential was last used, to the minute: a row changed on every request would make readers wait for each other.
create function app.note_credential_use(p_id uuid) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  update app.credentials set last_used_at = now()
  where id = p_id and (last_used_at is null or last_used_at < now() - interval '1 minute')
$$;

grant create on schema app to centavo_definer;
alter function app.note_credential_use(uuid) owner to centavo_definer;
revoke create on schema app from centavo_definer;
revoke all on function app.note_credential_use(uuid) from public;
grant execute on function app.note_credential_use(uuid) to centavo_app;
