import { lettersWithAnswer, type Referral } from '../../../referrals/index.ts';
import type { BoxKind } from '../letter.ts';
import type { PracticeLetter } from './prepare-letter.ts';

/** Only a person who completes a referral is asked whether the practice has something to do. Any other end asks for nothing. */
export function endedWithoutHelp({ referral, purpose, isRemovalNotice }: PracticeLetter): boolean {
  return purpose === 'outcome' && referral.status !== 'completed' && !isRemovalNotice;
}

/** Whether the side that this letter comes from said what the practice has to do, or that there is nothing. */
export function wasAnswered({ referral, purpose }: PracticeLetter): boolean {
  return lettersWithAnswer(referral.content).includes(purpose === 'outcome' ? 'outcome' : 'referral');
}

/** A reader learns that nothing else waits for them. Whom to ask is in the line below it. */
export function sentenceIfNobodySaid({ isBesideTasks }: { isBesideTasks: boolean }): string {
  return `Nothing${isBesideTasks ? ' else' : ''} was asked of you`;
}

/** Beside the step to read and decide: what anybody asked for. */
export function besideReadStep(letter: PracticeLetter): string {
  if (wasAnswered(letter))
    return `${whoAnswered(letter)} asked you for nothing${letter.hasNews ? ', before this was known' : ''}`;
  if (endedWithoutHelp(letter)) return 'Nobody asked you for anything';
  return sentenceIfNobodySaid({ isBesideTasks: true });
}

function whoAnswered({ referral, purpose }: PracticeLetter): string {
  return purpose === 'outcome' ? 'The service' : `${referral.content.referrer.name}, who referred,`;
}

/** “The service asked for nothing.” */
export function sentenceIfNothingAsked(letter: PracticeLetter, kind: BoxKind): string | undefined {
  const who = whoAnswered(letter);
  return kind === 'tasks' || kind === 'clinician-reads-today' ? undefined : `${who} asked for nothing.`;
}

/** After an end in which nobody was asked what the practice has to do. */
export function atUnsuccessfulEnd({ referral }: PracticeLetter, { hasSteps }: { hasSteps: boolean }): string {
  // What the referrer asked may be done by now.
  const isAsked = hasSteps || Boolean(referral.content.gp_actions?.length);
  const who = `${referral.content.referrer.name} (who referred)`;
  const next = needsNoOtherHelp(referral) ? 'The referral is closed.' : `${who} decides what happens next.`;
  return `Nothing${isAsked ? ' else' : ''} is asked of you. ${next}`;
}

/** The patient has help, or wants none: nobody looks for another service. */
function needsNoOtherHelp({ content, endCause, status_reason: reason }: Referral): boolean {
  return (
    content.declines_social_prescribing === true ||
    endCause === 'no-longer-agreed' ||
    reason?.code === 'needs-met-otherwise'
  );
}
