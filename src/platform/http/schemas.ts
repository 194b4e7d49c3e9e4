import { type TProperties, type TSchema, Type } from 'typebox';
import { allProblems } from '../problem/index.ts';

/** The site of every example. A document or page puts the site's own address in its place. */
export const exampleOrigin = 'http://localhost:8080';

/** Options of an object that refuses the fields it does not know. */
export const noOtherFields = { additionalProperties: false } as const;

/** The body of a form on a page. A form with mistakes is shown again, so its schema accepts anything. */
export const anyForm = Type.Object({}, { additionalProperties: true });

/** The body of a call that needs none: `{}`. */
export const emptyBody = Type.Object({}, { title: 'EmptyBody', ...noOtherFields, examples: [{}] });

/** The value of this schema, or null. */
export function orNull<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** A moment, such as 2026-11-27T09:30:00.000Z. */
export function momentSchema(description: string) {
  return Type.String({ format: 'date-time', description });
}

declare module 'fastify' {
  /** What the API document says of a route. */
  interface FastifySchema {
    /** Not in the document: no client system calls it. */
    hide?: boolean;
    operationId?: string;
    tags?: readonly string[];
    summary?: string;
    description?: string;
    deprecated?: boolean;
    security?: readonly object[];
    consumes?: readonly string[];
  }
}

/** The body of every refusal (RFC 9457), with the further members that kinds of problems have. */
export const problemSchema = () =>
  Type.Object(
    {
      type: Type.String({ description: 'The address of the page that explains this kind of problem.' }),
      title: Type.String(),
      status: Type.Integer(),
      code: Type.String({
        description: 'What went wrong, for programs: the last part of `type`. It never changes.',
      }),
      detail: Type.String({ description: 'What happened this time, and what to do.' }),
      request_id: Type.String({
        description: 'Give this to the operator: it finds the request in the site’s log.',
      }),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            pointer: Type.String({
              description: 'Where: a JSON pointer into the body, or /query/name, /headers/name.',
            }),
            message: Type.String(),
          }),
        ),
      ),
      ...membersOfKinds(),
    },
    {
      $id: 'Problem',
      additionalProperties: true,
      examples: [
        {
          type: `${exampleOrigin}/problems/bad-request`,
          title: 'The request is not as the API expects it',
          status: 400,
          code: 'bad-request',
          detail: 'See `errors` for what to change, and where.',
          request_id: '_TG-p5C7QKFy-1b7',
          errors: [{ pointer: '/patient/birth_date', message: 'must be a date such as 1950-12-31' }],
        },
      ],
    },
  );

function membersOfKinds(): TProperties {
  const members = allProblems().flatMap(({ members = {} }) => Object.entries(members));
  const sorted = members.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, schema]) => [name, Type.Optional(schema)]));
}

/** The `response` entries of a route for the problems it may answer with, by status. */
export function problemAnswers(answers: Readonly<Record<number, string>>) {
  return Object.fromEntries(
    Object.entries(answers).map(([status, description]) => [
      status,
      { description, content: { 'application/problem+json': { schema: Type.Ref('Problem') } } },
    ]),
  );
}

/** The refusals of a body that cannot be read. */
export const badBody = {
  400: 'The body or a header does not have the right form.',
  413: 'The body is larger than a megabyte.',
  415: 'The body is not sent as application/json.',
};

/** The refusal 401 of an API call. */
export const noToken = 'No token was sent, or it is not valid.';

/** One of these values. More will be added, and clients are told to expect them. */
export function openEnum<Values extends string[]>(values: readonly [...Values], options: object) {
  return Type.Enum([...values], { ...options, knownValues: values });
}

/**
 * For a schema's `rules`: the fields that are required if `field` has a value, for each of its values. The API document has these
 * rules; the action checks them, with better messages.
 */
export function requiredWith(field: string, needs: Readonly<Record<string, readonly string[]>>) {
  const rules = Object.entries(needs).map(([value, required]) => ({
    if: { properties: { [field]: { const: value } }, required: [field] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required },
  }));
  return rules.length === 1 ? rules[0] : { allOf: rules };
}

/** The fields that are required unless `field` is present. Not `anyOf`: from that, generators make types that accept anything. */
export function requiredUnless(field: string, required: readonly string[]) {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  return { if: { not: { required: [field] } }, then: { required } };
}

/** The parameters of most lists. */
export const listQuery = {
  limit: Type.Optional(
    Type.Integer({
      parameter: 'Limit',
      minimum: 1,
      maximum: 200,
      description: 'The most items to return. The default is 50.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ parameter: 'Cursor', maxLength: 100, description: 'The next_cursor of the last answer.' }),
  ),
};

/** A page of a list: the items, and the cursor that asks for the next ones. */
export function listOf<T extends TSchema>(item: T) {
  const { title, $ref } = item as { title?: string; $ref?: string };
  return Type.Object(
    {
      items: Type.Array(item),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Give this as `cursor` to get what comes next; null at the end.',
      }),
    },
    { title: `${title ?? $ref}Page` },
  );
}

const maxNames = 20;

/** A parameter that takes one or more of these names, repeated or separated by commas. */
export function nameListParameter(names: readonly string[], description: string) {
  const any = names.map((name) => name.replaceAll('.', '\\.')).join('|');
  return Type.Optional(
    Type.Array(Type.String({ maxLength: 1000, pattern: `^(${any})(,(${any}))*$` }), {
      maxItems: maxNames,
      description: `${description}, repeated or separated by commas: ${names.join(', ')}.`,
    }),
  );
}

/** The names in such a parameter. */
export function splitNames(values: readonly string[] | undefined): string[] | undefined {
  return values?.flatMap((each) => each.split(','));
}

/** The names that such a parameter's pattern accepts; undefined for any other pattern. */
export function namesIn(pattern: string): string[] | undefined {
  const [, any] = /^\^\(([^()]+)\)\(,\(\1\)\)\*\$$/.exec(pattern) ?? [];
  return any?.replaceAll('\\.', '.').split('|');
}

/**
 * A text with at least one character that is not white space, and without NUL, which PostgreSQL cannot store. The leading part matches only
 * white space, so that the expression never backtracks through a long text.
 */
export const nonBlankPattern = '^\\s*[^\\u0000\\s][^\\u0000]*$';
