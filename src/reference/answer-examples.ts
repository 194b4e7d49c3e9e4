import { exampleWords } from './example-words.ts';

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
type Described = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const descriptions: Readonly<Record<string, string>> = {
  200: 'Done: this is what was asked for.',
  201: 'Made. `Location` says where it is.',
  202: 'Taken on; it is done in a moment.',
  204: 'Done; there is nothing more to say.',
};

/**
 * Whatever is answered in JSON has an example in the reference. Where a schema brings none, it is put together
 * from those of its parts, and from `example-words.ts` for a field that says no more than its name.
 */
export function withAnswerExamples<Document>(document: Document): Document {
  const { paths, components } = document as Described;
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

/** @returns undefined where nothing is known of a value, or where a schema holds itself. */
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
  if (schema.type !== 'object') return wordFor(names) ?? formats[schema.format ?? ''];
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    fields
      .map(([name, field]) => [name, exampleOf(field, [...names, name], resolve)])
      .filter(([, value]) => value !== undefined),
  );
}

/** What the field is called, within what its parent is called where that makes a difference. */
function wordFor(names: readonly string[]): unknown {
  const [name = '', parent] = names.filter((each) => !each.startsWith('#')).reverse();
  return exampleWords[`${parent}.${name}`] ?? exampleWords[name];
}

const formats: Readonly<Record<string, string>> = {
  uuid: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
  'date-time': '2026-11-21T09:30:00.000Z',
};
