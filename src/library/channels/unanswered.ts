import { listOrganizationsWithProviders } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { listReferralSettings } from '../services/store.ts';
import { listReach } from './reach-store.ts';

/**
 * Those of the services whose referrals would wait in a list of this site that nobody can open, or go nowhere at all. An
 * imported directory is full of them, and whoever chooses one must be told before they write the referral, and not a day
 * later.
 */
export async function listUnansweredServices(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const unsure = (await listReach(db, ids)).filter(({ reach }) => reach !== 'out');
  const organizationIds = unsure.flatMap(({ organizationId }) => organizationId ?? []);
  const answering = await listOrganizationsWithProviders(db, organizationIds);
  const isRead = ({ reach, organizationId }: (typeof unsure)[number]) =>
    reach === 'inbox' && answering.has(organizationId ?? '');
  return new Set(unsure.filter((service) => !isRead(service)).map(({ id }) => id));
}

export async function isUnanswered(db: Db, { id }: { id: string }): Promise<boolean> {
  return (await listUnansweredServices(db, [id])).has(id);
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
  const unanswered = mode === 'test' ? new Set() : await listUnansweredServices(db, ids);
  const isOpen = (id: string) => {
    const { accepts, channels } = settings.get(id) ?? { accepts: true, channels: ['inbox'] };
    return accepts && channels.length > 0 && !unanswered.has(id);
  };
  return new Set(ids.filter(isOpen));
}
