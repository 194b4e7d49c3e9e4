import { listOrganizationsWithProviders } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { listReach } from './reach-store.ts';
import { listReferralSettings, type ServiceForReferral } from './settings-store.ts';

/**
 * Those of the services whose referrals would wait in a list of this site that nobody can open, or go nowhere at all. An
 * imported directory is full of them, and whoever chooses one must be told before they write the referral, and not a day
 * later.
 */
export async function listUnattendedServices(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const unsure = (await listReach(db, ids)).filter(({ reach }) => reach !== 'out');
  const organizationIds = unsure.flatMap(({ organizationId }) => organizationId ?? []);
  const answering = await listOrganizationsWithProviders(db, organizationIds);
  const isRead = ({ reach, organizationId }: (typeof unsure)[number]) =>
    reach === 'inbox' && answering.has(organizationId ?? '');
  return new Set(unsure.filter((service) => !isRead(service)).map(({ id }) => id));
}

export async function isUnattended(db: Db, { id }: { id: string }): Promise<boolean> {
  return (await listUnattendedServices(db, [id])).has(id);
}

/** Those of the services to which a referral can be made through this site. */
export async function listOpenToReferrals(
  db: Db,
  services: readonly { id: string }[],
  mode: 'test' | 'live',
): Promise<Set<string>> {
  const ids = services.map(({ id }) => id);
  const settings = await listReferralSettings(db, ids);
  // On a test site anybody is played by the simulator.
  const unanswered = mode === 'test' ? new Set() : await listUnattendedServices(db, ids);
  const isOpen = (id: string) => {
    const { accepts, channels } = settings.get(id) ?? { accepts: true, channels: ['inbox'] };
    return accepts && channels.length > 0 && !unanswered.has(id);
  };
  return new Set(ids.filter(isOpen));
}

/** Why no referral can be made to the service; `undefined` where one can. `unanswered` is whether nobody would see it. */
export function whyNoReferral(service: ServiceForReferral, unanswered: boolean): string | undefined {
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
    return `This service has no way to receive referrals from this site yet. ${instead}`;
  if (unanswered)
    return `This service does not take referrals through this site yet: nobody who runs it has an account here. ${instead}`;
  return undefined;
}
