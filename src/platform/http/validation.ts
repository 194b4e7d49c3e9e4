import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import Format from 'typebox/format';
import { badRequest, type FieldError, Problem } from '../problem/index.ts';
import { checkOf } from './check-of.ts';
import { convertTexts } from './convert-texts.ts';
import { describeErrors } from './describe-errors.ts';
import { findUnstorable } from './find-unstorable.ts';

const momentShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

// The standard's own form allows a leap second, which JavaScript cannot represent: it would become no time at all.
Format.Set('date-time', (text) => momentShape.test(text) && !Number.isNaN(Date.parse(text)));

/**
 * Compiles a route's schema into the check of its input. Queries and path parameters arrive as text and are converted;
 * bodies are taken as they are. Nothing that the schema does not name is let through or dropped in silence.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const prefix = httpPart === 'body' ? '' : `/${httpPart === 'querystring' ? 'query' : httpPart}`;
  return (value: unknown) => {
    // A body that is missing is an empty one: the answer then names the fields that are needed.
    const converted = httpPart === 'body' ? (value ?? {}) : convertTexts(schema, value);
    const check = checkOf(schema);
    const sound = check.Check(converted);
    // What is in the path is looked for, and not found, whatever it is.
    const stored = httpPart === 'body' || httpPart === 'querystring';
    const unstorable = () => (stored ? findUnstorable(converted, prefix) : []);
    const broken = () => describeErrors(check.Errors(converted), prefix).map(saidOnce(schema, converted));
    const errors = sound ? unstorable() : broken();
    if (sound && errors.length === 0) return { value: converted };
    return { error: new Problem(badRequest, 'See `errors` for what to change, and where.', { errors }) };
  };
};

/** A parameter that was given twice is a list, which the check calls no text: whoever sent two texts learns nothing from it. */
function saidOnce({ properties = {} }: QuerySchema, query: unknown): (error: FieldError) => FieldError {
  return (error) => {
    const [, part, name = ''] = error.pointer.split('/');
    const one = part === 'query' ? properties[name] : undefined;
    const isRepeated = one && !('items' in one || 'anyOf' in one) && Array.isArray(Object(query)[name]);
    return isRepeated ? { ...error, message: 'must be given once' } : error;
  };
}

type QuerySchema = { properties?: Record<string, object> };
