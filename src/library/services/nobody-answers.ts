import { listOrganizationsWithProviders } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { listReferralSettings, type ServiceForReferral } from './store.ts';

type Answering = Pick<ServiceForReferral, 'channels'> & { organization?: { id: string } | undefined };

/**
 * Whether a referral to the service would wait in a list of this site that nobody can open. An imported directory is full of
 * such services, and whoever chooses one must be told before they write the referral, and not a day later.
 */
export async function nobodyAnswers(db: Db, { channels, organization }: Answering): Promise<boolean> {
  if (channels.some((channel) => channel !== 'inbox')) return false;
  const answering = await listOrganizationsWithProviders(db, organization ? [organization.id] : []);
  return answering.size === 0;
}

type Listed = { id: string; organization?: { id: string } | undefined };

/** Those of the services to which a referral can be made through this site. */
export async function listOpenToReferrals(
  db: Db,
  services: readonly Listed[],
  mode: 'test' | 'live',
): Promise<Set<string>> {
  const ids = services.map(({ id }) => id);
  const organizationIds = services.flatMap(({ organization }) => organization?.id ?? []);
  const settings = await listReferralSettings(db, ids);
  const answering = await listOrganizationsWithProviders(db, organizationIds);
  const isOpen = ({ id, organization }: Listed) => {
    const { accepts, channels } = settings.get(id) ?? { accepts: true, channels: ['inbox'] };
    // On a test site anybody is played by the simulator.
    const isAnswered =
      mode === 'test' ||
      channels.some((channel) => channel !== 'inbox') ||
      answering.has(organization?.id ?? '');
    return accepts && channels.length > 0 && isAnswered;
  };
  return new Set(services.filter(isOpen).map(({ id }) => id));
}
