import type { Schema } from './schema.ts';

/**
 * An example of what a schema describes. If a schema brings none, it is put together from those of its parts, and from
 * `exampleValues` by the name of the field.
 * @returns undefined if nothing is known of a value, or if a schema refers to itself.
 */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  return build(schema, [], schemas);
}

type Schemas = Readonly<Record<string, Schema>>;

/** `names` are the names of the enclosing fields and schemas. */
function build(schema: Schema, names: readonly string[], schemas: Schemas): unknown {
  if (schema.$ref !== undefined) {
    const meant = schemas[schema.$ref.split('/').at(-1)!];
    return meant && !names.includes(schema.$ref) ? build(meant, [...names, schema.$ref], schemas) : undefined;
  }
  const [given = schema.const ?? schema.enum?.[0]] = schema.examples ?? [];
  if (given !== undefined) return given;
  if (schema.anyOf) return build(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, names, schemas);
  if (schema.items) return [build(schema.items, names, schemas) ?? []].flat();
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => build(part, names, schemas)));
  if (schema.type !== 'object') return exampleFor(names) ?? formats[schema.format ?? ''];
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    fields
      .map(([name, field]) => [name, build(field, [...names, name], schemas)])
      .filter(([, value]) => value !== undefined),
  );
}

/** The example for a field’s name within its parent, such as `account.type`, or else for the name alone. */
function exampleFor(names: readonly string[]): unknown {
  const [name = '', parent] = names.filter((each) => !each.startsWith('#')).reverse();
  return exampleValues[`${parent}.${name}`] ?? exampleValues[name];
}

const formats: Readonly<Record<string, string>> = {
  uuid: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
  'date-time': '2026-11-21T09:30:00.000Z',
};

/** Example values for the fields of answers, by field name. They are made up, like the sample of a test site. */
const exampleValues: Readonly<Record<string, unknown>> = {
  access_token: 'ona_Q3hT7c_…',
  action: 'referral.read',
  address: '203.0.113.7',
  at: '2026-11-21T09:30:00.000Z',
  base_url: 'https://referrals.example.org',
  changed_by: 'The Weir House Trust',
  channel: 'inbox',
  closing_words: 'Read it to them on the phone.',
  code: 'no-capacity',
  data_controller: 'Sarrowby Council',
  description: 'Our case management',
  detail: 'It is in the worklist of the service.',
  email: 'rashid@example.org',
  enabled: true,
  escalated: false,
  event_types: 'referral.accepted',
  field_name: 'description',
  from: 'requested',
  id: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
  library_id: 'b49dadd1-f98b-448d-b2ae-9895f5cd6f89',
  moved_on_seconds: 86_400,
  name: 'Rashid Referrer',
  next_after: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
  // Of a list by ids: what `idCursor` makes of the last id.
  next_cursor: 'AaH8ckrfekqqZfwmfEHIYw',
  organisation: 'Infirmary Lane Surgery',
  'organisation.name': 'Infirmary Lane Surgery',
  outcome: 'done',
  previous_value: 'A visit each week.',
  queued: 3,
  reason: 'The person asked for a copy of their record.',
  recipient: 'The Weir House Trust',
  reference: '7K3QF-XW29D',
  refresh_token: 'onr_Q3hT7c_…',
  replacement_value: 'A visit or a phone call each week.',
  role: 'referrer',
  scanned: true,
  secret: 'whsec_…',
  'service.name': 'Good Company befriending',
  simulated: true,
  'site.name': 'Sarrowby referrals',
  size: 48_213,
  status: 204,
  story: 'Completed',
  superseded: false,
  text: 'We can see the person from Monday.',
  to: 'accepted',
  type: 'referral.accepted',
  undone_because: 'The referral was cancelled meanwhile.',
  updated_by: 'The Weir House Trust',
  url: 'https://client.example.org/webhooks',
  valid_to: '2026-11-21T12:30:00.000Z',
  version: 2,
  what: 'The service accepts.',
};
