import type { DeliveryStatus } from '../referrals/index.ts';

export type Leg = 'service' | 'gp_practice';
export type Purpose = 'referral' | 'outcome';

/** One telling of one receiver. Its status never mixes with the referral's: a referral may be done and a copy stuck. */
export type Delivery = {
  id: string;
  referralId: string;
  leg: Leg;
  purpose: Purpose;
  recipientName: string;
  /** The library's organisation for a service, the ODS code for a practice. */
  recipientCode: string | null;
  status: DeliveryStatus;
  simulated: boolean;
  messageId: string;
  createdAt: Date;
  /** The channels that turned it away for good, with the last one's reason. */
  refusedBy: string[];
  lastRefusal: string | null;
};

export const attemptOutcomes = ['sent', 'received', 'will-retry', 'failed', 'interrupted'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Whether there is still something for the job to do. `sending` is one that a killed process left behind. */
export function isToBeSent(status: DeliveryStatus): boolean {
  return status === 'queued' || status === 'sending';
}
