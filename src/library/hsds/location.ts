import { Type } from 'typebox';
import { common, contacts, languages, number, phones, schedules, text } from './parts.ts';

const placeType = Type.Optional(Type.Enum(['physical', 'postal', 'virtual']));

const address = Type.Object({
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

/** What there is one of in a location. */
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

export const location = Type.Object({
  ...common,
  ...locationScalars,
  languages,
  addresses: Type.Optional(Type.Array(address)),
  contacts,
  accessibility: Type.Optional(
    Type.Array(Type.Object({ ...common, description: text, details: text, url: text })),
  ),
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
