import type { Caller } from '../../accounts/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import type { PatientAtService } from '../model/duplicates-store.ts';
import type { KeyedRequest } from '../model/idempotency.ts';
import type { PatientKeys } from '../model/patient.ts';
import type { PresentedReferral } from '../model/present.ts';
import type { Draft, Referral } from '../model/referral.ts';
import type { NewDraft, NewReferral } from '../model/schemas/new-referral.ts';

/** A request to make a referral, or a draft of one. */
export type Submission = {
  readonly caller: Caller;
  readonly input: NewReferral | NewDraft;
  readonly address: string;
  /** Makes it safe to send the request again: it gets the same answer. */
  readonly idempotencyKey?: string | undefined;
};

/** Somebody who is about to be referred, and whether a second referral is meant. */
export type Candidate = PatientAtService & { readonly allowDuplicate: boolean };

/** A submission with what its steps look it up by. */
export type PreparedSubmission = Submission & {
  readonly request: KeyedRequest | undefined;
  readonly keys: PatientKeys;
  /** Undefined for a draft: a person may have several. */
  readonly candidate: Candidate | undefined;
};

/** A submission on its way through the steps of submit-referral.ts. The step that ends its way sets its outcome. */
export type Entry = PreparedSubmission & {
  /** Set by `validate`. */
  referral?: Referral | Draft;
  outcome?: { answer: PresentedReferral } | { problem: Problem };
};

export type ValidEntry = Entry & { referral: Referral | Draft };

/** The entries that no step has ended yet. */
export function openEntries(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ outcome }) => outcome === undefined);
}

/** The same once they have been validated. */
export function validEntries(entries: readonly Entry[]): ValidEntry[] {
  return openEntries(entries).filter((entry): entry is ValidEntry => entry.referral !== undefined);
}

/** Ends an entry's way with a problem. Any other error is a bug, and fails every entry of the transaction. */
export function refuse(entry: Entry, error: unknown): void {
  if (!(error instanceof Problem)) throw error;
  entry.outcome = { problem: error };
}

export function candidateOf(
  { organisation, accountId }: Caller,
  keys: PatientKeys,
  serviceId: string,
  allowDuplicate = false,
): Candidate {
  const referrer = { organisationId: organisation?.id ?? null, accountId };
  return { ...keys, serviceId, referrer, allowDuplicate };
}
