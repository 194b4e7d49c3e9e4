import type { Schema } from './schema.ts';

/**
 * Whether clients send a value or the site does. What the site sends may have fields that a client does not know yet, so its
 * schemas are open.
 */
type Direction = 'request' | 'response';

/** What is said of a schema's name, or of one use of it, and not of the schema itself. */
const saidOfUse = ['title', '$id', '$ref', 'description', 'default', 'deprecated'] as const;

const referenceTo = (name: string) => `#/components/schemas/${name}`;

/**
 * The named schemas of the document. A schema's name is its `title` or `$id`; a reference is to one of those that routes share.
 */
export class Components {
  readonly #shared: Readonly<Record<string, Schema>>;
  readonly #named = new Map<string, Schema>();
  /** The schemas that are being converted: one of them may contain itself. */
  readonly #pending = new Set<string>();
  /** Schemas that others refer to are the same each time, so they are converted once. */
  readonly #converted = new Set<string>();

  constructor(shared: Readonly<Record<string, Schema>>) {
    this.#shared = shared;
  }

  /**
   * Returns the schema for the document: of a named schema it stores the content among the components, and returns a `$ref`.
   * @throws if two different schemas have one name.
   */
  describe(schema: Schema, direction: Direction): Schema {
    if (schema.$ref !== undefined) return this.#describeShared(schema.$ref, schema, direction);
    const name = schema.title ?? schema.$id;
    if (name === undefined) return this.#convert(schema, direction);
    this.#define(name, schema, direction);
    return this.#refer(name, schema);
  }

  /** Does the same, with this name if the schema has none of its own. */
  describeAs(name: string, schema: Schema, direction: Direction): Schema {
    const named =
      schema.$ref === undefined ? { ...schema, title: schema.title ?? schema.$id ?? name } : schema;
    return this.describe(named, direction);
  }

  /** Returns the content of a component. */
  named(name: string): Schema {
    return this.#named.get(name)!;
  }

  /** Returns all components so far, by name. */
  schemas(): Record<string, Schema> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #describeShared(name: string, use: Schema, direction: Direction): Schema {
    const target = this.#shared[name];
    if (!target) throw new Error(`nothing is called ${name}`);
    const schema = { ...target, ...use };
    const key = `${name} ${direction}`;
    if (!this.#converted.has(key)) this.#define(name, schema, direction);
    this.#converted.add(key);
    return this.#refer(name, schema);
  }

  #define(name: string, schema: Schema, direction: Direction): void {
    if (this.#pending.has(name)) return;
    const { description } = schema;
    this.#pending.add(name);
    const component = this.#convert(omit(schema, saidOfUse), direction);
    this.#pending.delete(name);
    const known = this.#named.get(name);
    if (known && !isSame(known, component))
      throw new Error(`two different schemas are called ${name}: ${JSON.stringify([known, component])}`);
    if (!known) this.#named.set(name, description === undefined ? component : { ...component, description });
  }

  /** A reference, with what only this use of the schema says. */
  #refer(name: string, { description, default: initial, deprecated }: Schema): Schema {
    const says = this.#named.get(name)?.description;
    const isSaidHere = description !== undefined && description !== says && !this.#pending.has(name);
    return {
      $ref: referenceTo(name),
      ...(initial !== undefined && { default: initial }),
      ...(deprecated && { deprecated }),
      ...(isSaidHere && { description }),
    };
  }

  #convert(schema: Schema, direction: Direction): Schema {
    if (schema.base !== undefined) {
      const { base, ...own } = schema;
      return this.#extend(base, own, direction);
    }
    const { knownValues, rules, properties, items, anyOf, oneOf, additionalProperties, ...rest } = omit(
      schema,
      ['$id', 'parameter', 'mustBeSent', 'refusedNames'],
    );
    if (knownValues) return openEnum(knownValues, rest);
    if (anyOf?.length === 2 && anyOf[1]!.type === 'null')
      return { ...orNull(this.describe(anyOf[0]!, direction)), ...rest };
    const each = (part: Schema) => this.describe(part, direction);
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

  /** The fields of another schema, and those that only this one has. */
  #extend(base: string, { properties = {}, required = [], ...rest }: Schema, direction: Direction): Schema {
    const inherited = this.#shared[base]?.properties ?? {};
    const own = Object.entries(properties).filter(([name]) => !Object.hasOwn(inherited, name));
    const added = {
      type: 'object',
      required: required.filter((name) => !Object.hasOwn(inherited, name)),
      properties: Object.fromEntries(own),
    };
    return {
      allOf: [this.describe({ $ref: base }, direction), this.#convert(added, direction)],
      ...omit(rest, ['type']),
    };
  }
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
