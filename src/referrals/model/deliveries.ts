// What a referral says of its deliveries. The delivery room, which makes and sends them, uses these words, too.

/** Which of the two receivers of a referral a delivery goes to. */
export const deliveryLegs = ['service', 'gp_practice'] as const;
export type DeliveryLeg = (typeof deliveryLegs)[number];

/** `removal` asks a practice that was named by mistake to remove its letter. */
export const deliveryPurposes = ['referral', 'outcome', 'removal'] as const;
export type DeliveryPurpose = (typeof deliveryPurposes)[number];

/** Why a carrier or a practice refused a letter, where the referrer can put it right with the person. */
export const refusalCauses = ['nhs-number-not-recognised', 'not-their-patient'] as const;
export type RefusalCause = (typeof refusalCauses)[number];

export type DeliverySummary = {
  id: string;
  leg: DeliveryLeg;
  purpose: DeliveryPurpose;
  /** The GP practice that it goes to, which may have been named by mistake; null for the service. */
  practice: string | null;
  /** Its code, because many practices share a name. */
  practice_code: string | null;
  channel: string | null;
  status: DeliveryStatus;
  /** The version of the referral that made it necessary. */
  referral_version: number;
  /** False only if it was suppressed before any attempt to send it. */
  may_have_arrived: boolean;
  /** Why a carrier refused it, if the referrer can find out what is wrong. It stays until a report says that the letter arrived. */
  refused_because: RefusalCause | null;
  updated_at: Date;
};

/** Somebody who has a letter about a referral, or may have. */
export type LetterReceiver = {
  leg: DeliveryLeg;
  recipient: string | null;
  purpose: DeliveryPurpose;
  status: DeliveryStatus;
  at: Date;
};

export const deliveryStatuses = [
  'queued',
  'sending',
  'sent',
  'received',
  'acknowledged',
  'uncertain',
  'failed',
  'expired',
  'suppressed',
] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

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
