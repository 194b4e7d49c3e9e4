import { type TSchema, Type } from 'typebox';
import { location } from './hsds/location.ts';
import { organization, organizationScalars } from './hsds/organization.ts';
import { attribute, contact, language, phone, schedule } from './hsds/parts.ts';
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
];
const names = new Map<unknown, string>(parts.map(([name, { properties }]) => [properties, name]));

/** Of the sample library, which test sites have: what the reference fills in can be tried out as it stands. */
const exampleSummary = {
  id: '19096312-e822-4b61-87ce-491718e6e107',
  organization_id: 'b49dadd1-f98b-448d-b2ae-9895f5cd6f89',
  name: 'Good Company befriending',
  description: 'A trained volunteer visits you at home for about an hour a week.',
  url: 'https://weirhouse.example.org/good-company',
  email: 'goodcompany@weirhouse.example.org',
  status: 'active',
  fees_description: 'Free.',
  minimum_age: 55,
  assured_date: '2026-05-21',
  last_modified: '2026-05-22T17:40:46Z',
  organization: { id: 'b49dadd1-f98b-448d-b2ae-9895f5cd6f89', name: 'The Weir House Trust' },
};
export const exampleService = {
  ...exampleSummary,
  phones: [{ id: '22284ac4-6c09-4cc3-b0d9-93947f977752', number: '01632 960011', type: 'voice' }],
  schedules: [
    {
      id: '600ef705-d23b-4d1b-aaeb-00d9122261bb',
      freq: 'WEEKLY',
      byday: 'MO,TU,WE,TH,FR',
      opens_at: '10:00',
      closes_at: '16:00',
    },
  ],
};

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
];

/** A part's schema with references in place of the parts in it that have names. */
function referring(properties: object, schema: object): object {
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, named(v)])),
  };
}

function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  const name = 'properties' in value ? names.get(value.properties) : undefined;
  if (name !== undefined) return { $ref: name };
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each)]));
}

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const servicesPageSchema = Type.Object(
  {
    total_items: count('How many services fit.'),
    total_pages: count('How many pages they fill.'),
    page_number: count('Which page this is, from 1.'),
    size: count('How many services are on this page.'),
    first_page: Type.Boolean(),
    last_page: Type.Boolean(),
    empty: Type.Boolean({ description: 'True where the page has no services, as past the end.' }),
    contents: Type.Array(Type.Union([Type.Ref('ServiceSummary'), Type.Ref('Service')])),
  },
  { description: 'A page of services.' },
);

export const examplePage = {
  total_items: 1,
  total_pages: 1,
  page_number: 1,
  size: 1,
  first_page: true,
  last_page: true,
  empty: false,
  contents: [exampleSummary],
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
