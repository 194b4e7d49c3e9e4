import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

const compiled = new WeakMap<TSchema, Validator>();

/**
 * The check of a schema, compiled once and when it is first needed: to compile them all at the start took a good part of
 * it, and most are not needed for hours.
 */
export function checkOf<Schema extends TSchema>(schema: Schema): Validator<Record<never, never>, Schema> {
  const check = compiled.get(schema) ?? (Compile(schema) as Validator);
  compiled.set(schema, check);
  return check as Validator<Record<never, never>, Schema>;
}
