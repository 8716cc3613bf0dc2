-- A step's code works once, and so does that of the step before it: which were used is kept, and not only the last of them, and
-- of which secret they are. last_step stays the latest of them, for servers of the version before that still run and know no
-- others: they may change the secret too.
alter table identity.totp add column used_steps bigint[] not null default '{}';
alter table identity.totp add column used_steps_of text;
