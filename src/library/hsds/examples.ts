/** From the sample library of test sites, so that the reference's examples work there. */

const exampleOrganizationSummary = {
  id: 'b49dadd1-f98b-448d-b2ae-9895f5cd6f89',
  name: 'The Weir House Trust',
  description: 'Community centre by the river in the middle of Sarrowby.',
  email: 'office@weirhouse.example.org',
  website: 'https://weirhouse.example.org',
};

export const exampleSummary = {
  id: '19096312-e822-4b61-87ce-491718e6e107',
  organization_id: exampleOrganizationSummary.id,
  name: 'Good Company befriending',
  description: 'A trained volunteer visits you at home for about an hour a week.',
  url: 'https://weirhouse.example.org/good-company',
  email: 'goodcompany@weirhouse.example.org',
  status: 'active',
  fees_description: 'Free.',
  minimum_age: 55,
  assured_date: '2026-05-21',
  last_modified: '2026-05-22T17:40:46Z',
  organization: exampleOrganizationSummary,
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

/** A body for `POST /api/library/services`. */
export const exampleNewService = {
  name: 'Tuesday walking group',
  description: 'A gentle hour by the river, with tea afterwards.',
  status: 'active',
  organization_id: exampleOrganizationSummary.id,
  email: 'walks@weirhouse.example.org',
  fees_description: 'Free.',
  phones: [{ number: '01632 960011' }],
  schedules: [{ freq: 'WEEKLY', byday: 'TU', opens_at: '10:30', closes_at: '11:30' }],
};

export const exampleOrganization = {
  ...exampleOrganizationSummary,
  services: [{ id: exampleSummary.id, name: exampleSummary.name, status: 'active' }],
};

const place = {
  id: '9e5c8986-c427-4147-b18f-95b1f1e14325',
  location_type: 'physical',
  name: 'The Weir House',
  latitude: 54.04921,
  longitude: -2.15274,
};
const links = {
  id: '0a77f087-22b2-4d00-bdff-cbe1af63d398',
  service_id: exampleSummary.id,
  location_id: place.id,
};

const exampleAtLocationSummary = { ...links, location: place, service: exampleSummary };

export const exampleAtLocation = {
  ...links,
  location: {
    ...place,
    addresses: [
      {
        id: 'cf17daae-7997-4fc9-a7ef-8781ef3d7981',
        address_1: '2 Weir Lane',
        city: 'Sarrowby',
        state_province: 'Fellshire',
        postal_code: 'ZT1 1HW',
        country: 'GB',
        address_type: 'physical',
      },
    ],
  },
  name: exampleSummary.name,
  status: 'active',
  service: exampleService,
};

export const exampleTaxonomy = {
  id: 'b851a9c6-03a2-49f1-b5a2-61bb1d4a3a52',
  name: 'Need',
  description: 'What a person might want help with, in everyday words.',
};

export const exampleTerm = {
  id: 'fc89a774-f334-4111-87f5-d673ed621ad3',
  code: 'loneliness',
  name: 'Loneliness',
  description: 'Being on your own more than you would like, or having nobody to talk to.',
  taxonomy: 'Need',
  taxonomy_detail: exampleTaxonomy,
};

const onePage = (item: object) => ({
  total_items: 1,
  total_pages: 1,
  page_number: 1,
  size: 1,
  first_page: true,
  last_page: true,
  empty: false,
  contents: [item],
});

export const examplePages = {
  services: onePage(exampleSummary),
  atLocations: onePage(exampleAtLocationSummary),
  organizations: onePage(exampleOrganizationSummary),
  taxonomies: onePage(exampleTaxonomy),
  terms: onePage(exampleTerm),
};
