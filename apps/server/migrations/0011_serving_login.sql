-- A login that only serves requests owns nothing and can become centavo_app and centavo_identity only. Each start compares the applied
-- migrations with the migrations of its version. centavo_identity gets the right to read them, so that centavo_app still sees and
-- changes nothing but the rows of the request context.
grant usage on schema public to centavo_identity;
grant select on public.centavo_migrations to centavo_identity;
