import { daysLater, localTime } from '../../platform/clock/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import type { DeliverySummary } from './deliveries.ts';
import type { DraftContent, GpAction, GpActionInput, ReferralContent } from './referral.ts';

type GpActionStatus = 'open' | 'acknowledged' | 'done_by_hand';

/** Who asks the practice, and where it can ask back. */
export type GpActionAuthor = { name: string; organisation: string | null; telephone?: string | null };

export function buildGpActions(
  inputs: readonly GpActionInput[],
  askedWith: GpAction['asked_with'],
  { name, organisation, telephone }: GpActionAuthor,
): GpAction[] {
  const author = [name, organisation, telephone].filter(Boolean).join(', ');
  return inputs.map((action) => ({
    ...action,
    asked_by: action.asked_by ?? author,
    asked_with: askedWith,
  }));
}

/**
 * The letters with which somebody said whether the practice has something to do: the referrer with the copy of the referral, and the side that
 * ended it with the outcome. One may ask for nothing and the other for something. Older referrals do not say which; there an empty list is the
 * referrer’s answer.
 */
export function lettersWithAnswer({
  gp_actions: actions,
  gp_actions_answered: answered,
}: Pick<ReferralContent, 'gp_actions' | 'gp_actions_answered'>): GpAction['asked_with'][] {
  if (answered || !actions) return answered ?? [];
  const isAskedWith = (when: GpAction['asked_with']) => actions.some(({ asked_with }) => asked_with === when);
  return [
    ...(isAskedWith('referral') || !isAskedWith('outcome') ? (['referral'] as const) : []),
    ...(isAskedWith('outcome') ? (['outcome'] as const) : []),
  ];
}

/** Client systems may send a day far away for “no date”; in a year such as 9999 it is a typing mistake. */
const maxDaysToAct = 36_525;

/** Checks what the schema cannot. */
export function gpActionErrors(
  inputs: readonly { by_date?: string | undefined }[] | undefined,
  now: Date,
): FieldError[] {
  const { day: today } = localTime(now);
  const last = daysLater(today, maxDaysToAct).date;
  return (inputs ?? []).flatMap(({ by_date }, index) => {
    const pointer = `/gp_actions/${index}/by_date`;
    if (by_date !== undefined && by_date < today.date)
      return [{ pointer, message: 'must not be in the past', code: 'in-past' }];
    if (by_date !== undefined && by_date > last)
      return [{ pointer, message: 'must be within 100 years', code: 'too-late' }];
    return [];
  });
}

type Content = Pick<ReferralContent | DraftContent, 'consent'> & {
  full_copies_since?: number;
  gp_actions?: readonly (GpActionInput & Partial<GpAction>)[];
};

/** Whether a letter to the practice names its actions. With less consent than this it does not. */
function isAskedByLetter({ consent }: Content): boolean {
  return consent?.share_with_gp === true;
}

type LetterDelivery = Pick<
  DeliverySummary,
  'leg' | 'purpose' | 'status' | 'practice_code' | 'referral_version' | 'may_have_arrived'
>;

/** The letters that this practice still has, oldest first: those that it was asked to remove do not count. */
function keptLetters(practice: { ods_code: string } | null, deliveries: readonly LetterDelivery[]) {
  const own = deliveries.filter(
    ({ leg, practice_code, may_have_arrived }) =>
      leg === 'gp_practice' && practice_code === (practice?.ods_code ?? null) && may_have_arrived,
  );
  return own.slice(own.findLastIndex(({ purpose }) => purpose === 'removal') + 1);
}

/** Whether the practice still has to be told of an action, or to answer. */
function gpActionStatus(
  action: Partial<GpAction>,
  content: Content,
  letters: readonly LetterDelivery[],
): GpActionStatus {
  if (action.done_by_hand) return 'done_by_hand';
  if (!isAskedByLetter(content)) return 'open';
  // The letter at the end repeats what the first one asked and nobody confirmed.
  const isConfirmed = letters.some(
    ({ purpose, status, referral_version }) =>
      status === 'acknowledged' &&
      // A letter with codes alone asked for nothing.
      referral_version >= (content.full_copies_since ?? 0) &&
      (purpose === 'outcome' || action.asked_with !== 'outcome'),
  );
  return isConfirmed ? 'acknowledged' : 'open';
}

/** The actions as answers show them, numbered from 1; null if it was not asked whether there are any. */
export function presentGpActions(
  { content, gp_practice }: { content: Content; gp_practice: { ods_code: string } | null },
  deliveries: readonly LetterDelivery[],
  { practiceHasClosed }: { practiceHasClosed: boolean },
) {
  const { gp_actions } = content;
  if (gp_actions === undefined) return null;
  const letters = keptLetters(gp_practice, deliveries);
  return gp_actions.map((action, index) => {
    const { text, by_date, asked_by, patient_told, done_by_hand: done } = action;
    const status = gpActionStatus(action, content, letters);
    const hasNobodyToAsk = practiceHasClosed && status === 'open';
    return {
      number: index + 1,
      text,
      by_date: by_date ?? null,
      asked_by: asked_by ?? null,
      patient_told: patient_told ?? null,
      asked_by_letter: gp_practice !== null && !hasNobodyToAsk && isAskedByLetter(content),
      status,
      done_by_hand: done ? { at: done.at, by: { name: done.by } } : null,
    };
  });
}
