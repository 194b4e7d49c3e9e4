import { lettersWithAnswer, type Referral } from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import type { BoxKind, PracticeLetterOptions } from '../letter.ts';

/** What the practice is asked in this letter, and in the document around it, in the order in which it is due. */
export function actionsAsked(
  referral: Referral,
  { purpose, facts }: Pick<PracticeLetterOptions, 'purpose' | 'facts'>,
): NonNullable<Referral['content']['gp_actions']> {
  if (referral.status === 'entered-in-error' || isCodesOnly('gp_practice', referral)) return [];
  const asked = (referral.content.gp_actions ?? []).filter(({ asked_with, done_by_hand }) => {
    if (purpose === 'referral') return asked_with === 'referral' && !done_by_hand;
    // What was asked at first is repeated until somebody has confirmed it.
    return asked_with === 'outcome' || !(done_by_hand || facts?.isFirstConfirmed);
  });
  return asked.toSorted(soonestFirst);
}

type Action = NonNullable<Referral['content']['gp_actions']>[number];

/** Those without a date come last. Of one day, in the order in which they were asked. */
function soonestFirst({ by_date: one = '9999' }: Action, { by_date: other = '9999' }: Action): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Only a person who completes a referral is asked whether the practice has something to do. Any other end asks for nothing. */
export function endedWithoutHelp(
  { status }: Referral,
  { purpose }: Pick<PracticeLetterOptions, 'purpose'>,
): boolean {
  return purpose === 'outcome' && status !== 'completed' && status !== 'entered-in-error';
}

/** Whether the side that this letter comes from said what the practice has to do, or that there is nothing. */
export function wasAnswered(
  { content }: Referral,
  { purpose }: Pick<PracticeLetterOptions, 'purpose'>,
): boolean {
  return lettersWithAnswer(content).includes(purpose === 'outcome' ? 'outcome' : 'referral');
}

/** Who said at the start that there is nothing to do did not know what was told later. The end is answered by somebody who does. */
export function hasNewsSinceAnswer({
  purpose,
  facts,
}: Pick<PracticeLetterOptions, 'purpose' | 'facts'>): boolean {
  return purpose === 'referral' && (facts?.reported ?? []).length > 0;
}

/** A reader learns that nothing else waits for them. Whom to ask is in the line below it. */
export function sentenceIfNobodySaid({ isBesideTasks }: { isBesideTasks: boolean }): string {
  return `Nothing${isBesideTasks ? ' else' : ''} was asked of you`;
}

/** Beside the step to read and decide: what anybody asked for. */
export function besideReadStep(referral: Referral, options: PracticeLetterOptions): string {
  if (wasAnswered(referral, options))
    return `${whoAnswered(referral, options)} asked you for nothing${hasNewsSinceAnswer(options) ? ', before this was known' : ''}`;
  if (endedWithoutHelp(referral, options)) return 'Nobody asked you for anything';
  return sentenceIfNobodySaid({ isBesideTasks: true });
}

function whoAnswered({ content: { referrer } }: Referral, { purpose }: PracticeLetterOptions): string {
  return purpose === 'outcome' ? 'The service' : `${referrer.name}, who referred,`;
}

/** “The service asked for nothing.” */
export function sentenceIfNothingAsked(
  referral: Referral,
  options: PracticeLetterOptions,
  kind: BoxKind,
): string | undefined {
  const who = whoAnswered(referral, options);
  return kind === 'tasks' || kind === 'clinician-reads-today' ? undefined : `${who} asked for nothing.`;
}

/** After an end in which nobody was asked what the practice has to do. */
export function atUnsuccessfulEnd(referral: Referral, { hasSteps }: { hasSteps: boolean }): string {
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
