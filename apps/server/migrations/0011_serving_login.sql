-- A login that only serves requests owns nothing and can become centavo_app and centavo_identity only. Each start of the server compares
-- the applied migrations with those of its version. The right to read them goes to centavo_identity, so that centavo_app can still access
-- only the rows of the request context.
grant usage on schema public to centavo_identity;
grant select on public.centavo_migrations to centavo_identity;
