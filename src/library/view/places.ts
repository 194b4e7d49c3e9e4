import type { ServiceAtLocation } from '../hsds/service.ts';
import { webLink } from './links.ts';
import { type PhoneView, phoneViews } from './phones.ts';
import { plainText } from './plain-text.ts';
import { type OpenTime, openTimes } from './times.ts';

type Location = NonNullable<ServiceAtLocation['location']>;

/** One place where the service is, or the means by which it is reached. */
export type Place = {
  name: string | undefined;
  remote: boolean;
  lines: string[];
  about: string[];
  accessibility: string[];
  times: OpenTime[];
  phones: PhoneView[];
  link: ReturnType<typeof webLink>;
};

export function placeOf(at: ServiceAtLocation, today: string): Place {
  const { location } = at;
  const lines = addressLines(location);
  return {
    name: location?.name === lines[0] ? undefined : location?.name,
    remote: location?.location_type === 'virtual',
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
    return locations.some(({ location_type }) => location_type === 'virtual')
      ? 'Online or by telephone'
      : undefined;
  }
  const more = known.length - 1;
  return more === 0 ? first : `${first} and ${more} more ${more === 1 ? 'place' : 'places'}`;
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
