import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { oneForEach } from '../one-for-each.ts';

const compiled = oneForEach((schema: TSchema) => Compile(schema) as Validator);

/**
 * The check of a schema, compiled once and when it is first needed: to compile them all at the start took a good part of
 * it, and most are not needed for hours.
 */
export function checkOf<Schema extends TSchema>(schema: Schema): Validator<Record<never, never>, Schema> {
  return compiled(schema) as Validator<Record<never, never>, Schema>;
}
