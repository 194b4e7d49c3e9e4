import type { Measure } from './measures.ts';

/**
 * A referral, as the API and the pages show it. Its state names are those of FHIR's closed-loop referral practice; the
 * patient follows the minimum of the UK social prescribing information standard.
 */
export type Referral = State & {
  status: Exclude<ReferralStatus, 'draft'>;
  service_id: string;
  /** The service's and its organisation's name as they were when the referral was made. */
  service: ServiceThen;
  requested_at: Date;
  content: ReferralContent;
};

/** A referral that was not sent: of it there is only what is known so far. */
export type Draft = State & {
  status: 'draft' | 'entered-in-error';
  service_id: string | null;
  service: ServiceThen | null;
  requested_at: null;
  content: DraftContent;
};

type ServiceThen = { name: string; organization_id: string | null; organization_name: string | null };

type State = {
  id: string;
  reference: string;
  status_reason: StatusReason | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  /** When the service should have answered. */
  due_at: Date | null;
  /** On the waiting list: when a place is expected. */
  expected_date: string | null;
  urgency: 'routine' | 'urgent';
  /** True on a test site: the person is made up, and nothing left the site. */
  simulated: boolean;
  /** The referral that this one takes the place of, and the one that takes the place of this. */
  reroutes: string | null;
  rerouted_to: string | null;
  /** Whether its makers have referred the person again since it came to nothing. */
  referred_again: boolean;
  /** When one of its makers said that the person was helped in another way, and who. */
  seenToAt: Date | null;
  seenToBy: string | null;
  gp_practice: { ods_code: string; name: string } | null;
  outcome: Outcome | null;
  remindedAt: Date | null;
  /** Since when nobody may work with it, because the person asked for that. */
  restrictedAt: Date | null;
  /** When it was erased: what it said is gone, and its `content` is empty. */
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
  'other',
] as const;

export type StatusReason = { code: (typeof reasonCodes)[number]; text: string };
export type Outcome = { code: string; text: string; measures?: Measure[] };

export type DeepPartial<T> = T extends (infer Item)[]
  ? Item[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;
export type DraftContent = DeepPartial<Omit<ReferralContent, 'referrer'>> & Pick<ReferralContent, 'referrer'>;

/** What is personal or clinical, and not for an operator's eyes. */
export type ReferralContent = {
  patient: Patient;
  referrer: {
    name: string;
    role: string;
    organisation: string | null;
    ods_code: string | null;
    on_behalf_of?: string;
  };
  reasons: { text: string; code?: string }[];
  what_matters?: string;
  safety_notes?: string;
  support_offered?: string;
  consent: {
    referral: true;
    share_with_gp: boolean | 'codes_only';
    recorded_by: string;
    recorded_at: string;
  };
};

export type Patient = {
  nhs_number?: string;
  given_name: string;
  family_name: string;
  birth_date: string;
  gender?: 'male' | 'female' | 'other' | 'unknown';
  ethnicity?: string;
  address: { lines: string[]; postcode: string };
  telephone?: string;
  email?: string;
  preferred_contact?: string;
  communication_needs?: { interpreter?: string; format?: string };
  carer?: { name: string; relationship?: string; telephone?: string };
};

/** States in which the service still has something to do; a second referral meanwhile is probably a mistake. */
export const openStatuses: readonly ReferralStatus[] = ['requested', 'accepted', 'in-progress', 'on-hold'];

/** Whether the service should have answered by now. */
export function isOverdue(
  { status, due_at }: Pick<Referral | Draft, 'status' | 'due_at'>,
  now: Date,
): boolean {
  return status === 'requested' && due_at !== null && due_at < now;
}
