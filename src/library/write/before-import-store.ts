import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';

/** How long an import can be undone. */
export const undoableForMs = 30 * dayMs;

/** A service as it was before an import, and how the import left it. */
export type ServiceBeforeImport = {
  serviceId: string;
  /** The whole service as JSON; null where the import made it. */
  document: string | null;
  /** `contentHash` of the service as the import left it. */
  hashAfter: string;
  /** When somebody here had last edited it; null if an import had changed it since. */
  editedAt: Date | null;
};

/** Keeps services as they were before an import. If an import is tried again, what its first try kept stays. */
export async function keepBeforeImport(
  trx: Trx,
  importId: string,
  services: readonly ServiceBeforeImport[],
  at: Date,
): Promise<void> {
  if (services.length === 0) return;
  await trx
    .insertInto('services_before_imports')
    .values(
      services.map(({ serviceId, document, hashAfter, editedAt }) => ({
        import_id: importId,
        service_id: serviceId,
        document,
        hash_after: hashAfter,
        edited_at: editedAt,
        kept_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['import_id', 'service_id'])
        .doUpdateSet((eb) => ({ hash_after: eb.ref('excluded.hash_after') })),
    )
    .execute();
}

/** The first services that an import changed and nobody has put back yet, in the order of their ids. */
export async function listBeforeImport(
  db: Db,
  importId: string,
  limit: number,
): Promise<ServiceBeforeImport[]> {
  return db
    .selectFrom('services_before_imports')
    .select(['service_id as serviceId', 'document', 'hash_after as hashAfter', 'edited_at as editedAt'])
    .where('import_id', '=', importId)
    .orderBy('service_id')
    .limit(limit)
    .execute();
}

/** How many services an import made, and how many it changed, of those that are kept as they were. */
export async function countBeforeImport(
  db: Db,
  importId: string,
): Promise<{ made: number; changed: number }> {
  const { all, changed } = await db
    .selectFrom('services_before_imports')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('document').as('changed')])
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow();
  return { made: all - changed, changed };
}

/** The first services by name that an import added, or else changed and left active, of those that are kept as they were. */
export function listNamesOfImport(
  db: Db,
  importId: string,
  { isNew, limit }: { isNew: boolean; limit: number },
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('services_before_imports as b')
    .innerJoin('services as s', 's.id', 'b.service_id')
    .select(['s.id', 's.name'])
    .where('b.import_id', '=', importId)
    .where('b.document', isNew ? 'is' : 'is not', null)
    .where('s.status', '=', 'active')
    .orderBy('s.name')
    .orderBy('s.id')
    .limit(limit)
    .execute();
}

/** Forgets how these services were, once they are put back or are to stay. */
export async function forgetBeforeImport(trx: Trx, importId: string, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('services_before_imports')
    .where('import_id', '=', importId)
    .where('service_id', '=', anyOfValuesSql(ids))
    .execute();
}

/** Forgets how a service was before any import: where it was is confidential now. */
export async function forgetServiceBeforeImports(trx: Trx, serviceId: string): Promise<void> {
  await trx.deleteFrom('services_before_imports').where('service_id', '=', serviceId).execute();
}

/** Deletes what was kept for imports that can no longer be undone. */
export async function deleteOldSnapshots(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('services_before_imports')
    .where('kept_at', '<', new Date(now.getTime() - undoableForMs))
    .execute();
}
