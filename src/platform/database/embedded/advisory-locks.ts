import type pg from 'pg';

/** The first half of our advisory locks' keys ("onwd"), so that they are nobody else's. */
const SPACE = 0x6f6e7764;

/** The second halves. */
const LOCKS = {
  /** Held by the one site of a directory. */
  site: 1,
  /** Shared by every process that uses PostgreSQL; held alone by the last one, while it stops PostgreSQL. */
  users: 2,
  /** Held while the site's database is being made. */
  making: 3,
};

export type LockName = keyof typeof LOCKS;

type LockCall =
  | 'pg_advisory_lock'
  | 'pg_advisory_unlock'
  | 'pg_advisory_unlock_shared'
  | 'pg_try_advisory_lock'
  | 'pg_try_advisory_lock_shared';

/** Calls one of PostgreSQL's lock functions in the client's session; true when it did what its name says. */
export async function callLock(client: pg.Client, call: LockCall, lock: LockName): Promise<boolean> {
  const { rows } = await client.query<{ done: unknown }>(`select ${call}($1, $2) as done`, [
    SPACE,
    LOCKS[lock],
  ]);
  return rows[0]?.done === true;
}

/** The name of the connection that holds the lock, where one does. */
export async function lockHolder(client: pg.Client, lock: LockName): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.classid = $1 and l.objid = $2 and l.objsubid = 2 and l.granted`,
    [SPACE, LOCKS[lock]],
  );
  return rows[0]?.name;
}
