import type { DeliveryStatus, Referral } from '../../referrals/index.ts';

export type ReceiverKind = 'service' | 'gp_practice';
export type Purpose = 'referral' | 'outcome';

/** One telling of one receiver. Its status never mixes with the referral's: a referral may be done and a copy stuck. */
export type Delivery = {
  id: string;
  referralId: string;
  receiverKind: ReceiverKind;
  purpose: Purpose;
  recipientName: string;
  /** The library's organisation for a service, the ODS code for a practice. */
  recipientCode: string | null;
  status: DeliveryStatus;
  simulated: boolean;
  messageId: string;
  externalId: string | null;
  /** The one it was or is being sent by, if any. */
  channel: string | null;
  /** The one that an operator chose in the place of the receiver's own. */
  chosenChannel: string | null;
  attemptsStarted: number;
  createdAt: Date;
  /** The channels that turned it away for good, with the last one's reason. */
  refusedBy: string[];
  lastRefusal: string | null;
};

/** A delivery that a change of a referral makes necessary. */
export type PlannedDelivery = {
  receiverKind: ReceiverKind;
  purpose: Purpose;
  recipientName: string | null;
  recipientCode: string | null;
  /** Why nothing is sent, in plain words; null where it is. */
  suppressedBecause: string | null;
};

export const attemptOutcomes = [
  'sent',
  'received',
  'acknowledged',
  'will-retry',
  'uncertain',
  'failed',
  'expired',
  'interrupted',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Whether there is still something for the job to do. `sending` is one that a killed process left behind. */
export function needsSending(status: DeliveryStatus): boolean {
  return status === 'queued' || status === 'sending' || status === 'uncertain';
}

/** Whether the receiver may be told codes alone, as the person agreed for their GP practice. */
export function isCodesOnly(receiverKind: ReceiverKind, { content }: Pick<Referral, 'content'>): boolean {
  return receiverKind === 'gp_practice' && content.consent.share_with_gp === 'codes_only';
}

/** What people call the channels. */
export const channelWords: Readonly<Record<string, string>> = {
  inbox: 'list of referrals on this site',
  email: 'email with the letter',
  webhook: 'call to their own system',
  document: 'letter to print or file',
  mesh: 'NHS message exchange',
};
