-- Of which secret the used steps are: servers of the version before, which still run, may change the secret and know no others.
alter table identity.totp add column used_steps_of text;
