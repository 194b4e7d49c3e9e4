import { Problem, unprocessable } from '../../platform/problem/index.ts';
import type { Draft, Referral } from '../referral.ts';

/**
 * A reason stays in the audit when the referral has long been erased, so it must not say who the person was.
 * @throws Problem `unprocessable`.
 */
export function requireNameless(reason: string, { content }: Pick<Referral | Draft, 'content'>): void {
  const { family_name, given_name, nhs_number } = content.patient ?? {};
  const said = words(reason);
  const named = [family_name, given_name]
    .filter((name) => name !== undefined)
    .some((name) => ` ${said} `.includes(` ${words(name)} `));
  const numbered = nhs_number !== undefined && reason.replaceAll(/\D/g, '').includes(nhs_number);
  if (!named && !numbered) return;
  const message = 'must not name the person: it is kept when all else about them is gone';
  throw new Problem(unprocessable, undefined, { errors: [{ pointer: '/reason', message }] });
}

/** The words of a text with single spaces between them, whatever stands around them. */
function words(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
