import { openReferralStatuses } from '../../library/index.ts';
import type { JsonValue } from '../../platform/database/tables.ts';
import type { Appointment, Contact } from './after-acceptance/contacts.ts';
import type { Measure, TakenMeasure } from './after-acceptance/measures.ts';
import type { Adjustment } from './person/adjustments.ts';
import type { EthnicCategory } from './person/ethnic-category.ts';
import type { Episode, Method, Source } from './person/how-referred.ts';
import type { Goal, Need } from './person/needs.ts';

/** Why a referral was sent although a check objected, each with a `reason`. */
export const overrideFields = [
  'fit_override',
  'mismatch_override',
  'namesake_override',
  'contact_override',
  'urgency_override',
  'death_override',
] as const;

/**
 * A referral. Its statuses are those of FHIR’s closed-loop referral practice; the patient follows the minimum of
 * the UK social prescribing information standard. A field in camel case stays inside, as do those of `InternalField`; the others
 * are as the API shows them.
 */
export type Referral = ReferralBase & {
  status: Exclude<ReferralStatus, 'draft'>;
  service_id: string;
  /** The names of the service and its organisation when the referral was made. */
  service: ServiceAtReferral;
  requested_at: Date;
  content: ReferralContent;
};

/** A referral that was not sent yet, with what is known so far. */
export type Draft = ReferralBase & {
  status: 'draft' | 'entered-in-error';
  service_id: string | null;
  service: ServiceAtReferral | null;
  requested_at: null;
  content: DraftContent;
};

/** Who reported that a person has died. Null only in reports from before the site stored who reported. */
export type ReporterIds = { reportedById: string | null; reportedByOrganisationId: string | null };

type ServiceAtReferral = { name: string; organization_id: string | null; organization_name: string | null };

/** What sent referrals and drafts have in common. */
type ReferralBase = {
  id: string;
  reference: string;
  status_reason: StatusReason | null;
  /** Why the site ended it and wrote the reason. Null where somebody wrote it. */
  endCause: EndCause | null;
  version: number;
  created_at: Date;
  /** When anything last changed that clients must read again: also its record, messages and files. */
  updated_at: Date;
  /** When its present version was made. Retention counts from it, and letters give it as the date of the end. */
  versionAt: Date;
  /** When the service should have answered. */
  due_at: Date | null;
  /** On the waiting list: when a place is expected, if that is known. */
  expected_date: string | null;
  /** Once accepted: by when the service acts next (next-date.ts). */
  next_date: string | null;
  /** When staff of the service first reached the person. */
  first_contact_at: Date | null;
  /** When somebody of the service first read it, and who. */
  seenAt: Date | null;
  seenByName: string | null;
  urgency: 'routine' | 'urgent';
  /** True on a test site: the person is made up, and nothing leaves the site. */
  simulated: boolean;
  /** The referral that this one replaces, and the one that replaces it. */
  reroutes: string | null;
  rerouted_to: string | null;
  /** Whether the referrer referred the person again after this one was unsuccessful. */
  referred_again: boolean;
  /** When somebody of the referrer said that the person was helped another way, and who. */
  resolvedAt: Date | null;
  resolvedBy: string | null;
  gp_practice: { ods_code: string; name: string } | null;
  outcome: Outcome | null;
  /** When the service was reminded that nobody has answered. Null if it was not yet, so that it is reminded once. */
  remindedAt: Date | null;
  /** When the site rejects it if nobody answers. Null until the service was warned of that. */
  rejectionAt: Date | null;
  /** Until when staff of the service can take back their decline. Null if they cannot, or once the practice and the person are told. */
  declineFinalAt: Date | null;
  /** Since when nothing is sent about the referral, because somebody reported that the person has died. */
  deathReportedAt: Date | null;
  death_reported:
    | ({
        at: string;
        /** Null where another organisation was told, which must not be known here. */
        told_by: string | null;
        date: string | null;
        reported_by: { name: string; organisation: string | null } | null;
      } & ReporterIds)
    | null;
  /** Since when nobody may work with it, because the person asked for that. */
  restrictedAt: Date | null;
  /** Since when nothing may erase it, because it may be needed in court. */
  legalHoldAt: Date | null;
  /** When it was erased; then its `content` is empty. */
  erasedAt: Date | null;
  referrerAccountId: string;
  referrerOrganisationId: string | null;
};

