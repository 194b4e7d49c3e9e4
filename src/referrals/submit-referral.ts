import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { maySee } from './access.ts';
import { answerOnce, type Idempotency } from './answer-once.ts';
import { type Checked, checkNewReferral } from './check-new-referral.ts';
import type { ReferralDeps } from './deps.ts';
import { historyActorOf } from './history-actor.ts';
import { patientKeys } from './patient.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { possibleDuplicate } from './problems.ts';
import { newReference } from './reference.ts';
import { openStatuses, type Referral } from './referral.ts';
import type { NewReferral } from './schemas.ts';
import {
  findOpenReferral,
  findReferral,
  insertReferral,
  lockPatientForService,
  type PatientKeys,
} from './store.ts';

export type Submission = {
  input: NewReferral;
  address: string;
  /** Makes a repeated request safe: it is answered as the first was. */
  idempotencyKey?: string | undefined;
};

/**
 * Makes a referral. It, its history, its audit entry, its deliveries and their jobs are one transaction: once this
 * returns, the referral is stored and will be delivered; if it throws, there is none.
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
  return inTransaction(deps.db, (trx) =>
    answerOnce(deps, trx, idempotency, {
      async first() {
        const referral = await makeReferral(deps, trx, caller, input, at);
        const subject = { type: 'referral', id: referral.id };
        await recordAudit(trx, { at, actor, action: 'referral.requested', subject });
        return referral;
      },
      async again({ id }) {
        await checkStillSeen(trx, caller, id);
        await recordAudit(trx, { at, actor, action: 'referral.read', subject: { type: 'referral', id } });
      },
    }),
  );
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
  const drafted = newReferral(deps, caller, checked, input, at);
  const referral = await insertWithFreshReference(trx, drafted, keys, caller);
  await deps.referralListener.onChange(trx, { referral, from: null, at });
  const told = await deps.referralListener.summaries(trx, [referral.id]);
  return presentReferral(caller, referral, told.get(referral.id) ?? []);
}

/**
 * The answer of last week is about a person: it is given again to whoever may still read the referral. That is its
 * account wherever it works now, as long as it makes referrals.
 */
async function checkStillSeen(trx: Trx, caller: Caller, id: string): Promise<void> {
  const referral = await findReferral(trx, id);
  if (!referral || !maySee(caller, referral)) throw new Problem(notFound);
}

/** Names the open referral only to somebody who may see it: that it exists tells others where the person goes. */
async function refuseDuplicate(
  trx: Trx,
  caller: Caller,
  input: NewReferral,
  keys: PatientKeys,
): Promise<void> {
  await lockPatientForService(trx, input.service_id, keys);
  if (input.allow_duplicate) return;
  const open = await findOpenReferral(trx, input.service_id, keys, openStatuses);
  if (!open) return;
  const yours = maySee(caller, open);
  const detail = yours ? 'Follow that one' : 'Another organisation made it: ask the service';
  throw new Problem(possibleDuplicate, `${detail}, or send allow_duplicate: true if a second one is meant.`, {
    extra: yours ? { reference: open.reference, referral_id: open.id } : {},
  });
}

/** One reference in 35,000,000,000,000 is taken already at a million referrals; then another is drawn. */
async function insertWithFreshReference(
  trx: Trx,
  referral: Referral,
  keys: PatientKeys,
  caller: Caller,
): Promise<Referral> {
  const actor = historyActorOf(caller);
  for (;;) {
    const made = { ...referral, reference: newReference() };
    if (await insertReferral(trx, made, keys, actor)) return made;
  }
}

function newReferral(
  deps: ReferralDeps,
  caller: Caller,
  checked: Checked,
  input: NewReferral,
  at: Date,
): Referral {
  return {
    ...checked,
    id: newId(at.getTime()),
    reference: '',
    status: 'requested',
    status_reason: null,
    version: 1,
    created_at: at,
    updated_at: at,
    due_at: null,
    urgency: (input.urgency ?? 'routine') as Referral['urgency'],
    simulated: deps.settings.mode === 'test',
    outcome: null,
    referrerAccountId: caller.accountId,
    referrerOrganisationId: caller.organisation?.id ?? null,
  };
}
