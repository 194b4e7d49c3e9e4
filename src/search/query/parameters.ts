import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { availabilities, dayCodes, dayNames, features, maxAge, ways } from '../../library/index.ts';

/** The parameters of the library's lists, as the API document describes them. */

export const maxSearchLength = 500;
const maxPage = 1_000_000_000;
const maxPerPage = 500;
export const defaultPerPage = 50;
/** With fewer results than this a search is widened: a short list looks complete, but a good service may lack a single word. */
export const enoughServices = 10;

// Parameters that several lists share have a name, so that the API document describes each once.

/** @param parameter its name in the API document */
export const identifier = (parameter: string, description: string) =>
  Type.Optional(Type.String({ parameter, maxLength: 100, description }));

/** @param parameter its name in the API document */
export const flag = (parameter: string, description: string) =>
  Type.Optional(Type.Boolean({ parameter, description }));

const searchSyntax = `best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than ${enoughServices} services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.`;

/**
 * The parameters of every list, which is also sent line by line, from an address of its own.
 * @param things such as `services` @param parameter the name of `search` in the API document
 */
export const listParameters = (things: string, searched: string, example: string, parameter: string) => ({
  search: Type.Optional(
    Type.String({
      parameter,
      maxLength: maxSearchLength,
      description: `Words to look for in ${searched}, ${searchSyntax}`,
      examples: [example],
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      parameter: 'Page',
      minimum: 1,
      maximum: maxPage,
      default: 1,
      description: 'Which page, from 1.',
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPerPage,
      description: `How many ${things} a page has: ${defaultPerPage} by default.`,
    }),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'ndjson'], {
      title: 'ListFormat',
      deprecated: true,
      description: `ndjson, or the header \`Accept: application/x-ndjson\`: all ${things} that fit, one a line. The address that ends in \`.ndjson\` answers the same.`,
    }),
  ),
});

export const sorts = ['relevance', 'distance', 'name', 'responsiveness'] as const;
export const facetNames = ['taxonomy_term_id', 'day', 'capacity', 'way', 'language', 'feature'] as const;

const halfAroundTheEarth = 20_100_000;

const age = (description: string, example: number) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: maxAge, description, examples: [example] }));
const time = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 8, description, examples: [example] }));

/** The filters of services, whether these are listed themselves or at their locations. */
const filterParameters = asNamedParameters({
  taxonomy_term_id: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 50,
      description:
        'Services with this term, or with one below it. Repeat the parameter to take any of several terms.',
    }),
  ),
  taxonomy_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Services with any term of this taxonomy.' }),
  ),
  organization_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Services of this organisation.' }),
  ),
  modified_after: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Services that changed, or set their availability, at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21.',
    }),
  ),
  postcode: Type.Optional(
    Type.String({
      maxLength: 30,
      description:
        'A full UK postcode to measure from: every service that has a place says how far its nearest one is (`distance_metres`) and, where that is known, whether it serves the postcode (`in_service_area`); none is left out for it. Where the site does not know the postcode, it measures from the middle of its sector or district, and `place` in the answer says so; one whose district it does not know is a 400. Not beside `latitude` and `longitude`. A patient’s postcode does not belong in an address: send it to POST /api/library/services/search.',
      examples: ['ZT1 3GH'],
    }),
  ),
  latitude: Type.Optional(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description:
        'A point to measure from, instead of a postcode: its degrees north (WGS 84). Needs `longitude`.',
      examples: [54.048],
    }),
  ),
  longitude: Type.Optional(
    Type.Number({
      minimum: -180,
      maximum: 180,
      description: 'The degrees east of the point; west of Greenwich they are negative. Needs `latitude`.',
      examples: [-2.145],
    }),
  ),
  proximity: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: halfAroundTheEarth,
      description:
        'The maximum distance in metres, as the crow flies, from the postcode or point to a place of the service. Services without a place, such as telephone lines, are left out. Needs a postcode or a point.',
      examples: [5000],
    }),
  ),
  minimum_age: age(
    'The youngest age you ask for: services that take somebody of this age or older. For a person of 70 send 70 as `maximum_age` too. Services that give no age are for everybody.',
    70,
  ),
  maximum_age: age(
    'The oldest age you ask for: services that take somebody of this age or younger. Not less than `minimum_age`.',
    70,
  ),
  day: Type.Optional(
    Type.Array(Type.Enum([...dayCodes, ...dayNames], { title: 'Day' }), {
      maxItems: dayCodes.length + dayNames.length,
      description:
        'Services that are open on this day of the week, or on any of several: repeat it, or put commas between them. A service that meets every other week or once a month counts; one whose days are not known does not.',
      examples: [['TU']],
    }),
  ),
  start_time: time(
    'Services that are open at some time after this one, on the `day` if you give one, and before `end_time`: for a Tuesday evening, day=TU, start_time=17:00 and end_time=21:00. Times are those of clocks in the UK.',
    '17:00',
  ),
  end_time: time(
    'Services that are open at some time before this one; up to 24:00, and later than `start_time`.',
    '21:00',
  ),
  open_at: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Services that are open at this moment, by their hours: 2026-11-24T18:30:00Z. One without an offset from UTC, such as 2026-11-24T18:30, is taken as UTC. Bank holidays are not known.',
      examples: ['2026-11-24T18:30:00Z'],
    }),
  ),
  accepting: Type.Optional(
    Type.Boolean({
      description:
        'true: services that take referrals from this site and are not full. On a live site, somebody must also be able to receive them: a person with an account for the organisation, or another channel that leads to the service. false: the others.',
    }),
  ),
  capacity: Type.Optional(
    Type.Array(Type.Enum([...availabilities], { title: 'Availability' }), {
      maxItems: availabilities.length,
      description:
        'Services with this availability for new people: `capacity`, `waitlist`, `no-capacity` or `additional-assessment-required`. Repeat it to take any of several. Services that never set their availability are left out.',
      examples: [['capacity', 'waitlist']],
    }),
  ),
  way: Type.Optional(
    Type.Array(Type.Enum([...ways], { title: 'Way' }), {
      maxItems: ways.length,
      description:
        'Services that say that they meet people in this way: in person at a place of theirs, at the person’s home, by phone or online. Repeat it to take any of several.',
      examples: [['home', 'phone']],
    }),
  ),
  language: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      description:
        'Services that name this language, by its name in English: Polish, or British Sign Language (BSL). Repeat it to take any of several. English is not counted.',
      examples: [['Polish']],
    }),
  ),
  feature: Type.Optional(
    Type.Array(Type.Enum([...features], { title: 'Feature' }), {
      maxItems: features.length,
      description:
        'Services that clearly state that they are free for everybody, are step-free, have a hearing loop or take people who refer themselves. Repeat it to ask for several at once. A service that is left out may still have it: many do not say.',
      examples: [['free', 'step-free']],
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...sorts], {
      title: 'ServiceOrder',
      description:
        'The order of the results. `relevance`: best matches first, the default with `search`; with a place, a match counts less the farther away it is, half as much at five miles, and one by phone, online or at home that has no place counts in full. `distance`: nearest first, the default with a postcode or a point and no `search`. `name`: by name. `responsiveness`: the fastest to answer referrals first; services about which too little is known come last. Equal results are sorted by name.',
    }),
  ),
});

