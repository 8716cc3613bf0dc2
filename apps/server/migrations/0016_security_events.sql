-- GET /security-events reads the events of a user, newest first. The policy of the table shows only the events of the
-- caller.
create index user_audit_events_newest_first on app.user_audit_events (user_id, occurred_at, id);
grant select on app.user_audit_events to centavo_app;

-- `centavo-server check --chain` compares the budgets of all trackers with their last events as centavo_definer.
create policy budgets_for_definer on app.budgets for select to centavo_definer using (true);
create policy budget_lines_for_definer on app.budget_lines for select to centavo_definer using (true);
grant select on app.budgets, app.budget_lines to centavo_definer;
