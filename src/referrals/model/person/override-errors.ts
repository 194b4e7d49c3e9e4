import type { FieldError } from '../../../platform/problem/index.ts';
import { reasonErrors } from '../../../platform/reason.ts';
import { overrideFields } from '../referral.ts';

/** The reason is all that the service and the Caldicott guardian have to judge by. The schema has looked at its length. */
export function overrideErrors(
  input: {
    [Name in (typeof overrideFields)[number]]?: { reason: string } | null | undefined;
  },
): FieldError[] {
  return overrideFields.flatMap((name) => {
    const override = input[name];
    return override ? reasonErrors(override.reason, { pointer: `/${name}/reason`, maxLength: Infinity }) : [];
  });
}
