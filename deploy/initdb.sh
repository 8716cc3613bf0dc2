#!/bin/sh
# Creates the roles and the database of docs/operations.md. The image of PostgreSQL runs it once, for an empty volume.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
  --set=owner_password="$OWNER_PASSWORD" --set=server_password="$SERVER_PASSWORD" <<'SQL'
create role centavo_app nologin;
create role centavo_identity nologin;
create role centavo_definer nologin;
create role books_owner login password :'owner_password';
grant centavo_app, centavo_identity, centavo_definer to books_owner;
create role books_server login noinherit password :'server_password';
grant centavo_app, centavo_identity to books_server;
create database books owner books_owner;
revoke temporary on database books from public;
SQL
