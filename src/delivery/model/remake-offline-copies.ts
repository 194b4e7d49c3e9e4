import type { Trx } from '../../platform/database/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import type { RecordChange } from '../../referrals/index.ts';
import { deleteCopyFiles, listOrganisationsWithCopyOf } from './offline-copies-store.ts';

const remakeAfterSeconds = 60;

/**
 * Remakes within a minute every offline copy that may contain the referral, so that nobody downloads a telephone number that is
 * not safe any more. Several changes make one job. Nothing is emailed: the next night sends what is current then.
 */
export async function remakeOfflineCopies(
  trx: Trx,
  { referrerOrganisationId, service }: RecordChange['referral'],
  { deleteNow = false }: { deleteNow?: boolean } = {},
): Promise<void> {
  const serviceOrganizationId = service?.organization_id ?? null;
  const ids = await listOrganisationsWithCopyOf(trx, { referrerOrganisationId, serviceOrganizationId });
  if (deleteNow) await deleteCopyFiles(trx, ids);
  for (const id of ids) {
    const payload = { organisation_id: id, without_email: true };
    const key = `offline copy ${id}`;
    await addKeyedJob(trx, 'make-offline-copy', payload, { key, inSeconds: remakeAfterSeconds });
  }
}
