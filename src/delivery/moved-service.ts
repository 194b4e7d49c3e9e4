import type { ServiceForReferral } from '../library/index.ts';
import type { Referral } from '../referrals/index.ts';

/**
 * Whether the service was given to another organisation after the referral was made. The referral stays with those who were
 * asked then; how the service is told, and where, is now said by others, who may not see it.
 */
export function hasMoved(
  service: Pick<ServiceForReferral, 'organization'> | undefined,
  { service: asked }: Pick<Referral, 'service'>,
): boolean {
  const now = service?.organization;
  if (!now || asked.organization_id === null) return false;
  return now.id !== asked.organization_id && now.name !== asked.organization_name;
}
