import type { Schema } from './schema.ts';

/**
 * Whether clients send a value or the site does. What the site sends may have fields that a client does not know yet, so its
 * schemas are open.
 */
type Direction = 'request' | 'response';

export type Components = {
  /** Returns the schema for the document: of a named schema it stores the content among the components, and returns a `$ref`. */
  describe(schema: Schema, direction: Direction): Schema;
  /** Does the same, with this name if the schema has none of its own. */
  describeAs(name: string, schema: Schema, direction: Direction): Schema;
  /** Returns the content of a component. */
  named(name: string): Schema;
  /** Returns all components so far, by name. */
  schemas(): Record<string, Schema>;
};

/** What is said of a schema's name, or of one use of it, and not of the schema itself. */
const saidOfUse = ['title', '$id', '$ref', 'description', 'default', 'deprecated'] as const;

const referenceTo = (name: string) => `#/components/schemas/${name}`;

/**
 * Collects named schemas. A schema's name is its `title` or `$id`; a reference is to one of `shared`.
 * @throws if two different schemas have one name.
 */
export function collectComponents(shared: Readonly<Record<string, Schema>>): Components {
  const named = new Map<string, Schema>();
  const pending = new Set<string>();
  /** Schemas that others refer to are the same each time, so they are converted once. */
  const converted = new Set<string>();

  function describe(schema: Schema, direction: Direction): Schema {
    if (schema.$ref !== undefined) {
      const target = shared[schema.$ref];
      if (!target) throw new Error(`nothing is called ${schema.$ref}`);
      const use = { ...target, ...schema };
      if (!converted.has(`${schema.$ref} ${direction}`)) define(schema.$ref, use, direction);
      converted.add(`${schema.$ref} ${direction}`);
      return refer(schema.$ref, use);
    }
    const name = schema.title ?? schema.$id;
    if (name === undefined) return convert(schema, direction);
    define(name, schema, direction);
    return refer(name, schema);
  }

  function define(name: string, schema: Schema, direction: Direction): void {
    // A schema that contains itself.
    if (pending.has(name)) return;
    const { description } = schema;
    pending.add(name);
    const component = convert(omit(schema, saidOfUse), direction);
    pending.delete(name);
    const known = named.get(name);
    if (known && !isSame(known, component))
      throw new Error(`two different schemas are called ${name}: ${JSON.stringify([known, component])}`);
    if (!known) named.set(name, description === undefined ? component : { ...component, description });
  }

  /** A reference, with what only this use of the schema says. */
  function refer(name: string, { description, default: initial, deprecated }: Schema): Schema {
    const says = named.get(name)?.description;
    return {
      $ref: referenceTo(name),
      ...(initial !== undefined && { default: initial }),
      ...(deprecated && { deprecated }),
      ...(description !== undefined && description !== says && !pending.has(name) && { description }),
    };
  }

  /** The fields of another schema, and those that only this one has. */
  function extend(
    base: string,
    { properties = {}, required = [], ...rest }: Schema,
    direction: Direction,
  ): Schema {
    const inherited = shared[base]?.properties ?? {};
    const own = Object.entries(properties).filter(([name]) => !Object.hasOwn(inherited, name));
    const added = {
      type: 'object',
      required: required.filter((name) => !Object.hasOwn(inherited, name)),
      properties: Object.fromEntries(own),
    };
    return {
      allOf: [describe({ $ref: base }, direction), convert(added, direction)],
      ...omit(rest, ['type']),
    };
  }

  function convert(schema: Schema, direction: Direction): Schema {
    if (schema.base !== undefined) {
      const { base, ...own } = schema;
      return extend(base, own, direction);
    }
    const { knownValues, rules, properties, items, anyOf, oneOf, additionalProperties, ...rest } = omit(
      schema,
      ['$id', 'parameter', 'mustBeSent', 'refusedNames'],
    );
    if (knownValues) return openEnum(knownValues, rest);
    if (anyOf?.length === 2 && anyOf[1]!.type === 'null')
      return { ...orNull(describe(anyOf[0]!, direction)), ...rest };
    const each = (part: Schema) => describe(part, direction);
    const isOpen =
      additionalProperties === undefined || (additionalProperties === false && direction === 'response');
    return {
      ...(rest.enum && rest.type === undefined && { type: typeof rest.enum[0] }),
      ...rest,
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, each(part)])),
      }),
      ...(items && { items: each(items) }),
      ...(anyOf && { anyOf: anyOf.map(each) }),
      ...(oneOf && { oneOf: oneOf.map(each) }),
      ...(!isOpen && { additionalProperties }),
      ...rules,
    };
  }

  return {
    describe,
    describeAs: (name, schema, direction) =>
      describe(
        { ...schema, ...(schema.$ref === undefined && { title: schema.title ?? schema.$id ?? name }) },
        direction,
      ),
    named: (name) => named.get(name)!,
    schemas: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** One of the known values, or another text. Beside `anyOf`, generators cannot tell that the pattern is one of a text. */
function openEnum(knownValues: NonNullable<Schema['knownValues']>, { pattern, ...rest }: Schema): Schema {
  const text = { type: 'string', ...(pattern !== undefined && { pattern }) };
  return { anyOf: [{ type: 'string', enum: knownValues }, text], ...omit(rest, ['type', 'enum']) };
}

/** A value that may be null. What it means is said of the field, and not of one alternative. */
function orNull({ description, ...schema }: Schema): Schema {
  const isPlain = typeof schema.type === 'string' && schema.type !== 'object' && !schema.enum;
  const words = description === undefined ? {} : { description };
  return isPlain
    ? { ...schema, type: [schema.type as string, 'null'], ...words }
    : { anyOf: [schema, { type: 'null' }], ...words };
}

/** Whether two schemas accept the same values, ignoring their descriptions. */
function isSame(one: Schema, other: Schema): boolean {
  const withoutWords = (name: string, value: unknown) =>
    (name === 'description' && typeof value === 'string') || (name === 'examples' && Array.isArray(value))
      ? undefined
      : value;
  return JSON.stringify(one, withoutWords) === JSON.stringify(other, withoutWords);
}

function omit<Name extends string>(schema: Schema, names: readonly Name[]): Omit<Schema, Name> {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name as Name))) as Omit<
    Schema,
    Name
  >;
}
