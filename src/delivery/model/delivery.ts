import { listSensitiveServices } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import {
  type DeliveryLeg,
  type DeliveryPurpose,
  type DeliveryStatus,
  type FieldChange,
  forPractice,
  type Referral,
  type ReferralStatus,
} from '../../referrals/index.ts';
import type { HeldBy } from './held-by.ts';

/** One message to one receiver. It has a status of its own: a referral may be completed while a copy is still waiting. */
export type Delivery = {
  id: string;
  referralId: string;
  leg: DeliveryLeg;
  purpose: DeliveryPurpose;
  receiverName: string;
  /** The library's organisation for a service, the ODS code for a practice. */
  receiverCode: string | null;
  status: DeliveryStatus;
  simulated: boolean;
  messageId: string;
  externalId: string | null;
  /** The channel of the latest attempt, if any. */
  channel: string | null;
  /** The channel that an operator chose instead of the receiver's own. */
  chosenChannel: string | null;
  attemptsStarted: number;
  /** What holds it, such as a connection that refuses the site. */
  heldBy: HeldBy | null;
  createdAt: Date;
  /** The date of the letter that this one replaces, because something was put right; null for a first letter. */
  replacesLetterOf: Date | null;
  /** What has changed since that letter and the receiver may know, the earliest first. */
  changes: FieldChange[];
  /** Null for a service. */
  letterFacts: LetterFacts | null;
  /** Its number among the letters about the referral that this receiver got, or may have. */
  series: LetterSeries;
  /** The files that the referral had when the message became necessary, which are not in the letter. */
  files: LetterFile[];
  /** Only in a message to a service: news that it must not miss. */
  news: NewsInLetter[];
  /** Only in a message to a service: the referral is open again, because ending it was a mistake. */
  reopened: Reopened | null;
  /** The number in the referrer’s account, for a referral without a number. */
  referrerTelephone: string | null;
  /** The channels that have given it up, and the reason of the last one. */
  givenUpBy: string[];
  lastFailure: string | null;
};

/** `from`: how the referral had ended. `by`: the organisation that says that it was a mistake, or else its member. */
export type Reopened = { from: ReferralStatus; by: string };

/**
 * The number of a letter among those about one referral to one receiver, so that they can say which is the newest. `earlier` are numbered
 * from 1. `isWithdrawn`: it asked to remove a letter, or the receiver was asked to remove it.
 */
export type LetterSeries = {
  number: number;
  earlier: { at: string; purpose: DeliveryPurpose; isWithdrawn: boolean }[];
};

/** A file of the referral, as letters list it. `pages` is null where the file does not say how many it has. */
export type LetterFile = { name: string; at: string; pages: number | null; scanned: boolean };

/**
 * What the referrer told the service after the referral was sent. `at` is in ISO 8601. `telephone`: where to ring who referred. `isMessage`: a
 * message, which nobody sent as “things have changed”.
 */
export type NewsInLetter = {
  at: string;
  by: string;
  text: string;
  isMessage?: boolean;
  telephone?: string | null;
};

/** What a letter to a practice tells apart from the referral. Dates and times are in ISO 8601. */
export type LetterFacts = {
  /** Who made the change that the letter is about, and when. */
  by: {
    at: string;
    name: string;
    organisation: string | null;
    isReferrer: boolean;
    /** They are the referrer, or somebody of the referrer’s organisation. */
    isOfReferrer: boolean;
    jobTitle: string | null;
    telephone: string | null;
    email?: string | null;
  } | null;
  /** The telephone of the referrer’s account, or else of their practice; used if the referral has none. */
  referrerTelephone?: string | null;
  /** What either side said has changed for the person since the referral was sent. The letter must not repeat it. */
  reported?: {
    at: string;
    text: string;
    raisedUrgency: boolean;
    by?: string;
    side?: 'referrer' | 'provider';
  }[];
  /** Where somebody can ask the service. */
  serviceTelephone: string | null;
  /**
   * The earlier letters about this referral that went to this practice, or may have. `version`: of the referral that each is about.
   * `hadDetails`: the patient agreed to all details in it, and has changed since what may be shared.
   */
  earlierLetters: {
    at: string;
    purpose: DeliveryPurpose;
    version?: number;
    isHidden?: boolean;
    hadDetails?: boolean;
  }[];
  /** Letters of the same day about other referrals of the patient, which this practice has as well. */
  otherLettersOfDay?: { at: string; reference: string }[] | null;
  /** The latest letter to this practice about a referral of the patient that was withdrawn as a mistake: this one may put it right. */
  withdrawnBefore?: { at: string; reference: string; birthDate: string } | null;
  /**
   * In a notice of such a mistake: the letter with the right details, if it went to this practice before the notice. Of a referral that was
   * sent twice, the other one. `madeAt`: when that referral was made.
   */
  followedBy?: { at: string; reference: string; madeAt?: string } | null;
  /** When this practice was asked to remove what it had before, because it was thought to be named by mistake. */
  removalAskedOn?: string | null;
  /** When a letter first brought this practice the code of the referral, this one or one that it replaces. */
  codeSentAt: string | null;
  /** The reference in that letter. It may be that of a referral that this one replaces. */
  codeSentIn?: string | null;
  /** When the referral got its status. */
  statusAt?: string | null;
  /** The practice has confirmed a letter about the referral. */
  wasEarlierConfirmed: boolean;
  /** What the patient said on their own page, last, of whether they got help. `at` is in ISO 8601. Of letters at the end alone. */
  personSays?: { at: string; gotHelp: boolean } | null;
  /**
   * Of the letter about the end that this one replaces: what the patient had said when it was first tried (null: nothing), and whether
   * somebody has recorded measures since. Null where it replaces none.
   */
  atReplaced?: { gotHelp: boolean | null; measuredSince?: boolean } | null;
  /** What somebody reported about the patient’s death, if somebody has confirmed it. */
  death?: {
    reportedAt: string;
    toldBy: string | null;
    date: string | null;
    /** Who reported it on the site. The practice can ask them. */
    reportedBy?: { name: string | null; organisation: string | null };
  } | null;
};

