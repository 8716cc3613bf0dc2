-- A step's code works once, and so does that of the step before it: which were used is kept, and not only the last of them.
-- last_step stays the latest of them, for servers of the version before that still run.
alter table identity.totp add column used_steps bigint[] not null default '{}';
