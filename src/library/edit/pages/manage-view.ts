import type { Caller } from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { successBanner } from '../../../platform/html/index.ts';
import { findReferralSettings } from '../../channels/settings-store.ts';
import { servicePath } from '../../view/links.ts';
import { findAvailability } from '../../write/availability-store.ts';
import { listSistersWithPlaces } from '../../write/confidential-places-store.ts';
import { canEdit } from '../editors.ts';

/** The waiting list comes first, because the Enter key in the waiting time field presses the first button. */
export const availabilityWords: Readonly<Record<string, string>> = {
  waitlist: 'Has a waiting list',
  capacity: 'Has places',
  'no-capacity': 'Is full',
};

/** What a service's page offers the people who may edit it; undefined for others. */
export async function manageView(
  db: Db,
  caller: Caller | undefined,
  service: { id: string; organization: { id: string } | undefined },
) {
  if (!caller || !canEdit(caller, service.organization?.id ?? null)) return undefined;
  const availability = await findAvailability(db, service.id);
  const { location_confidential: isConfidential } = await findReferralSettings(db, service.id);
  const sisters = isConfidential ? [] : await listSistersWithPlaces(db, service.id);
  return {
    path: servicePath(service.id),
    // Their places are not kept, so a person has to say whether this one is at the same.
    confidentialSisters: sisters.filter((each) => each.isConfidential).map(({ name }) => name),
    waitingTime: availability?.waiting_time ?? '',
    choices: Object.entries(availabilityWords).map(([value, text]) => ({
      value,
      text,
      current: value === availability?.status,
    })),
  };
}

/** What a service's page says after it was edited. */
export const entryDone = successBanner({
  saved: 'The entry was saved.',
  room: 'The availability was saved.',
  'room-only': 'The availability was saved, without the waiting time: that goes with a waiting list only.',
  checked: 'The entry was marked as checked.',
  settings: 'The referral settings were saved.',
});
