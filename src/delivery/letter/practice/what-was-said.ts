import { lettersWithAnswer, type Referral } from '../../../referrals/index.ts';
import type { BoxKind } from '../letter.ts';
import type { PreparedLetter } from './prepare-letter.ts';

/** Whether the referral ended without being completed. We ask only a person who completes it what the practice has to do. */
export function endedWithoutHelp({ referral, purpose, isRemovalNotice }: PreparedLetter): boolean {
  return purpose === 'outcome' && referral.status !== 'completed' && !isRemovalNotice;
}

/** Whether the sender said what the practice has to do, or that it has nothing to do: the referrer at first, the service at the end. */
export function hasAnswer({ referral, purpose }: PreparedLetter): boolean {
  return lettersWithAnswer(referral.content).includes(purpose === 'outcome' ? 'outcome' : 'referral');
}

/** If nobody said what the practice has to do. The line below it says whom to ask. */
export function sentenceIfNobodySaid({ isBesideTasks }: { isBesideTasks: boolean }): string {
  return `Nothing${isBesideTasks ? ' else' : ''} was asked of you`;
}

/** In small print under the step to read the letter and decide: that nobody asked for anything. */
export function sentenceBesideReadStep(letter: PreparedLetter): string {
  if (hasAnswer(letter))
    return `${whoAnswered(letter)} asked you for nothing${letter.hasNews ? ', before this was known' : ''}`;
  if (endedWithoutHelp(letter)) return 'Nobody asked you for anything';
  return sentenceIfNobodySaid({ isBesideTasks: true });
}

function whoAnswered({ referral, purpose }: PreparedLetter): string {
  return purpose === 'outcome' ? 'The service' : `${referral.content.referrer.name}, who referred,`;
}

/** “The service asked for nothing.”, unless the practice has tasks, or a clinician reads the letter today. */
export function sentenceIfNothingAsked(letter: PreparedLetter, kind: BoxKind): string[] {
  const hasMore = kind === 'tasks' || kind === 'clinician-reads-today';
  return hasMore ? [] : [`${whoAnswered(letter)} asked for nothing.`];
}

/** After an end without help: who decides what happens next. */
export function sentenceAtUnsuccessfulEnd(
  { referral }: PreparedLetter,
  { hasSteps }: { hasSteps: boolean },
): string {
  // The practice may still be doing what the referrer asked for.
  const isAsked = hasSteps || Boolean(referral.content.gp_actions?.length);
  const who = `${referral.content.referrer.name} (who referred)`;
  const next = needsNoOtherHelp(referral) ? 'The referral is closed.' : `${who} decides what happens next.`;
  return `Nothing${isAsked ? ' else' : ''} is asked of you. ${next}`;
}

/** Whether nobody has to look for another service, because the patient has help or wants none. */
function needsNoOtherHelp({ content, endCause, status_reason: reason }: Referral): boolean {
  return (
    content.declines_social_prescribing === true ||
    endCause === 'no-longer-agreed' ||
    reason?.code === 'needs-met-otherwise'
  );
}
