import type { Trx } from '../../../platform/database/index.ts';
import { dayMs } from '../../../platform/durations.ts';
import { type FieldError, Problem } from '../../../platform/problem/index.ts';
import { sharesMore, undoesOwnDecision } from '../../model/person/agreement.ts';
import { haveDifferentFirstNames, isSamePersonIfKeysMatch } from '../../model/person/identity/same-person.ts';
import { cannotRefer, whatToChange } from '../../model/problems.ts';
import type { ReferralContent } from '../../model/referral.ts';
import { type ChildDecision, listChildDecisions, lockChildren } from './child-decisions-store.ts';
import { builtSubmissions, type SubmissionInProgress } from './submissions.ts';

/** A child’s decision counts while its referral is open, and for a year after the referral ended. */
const countsForMs = 365 * dayMs;

/**
 * Refuses the submissions by which the practice would be told more than a child decided in another referral by the same organisation, because
 * somebody else agrees to it. A referral by another organisation changes nothing: nobody may learn of it here. For a
 * reroute, `agreementErrorsOfReroute` checks it.
 */
export async function refuseOverruledChild(
  trx: Trx,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const candidates = builtSubmissions(submissions)
    .filter(({ isDraft }) => !isDraft)
    .map((submission) => {
      const { keys, referrer, referral } = submission;
      return { submission, keys, referrer, content: referral.content };
    });
  await lockChildren(trx, candidates);
  const since = new Date(at.getTime() - countsForMs);
  const decisions = await listChildDecisions(trx, candidates, since);
  for (const candidate of candidates) {
    const content = candidate.content as ReferralContent;
    const last = decisions.get(candidate)?.find((decision) => isOfSameChild(decision, content));
    if (last && overrules(content, last))
      candidate.submission.decision = {
        problem: new Problem(cannotRefer, whatToChange('Nothing was sent.'), { errors: [childRefused] }),
      };
  }
}

/** An NHS number may have been mistyped for one of two children, and twins share a last name and a birth date. */
function isOfSameChild({ patient }: ChildDecision, content: ReferralContent): boolean {
  return (
    isSamePersonIfKeysMatch(patient, content.patient) && !haveDifferentFirstNames(patient, content.patient)
  );
}

function overrules({ agreement, consent }: ReferralContent, last: ChildDecision): boolean {
  const before = { content: last as ReferralContent };
  return sharesMore(before, consent) && undoesOwnDecision(before.content, agreement ?? { basis: 'person' });
}

const childRefused: FieldError = {
  pointer: '/agreement/basis',
  message:
    'must be the child’s own agreement (competent_child, or person from 16 on), because in another referral of your organisation the child decided that the practice is told less. Ask the child, or send it with no more shared than the child decided',
  code: 'undoes-own-decision',
};
