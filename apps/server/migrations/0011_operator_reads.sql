-- `centavo-server check` reads the books of every tracker as centavo_definer; nobody who serves requests can become it.
create policy accounts_for_definer on app.accounts for select to centavo_definer using (true);
create policy cashboxes_for_definer on app.cashboxes for select to centavo_definer using (true);
create policy movements_for_definer on app.movements for select to centavo_definer using (true);
create policy transfers_for_definer on app.transfers for select to centavo_definer using (true);

grant select on app.accounts, app.cashboxes, app.movements, app.transfers to centavo_definer;
