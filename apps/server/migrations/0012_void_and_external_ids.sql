-- The new columns are nullable or have defaults, so that servers of the earlier version can still write while a server of this
-- version starts.
alter table app.movements
  add column external_id app.external_id,
  -- A voided movement stays readable, but no balance, budget or total includes it.
  add column voided_at timestamptz(3),
  add constraint movements_external_id_of_regular check (kind = 'regular' or external_id is null);

-- The numbers of voided movements. `expense_count` and `income_count` count the others.
alter table app.cashboxes
  add column voided_expense_count app.row_count not null default 0,
  add column voided_income_count app.row_count not null default 0;

-- After a void, another movement may use the external id. Inserts of movements without an external id do not change these
-- indexes.
create unique index movements_external_id_key on app.movements (tracker_id, account_id, external_id)
  where external_id is not null and voided_at is null;
-- GET /movements?externalId, also with includeVoided.
create index movements_by_external_id on app.movements
  (tracker_id, external_id, occurred_on desc, created_at desc, id desc)
  where external_id is not null;

-- Totals of filtered lists count all movements, if possible by an index-only scan, and subtract the voided ones.
create index movements_of_voided on app.movements (tracker_id, occurred_on) where voided_at is not null;

grant update (voided_at) on app.movements to centavo_app;
grant update (voided_expense_count, voided_income_count) on app.cashboxes to centavo_app;
