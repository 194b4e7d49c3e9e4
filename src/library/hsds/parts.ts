import { Type } from 'typebox';

/**
 * The parts of an HSDS 3.0 service, as far as we check them: each field that the standard names must be of its type.
 * What it does not name is kept and handed on, and what it calls required is not demanded of nested things, because
 * published feeds leave much of it out: an entry without a county is of more use than none.
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
export const metadata = Type.Optional(Type.Array(Type.Object({})));
/** What every part has. */
export const common = { id: optionalId, attributes, metadata };

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
  freq: Type.Optional(Type.Enum(['WEEKLY', 'MONTHLY'])),
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
