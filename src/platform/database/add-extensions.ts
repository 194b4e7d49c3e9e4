import { sql } from 'kysely';
import { StartupError } from '../process/startup-error.ts';
import type { Db } from './connect.ts';
import { isLockTimeout, isUniqueViolation } from './errors.ts';

export const neededExtensions = ['pg_trgm', 'unaccent', 'cube', 'earthdistance'];

/**
 * Creates the extensions that the tables of the library and its search need.
 * @throws StartupError naming one that this PostgreSQL does not have or its user may not create.
 */
export async function addExtensions(db: Db): Promise<void> {
  const { rows } = await sql<{ extname: string }>`select extname from pg_extension`.execute(db);
  const present = new Set(rows.map((row) => row.extname));
  for (const extension of neededExtensions.filter((name) => !present.has(name))) {
    try {
      await sql`create extension if not exists ${sql.id(extension)}`.execute(db);
    } catch (error) {
      // Two processes that start together may both create it; the slower one is told so.
      if (isUniqueViolation(error)) continue;
      if (isLockTimeout(error)) throw error;
      throw new StartupError(
        `PostgreSQL cannot create the extension ${extension}, which the library needs. On Debian it is in the package ` +
          `postgresql-contrib; then, as a superuser: CREATE EXTENSION ${extension};`,
      );
    }
  }
}
