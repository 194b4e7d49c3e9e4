import { newId } from '../../../platform/ids/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { languageName, type RemoteWay, remoteWays, wayOfVirtualPlace } from '../../filter/offers.ts';
import { isVirtual, type Service, type ServiceAtLocation } from '../../model/service.ts';
import { type Postcode, readPostcode } from '../../postcodes/postcode.ts';
import type { Point } from '../../postcodes/postcodes-store.ts';
import { mainAddress } from '../../view/places.ts';
import { mainPlaceIndex } from './place.ts';

// Parts of a service that the form shows as text, one on a line. A line that nobody changed keeps its part as its source gave it,
// with whatever else the source says there.

/** The fields of the form with one part on each line, in the order in which they are applied. */
export const lineFields = [
  'service_areas',
  'languages',
  'cost_options',
  'required_documents',
  'other_places',
  'remote_ways',
  'accessibility',
] as const;
type LineField = (typeof lineFields)[number];
type Line = { line: number; text: string };

export function lineValues(service: Service): Record<LineField, string> {
  const { service_areas = [], languages = [], cost_options = [], required_documents = [] } = service;
  return {
    service_areas: linesOf(service_areas, areaLine),
    languages: linesOf(languages, languageLine),
    cost_options: linesOf(cost_options, priceLine),
    required_documents: linesOf(required_documents, documentLine),
    other_places: linesOf(otherPlacesOf(service), placeLine),
    remote_ways: remoteWays
      .filter((way) => virtualPlacesOf(service).some((at) => wayOfVirtualPlace(at) === way))
      .join('\n'),
    accessibility: linesOf(accessibilityOf(service), accessibilityLine),
  };
}

/** The errors in the lines that somebody typed. Unchanged lines are not checked. */
export function lineErrors(service: Service, values: Readonly<Record<string, string>>): FieldError[] {
  const shown = lineValues(service);
  const refuse = (name: LineField, isWrong: (text: string) => boolean, message: string) =>
    newLines(shown[name], values[name])
      .filter(({ text }) => isWrong(text))
      .map(({ line }) => ({ pointer: `/${name}`, message: `Line ${line}: ${message}` }))
      .slice(0, 1);
  const hasPlace =
    mainPlaceIndex(service) >= 0 || Boolean(values.address_1?.trim()) || Boolean(values.postal_code?.trim());
  const needsPlace = newLines(shown.accessibility, values.accessibility).length > 0 && !hasPlace;
  return [
    ...refuse('cost_options', (text) => readPrice(text) === undefined, enterPrice),
    ...refuse('other_places', (text) => readPlace(text) === undefined, enterPlace),
    ...(needsPlace
      ? [{ pointer: '/accessibility', message: 'Enter where it is first: this is about that place' }]
      : []),
  ];
}

const enterPrice = 'enter a price such as “Adults: £3.50 a session” or “Carers: free”';
const enterPlace =
  'enter the street, the town and a full postcode with commas between them, such as “Village Hall, 2 Mill Lane, Sarrowby, ZT1 3GH”';

/** The postcodes of places that somebody added, so that we can look up where they are. */
export function typedPostcodes(values: Readonly<Record<string, string>>): string[] {
  return splitLines(values.other_places).flatMap(({ text }) => readPlace(text)?.postcode.text ?? []);
}

/** The service with the typed lines of one field. `points` has where the postcodes of new places are. */
export function withLines(
  service: Service,
  name: LineField,
  typed: string,
  points: ReadonlyMap<string, Point>,
): Service {
  switch (name) {
    case 'service_areas':
      return withPart(service, name, replaceLines(service[name], areaLine, typed, newArea));
    case 'languages':
      return withPart(service, name, replaceLines(service[name], languageLine, typed, newLanguage));
    case 'cost_options':
      return withPart(service, name, replaceLines(service[name], priceLine, typed, newPrice));
    case 'required_documents':
      return withPart(service, name, replaceLines(service[name], documentLine, typed, newDocument));
    case 'other_places':
      return withOtherPlaces(service, typed, points);
    case 'remote_ways':
      return withRemoteWays(service, typed);
    case 'accessibility':
      return withAccessibility(service, typed);
  }
}

