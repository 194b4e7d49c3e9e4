import { requireCaller } from '../../../accounts/index.ts';
import {
  findServiceForReferral,
  isSensitiveOrganization,
  type ServiceForReferral,
} from '../../../library/index.ts';
import type { Request } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';

/** What the form knows of the service, and of who refers to it. */
export type FormService = ServiceForReferral & {
  /** The copy for the practice would name an organisation whose name says as much as that of a sensitive service. */
  isReferrerSensitive: boolean;
};

/** The service as the form of the reader asks about it; undefined if there is none. */
export async function findFormService(
  { db }: Pick<WebPlatform, 'db'>,
  request: Request,
  id: string,
): Promise<FormService | undefined> {
  const service = await findServiceForReferral(db, id);
  if (!service) return undefined;
  const { organisation } = requireCaller(request);
  const isReferrerSensitive =
    organisation !== null && (await isSensitiveOrganization(db, { organisationId: organisation.id }));
  return { ...service, isReferrerSensitive };
}
