import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Compile } from 'typebox/schema';
import { oneForEach } from '../one-for-each.ts';

type Check<Value> = {
  Check(value: unknown): value is Value;
  Errors(value: unknown): TLocalizedValidationError[];
};

// typebox/compile could convert as well as check, and loads twice as much.
const compiled = oneForEach((schema: TSchema): Check<unknown> => {
  const validator = Compile(schema);
  return {
    Check: (value): value is unknown => validator.Check(value),
    Errors: (value) => validator.Errors(value)[1],
  };
});

/**
 * The check of a schema, compiled once and when it is first needed: to compile them all at the start took a good part of
 * it, and most are not needed for hours.
 */
export function checkOf<Schema extends TSchema>(schema: Schema): Check<Static<Schema>> {
  return compiled(schema) as Check<Static<Schema>>;
}
