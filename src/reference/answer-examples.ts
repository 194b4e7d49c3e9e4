type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
};
type Content = Record<string, { schema?: Schema; example?: unknown }>;
type Answer = { description: string; content?: Content };
type Operation = { responses: Record<string, Answer> };
type DescribedSchema = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const descriptions: Readonly<Record<string, string>> = {
  200: 'OK.',
  201: 'Created. `Location` has its address.',
  202: 'Accepted; it is processed shortly.',
  204: 'Done; no content.',
};

/**
 * Every JSON answer has an example in the reference. If a schema brings none, it is put together from those of its parts,
 * and from `exampleWords` for a field that says no more than its name.
 */
export function withAnswerExamples<Document>(document: Document): Document {
  const { paths, components } = document as DescribedSchema;
  const resolve = ({ $ref }: Schema) => components.schemas[$ref?.split('/').at(-1) ?? ''];
  for (const { responses } of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, answer] of Object.entries(responses)) {
      if (answer.description === 'Default Response')
        answer.description = descriptions[status] ?? answer.description;
      fill(answer.content, resolve);
    }
  }
  return document;
}

type Resolve = (schema: Schema) => Schema | undefined;

function fill(content: Content | undefined, resolve: Resolve): void {
  const json = content?.['application/json'];
  if (json?.schema && json.example === undefined) json.example = exampleOf(json.schema, [], resolve);
}

/** @returns undefined if nothing is known of a value, or if a schema refers to itself. */
function exampleOf(schema: Schema, names: readonly string[], resolve: Resolve): unknown {
  if (schema.$ref !== undefined) {
    const meant = resolve(schema);
    return meant && !names.includes(schema.$ref)
      ? exampleOf(meant, [...names, schema.$ref], resolve)
      : undefined;
  }
  const [given = schema.const ?? schema.enum?.[0]] = schema.examples ?? [];
  if (given !== undefined) return given;
  if (schema.anyOf) return exampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, names, resolve);
  if (schema.items) return [exampleOf(schema.items, names, resolve) ?? []].flat();
  if (schema.type !== 'object') return exampleFor(names) ?? formats[schema.format ?? ''];
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    fields
      .map(([name, field]) => [name, exampleOf(field, [...names, name], resolve)])
      .filter(([, value]) => value !== undefined),
  );
}

/** What the field is called, within what its parent is called if that makes a difference. */
function exampleFor(names: readonly string[]): unknown {
  const [name = '', parent] = names.filter((each) => !each.startsWith('#')).reverse();
  return exampleWords[`${parent}.${name}`] ?? exampleWords[name];
}

const formats: Readonly<Record<string, string>> = {
  uuid: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
  'date-time': '2026-11-21T09:30:00.000Z',
};

/** Example values for the fields of answers, by field name. They are made up, like the sample of a test site. */
const exampleWords: Readonly<Record<string, unknown>> = {
  superseded: false,
  access_token: 'ona_Q3hT7c_…',
  action: 'referral.read',
  address: '203.0.113.7',
  at: '2026-11-21T09:30:00.000Z',
  base_url: 'https://referrals.example.org',
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
  moved_on_seconds: 86_400,
  name: 'Rashid Referrer',
  'organisation.name': 'Infirmary Lane Surgery',
  'service.name': 'Good Company befriending',
  'site.name': 'Sarrowby referrals',
  next_cursor: 'MDFhMWZjNzI',
  next_after: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
  organisation: 'Infirmary Lane Surgery',
  outcome: 'done',
  previous_value: 'A visit each week.',
  queued: 3,
  reason: 'The person asked for a copy of their record.',
  recipient: 'The Weir House Trust',
  reference: 'DVEX1-RK6RT',
  refresh_token: 'onr_Q3hT7c_…',
  replacement_value: 'A visit or a phone call each week.',
  role: 'referrer',
  secret: 'whsec_…',
  simulated: true,
  size: 48_213,
  scanned: true,
  status: 204,
  story: 'Completed',
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
