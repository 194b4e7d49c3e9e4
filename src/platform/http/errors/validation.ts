import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import Format from 'typebox/format';
import { Compile } from 'typebox/schema';
import { badRequest, type FieldError, Problem, wrongInput } from '../../problem/index.ts';
import { describeErrors, pointerPart } from './describe-errors.ts';
import { explainMistakes } from './explain-mistakes.ts';

const momentShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

// The format's own check accepts a leap second, which JavaScript parses as an invalid date.
Format.Set(
  'date-time',
  (text) => momentShape.test(text) && !Number.isNaN(Date.parse(text)) && hasRealDay(text),
);

/** `Date.parse` reads 30 February as 2 March. */
function hasRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/**
 * Compiles a route's schema into the check of its input. Query and path parameters arrive as text and are converted; bodies are
 * taken as they are. Fields that the schema does not name are refused, never silently dropped.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const prefix = httpPart === 'body' ? '' : `/${httpPart === 'querystring' ? 'query' : httpPart}`;
  return (value: unknown) => {
    if (
      httpPart === 'body' &&
      (value === undefined || value === null) &&
      (schema as { mustBeSent?: true }).mustBeSent
    )
      return { error: new Problem(badRequest, 'The body is missing. Send {} if an empty one is meant.') };
    // A missing body is treated as an empty one, so that the answer names the required fields.
    const converted = httpPart === 'body' ? (value ?? {}) : convertTexts(schema, value);
    const check = validatorOf(schema);
    const isValid = check.Check(converted);
    // Path parameters and headers only name something, so a text that cannot be stored finds nothing.
    const mayReachDatabase = httpPart === 'body' || httpPart === 'querystring';
    const storageErrors = () => (mayReachDatabase ? findUnstorable(converted, prefix) : []);
    const schemaErrors = () =>
      describeErrors(check.Errors(converted), prefix).map(explainMistakes(schema, converted, prefix));
    const errors = isValid ? storageErrors() : schemaErrors();
    if (isValid && errors.length === 0) return { value: converted };
    return { error: wrongInput(badRequest, errors) };
  };
};

type Check<Value> = {
  Check(value: unknown): value is Value;
  Errors(value: unknown): TLocalizedValidationError[];
};

// A pure memo: a schema never changes, and its check is the same for every site.
const compiledChecks = new WeakMap<TSchema, Check<unknown>>();

/**
 * The check of a schema, compiled once, when it is first needed: compiling all of them slows the start, and most are not
 * needed for hours.
 */
export function validatorOf<Schema extends TSchema>(schema: Schema): Check<Static<Schema>> {
  let check = compiledChecks.get(schema);
  if (!check) {
    const validator = Compile(schema);
    check = {
      Check: (value): value is unknown => validator.Check(value),
      Errors: (value) => validator.Errors(value)[1],
    };
    compiledChecks.set(schema, check);
  }
  return check as Check<Static<Schema>>;
}

/**
 * Converts query or path parameters to the types that the schema asks for. Only a text that is exactly such a value is
 * converted: `7` becomes an integer, `7 apples` stays text and is then refused.
 */
function convertTexts(schema: TSchema, value: unknown): unknown {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  if (value === null || typeof value !== 'object') return value ?? {};
  const entries = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, text]) => [name, convert(properties[name]?.type, text)]));
}

function convert(type: string | undefined, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  // A parameter that may be repeated, and was sent once.
  if (type === 'array') return [text];
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Finds texts that PostgreSQL cannot store: with a NUL character or half of a surrogate pair. */
export function findUnstorable(value: unknown, at: string): FieldError[] {
  if (typeof value === 'string') {
    const isStorable = value.isWellFormed() && !value.includes('\0');
    return isStorable ? [] : [{ pointer: at, message: 'must be text without NUL or broken characters' }];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => findUnstorable(part, `${at}/${pointerPart(name)}`));
}

/**
 * The names of query parameters whose percent-encoded bytes are not UTF-8. The query parser passes those on undecoded, as if
 * they were text, so only the URL still shows them.
 */
export function brokenParameters(url: string): ReadonlySet<string> {
  const start = url.indexOf('?');
  if (start < 0 || !/%[89a-f]/i.test(url)) return new Set();
  const pairs = url.slice(start + 1).split('&');
  return new Set(pairs.filter((pair) => !isDecodable(pair)).map((pair) => pair.split('=', 1)[0]!));
}

function isDecodable(text: string): boolean {
  try {
    // A percent sign without two hex digits stands for itself, as in “50% off”.
    decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}
