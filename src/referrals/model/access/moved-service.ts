import type { Referral } from '../referral.ts';

/**
 * Whether a service was given to another organisation after the referral was made. The referral stays with the first organisation:
 * the new one sets the service's channels and addresses now, and may not see the referral. An organisation that only got another id,
 * as when a source is imported again, keeps its name and is the same.
 */
export function hasServiceMoved(
  service: { organization: { id: string; name: string } | undefined } | undefined,
  { service: referredTo }: Pick<Referral, 'service'>,
): boolean {
  const now = service?.organization;
  if (!now || referredTo.organization_id === null) return false;
  return now.id !== referredTo.organization_id && now.name !== referredTo.organization_name;
}
