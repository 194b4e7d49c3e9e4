import { newId } from '../../../platform/ids/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { isVirtual, type Service, type ServiceAtLocation } from '../../model/service.ts';
import { readPostcode } from '../../postcodes/postcode.ts';
import type { Point } from '../../postcodes/postcodes-store.ts';
import { mainAddress } from '../../view/places.ts';

/** The form edits the service's first location that is a real place. */
export const addressFields = ['address_1', 'address_2', 'city', 'state_province', 'postal_code'] as const;

/** -1 if the service has no real place. */
export function mainPlaceIndex({ service_at_locations: places = [] }: Service): number {
  return places.findIndex((at) => !isVirtual(at));
}

export function placeValues(service: Service): Record<string, string> {
  const address = mainAddress(service.service_at_locations?.[mainPlaceIndex(service)]?.location);
  return Object.fromEntries(addressFields.map((name) => [name, address?.[name] ?? '']));
}

export function placeErrors(service: Service, values: Readonly<Record<string, string>>): FieldError[] {
  const postcode = (values.postal_code ?? '').trim();
  if (postcode === '' || postcode === placeValues(service).postal_code || readPostcode(postcode)) return [];
  return [{ pointer: '/postal_code', message: 'Enter a full postcode, such as ZT1 3GH' }];
}

/** The service with the form's address. `point` is where the form's postcode is, if the site knows it. */
export function withPlace(
  service: Service,
  values: Readonly<Record<string, string>>,
  point: Point | undefined,
): Service {
  const shown = placeValues(service);
  const texts = Object.fromEntries(addressFields.map((name) => [name, (values[name] ?? '').trim()]));
  const changed = addressFields.filter((name) => texts[name] !== shown[name]?.trim());
  if (changed.length === 0) return service;
  const places = service.service_at_locations ?? [];
  const main: ServiceAtLocation = places[mainPlaceIndex(service)] ?? { id: newId() };
  const moved = { ...main, location: movedLocation(main.location, texts, changed, point) };
  const newPlaces = places.includes(main)
    ? places.map((at) => (at === main ? moved : at))
    : [moved, ...places];
  return { ...service, service_at_locations: newPlaces };
}

type Location = NonNullable<ServiceAtLocation['location']>;

function movedLocation(
  before: Location | undefined,
  typedTexts: Readonly<Record<string, string>>,
  changed: readonly string[],
  point: Point | undefined,
): Location {
  const location: Location = before ?? { id: newId(), location_type: 'physical' };
  const address = mainAddress(location);
  const others = (location.addresses ?? []).filter((each) => each !== address);
  const empty = Object.values(typedTexts).every((text) => text === '');
  const newAddresses = empty ? [] : [withTexts(address ?? newAddress(), typedTexts, changed)];
  const { latitude: _, longitude: __, ...withoutCoordinates } = location;
  // The coordinates of the old postcode would send people to the wrong place.
  const moved = changed.includes('postal_code') ? { ...withoutCoordinates, ...point } : location;
  return { ...moved, addresses: [...newAddresses, ...others] };
}

type Address = NonNullable<Location['addresses']>[number];

function newAddress(): Address {
  return { id: newId(), country: 'GB', address_type: 'physical' };
}

/** The address with the changed fields. A field that was emptied is removed. */
function withTexts(
  address: Address,
  typedTexts: Readonly<Record<string, string>>,
  changed: readonly string[],
): Address {
  const unchanged = Object.entries(address).filter(([name]) => !changed.includes(name));
  const texts = changed.flatMap((name) => {
    const text = typedTexts[name] ?? '';
    const value = name === 'postal_code' ? (readPostcode(text)?.text ?? text) : text;
    return value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...unchanged, ...texts]) as Address;
}
