import { listOrganizationsWithProviders } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { listDeliveryModes } from './delivery-mode-store.ts';
import { listChannelSettings, type ServiceForReferral } from './settings-store.ts';

/**
 * The services whose referrals would wait in a worklist that nobody can open, or go nowhere at all. Most services of an
 * imported directory are like that. People who refer must be told before they write a referral, not a day later.
 */
export async function listUnattendedServices(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const onSite = (await listDeliveryModes(db, ids)).filter(({ deliveryMode }) => deliveryMode !== 'external');
  const organizationIds = onSite.flatMap(({ organizationId }) => organizationId ?? []);
  const withProviders = await listOrganizationsWithProviders(db, organizationIds);
  const isAttended = ({ deliveryMode, organizationId }: (typeof onSite)[number]) =>
    deliveryMode === 'inbox' && withProviders.has(organizationId ?? '');
  return new Set(onSite.filter((service) => !isAttended(service)).map(({ id }) => id));
}

export async function isUnattended(db: Db, { id }: { id: string }): Promise<boolean> {
  return (await listUnattendedServices(db, [id])).has(id);
}

/** Which of these active services take referrals through this site. It does not check that they are active. */
export async function listOpenToReferrals(
  db: Db,
  services: readonly { id: string }[],
  mode: 'test' | 'live',
): Promise<Set<string>> {
  const ids = services.map(({ id }) => id);
  const settings = await listChannelSettings(db, ids);
  // On a test site the simulator can answer for every service.
  const unattended = mode === 'test' ? new Set() : await listUnattendedServices(db, ids);
  const isOpen = (id: string) => {
    const { accepts, channels } = settings.get(id) ?? { accepts: true, channels: ['inbox'] };
    return accepts && channels.length > 0 && !unattended.has(id);
  };
  return new Set(ids.filter(isOpen));
}

/** Which of these services accept referrals that nobody there can answer. Operators are asked to invite somebody. */
export async function listAcceptingUnattended(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const [settings, unattended] = await Promise.all([
    listChannelSettings(db, ids),
    listUnattendedServices(db, ids),
  ]);
  return new Set(ids.filter((id) => unattended.has(id) && (settings.get(id)?.accepts ?? true)));
}

/** Why nobody can refer to the service, for its page; undefined if they can. */
export function whyNoReferral(service: ServiceForReferral, isUnattended: boolean): string | undefined {
  const instead = 'You can still get in touch with it in the ways below.';
  switch (service.status) {
    case 'temporarily closed':
      return 'This service is closed for the time being, so it takes no referrals.';
    case 'inactive':
      return 'This service is not running at present, so it takes no referrals.';
    case 'defunct':
      return 'This service has ended, so it takes no referrals.';
  }
  if (!service.accepts) return `This service does not take referrals through this site. ${instead}`;
  if (service.channels.length === 0)
    return `This service cannot receive referrals from this site yet. ${instead}`;
  if (isUnattended)
    return `This service does not take referrals through this site yet: nobody who runs it has an account here. ${instead}`;
  return undefined;
}
