-- Sessions that ended or expired long ago are removed with their refresh tokens. least() ignores the end that never came.
grant delete on identity.sessions, identity.refresh_tokens to centavo_identity;
create index sessions_by_end on identity.sessions (least(expires_at, ended_at));
