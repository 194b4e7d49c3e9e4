import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { checkDraft } from './check-new-referral.ts';
import type { ReferralDeps } from './deps.ts';
import { historyActorOf } from './history-actor.ts';
import { lockDraft } from './lock-draft.ts';
import type { SeenVersion } from './lock-seen.ts';
import { lookUp } from './look-up.ts';
import type { DraftInput } from './new-referral-schema.ts';
import { patientKeys } from './patient.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import type { Draft } from './referral.ts';
import { updateDraft } from './store.ts';

/**
 * Puts what is known now in the place of a draft.
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `wrong-state` (it was sent), `cannot-refer`.
 */
export async function changeDraft(
  deps: ReferralDeps,
  caller: Caller,
  { input, address, ...seen }: SeenVersion & { input: DraftInput; address: string },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const draft = await lockDraft(trx, caller, seen);
    const changed: Draft = {
      ...draft,
      ...(await checkDraft(deps, trx, await lookUp(deps.settings, trx, [input]), caller, input, at)),
      urgency: (input.urgency ?? 'routine') as Draft['urgency'],
      reroutes: input.reroutes ?? null,
      version: draft.version + 1,
      updated_at: at,
    };
    await updateDraft(
      trx,
      changed,
      patientKeys(deps.secrets, changed.content.patient),
      historyActorOf(caller),
    );
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'referral.changed',
      subject: { type: 'referral', id: draft.id },
    });
    return presentReferral(caller, changed, { now: at });
  });
}
