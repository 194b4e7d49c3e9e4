import { Type } from 'typebox';
import { location } from './location.ts';
import {
  attributes,
  common,
  contacts,
  identifier,
  metadata,
  number,
  optionalId,
  phones,
  text,
} from './parts.ts';

export const name = Type.String({ pattern: '\\S', maxLength: 500 });

export const program = Type.Object({ id: identifier, name: text, alternate_name: text, description: text });
export const funding = Type.Optional(Type.Array(Type.Object({ ...common, source: text })));

/** What there is one of in an organisation. */
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

export const organization = Type.Object({
  ...organizationScalars,
  funding,
  contacts,
  phones,
  locations: Type.Optional(Type.Array(location)),
  programs: Type.Optional(Type.Array(program)),
  organization_identifiers: Type.Optional(
    Type.Array(Type.Object({ ...common, identifier_scheme: text, identifier_type: text, identifier: text })),
  ),
  attributes,
  metadata,
});
