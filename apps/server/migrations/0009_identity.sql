-- The tables of the embedded identity provider. The role of financial requests, centavo_app, cannot read them.
create table identity.passwords (
  user_id uuid primary key references app.users (id),
  password_hash text not null
);

create table identity.sessions (
  id uuid primary key,
  user_id uuid not null references app.users (id),
  -- The authentication methods that the user completed, each with its time: [{"method": "totp", "timestamp": 1700000000}].
  amr jsonb not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);

create index sessions_by_user on identity.sessions (user_id);
-- For the removal of old sessions. least() ignores a null, so the expiry counts for a session that was not ended.
create index sessions_by_end on identity.sessions (least(expires_at, ended_at));

create table identity.refresh_tokens (
  token_sha256 app.sha256_digest primary key,
  session_id uuid not null references identity.sessions (id),
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3)
);

create index refresh_tokens_by_session on identity.refresh_tokens (session_id);

create table identity.totp (
  user_id uuid primary key references app.users (id),
  -- Null until a first code confirms it.
  secret text,
  pending_secret text,
  -- The latest time step whose code was accepted.
  last_step bigint,
  -- The times of recent wrong codes, oldest first.
  failed_at timestamptz(3)[] not null default '{}',
  -- The steps whose codes were accepted for the secret in used_steps_of. Each code works once, and an accepted code does
  -- not invalidate the code of the step before it.
  used_steps bigint[] not null default '{}',
  used_steps_of text
);

create table identity.signing_keys (
  kid text primary key,
  private_jwk jsonb not null,
  created_at timestamptz(3) not null default now()
);

grant select, insert, update on identity.passwords, identity.sessions, identity.refresh_tokens, identity.totp,
  identity.signing_keys to centavo_identity;
grant delete on identity.sessions, identity.refresh_tokens to centavo_identity;
grant select on identity.sessions to centavo_definer;