/** Asks for the counts of filters beside a page of services. */
const facetsParameter = Type.Optional(
  Type.Array(Type.Enum([...facetNames], { title: 'Facet' }), {
    maxItems: facetNames.length,
    description:
      'Counts, in `facets` beside the page, how many services each value of these filters would leave, with your other filters kept. Repeat it, or put commas between them.',
    examples: [['taxonomy_term_id', 'day', 'capacity']],
  }),
);

const searched = 'the name, the organisation, the description and the terms';

const serviceParameters = {
  ...listParameters('services', searched, 'walking group', 'ServiceSearch'),
  ...filterParameters,
  facets: facetsParameter,
  minimal: flag(
    'MinimalServices',
    'Only `id` and `last_modified` of each service, and by default 50,000 of them on a page: for keeping a copy up to date.',
  ),
  full: flag('FullServices', 'Each service in full, nested, as from /api/library/services/{id}.'),
};

/** The parameters of `listServices`. Names that are not here are ignored: HSDS clients send what they like. */
export const listQuerySchema = Type.Object(serviceParameters, { additionalProperties: true });

/** The parameters of `listServices` as a body, in which nothing is ignored. */
export const searchBodySchema = Type.Object(asFields(serviceParameters), {
  title: 'ServiceSearch',
  rules: {
    dependentRequired: { latitude: ['longitude'], longitude: ['latitude'] },
    dependentSchemas: {
      postcode: { not: { required: ['latitude'] } },
      proximity: { anyOf: [{ required: ['postcode'] }, { required: ['latitude'] }] },
    },
  },
  description:
    'The same as the parameters of `listServices`; where several values may be given, send a list.',
  additionalProperties: false,
});

function asFields<Fields extends Record<string, TSchema>>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, field]) => {
    const { parameter: _, ...schema } = field as TSchema & { parameter?: string };
    return [name, Type.Optional(schema)];
  });
  return Object.fromEntries(entries) as Fields;
}

/** Marks parameters, so that the API document describes them once and refers to them. */
function asNamedParameters<Fields extends Record<string, TSchema>>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, field]) => {
    const parameter = name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [name, Type.Optional({ ...field, parameter: `Service${parameter}` })];
  });
  return Object.fromEntries(entries) as Fields;
}

export const atLocationsQuerySchema = Type.Object(
  {
    ...listParameters('services at locations', searched, 'walking group', 'ServiceSearch'),
    ...filterParameters,
    full: flag(
      'FullServicesAtLocations',
      'Each in full, nested, as from /api/library/service_at_locations/{id}.',
    ),
  },
  { additionalProperties: true },
);

export type FilterQuery = Static<TObject<typeof filterParameters>>;
export type ListQuery = Static<typeof listQuerySchema>;
