import { actorOf } from '../accounts/index.ts';
import { recordAudit, recordAudits } from '../audit/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { done, type Settled } from '../platform/in-batches.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { sidesOf } from './access.ts';
import { answerEachOnce } from './answer-once.ts';
import { checkDraft, checkNewReferral } from './check-new-referral.ts';
import type { ReferralDeps } from './deps.ts';
import { dueAt } from './due-date.ts';
import { eachSettled, settledTogether } from './each-settled.ts';
import { historyActorOf } from './history-actor.ts';
import { insertReferrals, type NewRow } from './insert-store.ts';
import { type Known, lookUp } from './look-up.ts';
import { isDraft } from './new-referral-schema.ts';
import { patientKeys } from './patient.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { requireUsable } from './records/usable.ts';
import { newReference } from './reference.ts';
import type { Draft, Referral } from './referral.ts';
import { refuseDuplicates } from './refuse-duplicate.ts';
import { findReferralOrDraft } from './store.ts';
import type { Asked } from './submission.ts';

/**
 * Makes what several have asked for, each as if alone: one that is refused leaves nothing behind, and does not keep the
 * others from being made. None of them names the same person and service, or the same idempotency key, as another.
 */
export function makeReferrals(
  deps: ReferralDeps,
  trx: Trx,
  asked: readonly Asked[],
): Promise<Settled<PresentedReferral>[]> {
  const at = deps.clock.now();
  const repeatable = asked.map((each) => ({
    ...each,
    accountId: each.caller.accountId,
    key: each.idempotencyKey,
    request: each.input,
  }));
  return answerEachOnce(deps, trx, repeatable, at, {
    referralIdOf: ({ id }: PresentedReferral) => id,
    first: (these) => makeNew(deps, trx, these, at),
    async again({ caller, address }, { id }) {
      await checkStillSeen(trx, caller, id);
      const subject = { type: 'referral', id };
      await recordAudit(trx, { at, actor: actorOf(caller, address), action: 'referral.read', subject });
    },
  });
}

type Made = NewRow & { asked: Asked };

async function makeNew(
  deps: ReferralDeps,
  trx: Trx,
  asked: readonly Asked[],
  at: Date,
): Promise<Settled<PresentedReferral>[]> {
  const known = await lookUp(
    deps.settings,
    trx,
    asked.map(({ input }) => input),
  );
  const checked = await eachSettled(asked, (each) => check(deps, trx, known, each, at));
  const unrepeated = await settledTogether(checked, (rows) => refuseDuplicates(trx, rows));
  return settledTogether(unrepeated, (rows) => store(deps, trx, rows, at));
}

async function check(deps: ReferralDeps, trx: Trx, known: Known, asked: Asked, at: Date): Promise<Made> {
  const { caller, input } = asked;
  const state = newState(deps, asked, at);
  const referral: Referral | Draft = isDraft(input)
    ? {
        ...state,
        ...(await checkDraft(deps, trx, known, caller, input, at)),
        status: 'draft',
        requested_at: null,
        due_at: null,
      }
    : {
        ...state,
        ...(await checkNewReferral(deps, trx, known, caller, input, at)),
        status: 'requested',
        requested_at: at,
        due_at: dueAt(deps.settings, state.urgency, at),
      };
  const keys = patientKeys(deps.secrets, referral.content.patient);
  return { asked, referral, keys, actor: historyActorOf(caller) };
}

/** Stores them with their history, tells whoever must know, and gives them as their callers see them. */
async function store(
  deps: ReferralDeps,
  trx: Trx,
  rows: readonly Made[],
  at: Date,
): Promise<Settled<PresentedReferral>[]> {
  const made = await insertWithFreshReferences(trx, rows);
  const sent = made.map(({ referral }) => referral).filter(isSent);
  await deps.referralListener.onChange(
    trx,
    sent.map((referral) => ({ referral, from: null, by: 'referrer', at })),
  );
  await recordAudits(
    trx,
    made.map(({ asked: { caller, address }, referral: { id, status } }) => ({
      at,
      actor: actorOf(caller, address),
      action: `referral.${status}`,
      subject: { type: 'referral', id },
    })),
  );
  const told = await deps.referralListener.summaries(
    trx,
    sent.map(({ id }) => id),
  );
  return made.map(({ asked: { caller }, referral }) =>
    done(presentReferral(caller, referral, { now: at, told: told.get(referral.id) })),
  );
}

/** Nobody is told of a draft, and the person may have others. */
function isSent(referral: Referral | Draft): referral is Referral {
  return referral.requested_at !== null;
}

/** One reference in 35,000,000,000,000 is taken already at a million referrals; then another is drawn. */
async function insertWithFreshReferences(trx: Trx, rows: readonly Made[]): Promise<Made[]> {
  const made = rows.map((row) => ({ ...row, referral: { ...row.referral, reference: newReference() } }));
  const stored = await insertReferrals(trx, made);
  const again = made.filter(({ referral }) => !stored.has(referral.id));
  if (again.length === 0) return made;
  const others = await insertWithFreshReferences(trx, again);
  return made.map((row) => others.find(({ referral }) => referral.id === row.referral.id) ?? row);
}

/**
 * The answer of last week is about a person: it is given again to whoever still makes referrals where this one was made. An
 * operator, who sees that one too, does not see what it says.
 */
async function checkStillSeen(trx: Trx, caller: Asked['caller'], id: string): Promise<void> {
  const referral = await findReferralOrDraft(trx, id);
  if (!referral || !sidesOf(caller, referral).includes('referrer')) throw new Problem(notFound);
  requireUsable(referral);
}

function newState(deps: ReferralDeps, { caller, input }: Asked, at: Date) {
  return {
    id: newId(at.getTime()),
    reference: '',
    status_reason: null,
    version: 1,
    created_at: at,
    updated_at: at,
    expected_date: null,
    urgency: (input.urgency ?? 'routine') as Referral['urgency'],
    simulated: deps.settings.mode === 'test',
    reroutes: input.reroutes ?? null,
    rerouted_to: null,
    referred_again: false,
    seenToAt: null,
    seenToBy: null,
    outcome: null,
    remindedAt: null,
    restrictedAt: null,
    erasedAt: null,
    referrerAccountId: caller.accountId,
    referrerOrganisationId: caller.organisation?.id ?? null,
  };
}
