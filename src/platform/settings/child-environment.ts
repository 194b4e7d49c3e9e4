/**
 * The environment of PostgreSQL's programs. Ours stays out of it: its secrets do not belong in another process, and
 * libpq's variables (PGDATA, PGPORT, …) or a locale would silently change what we ask for.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(ONWARD_|PG|LC_|LANG|NODE_)/.test(name));
  return Object.fromEntries(kept);
}
