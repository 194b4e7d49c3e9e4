import type { ReadReferral } from '../../../listing/read-referral.ts';
import { lettersWithAnswer } from '../../../model/gp-actions.ts';
import type { PresentedReferral } from '../../../model/presentation/present.ts';
import { isSent, openStatuses } from '../../../model/referral.ts';

const gpActionTags = {
  open: { text: 'Open', colour: 'yellow' },
  acknowledged: { text: 'Confirmed by the practice', colour: 'green' },
  done_by_hand: { text: 'Done, or told by staff', colour: 'green' },
} as const;

type WithContent = Extract<PresentedReferral, { gp_actions: unknown }>;

export function gpActionsInWords(
  { gp_actions, consent, gp_practice }: WithContent,
  referral: ReadReferral['referral'],
  isClosed: boolean,
) {
  const toldInWords = (known: boolean | null) =>
    known === null
      ? 'It was not asked whether the person was told.'
      : known
        ? 'The person was told.'
        : 'The person was not told.';
  return {
    // Nobody misses a question that was not asked.
    nothing: gp_actions === null ? undefined : nothingToDo(referral),
    actions: (gp_actions ?? []).map((action) => ({
      ...action,
      tag: gpActionTags[action.status],
      told: toldInWords(action.patient_told),
    })),
    notAsked: whyNotAsked(consent?.share_with_gp, gp_practice, isClosed),
    mustNotBeTold: consent?.share_with_gp === false,
  };
}

/** The end of a referral may bring something to do, and an earlier no does not answer that. */
function nothingToDo(referral: ReadReferral['referral']): string {
  if (!isSent(referral) || openStatuses.includes(referral.status)) return 'Nothing.';
  const answered = lettersWithAnswer(referral.content);
  return answered.includes('outcome')
    ? 'Nothing.'
    : 'Nothing with the referral. At its end this was not asked.';
}

/** Why no letter asks the practice for the actions, so that staff have to. */
function whyNotAsked(share: unknown, practice: object | null, isClosed: boolean): string | undefined {
  if (share === false)
    return 'The practice must not be told of this. Ask the person whether it may be, or settle it another way, and then mark it as done.';
  if (practice === null)
    return 'No letter asks for this, because no practice was named. Tell the practice yourself, if the person agrees.';
  if (share !== true)
    return 'No letter asks for this, because the person did not agree that the practice reads it. Tell the practice yourself, if they agree to that or somebody is in danger.';
  if (isClosed)
    return 'The practice has closed. Ask the person which one they have now, and tell it yourself.';
  return undefined;
}
