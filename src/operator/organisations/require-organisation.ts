import { findDataSharingDetails, type OrganisationWithDetails } from '../../accounts/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';

/** @throws Problem `not-found`. */
export async function requireOrganisation({ db }: WebPlatform, id: string): Promise<OrganisationWithDetails> {
  const organisation = await requireById(id, (id) => findDataSharingDetails(db, id));
  return organisation;
}
