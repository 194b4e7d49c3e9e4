import type { Static } from 'typebox';
import type { localTime } from '../../platform/clock/index.ts';
import { areaExtents } from '../filter/area-extents.ts';
import { coversPostcode, type PostcodeText, readServedPostcodes } from '../filter/area-words.ts';
import { featureNames, offersOf, wayNames } from '../filter/offers.ts';
import { nextOpening, type Opening, type WantedTimes } from '../hours/next-opening.ts';
import { openingHours, serviceHours, serviceSchedules } from '../hours/opening-hours.ts';
import type { availabilitySchema } from '../model/availability.ts';
import { availabilityNames, readReportedAvailability } from '../model/availability.ts';
import type { responsivenessSchema } from '../model/responsiveness.ts';
import type { Service } from '../model/service.ts';
import type { SearchedPlace } from '../postcodes/locate.ts';
import { milesInWords } from './distance.ts';
import { overdueCheckInWords } from './last-checked.ts';
import { referralFormPath, savePath, servicePath } from './links.ts';
import { nearestFirst, shortPlace } from './places.ts';
import { beginning, plainText } from './plain-text.ts';
import { responsivenessInWords } from './responsiveness-words.ts';
import { openingInWords, scheduleNote } from './times.ts';
import { agesInShort, agesInWords } from './words.ts';

/** A service in a list, with what this site adds and its relation to the searched place. */
export type ListedService = Service & {
  service_capacity?: Static<typeof availabilitySchema>;
  responsiveness?: Static<typeof responsivenessSchema>;
  distance_metres?: number;
  in_service_area?: boolean;
};

/** When and where somebody is looking for services. */
export type Viewpoint = {
  now: ReturnType<typeof localTime>;
  place?: SearchedPlace | undefined;
  /** The typed postcode, where this site does not know its place: areas in words are compared with it all the same. */
  postcode?: PostcodeText | undefined;
  /** When it should be open. */
  wanted?: WantedTimes | undefined;
  /** After how many days an entry should be checked again; left out where that is not shown. */
  reviewDays?: number;
};

/** What a list shows of a service: enough to choose by. */
export function resultView(service: ListedService, viewpoint: Viewpoint) {
  const { place } = viewpoint;
  const area = areaView(service, viewpoint);
  const eligibility = beginning(plainText(service.eligibility_description));
  return {
    path: servicePath(service.id),
    referralFormPath: referralFormPath(service.id),
    savePath: savePath(service.id),
    name: service.name,
    organization: service.organization?.name === service.name ? undefined : service.organization?.name,
    text: beginning(plainText(service.description)),
    place: shortPlace(nearestFirst(service.service_at_locations, place)),
    distance: service.distance_metres === undefined ? undefined : milesInWords(service.distance_metres),
    opening: openingView(service, viewpoint),
    forWhom: eligibility || agesInWords(service.minimum_age, service.maximum_age),
    availability: availabilityView(service),
    answers: responsivenessInWords(service.responsiveness),
    unchecked: uncheckedView(service, viewpoint),
    tags: tagsOf(service, area),
    covers: area?.covers,
    terms: [...new Set((service.attributes ?? []).flatMap(({ taxonomy_term }) => taxonomy_term?.name ?? []))],
  };
}

export function openingView(service: Service, { now, wanted }: Viewpoint): string | undefined {
  const opening = nextOpening(serviceHours(service, now.day.date), now, wanted);
  if (!opening) return undefined;
  const words = openingInWords(opening, now.minute);
  const note = noteOf(opening, service, { now, wanted });
  return note ? `${words} (${note})` : words;
}

/** A longer note would push the next result out of the first view of a phone. The service’s page has all of it. */
const maxNoteLength = 40;

/** A note such as “March to October” may mean that it is closed then. Only people can read it, so it is shown. */
function noteOf(
  opening: Opening,
  service: Service,
  { now, wanted }: Pick<Viewpoint, 'now' | 'wanted'>,
): string | undefined {
  const schedules = serviceSchedules(service);
  if (!schedules.some(scheduleNote)) return undefined;
  const matching = schedules.filter((schedule) => {
    const own = nextOpening(openingHours([schedule], now.day.date), now, wanted);
    return (
      own?.daysAhead === opening.daysAhead && own.opens === opening.opens && own.closes === opening.closes
    );
  });
  const notes = matching.map((schedule) =>
    beginning(plainText(scheduleNote(schedule)), maxNoteLength).replace(/\.$/, ''),
  );
  return notes.every(Boolean) ? notes[0] : undefined;
}

export function uncheckedView(service: Service, { now, reviewDays }: Viewpoint): string | undefined {
  return reviewDays === undefined
    ? undefined
    : overdueCheckInWords(service.assured_date, now.day.date, reviewDays);
}

const availabilityColours = {
  capacity: 'green',
  waitlist: 'yellow',
  'no-capacity': 'red',
  'additional-assessment-required': 'blue',
} as const;

/** Whether a service takes new people. */
export function availabilityView({ service_capacity: availability }: ListedService) {
  // A source may have something else under this name, which its document keeps.
  if (!availability || !readReportedAvailability(availability)) return undefined;
  return {
    text: availabilityNames[availability.status],
    colour: availabilityColours[availability.status],
    waiting: availability.waiting_time,
    setAt: availability.updated,
  };
}

/** Whether the service covers the searched place, if that is known. */
export function areaView(service: ListedService, { place, postcode = place }: Viewpoint) {
  if (!postcode) return undefined;
  // An outline says more than words, but not without a place.
  const readsWords =
    service.in_service_area === undefined && (place !== undefined || areaExtents(service).length === 0);
  const words = readsWords ? readServedPostcodes(service) : undefined;
  const covers = service.in_service_area ?? (words && coversPostcode(words, postcode));
  if (covers === undefined) return undefined;
  return { covers, text: covers ? `Covers ${postcode.text}` : 'Outside its area' };
}

/** Whom it is for and how it meets people, in a word or two each. */
function tagsOf(service: ListedService, area: ReturnType<typeof areaView>) {
  const ages = agesInShort(service.minimum_age, service.maximum_age);
  const offers = offersOf(service);
  const ways = offers.ways.filter((way) => way !== 'in-person').map((way) => wayNames[way]);
  const free = offers.features.includes('free') ? [featureNames.free] : [];
  return [
    ...(area ? [{ text: area.text, colour: area.covers ? 'green' : 'orange' }] : []),
    ...[...(ages === undefined ? [] : [ages]), ...ways, ...free].map((text) => ({ text, colour: 'grey' })),
  ];
}
