import { type TSchema, Type } from 'typebox';
import { exampleOrigin } from '../../platform/http/index.ts';
import { availabilitySchema, capacitySchema } from '../model/availability.ts';
import {
  accessibility,
  address,
  attribute,
  contact,
  costOption,
  fundingSource,
  identifier,
  language,
  location,
  locationScalars,
  metadataEntry,
  optionalId,
  organization,
  organizationIdentifier,
  organizationScalars,
  phone,
  program,
  requiredDocument,
  schedule,
  serviceArea,
  serviceAtLocation,
  taxonomy,
  taxonomyTerm,
  text,
} from '../model/parts.ts';
import { responsivenessSchema } from '../model/responsiveness.ts';
import { serviceScalars, serviceSchema } from '../model/service.ts';
import { exampleAtLocation, exampleOrganization, exampleService, exampleSummary } from './examples.ts';

const hsds = 'the fields are those of HSDS 3.0 (https://docs.openreferral.org/)';

/** Parts that occur in many places. The API's description defines them once and refers to them. */
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
  ['HsdsAddress', address, 'The address of a location.'],
  ['HsdsAccessibility', accessibility, 'How accessible a location is.'],
  ['HsdsServiceArea', serviceArea, 'Where a service is offered.'],
  ['HsdsServiceAtLocation', serviceAtLocation, 'A service at one of its locations.'],
  ['HsdsCostOption', costOption, 'What a service costs for some people or at some times.'],
  ['HsdsFunding', fundingSource, 'Who pays for a service or an organisation.'],
  ['HsdsProgram', program, 'A programme to which services belong.'],
  ['HsdsRequiredDocument', requiredDocument, 'A document that people bring to a service.'],
  [
    'HsdsOrganizationIdentifier',
    organizationIdentifier,
    'A number by which a register knows an organisation.',
  ],
  ['HsdsTaxonomy', taxonomy, 'A list of terms, such as the needs that services meet.'],
  ['HsdsTaxonomyTerm', taxonomyTerm, 'A term of a taxonomy.'],
];
const names = new Map<unknown, string>([
  ...parts.map(([name, { properties }]) => [properties, name] as const),
  [metadataEntry.properties, 'HsdsMetadata'],
]);

const words = (description: string) => Type.Optional(Type.String({ description }));
const anyValue = (description: string) => Type.Optional(Type.Unknown({ description }));

/** The words are those of HSDS 3.1. What a source says of its own changes is passed on as it is. */
const metadataSchema = Type.Object(
  {
    id: words('The identifier for this metadata. Each entry must have a unique identifier.'),
    resource_id: words(
      'The identifier of the resource (service, program, location, address, or contact) that this metadata describes.',
    ),
    resource_type: words('The type of entity being referenced.'),
    last_action_date: words('The date when data was changed.'),
    last_action_type: words('The kind of change made to the data.'),
    field_name: words('The name of field that has been modified.'),
    previous_value: anyValue('The previous value of the field that has been modified.'),
    replacement_value: anyValue('The new value of the field that has been modified.'),
    updated_by: words('The name of the person who modified the field.'),
  },
  {
    $id: 'HsdsMetadata',
    description:
      'A record of the changes that have been made to the data in order to maintain provenance information. This site’s own entries leave both values empty.',
  },
);

export const organizationSummary = Type.Object(organizationScalars, { title: 'OrganizationSummary' });
const serviceNames = { id: identifier, name: text, status: serviceScalars.status };
const links = { id: identifier, service_id: identifier, location_id: optionalId };

const distanceFields = {
  distance_metres: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'How far it is from the postcode or point that was asked for, in a straight line: of a service, its nearest place. Left out where none was asked for, and where it has no place.',
    }),
  ),
  in_service_area: Type.Optional(
    Type.Boolean({
      description:
        'Whether the postcode or point lies in an area that the service serves. Left out where its entry does not say it for certain.',
    }),
  ),
};

/** Fields that this site adds to a service. */
const added = {
  service_capacity: Type.Optional(Type.Ref('ServiceCapacity')),
  responsiveness: Type.Optional(Type.Ref('ServiceResponsiveness')),
  ...distanceFields,
};

const capacities = Type.Optional(Type.Array(Type.Ref('HsdsCapacity')));

/** Fields that this site adds to answers. A client that sends back what it read must not store them. */
export const siteFields: ReadonlySet<string> = new Set(['last_modified', 'metadata', ...Object.keys(added)]);

