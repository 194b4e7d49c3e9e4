import type { Caller } from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { successBanner } from '../../../platform/html/index.ts';
import { findReferralSettings } from '../../channels/settings-store.ts';
import { servicePath } from '../../view/links.ts';
import { findAvailability } from '../../write/availability-store.ts';
import { listRelatedServicesWithPlaces } from '../../write/confidential-places-store.ts';
import { canEdit } from '../editors.ts';

/** The waiting list comes first, because the Enter key in the waiting time field presses the first button. */
export const availabilityInSentences: Readonly<Record<string, string>> = {
  waitlist: 'Has a waiting list',
  capacity: 'Has places',
  'no-capacity': 'Is full',
  'additional-assessment-required': 'Needs an assessment first',
};

export const availabilityChoices = Object.entries(availabilityInSentences).map(([value, text]) => ({
  value,
  text,
}));

/** What a service's page offers the people who may edit it; undefined for others. */
export async function manageView(
  db: Db,
  caller: Caller | undefined,
  service: { id: string; organization: { id: string } | undefined },
) {
  if (!caller || !canEdit(caller, service.organization?.id ?? null)) return undefined;
  const availability = await findAvailability(db, service.id);
  const { location_confidential: isConfidential } = await findReferralSettings(db, service.id);
  const related = isConfidential ? [] : await listRelatedServicesWithPlaces(db, service.id);
  return {
    path: servicePath(service.id),
    // The site does not store confidential places, so an editor must say whether this service is at one of them.
    relatedConfidentialServices: related.filter((each) => each.isConfidential).map(({ name }) => name),
    waitingTime: availability?.waiting_time ?? '',
    hasWait: availability?.status === 'waitlist',
    choices: availabilityChoices.map((choice) => ({
      ...choice,
      current: choice.value === availability?.status,
    })),
  };
}

/** The banner on a service's page after it was edited. */
export const savedBanner = successBanner({
  added:
    'The service was added, and can be found now. Next: choose under “Manage this service” whether it takes referrals.',
  saved: 'The service was saved. If all of its page is right today, mark it as checked.',
  availability: 'The availability was saved.',
  'availability-only':
    'The availability was saved, without the waiting time: that goes with a waiting list only.',
  checked: 'The details were marked as checked.',
  'all-checked': 'The services were marked as checked.',
  settings: 'The referral settings were saved.',
  'settings-unconfirmed':
    'The referral settings were saved. A new address is not used yet. Next: somebody confirms it by the link that we sent, see below.',
});