/** Sets a list of the service, or removes it if it is empty: HSDS has no empty lists. */
function withPart<Whole extends object>(
  whole: Whole,
  name: string & keyof Whole,
  parts: readonly unknown[],
): Whole {
  const others = Object.entries(whole).filter(([each]) => each !== name);
  return Object.fromEntries(parts.length === 0 ? others : [...others, [name, parts]]) as Whole;
}

/** Parts in words, as the form shows them. */
export const partsInWords = {
  service_areas: (parts: readonly Part<'service_areas'>[]) => parts.map(areaLine),
  languages: (parts: readonly Part<'languages'>[]) => parts.map(languageLine),
  cost_options: (parts: readonly Part<'cost_options'>[]) => parts.map(priceLine),
  required_documents: (parts: readonly Part<'required_documents'>[]) => parts.map(documentLine),
};

type Part<Name extends keyof Service> =
  NonNullable<Service[Name]> extends readonly (infer Each)[] ? Each : never;

function areaLine({ name, description }: Part<'service_areas'>): string {
  return oneLine(name || description);
}

function newArea(name: string): Part<'service_areas'> {
  return { id: newId(), name };
}

function languageLine({ name, code }: Part<'languages'>): string {
  return oneLine(languageName(name, code) ?? name);
}

function newLanguage(name: string): Part<'languages'> {
  return { id: newId(), name };
}

function documentLine({ document }: Part<'required_documents'>): string {
  return oneLine(document);
}

function newDocument(document: string): Part<'required_documents'> {
  return { id: newId(), document };
}

function priceLine({ option, amount, currency = 'GBP', amount_description }: Part<'cost_options'>): string {
  const sum = (amount ?? 0).toFixed(2).replace('.00', '');
  const named = currency.toUpperCase() === 'GBP' ? `£${sum}` : `${currency} ${sum}`;
  const price = amount === undefined ? '' : amount === 0 ? 'free' : named;
  const isRepeated = amount_description?.toLowerCase() === price;
  const about = [price, isRepeated ? '' : amount_description].filter(Boolean).join(' ');
  return oneLine([option, about].filter(Boolean).join(': '));
}

const price =
  /^(?:(?<option>[^:]{1,200}):\s*)?(?:£\s?(?<amount>\d{1,6}(?:\.\d{1,2})?)|free)(?:\s+(?<about>.+))?$/i;

/** The price in a line; undefined if it cannot be read. */
function readPrice(text: string) {
  const groups = price.exec(text)?.groups;
  if (!groups) return undefined;
  return { option: groups.option?.trim(), amount: Number(groups.amount ?? 0), about: groups.about?.trim() };
}

function newPrice(text: string): Part<'cost_options'> {
  const { option, amount, about } = readPrice(text) ?? { option: text };
  return {
    id: newId(),
    ...(option && { option }),
    ...(amount !== undefined && { amount, currency: 'GBP' }),
    ...(about && { amount_description: about }),
  };
}

function otherPlacesOf(service: Service): ServiceAtLocation[] {
  const main = mainPlaceIndex(service);
  return (service.service_at_locations ?? []).filter((at, index) => index !== main && !isVirtual(at));
}

function placeLine({ location }: ServiceAtLocation): string {
  const { address_1, address_2, city, state_province, postal_code } = mainAddress(location) ?? {};
  const name = location?.name === address_1 ? undefined : location?.name;
  return oneLine([name, address_1, address_2, city, state_province, postal_code].filter(Boolean).join(', '));
}

/** The place in a line; undefined without a full postcode at the end, or with nothing before it. */
function readPlace(text: string): { parts: string[]; postcode: Postcode } | undefined {
  const parts = text.split(',').flatMap((each) => each.trim() || []);
  const postcode = readPostcode(parts.pop() ?? '');
  return postcode && parts.length > 0 ? { parts, postcode } : undefined;
}

/** With three parts or more before the postcode, the first is the name of the place and the last its town. */
function newPlace(text: string, points: ReadonlyMap<string, Point>): ServiceAtLocation {
  const { parts, postcode } = readPlace(text)!;
  const name = parts.length > 2 ? parts.shift() : undefined;
  const city = parts.length > 1 ? parts.pop() : undefined;
  const [address_1, ...rest] = parts;
  return {
    id: newId(),
    location: {
      id: newId(),
      location_type: 'physical',
      ...(name && { name }),
      ...points.get(postcode.text),
      addresses: [
        {
          id: newId(),
          address_type: 'physical',
          country: 'GB',
          ...(address_1 && { address_1 }),
          ...(rest.length > 0 && { address_2: rest.join(', ') }),
          ...(city && { city }),
          postal_code: postcode.text,
        },
      ],
    },
  };
}

