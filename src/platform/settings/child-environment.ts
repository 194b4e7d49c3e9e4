/**
 * The environment of PostgreSQL's programs. It leaves out our settings, whose secrets do not belong in another process, and
 * libpq's variables (PGDATA, PGPORT, …) and locales, which would silently change what we ask for.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const harmless = Object.entries(process.env).filter(([name]) => !/^(ONWARD_|PG|LC_|LANG|NODE_)/.test(name));
  return Object.fromEntries(harmless);
}
