-- Makes the role, the database and the extensions that a site needs in an outside PostgreSQL, 15 or newer.
-- Run it once, as a superuser, in the folder of the program:
--
--   sudo -u postgres psql --file=deploy/database.sql --set=name=onward-live
--
-- The name defaults to `onward`. The role gets the password in DATABASE_PASSWORD; without that variable it gets none, and
-- signs in by its operating system user (PostgreSQL calls this `peer`).

\set ON_ERROR_STOP on
\if :{?name}
\else
  \set name onward
\endif
\getenv password DATABASE_PASSWORD

create role :"name" login;
\if :{?password}
  alter role :"name" password :'password';
\endif
create database :"name" owner :"name" encoding 'UTF8' locale 'C.UTF-8' template template0;
revoke connect, temporary on database :"name" from public;

\connect :"name"
-- The role cannot create `earthdistance` itself. On Debian all of them come with PostgreSQL.
create extension pg_trgm;
create extension unaccent;
create extension cube;
create extension earthdistance;
