import { isFarInFuture, type ServiceRow, serviceRow } from '../../../library/index.ts';
import type { ImportedService, ImportRun } from '../report/import-run.ts';
import {
  findServicesWithProviders,
  findStoredVersions,
  type StoredVersion,
} from './library-versions-store.ts';

/** A batch that was compared with the library. */
export type ComparedBatch = {
  /** The services as the library has them now. */
  stored: ReadonlyMap<string, StoredVersion>;
  /** New or changed: to be saved. */
  changed: readonly ChangedService[];
  /** Changed, but edited here since: only the availability that the source gives is saved. */
  edited: readonly ImportedService[];
  unchanged: readonly ImportedService[];
};

export type ChangedService = { imported: ImportedService; row: ServiceRow };

/** Compares a batch with the library, and reports services that may not be changed. */
export async function compareBatch(
  run: ImportRun,
  batch: readonly ImportedService[],
): Promise<ComparedBatch> {
  const ids = batch.map(({ service }) => service.id);
  const stored = await findStoredVersions(run.db, ids);
  const [different, unchanged] = partition(batch, (each) =>
    differs(each, stored.get(each.service.id), run.author.sourceId),
  );
  const [newer, edited] = partition(different, (each) =>
    isNewerThanEdit(run, each, stored.get(each.service.id)?.editedAt),
  );
  reportKeptEdits(run, edited);
  const allowedServices = await refuseMoves(run, newer, stored);
  const changed = allowedServices.map((imported) => ({ imported, row: serviceRow(imported.service) }));
  return { stored, changed, edited, unchanged };
}

function partition<T>(items: readonly T[], passes: (item: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (passes(item) ? 'yes' : 'no'));
  return [yes, no];
}

/**
 * Whether a service is new or differs from the library. If the library has what this source said last time, that is compared, so that an
 * edit made here meanwhile does not count as a change.
 */
function differs(
  { service, isDated }: ImportedService,
  stored: StoredVersion | undefined,
  sourceId: string | undefined,
): boolean {
  if (!stored) return true;
  if (sourceId !== undefined && stored.sourceId === sourceId && stored.sourceHash !== null)
    return stored.sourceHash !== service.sourceHash;
  if (stored.contentHash !== service.contentHash) return true;
  if (service.availability && (stored.availabilitySetAt ?? 0) < service.availability.setAt) return true;
  return isDated && stored.lastModified.getTime() !== service.lastModified.getTime();
}

/**
 * Whether the source changed a service after somebody edited it here. A record without a date
 * cannot claim to be newer, nor can one with a date in the future.
 */
export function isNewerThanEdit(
  { author }: Pick<ImportRun, 'author'>,
  { service, isDated }: ImportedService,
  editedAt: Date | null | undefined,
): boolean {
  if (!editedAt) return true;
  return isDated && !isFarInFuture(service.lastModified, author.at) && service.lastModified > editedAt;
}

export function reportKeptEdits(
  { report }: Pick<ImportRun, 'report'>,
  services: readonly ImportedService[],
): void {
  for (const { service } of services) report.keptEdits.add(service.id);
}

const movesOrganisation = {
  pointer: '/organization_id',
  reason:
    'would give the service to another organisation, while people of the one that has it answer its referrals here: change it on its page, if that is right',
};

/**
 * Leaves out, and reports, services that would be taken from an organisation whose people answer their referrals here.
 * Otherwise an organisation that a feed names could read those referrals, and the people who expect them could not.
 */
async function refuseMoves(
  { db, report }: ImportRun,
  batch: readonly ImportedService[],
  stored: ReadonlyMap<string, StoredVersion>,
): Promise<ImportedService[]> {
  const existingIds = batch.map(({ service }) => service.id).filter((id) => stored.has(id));
  const organizationOfService = await findServicesWithProviders(db, existingIds);
  return batch.filter(({ position, service }) => {
    const owner = organizationOfService.get(service.id);
    if (owner === undefined || owner === service.organizationId) return true;
    report.reject(position, service.id, movesOrganisation);
    return false;
  });
}
