import { findDataSharingDetails, type OrganisationWithDetails } from '../../accounts/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';

/** @throws Problem `not-found`. */
export async function requireOrganisation({ db }: WebPlatform, id: string): Promise<OrganisationWithDetails> {
  const organisation = isUuid(id) ? await findDataSharingDetails(db, id) : undefined;
  if (!organisation) throw new Problem(notFound);
  return organisation;
}
