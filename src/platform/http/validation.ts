import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { badRequest, Problem } from '../problem/index.ts';
import { describeErrors } from './describe-errors.ts';

/**
 * Compiles a route's schema into the check of its input. Queries and path parameters arrive as text and are converted;
 * bodies are taken as they are. Nothing that the schema does not name is let through or dropped in silence.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  const prefix = httpPart === 'body' ? '' : `/${httpPart === 'querystring' ? 'query' : httpPart}`;
  return (value: unknown) => {
    // A body that is missing is an empty one: the answer then names the fields that are needed.
    const converted = httpPart === 'body' ? (value ?? {}) : Value.Convert(schema, Value.Clone(value));
    if (check.Check(converted)) return { value: converted };
    const errors = describeErrors(check.Errors(converted), prefix);
    return { error: new Problem(badRequest, 'See `errors` for what to change, and where.', { errors }) };
  };
};