/** The named schemas of the library's answers, for `app.addSchema`. They only describe: answers are sent as stored. */
export const librarySchemas: readonly object[] = [
  availabilitySchema,
  capacitySchema,
  responsivenessSchema,
  metadataSchema,
  ...parts.map(([name, schema, description]) => ({
    ...withReferences(schema.properties, schema),
    $id: name,
    description,
  })),
  {
    ...withReferences({ ...serviceSchema.properties, capacities, ...added }, serviceSchema),
    $id: 'Service',
    description: `A service in full, with all that belongs to it: ${hsds}. Fields that HSDS does not name are kept as its source gave them.`,
    examples: [exampleService],
  },
  {
    ...withReferences(serviceSchema.properties, serviceSchema),
    $id: 'NewService',
    required: serviceSchema.required.filter((name) => name !== 'id'),
    description: `A service to add or to change: ${hsds}. Without an \`id\` one is made.`,
  },
  {
    ...Type.Object({
      ...serviceScalars,
      organization: Type.Optional(organizationSummary),
      ...added,
    }),
    $id: 'ServiceSummary',
    description: `A service in short, with only its single-value fields: ${hsds}.`,
    examples: [exampleSummary],
  },
  Type.Object(
    { id: identifier, last_modified: Type.String() },
    {
      $id: 'ServiceStamp',
      description: 'The id of a service and when it changed, for lists with `minimal=true`.',
    },
  ),
  {
    ...Type.Object({
      ...propertiesOf(organization),
      services: Type.Optional(
        Type.Array(Type.Union([Type.Object(serviceNames, { title: 'ServiceName' }), Type.Ref('Service')])),
      ),
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
      ...distanceFields,
    }),
    $id: 'ServiceAtLocation',
    description: `A service at one of its locations, with both in full: ${hsds}. Its service does not repeat the locations.`,
    examples: [exampleAtLocation],
  },
  {
    ...Type.Object({
      ...links,
      description: text,
      location: Type.Optional(Type.Object(locationScalars, { title: 'LocationSummary' })),
      service: Type.Ref('ServiceSummary'),
      ...distanceFields,
    }),
    $id: 'ServiceAtLocationSummary',
    description: `A service at one of its locations, with only single-value fields: ${hsds}.`,
  },
];

/** A schema's properties, with references to the named parts. */
function propertiesOf({ properties }: { properties: object }): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const schema = withNamedSchemas(value) as TSchema;
      return [key, Type.IsOptional(value) ? Type.Optional(schema) : schema];
    }),
  );
}

/** A schema with references to the named parts. */
function withReferences(properties: object, schema: object): object {
  return { ...schema, properties: propertiesOf({ properties }) };
}

function withNamedSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNamedSchemas);
  if (typeof value !== 'object' || value === null) return value;
  const name = 'properties' in value ? names.get(value.properties) : undefined;
  if (name !== undefined) return { $ref: name };
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNamedSchemas(each)]));
}

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A page of HSDS's lists. @param plural such as `services` */
export function pageSchema(title: string, plural: string, item: TSchema, more: Record<string, TSchema> = {}) {
  return Type.Object(
    {
      total_items: count(`How many ${plural} fit.`),
      total_pages: count('How many pages they fill.'),
      page_number: count('Which page this is, from 1.'),
      size: count(`How many ${plural} are on this page.`),
      first_page: Type.Boolean(),
      last_page: Type.Boolean(),
      empty: Type.Boolean({ description: `True where the page has no ${plural}, as past the end.` }),
      ...more,
      contents: Type.Array(item),
    },
    { title, description: `A page of ${plural}.` },
  );
}

/** On pages of services and of services at locations, if the request gave a place. */
export const placePageField = {
  place: Type.Optional(
    Type.Object(
      {
        latitude: Type.Number(),
        longitude: Type.Number(),
        precision: Type.Enum(['point', 'postcode', 'sector', 'district'], {
          title: 'PlacePrecision',
          description:
            'What it is the middle of: the postcode, or, where the site does not know that, its sector or district. `point` is a latitude and longitude as they were sent.',
        }),
      },
      { description: 'Where distances are measured from, if you gave a postcode or a point.' },
    ),
  ),
};

/** Of one organisation, and of lists of them. */
export const fullServiceParameter = Type.Optional(
  Type.Boolean({
    parameter: 'FullService',
    description: 'The services of each organisation in full, and not their ids and names alone.',
  }),
);

const facetCounts = Type.Optional(
  Type.Array(
    Type.Object(
      {
        value: Type.String({ description: 'What to send as the filter’s value.' }),
        name: Type.String({ description: 'What to call it on a page.' }),
        taxonomy: Type.Optional(Type.String({ description: 'The name of a term’s taxonomy.' })),
        count: count('How many services it would leave.'),
      },
      { title: 'FacetCount' },
    ),
  ),
);

/** On pages of services, if the request asked for facets. */
export const facetsField = {
  facets: Type.Optional(
    Type.Object(
      {
        taxonomy_term_id: facetCounts,
        day: facetCounts,
        capacity: facetCounts,
        way: facetCounts,
        language: facetCounts,
        feature: facetCounts,
      },
      {
        description:
          'For each facet that you asked for, the values of its filter with how many services they would leave: of the terms and languages, the fifty that most services have.',
      },
    ),
  ),
};

/** On pages of services and of services at locations, if what was searched for sounds like danger. */
export const crisisHelpField = {
  crisis_help: Type.Optional(
    Type.Object(
      {
        emergency_number: Type.String({ description: 'If a life is at risk, or somebody is being hurt.' }),
        mental_health_number: Type.String({
          description: 'For a crisis of mental health that cannot wait.',
        }),
        listening_number: Type.String({ description: 'The Samaritans, who listen day and night.' }),
        safeguarding_contact: Type.Union([Type.String(), Type.Null()], {
          description: 'Whom to tell of a child or adult who is being hurt; null if the site names nobody.',
        }),
      },
      {
        title: 'CrisisHelp',
        description:
          'Only if `search` has words of a crisis, such as “kill myself”: show it above the services, which answer in days. An answer line by line does not have it.',
      },
    ),
  ),
};

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
    title: 'LibraryDescription',
    description: 'What this API is.',
    examples: [
      {
        version: 'HSDS-UK-3.0',
        profile: 'https://docs.openreferraluk.org/',
        openapi_url: `${exampleOrigin}/api/openapi.json`,
      },
    ],
  },
);
