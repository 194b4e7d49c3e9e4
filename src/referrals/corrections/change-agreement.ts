import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { type App, problemAnswers, withToken } from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { lockForSidesHidingService } from '../model/access/access.ts';
import { isServiceHidden } from '../model/access/hidden-services.ts';
import { noteOpening } from '../model/access/looks.ts';
import type { LetterReceiver, ReferralDeps } from '../model/deps.ts';
import { loadAndPresent, type PresentedReferral } from '../model/present.ts';
import { wrongState } from '../model/problems.ts';
import { etagOf, historyActorOf, isSent, type StatusReason } from '../model/referral.ts';
import { referralExample } from '../model/schemas/examples.ts';
import { agreementWording, closed, shareWithGp } from '../model/schemas/new-referral.ts';
import {
  deliveryLegSchema,
  deliveryPurposeSchema,
  moment,
  orNull,
  referralSchema,
} from '../model/schemas/referral.ts';
import { badBody, idParams, notNow, notYours, tags } from '../model/schemas/route-parts.ts';
import { possibleEnding } from '../model/state-machine.ts';
import { restrictedServiceName } from '../model/words.ts';
import { endReferral } from '../progress/change-status.ts';
import { changeContent } from './change-content.ts';
import { changesBetween } from './correction.ts';

/** What the person agrees to from now on. Left out, nothing more is to be shared with their practice. */
type Agreement = {
  referral?: boolean | undefined;
  share_with_gp?: boolean | 'codes_only' | undefined;
  wording?: string | undefined;
};

export type AgreementChanged = PresentedReferral & { already_told: readonly LetterReceiver[] };

/**
 * Records that the person agrees to something else. From the same moment no letter goes out that they did not agree to, also none
 * that waits or is tried again. It needs no reason and no version, because a wish is not to be refused for being late.
 * @throws Problem `not-found`, `forbidden`, `wrong-state` for a draft, `referral-restricted`, `referral-erased`.
 */
export async function changeAgreement(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, agreement, ipAddress }: { referralId: string; agreement: Agreement; ipAddress: string },
): Promise<AgreementChanged> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockForSidesHidingService(trx, caller, referralId, deps.clock.now());
    const { referral, sides } = locked;
    // It counts from the lock: a letter that was being sent until then went out before the change.
    const at = deps.clock.now();
    if (!isSent(referral))
      throw new Problem(wrongState, 'It is a draft: nobody was told of it. Change it with PUT.');
    await noteOpening(deps, trx, caller, locked, at);
    const told = await deps.referralListener.listTold(trx, referral.id);
    const wish = { share_with_gp: agreement.share_with_gp ?? false };
    const recorded = { recorded_by: caller.name, recorded_at: at.toISOString() };
    // The earlier words led to another answer.
    const { wording: _, ...earlier } = referral.content.consent;
    const asked = agreement.wording === undefined ? {} : { wording: agreement.wording };
    const consent = { ...earlier, ...wish, ...asked, ...recorded };
    const hadCodesOnly = referral.content.consent.share_with_gp === 'codes_only';
    const content = {
      ...referral.content,
      consent,
      ...(hadCodesOnly && { full_copies_since: referral.version + 1 }),
    };
    const changes = changesBetween(referral, { ...referral, content });
    let changed = referral;
    if (changes.length > 0) {
      const change = {
        kind: 'agreement',
        changes,
        by: sides[0]!,
        actor: historyActorOf(caller),
        at,
      } as const;
      changed = await changeContent(deps, trx, referral, { ...referral, content }, change);
    }
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.agreement_changed',
      subject: { type: 'referral', id: referral.id },
    });
    // The person does not want the referral any more, so it ends by whichever action this side may take.
    const ending = possibleEnding(['cancel', 'reject'], changed.status, sides);
    if (agreement.referral === false && ending)
      changed = await endReferral(deps, trx, caller, changed, {
        ending,
        reason: noLongerAgreed,
        ipAddress,
        at,
      });
    return {
      ...(await loadAndPresent(deps, trx, caller, changed, at)),
      already_told: await withoutHidden(trx, { caller, referral: changed }, told),
    };
  });
}

/** The name of a restricted service is hidden from a colleague here, too. */
async function withoutHidden(
  trx: Trx,
  view: Parameters<typeof isServiceHidden>[1],
  told: readonly LetterReceiver[],
): Promise<LetterReceiver[]> {
  if (!(await isServiceHidden(trx, view))) return [...told];
  return told.map((each) => (each.leg === 'service' ? { ...each, recipient: restrictedServiceName } : each));
}

const noLongerAgreed: StatusReason = {
  code: 'client-declined',
  text: 'The person no longer agrees to the referral.',
};

const toldSchema = Type.Object(
  {
    leg: deliveryLegSchema,
    recipient: orNull(Type.String()),
    purpose: deliveryPurposeSchema,
    status: Type.String({
      description: '`sending` and `uncertain`: nobody can tell yet whether it arrived.',
    }),
    at: moment,
  },
  { title: 'ToldReceiver' },
);

const toldExample = {
  leg: 'gp_practice',
  recipient: 'Infirmary Lane Surgery',
  purpose: 'referral',
  status: 'sent',
  at: '2026-11-21T09:30:00.000Z',
};

const answerSchema = Type.Object(
  {
    ...referralSchema.properties,
    already_told: Type.Array(toldSchema, {
      description:
        'Who has a letter already, or may have. They are not told of the change: do that yourself.',
    }),
  },
  {
    title: 'ChangedAgreement',
    base: 'Referral',
    examples: [{ ...referralExample, already_told: [toldExample] }],
  },
);

export function agreementRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/agreement-changed',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'changeAgreement',
        tags,
        summary: 'Record that the person agrees to something else',
        description:
          'From this second no letter goes to the GP practice that the person does not agree to, also none that waits or would be tried again; `already_told` says who has one. A practice that may know more than before gets its letter at once: the copy, or after the end the letter about the end, with what is still to do. `share_with_gp` counts as false when left out. With `"referral": false` they do not want the referral any more, and it ends as cancelled or rejected. Both sides may record it. It needs neither a reason nor `If-Match`.',
        params: idParams,
        body: {
          ...Type.Object(
            {
              share_with_gp: Type.Optional(shareWithGp),
              referral: Type.Optional(
                Type.Boolean({ description: 'False if the person no longer agrees to be referred.' }),
              ),
              wording: Type.Optional(agreementWording),
            },
            closed,
          ),
          examples: [{ share_with_gp: false }],
        },
        response: {
          200: answerSchema,
          ...problemAnswers({
            ...badBody,
            403: 'This is for the two sides of the referral.',
            404: notYours,
            409: `It is a draft. ${notNow}`,
          }),
        },
      },
    },
    async (request, reply) => {
      const agreement = request.body as Agreement;
      const change = { referralId: request.params.id, agreement, ipAddress: request.ip };
      const { already_told, ...referral } = await changeAgreement(deps, requireCaller(request), change);
      const told = already_told.map((each) => ({ ...each, at: each.at.toISOString() }));
      const answer = {
        ...referral,
        already_told: told,
      };
      return reply.header('etag', etagOf(referral.version)).send(answer as never);
    },
  );
}
