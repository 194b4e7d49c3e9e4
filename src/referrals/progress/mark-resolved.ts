import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import { type App, emptyBody, problemAnswers, withToken } from '../../platform/http/index.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import { lockForAnyReader } from '../model/access/access.ts';
import { promptKindsUntilEnd } from '../model/attention/prompts.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { setResolved } from '../model/referrals-store.ts';
import {
  badBody,
  idParams,
  notYours,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { requireUnsuccessful } from '../model/status/state-machine.ts';

// The API and the audit say `seen_to`, as it was published; the code says resolved.

/**
 * Marks an unsuccessful referral as resolved, because the referrer helped the person another way: it no longer
 * waits for them. The service is not told, and the version stays the same. A second call changes nothing.
 * @throws Problem `not-found`, `forbidden` for all but the referrer, `wrong-state`, `referral-restricted`,
 * `referral-erased`.
 */
export async function markResolved(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, ipAddress }: { referralId: string; ipAddress: string },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForAnyReader(trx, caller, referralId, at);
    if (!sides.includes('referrer'))
      throw new Problem(forbidden, 'Only the referrer’s organisation can do that.');
    requireUnsuccessful(referral);
    if (referral.resolvedAt !== null) return loadAndPresent(trx, deps, caller, referral, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.seen_to',
      subject: { type: 'referral', id: referral.id },
    });
    await deletePrompts(trx, referral.id, promptKindsUntilEnd);
    const resolved = await setResolved(trx, referral.id, caller.name, at);
    return loadAndPresent(trx, deps, caller, resolved, at);
  });
}

export function markResolvedRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/seen-to',
    {
      config: { access: withToken('referrer'), scope: 'referrals:write' },
      schema: {
        operationId: 'seeToReferral',
        tags,
        summary: 'Say that the person was helped another way',
        description:
          'For a referral that was rejected, failed or cancelled: it then no longer waits for your organisation, as it would until the person is referred again. `seen_to` says when and by whom. The service is not told, and the version stays. Said again, it changes nothing.',
        params: idParams,
        body: emptyBody,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            403: 'The account is not one of the referrer’s organisation.',
            404: notYours,
            409: `The referral is not rejected, failed or cancelled. ${restrictedOrErased}`,
          }),
        },
      },
    },
    async (request, reply) => {
      const resolution = { referralId: request.params.id, ipAddress: request.ip };
      return sendReferral(reply, await markResolved(deps, requireCaller(request), resolution));
    },
  );
}
