import { Type } from 'typebox';
import {
  actorOf,
  type Caller,
  findAccount,
  requireCaller,
  requireCallerIsPerson,
} from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { type App, noOtherFields, problemAnswers, withToken } from '../../platform/http/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { errorsInWhatWasDone } from '../../platform/reason.ts';
import { cleanText } from '../../platform/visible-text.ts';
import { lockForAnyReader } from '../model/access/access.ts';
import { requireKnownService } from '../model/access/hide-sensitive-services.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { deleteWorryingAnswer } from '../model/after-acceptance/worrying-answers-store.ts';
import { mayDismiss, type Prompt, type PromptKind } from '../model/attention/prompts.ts';
import { listPrompts, setDismissed } from '../model/attention/prompts-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { type Draft, isSent, type Referral } from '../model/referral.ts';
import { updateContent } from '../model/referrals-store.ts';
import {
  badBody,
  idParams,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';

/** In characters: what somebody did about a danger may need some sentences. */
const maxDismissalReasonLength = 2000;

/** The prompts about a danger. To dismiss one, say what was done. The history keeps it, so nobody dismisses one unread. */
const dangerPrompts = {
  'alarming-answer': {
    detail: 'Say what was done about the worrying answer.',
    historyKind: 'alarming-answer-settled',
  },
  'risk-to-act-on': { detail: 'Say who has acted on the risk, and how.', historyKind: 'risk-acted-on' },
} as const;

type DangerPromptKind = keyof typeof dangerPrompts;

function isDangerPrompt(kind: PromptKind): kind is DangerPromptKind {
  return kind in dangerPrompts;
}

type Dismissal = { referralId: string; promptId: string; reason?: string | undefined; ipAddress: string };

/**
 * Somebody of the prompt's side, or an operator, has dealt with what it is about. It is not shown or emailed again, and the version
 * stays the same; only a danger needs a reason, which becomes a line of the history.
 * @throws Problem `not-found`, also for a prompt of the other side, `forbidden` for a colleague from whom the service is hidden,
 * `needs-person`, `unprocessable`, `referral-restricted`, `referral-erased`.
 */
export async function dismissPrompt(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, promptId, reason, ipAddress }: Dismissal,
): Promise<PresentedReferral> {
  requireCallerIsPerson(caller);
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForAnyReader(trx, caller, referralId, at);
    const prompts = (await listPrompts(trx, [referral.id])).get(referral.id) ?? [];
    const prompt = prompts.find(({ id }) => id === promptId);
    if (!prompt || !mayDismiss(caller, sides, prompt)) throw new Problem(notFound);
    // A colleague who may not read the referral cannot judge whether somebody has acted. Its owner can, and an operator.
    if (sides.includes('referrer') && prompt.ownerId !== caller.accountId)
      await requireKnownService(trx, { caller, referral });
    const done = requireWhatWasDoneForDanger(prompt, reason);
    await setDismissed(trx, prompt.id, { name: caller.name, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.prompt_dismissed',
      subject: { type: 'referral', id: referral.id },
      details: { kind: prompt.kind },
    });
    if (done === undefined) return loadAndPresent(trx, deps, caller, referral, at);
    const changed = await recordDangerDealtWith(trx, deps, caller, { referral, prompt, ...done, at });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

type WhatWasDone = {
  whatWasDone: string;
  historyKind: (typeof dangerPrompts)[DangerPromptKind]['historyKind'];
};

/**
 * What was done about a danger; undefined for a prompt about something else.
 * @throws Problem `unprocessable` for a danger without a reason, and for a reason that would be kept nowhere
 */
function requireWhatWasDoneForDanger({ kind }: Prompt, reason: string | undefined): WhatWasDone | undefined {
  if (isDangerPrompt(kind)) {
    const { detail, historyKind } = dangerPrompts[kind];
    const errors = errorsInWhatWasDone(reason, {
      request: 'Say what was done',
      maxLength: maxDismissalReasonLength,
    });
    if (errors.length === 0) return { whatWasDone: cleanText(reason ?? ''), historyKind };
    throw new Problem(unprocessable, detail, { errors });
  }
  if (reason === undefined) return undefined;
  const message = 'is kept only for an alarming-answer or a risk-to-act-on: leave it out';
  throw new Problem(unprocessable, undefined, { errors: [{ pointer: '/reason', message }] });
}

/**
 * Writes what was done into the history of a sent referral, for both sides, and deletes a worrying answer. The prompt’s owner learns by
 * email that a colleague did it. The email says nothing of the danger.
 */
async function recordDangerDealtWith(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  {
    referral,
    prompt,
    whatWasDone,
    historyKind,
    at,
  }: WhatWasDone & { referral: Referral | Draft; prompt: Prompt; at: Date },
): Promise<Referral | Draft> {
  if (prompt.kind === 'alarming-answer') await deleteWorryingAnswer(trx, referral.id);
  const owner = prompt.ownerId === caller.accountId ? undefined : await findOwner(trx, prompt);
  if (owner)
    await mailPeople(trx, deps, 'news', {
      to: [owner.email],
      subject: `${caller.name} dealt with referral ${referral.reference}`,
      paragraphs: [
        `You were responsible for looking into something on referral ${referral.reference}. ${caller.name} has recorded that it was dealt with.`,
        'Read what they did, and whether anything is left for you to do:',
        `${deps.settings.baseUrl}/referrals/${referral.id}`,
      ],
    });
  if (!isSent(referral)) return referral;
  return updateContent(trx, referral, referral, {
    details: { kind: historyKind, changes: [] },
    reason: { code: 'other', text: whatWasDone },
    actor: historyActorOf(caller),
    at,
  });
}

function findOwner(trx: Trx, { ownerId }: Prompt) {
  return ownerId === null ? undefined : findAccount(trx, ownerId);
}

const dismissalSchema = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        maxLength: maxDismissalReasonLength,
        description:
          'What was done, in a few words that a colleague would understand: needed for `alarming-answer` and `risk-to-act-on`, and only for them. Both sides read it in the history.',
      }),
    ),
  },
  { title: 'PromptDismissal', ...noOtherFields, examples: [{}] },
);

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
          'For one of `prompts`, by its id: it is then gone, and nobody is told of it again. For people of its side, and for operators. It needs no `If-Match`. The version stays, except with `alarming-answer` and `risk-to-act-on`: these need a `reason`, which becomes a line of the history.',
        params: Type.Object({
          ...idParams.properties,
          prompt_id: Type.String({
            maxLength: 100,
            description: 'The id of a prompt, from `prompts` of the referral.',
          }),
        }),
        body: dismissalSchema,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            403: `You are a system account: a person says that it was dealt with.${orServiceHidden}`,
            404: `${notYours} Or there is no such prompt for you.`,
            409: restrictedOrErased,
            422: 'It is an `alarming-answer` or a `risk-to-act-on`, and `reason` does not say what was done; or it is another prompt and has a `reason`.',
          }),
        },
      },
    },
    async (request, reply) => {
      const { id: referralId, prompt_id: promptId } = request.params;
      const target = { referralId, promptId, reason: request.body.reason, ipAddress: request.ip };
      return sendReferral(reply, await dismissPrompt(deps, requireCaller(request), target));
    },
  );
}
