import type { Selectable } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type { Troubles } from '../../src/platform/database/tables.ts';

/** The failures that accounts have asked a test site to simulate. */
export function storedTroubles(db: Db): Promise<Selectable<Troubles>[]> {
  return db.selectFrom('troubles').selectAll().execute();
}
