import { type TSchema, Type } from 'typebox';
import { exampleAtLocation, exampleOrganization, exampleService, exampleSummary } from './examples.ts';
import { location, locationScalars, serviceAtLocation } from './hsds/location.ts';
import { organization, organizationScalars } from './hsds/organization.ts';
import {
  attribute,
  contact,
  identifier,
  language,
  optionalId,
  phone,
  schedule,
  taxonomy,
  taxonomyTerm,
  text,
} from './hsds/parts.ts';
import { serviceScalars, serviceSchema } from './hsds/service.ts';

const hsds = 'the fields are those of HSDS 3.0 (https://docs.openreferral.org/)';

/** Parts that occur in many places: the API's description names them once and refers to them. */
const parts: readonly (readonly [
  name: string,
  schema: TSchema & { properties: object },
  description: string,
])[] = [
  [
    'HsdsAttribute',
    attribute,
    'A term of a taxonomy that something has, such as a need that a service meets.',
  ],
  ['HsdsLanguage', language, 'A language that is spoken.'],
  ['HsdsPhone', phone, 'A telephone number.'],
  ['HsdsContact', contact, 'A person or desk to get in touch with.'],
  ['HsdsSchedule', schedule, 'When something is open, in the manner of iCalendar’s recurrence rules.'],
  ['HsdsLocation', location, 'A place, with its addresses and how accessible it is.'],
  ['HsdsOrganization', organization, 'Who runs the service.'],
  ['HsdsTaxonomy', taxonomy, 'A list of terms, such as the needs that services meet.'],
  ['HsdsTaxonomyTerm', taxonomyTerm, 'A term of a taxonomy.'],
];
const names = new Map<unknown, string>(parts.map(([name, { properties }]) => [properties, name]));

const serviceNames = { id: identifier, name: text, status: serviceScalars.status };
const links = { id: identifier, service_id: identifier, location_id: optionalId };

/** The named schemas of the library's answers, for `app.addSchema`. They describe; the answers are sent as stored. */
export const librarySchemas: readonly object[] = [
  ...parts.map(([name, schema, description]) => ({
    ...referring(schema.properties, schema),
    $id: name,
    description,
  })),
  {
    ...referring(serviceSchema.properties, serviceSchema),
    $id: 'Service',
    description: `A service in full, with all that belongs to it: ${hsds}. Fields that HSDS does not name are kept as its source gave them.`,
    examples: [exampleService],
  },
  {
    ...Type.Object({ ...serviceScalars, organization: Type.Optional(Type.Object(organizationScalars)) }),
    $id: 'ServiceSummary',
    description: `A service in short, with what there is one of: ${hsds}.`,
    examples: [exampleSummary],
  },
  {
    ...Type.Object({
      ...propertiesOf(organization),
      services: Type.Optional(Type.Array(Type.Union([Type.Object(serviceNames), Type.Ref('Service')]))),
    }),
    $id: 'Organization',
    description: `An organisation with its active services, which are in short unless \`full_service\` is true: ${hsds}.`,
    examples: [exampleOrganization],
  },
  {
    ...Type.Object({
      ...links,
      ...propertiesOf(serviceAtLocation),
      ...serviceNames,
      service: Type.Ref('Service'),
    }),
    $id: 'ServiceAtLocation',
    description: `A service at one of its locations, with both in full: ${hsds}. Its service does not repeat the locations.`,
    examples: [exampleAtLocation],
  },
  {
    ...Type.Object({
      ...links,
      description: text,
      location: Type.Optional(Type.Object(locationScalars)),
      service: Type.Ref('ServiceSummary'),
    }),
    $id: 'ServiceAtLocationSummary',
    description: `A service at one of its locations, with what there is one of: ${hsds}.`,
  },
];

/** The properties of a schema, with references in place of those that have names. */
function propertiesOf({ properties }: { properties: object }): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, named(value) as TSchema]));
}

/** A part's schema with references in place of the parts in it that have names. */
function referring(properties: object, schema: object): object {
  return { ...schema, properties: propertiesOf({ properties }) };
}

function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  const name = 'properties' in value ? names.get(value.properties) : undefined;
  if (name !== undefined) return { $ref: name };
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each)]));
}

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** HSDS's page of things such as `services`. */
export function pageSchema(things: string, thing: TSchema) {
  return Type.Object(
    {
      total_items: count(`How many ${things} fit.`),
      total_pages: count('How many pages they fill.'),
      page_number: count('Which page this is, from 1.'),
      size: count(`How many ${things} are on this page.`),
      first_page: Type.Boolean(),
      last_page: Type.Boolean(),
      empty: Type.Boolean({ description: `True where the page has no ${things}, as past the end.` }),
      contents: Type.Array(thing),
    },
    { description: `A page of ${things}.` },
  );
}

export const libraryAnswerSchema = Type.Object(
  {
    version: Type.String({
      description: 'The version of HSDS that the library speaks.',
      examples: ['HSDS-UK-3.0'],
    }),
    profile: Type.String({ description: 'Where the profile of HSDS is described.' }),
    openapi_url: Type.String({ description: 'Where this API is described, for programs.' }),
  },
  {
    description: 'What this API is.',
    examples: [
      {
        version: 'HSDS-UK-3.0',
        profile: 'https://docs.openreferraluk.org/',
        openapi_url: 'http://localhost:8080/api/openapi.json',
      },
    ],
  },
);
