import type { Caller } from '../accounts/index.ts';
import { inTransaction, isUndone } from '../platform/database/index.ts';
import { inBatches } from '../platform/in-batches.ts';
import type { ReferralDeps } from './deps.ts';
import { makeReferrals } from './make-referrals.ts';
import { isDraft } from './new-referral-schema.ts';
import { orNoteDuplicate } from './or-note-duplicate.ts';
import { patientKeys, ungrouped } from './patient.ts';
import type { PresentedReferral } from './present.ts';
import type { Asked, Submission } from './submission.ts';

type Submit = (asked: Asked, names: readonly string[]) => Promise<PresentedReferral>;

const submitters = new WeakMap<ReferralDeps, Submit>();

/**
 * Makes a referral, or a draft of one. It, its history, its audit entry, its deliveries and their job are one
 * transaction, with those of others who ask at the same time: once this returns, the referral is stored and will be
 * delivered; if it throws, there is none.
 * @throws Problem `cannot-refer`, `possible-duplicate`, `idempotency-key-reused`, `still-in-progress`;
 * `not-found` for a repetition by an account that may not see the referral any more.
 */
export function submitReferral(
  deps: ReferralDeps,
  caller: Caller,
  submission: Submission,
): Promise<PresentedReferral> {
  let submit = submitters.get(deps);
  if (!submit) {
    submit = inBatches<Asked, PresentedReferral>(
      { most: 50, patienceMs: 250, mayBeOnes: isUndone },
      (asked) => inTransaction(deps.db, (trx) => makeReferrals(deps, trx, asked)),
    );
    submitters.set(deps, submit);
  }
  const names = namesOf(deps, caller, submission);
  return orNoteDuplicate(deps, caller, submission.address, () => submit({ ...submission, caller }, names));
}

/** What no two of a batch may have in common, so that the second sees what became of the first. */
function namesOf(
  { secrets }: ReferralDeps,
  { accountId }: Caller,
  { input, idempotencyKey }: Submission,
): string[] {
  const names = idempotencyKey === undefined ? [] : [`${accountId} ${idempotencyKey}`];
  if (input.reroutes !== undefined) names.push(input.reroutes);
  if (isDraft(input)) return names;
  const { name, number } = patientKeys(secrets, ungrouped(input.patient));
  for (const key of [name, number]) if (key) names.push(`${input.service_id} ${key.toString('base64')}`);
  return names;
}
