import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller, requireNotSystem } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import { type App, emptyBody, problemAnswers, withToken } from '../../platform/http/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { lockForAnyReader } from '../model/access/access.ts';
import { deleteAlarm } from '../model/after-acceptance/alarms-store.ts';
import { mayDismiss } from '../model/attention/prompts.ts';
import { listPrompts, setDismissed } from '../model/attention/prompts-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import {
  badBody,
  idParams,
  notYours,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';

/**
 * Somebody of the prompt's side, or an operator, has dealt with what it is about. Nobody is told of it again, and the version
 * stays the same.
 * @throws Problem `not-found`, also for a prompt of the other side, `needs-person`, `referral-restricted`, `referral-erased`.
 */
export async function dismissPrompt(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, promptId, ipAddress }: { referralId: string; promptId: string; ipAddress: string },
): Promise<PresentedReferral> {
  requireNotSystem(caller);
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForAnyReader(trx, caller, referralId, at);
    const prompts = (await listPrompts(trx, [referral.id])).get(referral.id) ?? [];
    const prompt = prompts.find(({ id }) => id === promptId);
    if (!prompt || !mayDismiss(caller, sides, prompt)) throw new Problem(notFound);
    await setDismissed(trx, prompt.id, { name: caller.name, at });
    if (prompt.kind === 'alarming-answer') await deleteAlarm(trx, referral.id);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.prompt_dismissed',
      subject: { type: 'referral', id: referral.id },
      details: { kind: prompt.kind },
    });
    return loadAndPresent(deps, trx, caller, referral, at);
  });
}

export function dismissPromptRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/prompts/:prompt_id/dismiss',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'dismissPrompt',
        tags,
        summary: 'Mark a prompt as dealt with',
        description:
          'For one of `prompts`, by its id: it is then gone, and nobody is told of it again. For people of its side, and for operators. It needs no `If-Match`, and the version stays.',
        params: Type.Object({
          ...idParams.properties,
          prompt_id: Type.String({
            maxLength: 100,
            description: 'The id of a prompt, from `prompts` of the referral.',
          }),
        }),
        body: emptyBody,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            403: 'You are a system account: a person says that it was dealt with.',
            404: `${notYours} Or there is no such prompt for you.`,
            409: restrictedOrErased,
          }),
        },
      },
    },
    async (request, reply) => {
      const { id: referralId, prompt_id: promptId } = request.params;
      const target = { referralId, promptId, ipAddress: request.ip };
      return sendReferral(reply, await dismissPrompt(deps, requireCaller(request), target));
    },
  );
}