function withOtherPlaces(service: Service, typed: string, points: ReadonlyMap<string, Point>): Service {
  const places = service.service_at_locations ?? [];
  const others = otherPlacesOf(service);
  const typedPlaces = replaceLines(others, placeLine, typed, (text) => newPlace(text, points));
  const otherPlaces = places.filter((at) => !others.includes(at));
  const physical = otherPlaces.filter((at) => !isVirtual(at));
  return withPart(service, 'service_at_locations', [
    ...physical,
    ...typedPlaces,
    ...otherPlaces.filter(isVirtual),
  ]);
}

/** The names of virtual locations. */
const placeNames: Readonly<Record<RemoteWay, string>> = {
  home: 'Home visits',
  phone: 'By phone',
  online: 'Online',
};

function virtualPlacesOf({ service_at_locations = [] }: Service): ServiceAtLocation[] {
  return service_at_locations.filter(isVirtual);
}

function withRemoteWays(service: Service, typed: string): Service {
  const chosen = splitLines(typed).map(({ text }) => text);
  const remaining = (service.service_at_locations ?? []).filter(
    (at) => !isVirtual(at) || chosen.includes(wayOfVirtualPlace(at)),
  );
  const added = remoteWays
    .filter(
      (way) =>
        chosen.includes(way) && !remaining.some((at) => isVirtual(at) && wayOfVirtualPlace(at) === way),
    )
    .map((way) => ({
      id: newId(),
      location: { id: newId(), location_type: 'virtual' as const, name: placeNames[way] },
    }));
  return withPart(service, 'service_at_locations', [...remaining, ...added]);
}

function accessibilityOf(service: Service) {
  return service.service_at_locations?.[mainPlaceIndex(service)]?.location?.accessibility ?? [];
}

type Accessibility = ReturnType<typeof accessibilityOf>[number];

function accessibilityLine({ description, details }: Accessibility): string {
  return oneLine([description, details].filter(Boolean).join(' – '));
}

function withAccessibility(service: Service, typed: string): Service {
  const main = mainPlaceIndex(service);
  const write = (at: ServiceAtLocation): ServiceAtLocation => {
    const newPart = (description: string): Accessibility => ({ id: newId(), description });
    const parts = replaceLines(at.location?.accessibility, accessibilityLine, typed, newPart);
    const location = { id: newId(), ...at.location };
    return { ...at, location: withPart(location, 'accessibility', parts) };
  };
  const places = (service.service_at_locations ?? []).map((at, index) => (index === main ? write(at) : at));
  return withPart(service, 'service_at_locations', places);
}

/**
 * The parts with the typed lines: a line that a part had before keeps that part. Parts that have no line, such as an area that is only
 * drawn on a map, stay.
 */
function replaceLines<Each>(
  parts: readonly Each[] | undefined,
  lineOf: (part: Each) => string,
  typed: string,
  create: (text: string) => Each,
): Each[] {
  const unused = [...(parts ?? [])];
  const typedParts = splitLines(typed).map(({ text }) => {
    const index = unused.findIndex((part) => lineOf(part) === text);
    return index < 0 ? create(text) : unused.splice(index, 1)[0]!;
  });
  return [...typedParts, ...unused.filter((part) => lineOf(part) === '')];
}

function linesOf<Each>(parts: readonly Each[], lineOf: (part: Each) => string): string {
  return parts.flatMap((part) => lineOf(part) || []).join('\n');
}

function newLines(shown: string, typed = ''): Line[] {
  const known = splitLines(shown).map(({ text }) => text);
  return splitLines(typed).filter(({ text }) => !known.includes(text));
}

/** Empty lines are left out, but counted. */
function splitLines(text = ''): Line[] {
  return text
    .split('\n')
    .map((each, index) => ({ line: index + 1, text: oneLine(each) }))
    .filter((each) => each.text !== '');
}

function oneLine(text = ''): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