export const referralStatuses = [
  'draft',
  'requested',
  'accepted',
  'rejected',
  'in-progress',
  'on-hold',
  'completed',
  'failed',
  'cancelled',
  'entered-in-error',
] as const;

export type ReferralStatus = (typeof referralStatuses)[number];

export const reasonCodes = [
  'no-capacity',
  'not-eligible',
  'out-of-area',
  'failed-contact',
  'missing-information',
  'client-declined',
  'unsuitable-time',
  'transport',
  'needs-met-otherwise',
  'moved-away',
  'died',
  'wrong-person',
  'wrong-service',
  'sent-twice',
  'other',
] as const;

export type ReasonCode = (typeof reasonCodes)[number];
export type StatusReason = { code: ReasonCode; text: string };

/** Why the site itself ends a referral: something that was told of the person, or that nobody at the service answered. */
export type EndCause = 'death-reported' | 'no-longer-agreed' | 'nobody-answered';

export type Outcome = { code: string; text: string; measures?: Measure[] };

export type DeepPartial<T> = T extends (infer Item)[]
  ? Item[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;
export type DraftContent = DeepPartial<Omit<ReferralContent, WholeField>> & Pick<ReferralContent, WholeField>;
/** No draft has a part of one of these. */
type WholeField = 'referrer' | 'referrers_details' | 'suggested_service';

/** What is personal or clinical. Operators see it only when they give a reason. */
export type ReferralContent = {
  patient: Patient;
  referrer: {
    name: string;
    role: string;
    organisation: string | null;
    ods_code: string | null;
    job_title?: string;
    telephone?: string;
    on_behalf_of?: string;
  };
  reasons: { text: string; code?: string }[];
  needs?: Need[];
  goals?: Goal[];
  reasonable_adjustments?: Adjustment[];
  /** Whether an earlier referral began the episode of care. */
  episode?: Episode;
  source?: Source;
  method?: Method;
  what_matters?: string;
  safety_notes?: string;
  /** Only then does the letter to the GP practice have the safety notes. */
  safety_notes_for_practice?: boolean;
  support_offered?: string;
  /** Missing in referrals from before it was asked. */
  risk?: Risk;
  risk_acted_on?: { who_was_told: string; when: string };
  /** Missing in referrals from before it was asked. */
  contact?: SafeContact;
  /** The practice is not to show its copy in the patient's online record. */
  do_not_show_online?: boolean;
  /** Whether the person gets a link to a page of their own. Asked each time. */
  person_page?: { send: boolean };
  /** Missing in older referrals, which count as agreed. */
  agreement?: Agreement;
  /**
   * The version from which letters to the practice are full. Earlier ones had codes only: they are no copy, and ask for no task even if
   * the practice confirmed them.
   */
  full_copies_since?: number;
  /** What the referrer’s side had entered in the fields that staff of the service changed; null where nothing was. */
  referrers_details?: Readonly<Record<string, JsonValue>>;
  /** Letters said that the person had died, and that was a mistake. */
  death_mistake?: { told_at: string; corrected_at: string };
  /** In a draft: nobody has said yet how urgent it is. */
  urgency_not_asked?: true;
  /** In a draft: a second referral to the service is meant. */
  duplicate_meant?: true;
  /** In a draft: somebody said that the person has no practice, or that it is not known, so nobody is asked what it may be told. */
  no_practice?: true;
  /** `…_override`: why it was sent although a check objected. */
  fit_override?: { reason: string };
  mismatch_override?: { reason: string };
  namesake_override?: { reason: string };
  contact_override?: { reason: string };
  urgency_override?: { reason: string };
  death_override?: { reason: string };
  /** When it was taken on paper, if somebody typed it in later. */
  made_at?: string;
  /** Missing if it was not asked whether the GP practice has something to do. */
  gp_actions?: GpAction[];
  /** For which letters somebody said whether it has: see `lettersWithAnswer`. */
  gp_actions_answered?: GpAction['asked_with'][];
  /** The person declines social prescribing altogether, and not this service alone. */
  declines_social_prescribing?: true;
  /** By time. */
  contacts?: Contact[];
  appointments?: Appointment[];
  measures?: TakenMeasure[];
  /** Another service that staff of this one suggest instead. */
  suggested_service?: { id: string; name: string };
  consent: {
    referral: true;
    share_with_gp: boolean | 'codes_only';
    /** What was shown or read to the person, with their answers. */
    wording?: string;
    recorded_by: string;
    recorded_at: string;
    /** Who decided the last change, if the person may not decide alone or somebody was asked. */
    said_by?: Agreement;
    /** Why the practice is told more than the person decided themselves. */
    reason?: string;
  };
};

/** Something that staff ask the person's GP practice to do, as it is sent. */
export type GpActionInput = {
  text: string;
  by_date?: string;
  /** Who asks, with a telephone number. */
  asked_by?: string;
  patient_told?: boolean;
};

/** A task for the practice, as it is stored. An empty list means that there is nothing to do; no list, that nobody was asked. */
export type GpAction = GpActionInput & {
  asked_by: string;
  /** The letter in which the practice is asked first. */
  asked_with: 'referral' | 'outcome';
  /** Staff made sure that it was done, or told the practice themselves. */
  done_by_hand?: { at: string; by: string };
};

/** The answer to the question whether anybody is at risk of serious harm. */
type Risk = 'no' | 'yes' | 'could_not_ask' | 'not_asked';

/** How it is safe to contact the person. */
export type SafeContact = {
  channel?: string;
  safe: 'yes' | 'no' | 'only_at' | 'not_asked';
  only_at?: string;
  voicemail?: boolean;
  who_must_not_know?: string;
};

/** On what the agreement rests: who agreed, or who decided for them. */
export type Agreement = {
  basis:
    | 'person'
    | 'parental_responsibility'
    | 'competent_child'
    | 'best_interests'
    | 'attorney_or_deputy'
    | 'safeguarding'
    /** For somebody who may not decide alone, from a client that does not ask yet. */
    | 'not_asked';
  judged_by?: string;
  when?: string;
  decided_by?: string;
  consulted?: string;
};

export type Patient = {
  nhs_number?: string;
  /** Mr, Mrs, Mx, Dr … */
  title?: string;
  given_name: string;
  family_name: string;
  birth_date: string;
  gender?: 'male' | 'female' | 'other' | 'unknown';
  ethnicity?: string;
  ethnic_category?: EthnicCategory;
  address: { lines: string[]; postcode: string };
  telephone?: string;
  email?: string;
  preferred_contact?: string;
  communication_needs?: { interpreter?: string; format?: string };
  /** Named in the practice's copy only with `share_with_gp`. */
  carer?: { name: string; relationship?: string; telephone?: string; share_with_gp?: boolean };
};

/** Sent and not ended. Meanwhile a second referral of the person to the service is probably a mistake. */
export const openStatuses: readonly ReferralStatus[] = openReferralStatuses;

/** The service has accepted, and has not ended it. */
export const underWayStatuses = openStatuses.filter((status) => status !== 'requested');

type InternalField =
  | 'full_copies_since'
  | 'referrers_details'
  | 'gp_actions_answered'
  | 'urgency_not_asked'
  | 'duplicate_meant'
  | 'no_practice';

/** What a referral says, without what the site keeps about that for itself. */
export function withoutInternalFields<T extends ReferralContent | DraftContent>(
  content: T,
): Omit<T, InternalField> {
  const {
    full_copies_since: _since,
    referrers_details: _details,
    gp_actions_answered: _answered,
    urgency_not_asked: _notAsked,
    duplicate_meant: _meant,
    no_practice: _noPractice,
    ...input
  } = content;
  return input;
}

export function isSent(referral: Referral | Draft): referral is Referral {
  return referral.requested_at !== null;
}

/** A version as an HTTP entity tag for `If-Match`, in answers that have no body. */
export function versionTag(version: number): string {
  return `"${version}"`;
}
