import { hash } from 'node:crypto';
import { withScheme } from '../../../library/index.ts';
import { listFromText, splitAtCommas } from '../check/text-lists.ts';

type Part = Record<string, unknown>;

/**
 * Turns a service of a package into the form of HSDS 3.0. Rows of older versions become texts or fields of the service, and
 * parts get what 3.0 requires: an id, a country, a web address with its scheme.
 */
export function upgradeServiceToHsds3({ eligibility, ...service }: Part): {
  service: Part;
  listsFromTexts: number;
} {
  // Versions before 3.0 did not require a status, and their packages often leave it empty.
  service.status ??= 'active';
  if (service.organization !== undefined) delete service.organization_id;
  if (service.program !== undefined) delete service.program_id;
  const texts = rowsOf(eligibility).flatMap((row) =>
    typeof row.eligibility === 'string' ? row.eligibility : [],
  );
  if (texts.length > 0) service.eligibility_description ??= texts.join('; ');
  if (typeof service.keywords === 'string') service.keywords = splitAtCommas(service.keywords);
  dropDuplicateLinks(service, 'service_at_locations', ({ location }) => (location as Part | undefined)?.id);
  dropDuplicateLinks(service, 'attributes', ({ taxonomy_term_id }) => taxonomy_term_id);
  return { service, listsFromTexts: completePart(service, String(service.id)) };
}

/**
 * Version 3.0 needs a location type, and older versions had no field for it. We take the type of its address, or
 * `physical`.
 */
export function fillLocationType(location: Part): void {
  const [address] = rowsOf(location.addresses);
  location.location_type ??= address?.address_type ?? 'physical';
}

/**
 * Gives parts without an id one that is made from their position, so the same package always gives the same ids.
 * @returns how many texts became lists
 */
export function completePart(part: Part, path: string): number {
  let listsFromTexts = 0;
  for (const owner of [part.organization, part.taxonomy_detail])
    if (typeof owner === 'object' && owner !== null) (owner as Part).description ??= '';
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'string') {
      const list = listFromText(name, value);
      if (list) {
        part[name] = list;
        listsFromTexts += 1;
      } else if (webAddresses.has(name)) part[name] = withScheme(value);
    }
    if (name === 'addresses') rowsOf(part[name]).forEach(fillAddress);
    for (const [index, each] of rowsOf(part[name]).entries()) {
      const at = `${path}/${name}/${stableKey(each) ?? index}`;
      each.id ??= idFor(at);
      listsFromTexts += completePart(each, at);
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      listsFromTexts += completePart(value as Part, `${path}/${name}`);
  }
  return listsFromTexts;
}

/** A name for a part that stays the same when the order of rows changes. */
function stableKey({ location, taxonomy_term_id }: Part): unknown {
  return (location as Part | undefined)?.id ?? taxonomy_term_id;
}

function fillAddress(address: Part): void {
  for (const name of ['address_1', 'city', 'state_province', 'postal_code']) address[name] ??= '';
  address.address_type ??= 'physical';
  const country = typeof address.country === 'string' ? address.country : '';
  const isUnitedKingdom =
    /^(uk|u\.k\.|gbr|united kingdom|great britain|england|scotland|wales|northern ireland)$/i.test(country) ||
    (country === '' && /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i.test(String(address.postal_code)));
  address.country = isUnitedKingdom ? 'GB' : country;
}

const webAddresses = new Set(['url', 'website', 'uri', 'logo', 'schedule_link', 'term_uri']);

/**
 * A UUID of version 8 (RFC 9562), which leaves the content to us. Its digits differ from those of ids that the library makes, and must not
 * change: services have such ids already.
 */
function idFor(path: string): string {
  const digits = hash('sha256', path, 'hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Removes links that are in the service's row and also in a table of their own, where they have an id. */
function dropDuplicateLinks(service: Part, name: string, keyOf: (part: Part) => unknown): void {
  const rows = rowsOf(service[name]);
  const keysWithId = new Set(rows.filter(({ id }) => id !== undefined).map(keyOf));
  if (rows.length > 0)
    service[name] = rows.filter((each) => each.id !== undefined || !keysWithId.has(keyOf(each)));
}

function rowsOf(value: unknown): Part[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => typeof each === 'object' && each !== null) as Part[];
}
