import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { checkOf, describeErrors } from '../platform/http/index.ts';
import { Problem } from '../platform/problem/index.ts';
import { checkNewReferral } from './check-new-referral.ts';
import type { ReferralDeps } from './deps.ts';
import { draftInputOf } from './draft-input.ts';
import { dueAt } from './due-date.ts';
import { historyActorOf } from './history-actor.ts';
import { lockDraft } from './lock-draft.ts';
import type { SeenVersion } from './lock-seen.ts';
import { lookUp } from './look-up.ts';
import { type NewReferral, newReferralSchema } from './new-referral-schema.ts';
import { orNoteDuplicate } from './or-note-duplicate.ts';
import { patientKeys } from './patient.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { cannotRefer } from './problems.ts';
import type { Draft, Referral } from './referral.ts';
import { refuseDuplicates } from './refuse-duplicate.ts';
import { updateDraft } from './store.ts';

/**
 * Sends a draft: from here on it is a referral like any other, in the name of whoever sends it.
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `wrong-state`, `cannot-refer`, `possible-duplicate`.
 */
export async function requestDraft(
  deps: ReferralDeps,
  caller: Caller,
  {
    address,
    allowDuplicate,
    ...seen
  }: SeenVersion & { address: string; allowDuplicate?: boolean | undefined },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  const send = async (trx: Trx) => {
    const draft = await lockDraft(trx, caller, seen);
    const input = complete(draft);
    const checked = await checkNewReferral(
      deps,
      trx,
      await lookUp(deps.settings, trx, [input]),
      caller,
      input,
      at,
    );
    const keys = patientKeys(deps.secrets, checked.content.patient);
    const asked = { caller, input: { ...input, allow_duplicate: allowDuplicate ?? false } };
    const [refusal] = await refuseDuplicates(trx, [{ asked, keys }]);
    if (refusal?.status === 'rejected') throw refusal.reason;
    const referral: Referral = {
      ...draft,
      ...checked,
      status: 'requested',
      requested_at: at,
      updated_at: at,
      due_at: dueAt(deps.settings, draft.urgency, at),
      version: draft.version + 1,
    };
    await updateDraft(trx, referral, keys, historyActorOf(caller));
    await deps.referralListener.onChange(trx, [{ referral, from: 'draft', by: 'referrer', at }]);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'referral.requested',
      subject: { type: 'referral', id: referral.id },
    });
    const told = await deps.referralListener.summaries(trx, [referral.id]);
    return presentReferral(caller, referral, { now: at, told: told.get(referral.id) });
  };
  return orNoteDuplicate(deps, caller, address, () => inTransaction(deps.db, send));
}

/** @throws Problem `cannot-refer` that names everything which is still missing. */
function complete(draft: Draft): NewReferral {
  const input = draftInputOf(draft);
  const check = checkOf(newReferralSchema);
  if (check.Check(input)) return input;
  const errors = describeErrors(check.Errors(input), '');
  throw new Problem(cannotRefer, 'Nothing was sent. See `errors` for what is missing.', { errors });
}