/**
 * The referral as the receiver of a delivery may read it. A practice never gets an address that a sensitive service entered: its letter
 * has the referrer’s. A practice that was named by mistake gets only what finds the letter that it has to remove.
 */
export async function referralForReceiver(
  db: Db,
  {
    leg,
    purpose,
    receiverCode,
    receiverName,
  }: Pick<Delivery, 'leg' | 'purpose' | 'receiverCode' | 'receiverName'>,
  referral: Referral,
): Promise<Referral> {
  if (leg === 'service') return referral;
  if (purpose !== 'removal' || receiverCode === null) return referralForPractice(db, referral);
  const { patient, referrer, consent } = referral.content;
  const { nhs_number, given_name, family_name, birth_date } = patient;
  const identity = { given_name, family_name, birth_date, ...(nhs_number !== undefined && { nhs_number }) };
  const content = {
    patient: { ...identity, address: { lines: [], postcode: '' } },
    referrer,
    reasons: [],
    consent,
  };
  return {
    ...referral,
    status: 'entered-in-error',
    status_reason: null,
    endCause: null,
    outcome: null,
    gp_practice: { ods_code: receiverCode, name: receiverName },
    content,
  };
}

/** Hides the copy of a sensitive service from online access, where relatives may read the record too. */
async function referralForPractice(db: Db, referral: Referral): Promise<Referral> {
  const copy = withoutDetailsAfterMistake(await forPractice(db, referral));
  const isSensitive = (await listSensitiveServices(db)).includes(referral.service_id);
  return isSensitive ? { ...copy, content: { ...copy.content, do_not_show_online: true } } : copy;
}

/** A practice that may not be told any more is only asked to remove its letter: the request says no more than one with a code alone. */
function withoutDetailsAfterMistake(referral: Referral): Referral {
  const { status, content } = referral;
  if (status !== 'entered-in-error' || content.consent.share_with_gp !== false) return referral;
  return {
    ...referral,
    content: { ...content, consent: { ...content.consent, share_with_gp: 'codes_only' } },
  };
}

/** A delivery that a change of a referral makes necessary. */
export type PlannedDelivery = {
  leg: DeliveryLeg;
  purpose: DeliveryPurpose;
  receiverName: string | null;
  receiverCode: string | null;
  /** Why nothing is sent, in plain words; null when something is. */
  suppressedBecause: string | null;
};

/** Whether the job still has something to do. A killed process leaves a delivery as `sending`. */
export function needsSending(status: DeliveryStatus): boolean {
  return status === 'queued' || status === 'sending' || status === 'uncertain';
}

/** Whether the receiver gets nothing but codes, as the person agreed for their GP practice. */
export function isCodesOnly(leg: DeliveryLeg, { content }: Pick<Referral, 'content'>): boolean {
  return leg === 'gp_practice' && content.consent.share_with_gp === 'codes_only';
}

/** Whether the person clearly said that the practice may know. */
export function mayTellPractice(share: Referral['content']['consent']['share_with_gp']): boolean {
  return share === true || share === 'codes_only';
}
