import type { FieldError } from '../../../platform/problem/index.ts';
import { reasonErrors } from '../../../platform/reason.ts';

const overrides = [
  'fit_override',
  'mismatch_override',
  'namesake_override',
  'contact_override',
  'urgency_override',
  'death_override',
] as const;

/** The reason is all that the service and the Caldicott guardian have to judge by. The schema has looked at its length. */
export function overrideErrors(
  input: {
    [Name in (typeof overrides)[number]]?: { reason: string } | null | undefined;
  },
): FieldError[] {
  return overrides.flatMap((name) => {
    const given = input[name];
    return given ? reasonErrors(given.reason, { pointer: `/${name}/reason`, maxLength: Infinity }) : [];
  });
}
