import { virtualPlacesInWords } from '../filter/offers.ts';
import { isVirtual, type ServiceAtLocation } from '../model/service.ts';
import { metresBetween } from '../postcodes/earth.ts';
import type { Point } from '../postcodes/postcodes-store.ts';
import { milesInWords } from './distance.ts';
import { type PhoneView, phoneViews, webLink } from './links.ts';
import { plainText } from './plain-text.ts';
import { type OpenTime, openTimes } from './times.ts';

type Location = NonNullable<ServiceAtLocation['location']>;

/** A location of the service, physical or virtual. */
export type PlaceView = {
  /** From the searched place, such as “0.4 miles”. */
  distance: string | undefined;
  name: string | undefined;
  /** Of a virtual location: how people are seen there. */
  remote: string | undefined;
  lines: string[];
  about: string[];
  accessibility: string[];
  times: OpenTime[];
  phones: PhoneView[];
  link: ReturnType<typeof webLink>;
};

export function placeView(at: ServiceAtLocation, today: string, from: Point | undefined): PlaceView {
  const { location } = at;
  const lines = addressLines(location);
  const point = pointOf(at);
  return {
    distance: from && point && milesInWords(metresBetween(from, point)),
    name: location?.name === lines[0] ? undefined : location?.name,
    remote: isVirtual(at) ? virtualPlacesInWords([at]) : undefined,
    lines,
    about: [at.description, location?.description, location?.transportation].map(plainText).filter(Boolean),
    accessibility: (location?.accessibility ?? [])
      .map(({ description, details }) => [description, details].filter(Boolean).join(' '))
      .filter(Boolean),
    times: openTimes(at.schedules ?? location?.schedules, today),
    phones: phoneViews([...(at.phones ?? []), ...(location?.phones ?? [])]),
    link: webLink(location?.url),
  };
}

/** The place in a few words, for a list: “Sarrowby, ZT1 1HW and 2 more places”. */
export function shortPlace(places: readonly ServiceAtLocation[] | undefined): string | undefined {
  const locations = (places ?? []).flatMap(({ location }) => location ?? []);
  const known = locations.flatMap((location) => {
    const { city, postal_code } = mainAddress(location) ?? {};
    const place = [city, postal_code].filter(Boolean).join(', ');
    return place === '' ? [] : [place];
  });
  const [first] = known;
  if (first === undefined) {
    const virtual = (places ?? []).filter(isVirtual);
    return virtual.length > 0 ? virtualPlacesInWords(virtual) : undefined;
  }
  const more = known.length - 1;
  return more === 0 ? first : `${first} and ${more} more ${more === 1 ? 'place' : 'places'}`;
}

/** Undefined if the location has no coordinates. */
export function pointOf({ location }: ServiceAtLocation): Point | undefined {
  const { latitude, longitude } = location ?? {};
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** The locations of a service, the nearest first if there is a place to measure from. */
export function nearestFirst(
  places: readonly ServiceAtLocation[] | undefined,
  from: Point | undefined,
): ServiceAtLocation[] {
  const distance = (at: ServiceAtLocation) => {
    const point = pointOf(at);
    return from && point ? metresBetween(from, point) : Number.MAX_VALUE;
  };
  return (places ?? []).toSorted((one, other) => distance(one) - distance(other));
}

export function mainAddress(location: Location | undefined) {
  const addresses = location?.addresses ?? [];
  return addresses.find(({ address_type }) => address_type === 'physical') ?? addresses[0];
}

function addressLines(location: Location | undefined): string[] {
  const address = mainAddress(location);
  if (!address) return [];
  const { attention, address_1, address_2, city, region, state_province, postal_code } = address;
  const lines = [attention, address_1, address_2, city, region, state_province, postal_code];
  return [...new Set(lines.flatMap((line) => line?.trim() || []))];
}
