import { Type } from 'typebox';
import type { Actor } from '../../../audit/index.ts';
import { nonBlankPattern } from '../../../platform/http/index.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { reasonRule } from '../../../platform/reason.ts';
import { withoutInvisible } from '../../../platform/visible-text.ts';

type PersonDetails = { [Each in 'family_name' | 'given_name' | 'nhs_number']?: string | undefined };

/**
 * The audit keeps a reason after the referral is erased, so it must not name the person.
 * @throws Problem `unprocessable`
 */
export function requireAnonymousReason(
  reason: string,
  { patient }: { patient?: PersonDetails | undefined },
  pointer = '/reason',
): void {
  const { family_name, given_name, nhs_number } = patient ?? {};
  const reasonWords = wordsOf(reason);
  const hasName = [family_name, given_name]
    .filter((name) => name !== undefined)
    .some((name) => ` ${reasonWords} `.includes(` ${wordsOf(name)} `));
  const hasNumber = nhs_number !== undefined && digitsOf(reason).includes(digitsOf(nhs_number));
  if (!hasName && !hasNumber) return;
  const message = 'must not name the person: it is kept when all else about them is gone';
  throw new Problem(unprocessable, undefined, {
    errors: [{ pointer, message, code: 'names-person' }],
  });
}

/** The words of a text without accents, punctuation and invisible characters, with single spaces between them. */
function wordsOf(text: string): string {
  return withoutInvisible(text)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function digitsOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/\D/g, '');
}

/** One entry for each referral that an operator found, with the reason for the search. */
export function foundAuditEntries(
  referrals: readonly { id: string }[],
  { at, actor, reason }: { at: Date; actor: Actor; reason: string },
) {
  return referrals.map(({ id }) => ({
    at,
    actor,
    action: 'referral.found' as const,
    subject: { type: 'referral', id },
    details: { reason },
  }));
}

export const reasonSchema = Type.String({
  title: 'OperatorReason',
  minLength: 1,
  maxLength: 500,
  pattern: nonBlankPattern,
  description: `Why. ${reasonRule}. It is kept when all else is gone, so it must not name the person.`,
});
