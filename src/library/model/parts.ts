import { Type } from 'typebox';
import { describePattern } from '../../platform/http/index.ts';

/**
 * The parts of an HSDS 3.0 service, as far as we check them. Fields of the standard must have its types; other fields are
 * kept as they are. Fields that the standard requires in nested parts may be missing, because published feeds leave many of
 * them out: an entry without a county is better than none.
 */

export const text = Type.Optional(Type.String());
export const number = Type.Optional(Type.Number());
export const identifier = Type.String({ minLength: 1, maxLength: 100 });
export const optionalId = Type.Optional(identifier);
const shortName = Type.String({ minLength: 1, maxLength: 500 });

export const taxonomy = Type.Object({
  id: identifier,
  name: shortName,
  description: text,
  uri: text,
  version: text,
});

export const taxonomyTerm = Type.Object({
  id: identifier,
  name: shortName,
  description: text,
  code: text,
  parent_id: optionalId,
  taxonomy: text,
  taxonomy_detail: Type.Optional(taxonomy),
  taxonomy_id: optionalId,
  language: text,
  term_uri: text,
});

export const attribute = Type.Object({
  id: optionalId,
  link_id: optionalId,
  link_type: text,
  link_entity: text,
  value: text,
  taxonomy_term_id: optionalId,
  taxonomy_term: Type.Optional(taxonomyTerm),
});

export const attributes = Type.Optional(Type.Array(attribute));
/** Kept as its source has it: a wrong note about a change is no reason to refuse a service. */
export const metadataEntry = Type.Object({});
export const metadata = Type.Optional(Type.Array(metadataEntry));
/** Fields of every part. */
const common = { id: optionalId, attributes, metadata };

export const language = Type.Object({ ...common, name: text, code: text, note: text });
export const languages = Type.Optional(Type.Array(language));

export const phone = Type.Object({
  ...common,
  number: Type.String(),
  extension: number,
  type: text,
  description: text,
  languages,
});
export const phones = Type.Optional(Type.Array(phone));

export const contact = Type.Object({
  ...common,
  name: text,
  title: text,
  department: text,
  email: text,
  phones,
});
export const contacts = Type.Optional(Type.Array(contact));

export const schedule = Type.Object({
  ...common,
  valid_from: text,
  valid_to: text,
  dtstart: text,
  until: text,
  timezone: number,
  count: number,
  wkst: text,
  freq: Type.Optional(Type.Enum(['WEEKLY', 'MONTHLY'], { title: 'ScheduleFrequency' })),
  interval: number,
  byday: text,
  byweekno: text,
  bymonthday: text,
  byyearday: text,
  description: text,
  opens_at: text,
  closes_at: text,
  schedule_link: text,
  attending_type: text,
  notes: text,
});
export const schedules = Type.Optional(Type.Array(schedule));

const placeType = Type.Optional(Type.Enum(['physical', 'postal', 'virtual'], { title: 'PlaceType' }));

export const address = Type.Object({
  ...common,
  attention: text,
  address_1: text,
  address_2: text,
  city: text,
  region: text,
  state_province: text,
  postal_code: text,
  country: text,
  address_type: placeType,
});

/** The single values of a location. */
export const locationScalars = {
  id: common.id,
  location_type: placeType,
  url: text,
  name: text,
  alternate_name: text,
  description: text,
  transportation: text,
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  external_identifier: text,
  external_identifier_type: text,
};

export const accessibility = Type.Object({ ...common, description: text, details: text, url: text });

export const location = Type.Object({
  ...common,
  ...locationScalars,
  languages,
  addresses: Type.Optional(Type.Array(address)),
  contacts,
  accessibility: Type.Optional(Type.Array(accessibility)),
  phones,
  schedules,
});

export const serviceAtLocation = Type.Object({
  ...common,
  description: text,
  contacts,
  phones,
  schedules,
  location: Type.Optional(location),
});

export const serviceArea = Type.Object({
  ...common,
  name: text,
  description: text,
  extent: text,
  extent_type: text,
  uri: text,
});

export const costOption = Type.Object({
  ...common,
  valid_from: text,
  valid_to: text,
  option: text,
  currency: text,
  amount: number,
  amount_description: text,
});

export const requiredDocument = Type.Object({ ...common, document: text, uri: text });

export const name = Type.String({ pattern: describePattern('\\S', 'must not be blank'), maxLength: 500 });

export const program = Type.Object({ id: identifier, name: text, alternate_name: text, description: text });
export const fundingSource = Type.Object({ ...common, source: text });
export const funding = Type.Optional(Type.Array(fundingSource));

/** The single values of an organisation. */
export const organizationScalars = {
  id: identifier,
  name,
  alternate_name: text,
  description: text,
  email: text,
  website: text,
  tax_status: text,
  tax_id: text,
  year_incorporated: number,
  legal_status: text,
  logo: text,
  uri: text,
  parent_organization_id: optionalId,
};

export const organizationIdentifier = Type.Object({
  ...common,
  identifier_scheme: text,
  identifier_type: text,
  identifier: text,
});

export const organization = Type.Object({
  ...organizationScalars,
  funding,
  contacts,
  phones,
  locations: Type.Optional(Type.Array(location)),
  programs: Type.Optional(Type.Array(program)),
  organization_identifiers: Type.Optional(Type.Array(organizationIdentifier)),
  attributes,
  metadata,
});
