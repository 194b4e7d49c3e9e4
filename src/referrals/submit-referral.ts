import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { sidesOf } from './access.ts';
import { answerOnce, type Idempotency } from './answer-once.ts';
import { checkDraft, checkNewReferral } from './check-new-referral.ts';
import type { ReferralDeps } from './deps.ts';
import { dueAt } from './due-date.ts';
import { historyActorOf } from './history-actor.ts';
import type { DraftInput, NewReferral } from './new-referral-schema.ts';
import { orNoteDuplicate } from './or-note-duplicate.ts';
import { type PatientKeys, patientKeys } from './patient.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { requireUsable } from './records/usable.ts';
import { newReference } from './reference.ts';
import type { Draft, Referral } from './referral.ts';
import { refuseDuplicate } from './refuse-duplicate.ts';
import { findReferralOrDraft, insertReferral } from './store.ts';

export type Submission = {
  input: NewReferral | NewDraft;
  address: string;
  /** Makes a repeated request safe: it is answered as the first was. */
  idempotencyKey?: string | undefined;
};
type NewDraft = DraftInput & { status: 'draft' };

/**
 * Makes a referral, or a draft of one. It, its history, its audit entry, its deliveries and their jobs are one
 * transaction: once this returns, the referral is stored and will be delivered; if it throws, there is none.
 * @throws Problem `cannot-refer`, `possible-duplicate`, `idempotency-key-reused`, `still-in-progress`;
 * `not-found` for a repetition by an account that may not see the referral any more.
 */
export async function submitReferral(
  deps: ReferralDeps,
  caller: Caller,
  submission: Submission,
): Promise<PresentedReferral> {
  const { input, idempotencyKey, address } = submission;
  const at = deps.clock.now();
  const idempotency: Idempotency = { accountId: caller.accountId, key: idempotencyKey, request: input, at };
  const actor = actorOf(caller, address);
  const make = (trx: Trx) =>
    answerOnce(deps, trx, idempotency, {
      referralIdOf: ({ id }) => id,
      async first() {
        const referral = isDraft(input)
          ? await makeDraft(deps, trx, caller, input, at)
          : await makeReferral(deps, trx, caller, input, at);
        const subject = { type: 'referral', id: referral.id };
        await recordAudit(trx, { at, actor, action: `referral.${referral.status}`, subject });
        return referral;
      },
      async again({ id }) {
        await checkStillSeen(trx, caller, id);
        await recordAudit(trx, { at, actor, action: 'referral.read', subject: { type: 'referral', id } });
      },
    });
  return orNoteDuplicate(deps, caller, address, () => inTransaction(deps.db, make));
}

function isDraft(input: NewReferral | NewDraft): input is NewDraft {
  return input.status === 'draft';
}

async function makeReferral(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  input: NewReferral,
  at: Date,
): Promise<PresentedReferral> {
  const checked = await checkNewReferral(deps, trx, caller, input, at);
  const keys = patientKeys(deps.secrets, checked.content.patient);
  await refuseDuplicate(trx, caller, input, keys);
  const due = dueAt(deps.settings, input.urgency as Referral['urgency'], at);
  const made: Referral = {
    ...newState(deps, caller, input, at),
    ...checked,
    status: 'requested',
    requested_at: at,
    due_at: due,
  };
  const referral = await insertWithFreshReference(trx, made, keys, caller);
  await deps.referralListener.onChange(trx, { referral, from: null, by: 'referrer', at });
  const told = await deps.referralListener.summaries(trx, [referral.id]);
  return presentReferral(caller, referral, { now: at, told: told.get(referral.id) });
}

/** Nobody is told of a draft, and the person may have others. */
async function makeDraft(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  input: NewDraft,
  at: Date,
): Promise<PresentedReferral> {
  const checked = await checkDraft(deps, trx, caller, input, at);
  const keys = patientKeys(deps.secrets, checked.content.patient);
  const made: Draft = {
    ...newState(deps, caller, input, at),
    ...checked,
    status: 'draft',
    requested_at: null,
  };
  const draft = await insertWithFreshReference(trx, made, keys, caller);
  return presentReferral(caller, draft, { now: at });
}

/**
 * The answer of last week is about a person: it is given again to whoever still makes referrals where this one was made. An
 * operator, who sees that one too, does not see what it says.
 */
async function checkStillSeen(trx: Trx, caller: Caller, id: string): Promise<void> {
  const referral = await findReferralOrDraft(trx, id);
  if (!referral || !sidesOf(caller, referral).includes('referrer')) throw new Problem(notFound);
  requireUsable(referral);
}

/** One reference in 35,000,000,000,000 is taken already at a million referrals; then another is drawn. */
async function insertWithFreshReference<T extends Referral | Draft>(
  trx: Trx,
  referral: T,
  keys: PatientKeys,
  caller: Caller,
): Promise<T> {
  const actor = historyActorOf(caller);
  for (;;) {
    const made = { ...referral, reference: newReference() };
    if (await insertReferral(trx, made, keys, actor)) return made;
  }
}

function newState(deps: ReferralDeps, caller: Caller, input: DraftInput, at: Date) {
  return {
    id: newId(at.getTime()),
    reference: '',
    status_reason: null,
    version: 1,
    created_at: at,
    updated_at: at,
    due_at: null,
    expected_date: null,
    urgency: (input.urgency ?? 'routine') as Referral['urgency'],
    simulated: deps.settings.mode === 'test',
    reroutes: input.reroutes ?? null,
    rerouted_to: null,
    outcome: null,
    remindedAt: null,
    restrictedAt: null,
    erasedAt: null,
    referrerAccountId: caller.accountId,
    referrerOrganisationId: caller.organisation?.id ?? null,
  };
}
