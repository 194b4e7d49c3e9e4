import type { Action, ActionBody } from '../../referrals/index.ts';

/** What the service does, as a provider would do it by the API. */
export type ServiceAct = { readonly action: Action; readonly body: ActionBody };

/** What is heard of a message after it was sent. */
export type NewsAct = { readonly news: keyof typeof newsWords };

export type Act = ServiceAct | NewsAct;

/** What a delivery's attempts then say. */
export const newsWords = {
  acknowledged: 'The simulator confirmed it for the GP practice.',
  received: 'The simulator found out that it had arrived.',
  failed: 'The simulator sent it back for the GP practice: the person is not its patient.',
} as const;

const newsToCome = {
  acknowledged: 'The GP practice confirms the letter',
  received: 'The message turns out to have arrived',
  failed: 'The GP practice says that the person is not its patient',
} as const;

const actionWords: Readonly<Record<Action, string>> = {
  accept: 'accepts the referral',
  reject: 'rejects the referral',
  start: 'starts',
  hold: 'puts the person on the waiting list',
  'change-wait': 'changes the wait',
  complete: 'completes the referral',
  fail: 'ends the referral without a result',
  cancel: 'cancels the referral',
  'withdraw-as-error': 'withdraws the referral',
};

export function actInWords(act: Act): string {
  if ('news' in act) return newsToCome[act.news];
  const reason = act.body.status_reason;
  return `The service ${actionWords[act.action]}${reason ? `: ${reason.code}` : ''}`;
}
