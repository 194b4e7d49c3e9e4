import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { readForm } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable, versionStale } from '../platform/problem/index.ts';
import {
  type Answer,
  answerErrors,
  answerFrom,
  emptyAnswerForm,
  explainAnswerErrors,
  readAnswerForm,
} from './answer-form.ts';
import { changeStatus } from './change-status.ts';
import { whoWasTold } from './delivery-words.ts';
import type { ReferralDeps } from './deps.ts';
import type { FormErrors } from './form-errors.ts';
import { wrongState } from './problems.ts';
import { type ReadReferral, readReferral } from './read-referral.ts';
import type { ReferralStatus } from './referral.ts';
import { type Action, actionsFor, rules } from './state-machine.ts';
import {
  outcomeChoices,
  outcomeWords,
  reasonChoices,
  reasonWords,
  statusWords,
  whoseTurn,
} from './status-words.ts';

type Deps = ReferralDeps & WebPlatform;
type Refused = { status: number; values: Record<string, string>; errors: FormErrors; action: Action };

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const anyForm = Type.Object({}, { additionalProperties: true });

/** The page of one referral, with the forms by which its service answers. */
export function singleReferralPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  app.get('/referrals/:id', { config, schema: { hide: true, params } }, (request, reply) =>
    showReferral(deps, request, reply, request.params.id),
  );
  for (const action of Object.keys(rules) as Action[]) {
    // A page that was answered with mistakes has this address, and may be loaded again.
    app.get(`/referrals/:id/${action}`, { config, schema: { hide: true, params } }, (request, reply) =>
      reply.redirect(`/referrals/${encodeURIComponent(request.params.id)}`, 303),
    );
    app.post(
      `/referrals/:id/${action}`,
      { config, schema: { hide: true, params, body: anyForm } },
      async (request, reply) => {
        const { id } = request.params;
        const refused = await answer(deps, request, id, action);
        if (!refused) return reply.redirect(`/referrals/${id}`, 303);
        reply.code(refused.status);
        return showReferral(deps, request, reply, id, refused);
      },
    );
  }
}

/** Does what the form asks. @returns what the page has to say about it instead, if anything. */
async function answer(
  deps: Deps,
  request: Request,
  referralId: string,
  action: Action,
): Promise<Refused | undefined> {
  const values = readAnswerForm(request.body);
  const body = answerFrom(action, values);
  const errors = answerErrors(action, body);
  if (errors.length > 0)
    return { status: unprocessable.status, values, errors: explainAnswerErrors(errors, values), action };
  const { status_reason: reason, outcome } = body as Answer;
  const version = Number(readForm(request.body, ['version']).version);
  try {
    const change = { referralId, version, address: request.ip, reason, outcome };
    await changeStatus(deps, requireCaller(request), action, change);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || (error.kind !== versionStale && error.kind !== wrongState))
      throw error;
    const text = 'The referral has changed since you opened it, so nothing was done. This is how it is now';
    return { status: error.kind.status, values, errors: { summary: [{ text }], fields: {} }, action };
  }
}

async function showReferral(
  deps: Deps,
  request: Request,
  reply: Reply,
  id: string,
  refused?: Refused,
): Promise<Reply> {
  const read = await readReferral(deps, requireCaller(request), id, request.ip);
  return deps.pages.send(request, reply, 'referrals/templates/referral.njk', {
    ...inWords(read),
    values: refused?.values ?? emptyAnswerForm,
    errors: refused?.errors,
    tried: refused?.action,
    reasonChoices,
    outcomeChoices,
  });
}

function inWords({ referral, history, sides }: ReadReferral) {
  const { status, status_reason: reason, service } = referral;
  const outcome = 'outcome' in referral ? referral.outcome : null;
  // Reasons are written for the two sides, and may be about the person.
  const mayRead = 'patient' in referral;
  return {
    referral,
    mayRead,
    status: statusWords[status],
    turn: whoseTurn(status, sides, service.organization_name ?? service.name),
    actions: actionsFor(status, sides),
    reason: reason && { ...reason, words: reasonWords[reason.code] },
    outcome: outcome && { ...outcome, words: outcomeWords[outcome.code] ?? outcome.code },
    told: whoWasTold(referral),
    history: history.map((line) => ({
      ...line,
      happened: statusWords[line.to as ReferralStatus].happened,
      reason: mayRead && line.reason && { ...line.reason, words: reasonWords[line.reason.code] },
    })),
  };
}
