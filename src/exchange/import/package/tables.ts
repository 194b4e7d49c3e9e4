/** A table of an HSDS 3.0 package, and the tables that are nested in its rows. */
export type Table = {
  /** Tables whose rows name a row of this one in the field `by`; they become the list `name` in it. */
  readonly many?: readonly Relation[];
  /** A row of this table names a row of these in the field `by`; that row becomes its field `name`. */
  readonly one?: readonly Relation[];
};

type Relation = { readonly name: string; readonly table: TableName; readonly by: string };

export type TableName = keyof typeof tableShapes;

const perService = (name: string, table: string) => ({ name, table, by: 'service_id' });
const perLocation = (name: string, table: string) => ({ name, table, by: 'location_id' });
const perOrganization = (name: string, table: string) => ({ name, table, by: 'organization_id' });

const tableShapes = {
  service: {
    one: [
      perOrganization('organization', 'organization'),
      { name: 'program', table: 'program', by: 'program_id' },
    ],
    many: [
      perService('phones', 'phone'),
      perService('schedules', 'schedule'),
      perService('service_areas', 'service_area'),
      perService('service_at_locations', 'service_at_location'),
      perService('languages', 'language'),
      perService('funding', 'funding'),
      perService('cost_options', 'cost_option'),
      perService('required_documents', 'required_document'),
      perService('contacts', 'contact'),
      perService('additional_urls', 'url'),
      perService('capacities', 'service_capacity'),
      perService('eligibility', 'eligibility'),
      perService('payments_accepted', 'payment_accepted'),
    ],
  },
  service_at_location: {
    one: [perLocation('location', 'location')],
    many: ['phone', 'contact', 'schedule'].map((table) => ({
      name: `${table}s`,
      table,
      by: 'service_at_location_id',
    })),
  },
  location: {
    many: [
      perLocation('languages', 'language'),
      perLocation('addresses', 'address'),
      perLocation('contacts', 'contact'),
      perLocation('accessibility', 'accessibility'),
      perLocation('phones', 'phone'),
      perLocation('schedules', 'schedule'),
    ],
  },
  // An organisation's locations are nested in its services only. A large council's would be repeated in each service.
  organization: {
    many: [
      perOrganization('funding', 'funding'),
      perOrganization('contacts', 'contact'),
      perOrganization('phones', 'phone'),
      perOrganization('programs', 'program'),
      perOrganization('organization_identifiers', 'organization_identifier'),
      perOrganization('additional_websites', 'url'),
    ],
  },
  contact: { many: [{ name: 'phones', table: 'phone', by: 'contact_id' }] },
  phone: { many: [{ name: 'languages', table: 'language', by: 'phone_id' }] },
  attribute: { one: [{ name: 'taxonomy_term', table: 'taxonomy_term', by: 'taxonomy_term_id' }] },
  taxonomy_term: { one: [{ name: 'taxonomy_detail', table: 'taxonomy', by: 'taxonomy_id' }] },
  service_capacity: { one: [{ name: 'unit', table: 'unit', by: 'unit_id' }] },
  program: {},
  address: {},
  schedule: {},
  service_area: {},
  language: {},
  funding: {},
  accessibility: {},
  cost_option: {},
  required_document: {},
  organization_identifier: {},
  taxonomy: {},
  metadata: {},
  url: {},
  unit: {},
  eligibility: {},
  payment_accepted: {},
} as const;

export const tables: Readonly<Record<TableName, Table>> = tableShapes as Readonly<Record<TableName, Table>>;

/** The table that a field refers to, such as `location_id` to `location`. */
export const fieldTargets: ReadonlyMap<string, TableName> = new Map(
  (
    [
      'service',
      'organization',
      'program',
      'location',
      'service_at_location',
      'contact',
      'phone',
      'taxonomy_term',
      'taxonomy',
      'unit',
    ] as const
  ).map((table) => [`${table}_id`, table]),
);

/** Fields that are numbers in JSON. In CSV everything is text. */
export const numberFields: ReadonlySet<string> = new Set([
  'minimum_age',
  'maximum_age',
  'latitude',
  'longitude',
  'year_incorporated',
  'extension',
  'timezone',
  'count',
  'interval',
  'amount',
  'available',
  'maximum',
]);
