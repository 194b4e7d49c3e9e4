import fc from 'fast-check';

/** A part of the published document: a JSON Schema. */
export type PublishedSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: PublishedSchema[];
  oneOf?: PublishedSchema[];
  allOf?: PublishedSchema[];
  items?: PublishedSchema;
  properties?: Record<string, PublishedSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

/** A marker in every generated text without a format, to find such a text in a refusal: it must not be there. */
export const mark = 'Zq7mark';

const formats: Record<string, fc.Arbitrary<string>> = {
  date: fc.constantFrom('1947-03-09', '2026-11-20', '2026-12-24', '2000-02-29'),
  'date-time': fc.constantFrom(
    '2026-11-20T09:30:00Z',
    '2020-01-01T00:00:00.000+01:00',
    '2027-01-01T00:00:00Z',
  ),
  uuid: fc.uuid({ version: 7 }),
  email: fc.constantFrom('zq7mark@example.org', 'a.b@example.org'),
  uri: fc.constantFrom('https://client.example/hook', 'https://example.org/'),
};

const words = fc.string({ maxLength: 20 }).map((text) => `${mark} ${text.replaceAll('\0', '')}`);
const small = 3;

/** Values that a schema of the document accepts. @param schemas its named schemas */
export function fromSchema(
  schema: PublishedSchema,
  schemas: Record<string, PublishedSchema>,
  depth = 0,
): fc.Arbitrary<unknown> {
  const inner = (part: PublishedSchema) => fromSchema(part, schemas, depth + 1);
  if (schema.$ref) return inner(schemas[schema.$ref.split('/').at(-1)!]!);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !schema.properties) return fc.oneof(...choices.map(inner));
  if (schema.allOf)
    return fc.tuple(...schema.allOf.map(inner)).map((parts) => Object.assign({}, ...(parts as object[])));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  const { type, minimum = -1000, maximum = 1000, minLength = 0, maxLength = 10_000 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: Math.max(minimum, maximum) });
    case 'number':
      return fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true });
    case 'array': {
      const { minItems = 0, maxItems = small } = schema;
      return fc.array(inner(schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, small)),
      });
    }
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, inner(part)]);
      return fc.record(Object.fromEntries(entries), { requiredKeys: (schema.required ?? []) as never[] });
    }
    case 'string': {
      const known = formats[schema.format ?? ''];
      if (known) return known;
      // A pattern for texts with something to read in them is kept by the words.
      if (schema.pattern && !new RegExp(schema.pattern, 'u').test(`${mark} a`))
        return fc
          .stringMatching(new RegExp(schema.pattern, 'u'), { size: 'small' })
          .map((text) => text.slice(0, maxLength));
      return words.map((text) => text.padEnd(minLength, 'a').slice(0, maxLength));
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
