import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { readForm } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable, versionStale } from '../platform/problem/index.ts';
import { measureFields } from './answer-fields.ts';
import {
  answerErrors,
  answerFrom,
  emptyAnswerForm,
  explainAnswerErrors,
  heldForm,
  readAnswerForm,
} from './answer-form.ts';
import { changeStatus } from './change-status.ts';
import type { ReferralDeps } from './deps.ts';
import { type Refused, showReferral } from './page-referral.ts';
import { wrongState } from './problems.ts';
import { readWholeReferral } from './read-whole.ts';
import { inWords } from './referral-in-words.ts';
import { type Action, actions, rules, waits } from './state-machine.ts';
import { outcomeChoices, reasonsFor } from './status-words.ts';
import type { ActionBody } from './take-action.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const anyForm = Type.Object({}, { additionalProperties: true });

/** What has nothing to be said with it is done by a button of the referral's own page. */
const needsForm = (action: Action) => rules[action].says !== undefined || action === 'withdraw-as-error';

/** The forms by which a referral is answered, each on a page of its own. */
export function actionPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  for (const action of actions) {
    app.get(`/referrals/:id/${action}`, { config, schema: { hide: true, params } }, (request, reply) =>
      needsForm(action)
        ? showAction(deps, request, reply, request.params.id, action)
        : reply.redirect(pathOf(request.params.id), 303),
    );
    app.post(
      `/referrals/:id/${action}`,
      { config, schema: { hide: true, params, body: anyForm } },
      async (request, reply) => {
        const { id } = request.params;
        const refused = await answer(deps, request, id, action);
        if (!refused) return reply.redirect(pathOf(id), 303);
        const wrongForm = refused.status === unprocessable.status;
        return wrongForm
          ? showAction(deps, request, reply, id, action, refused)
          : showReferral(deps, request, reply, id, refused);
      },
    );
  }
}

function pathOf(id: string): string {
  return `/referrals/${encodeURIComponent(id)}`;
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
  const errors = answerErrors(action, body, deps.clock.now());
  if (errors.length > 0) {
    return {
      status: unprocessable.status,
      values,
      errors: explainAnswerErrors(errors, values),
      tried: action,
    };
  }
  const version = Number(readForm(request.body, ['version']).version);
  try {
    const change = { referralId, version, address: request.ip, body: body as ActionBody };
    await changeStatus(deps, requireCaller(request), action, change);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || (error.kind !== versionStale && error.kind !== wrongState))
      throw error;
    const text = 'The referral has changed since you opened it, so nothing was done. This is how it is now';
    return { status: error.kind.status, values, errors: { summary: [{ text }], fields: {} }, tried: action };
  }
}

async function showAction(
  deps: Deps,
  request: Request,
  reply: Reply,
  id: string,
  action: Action,
  refused?: Refused,
): Promise<Reply> {
  const whole = inWords(await readWholeReferral(deps, requireCaller(request), id, request.ip));
  // Whoever may not do it, or not any more, sees how the referral stands.
  if (!whole.actions.includes(action)) return reply.redirect(pathOf(id), 303);
  if (refused) reply.code(refused.status);
  const { status_reason, expected_date } = whole.referral;
  const values =
    refused?.values ?? (action === 'change-wait' ? heldForm(status_reason, expected_date) : emptyAnswerForm);
  return deps.pages.send(request, reply, 'referrals/templates/action.njk', {
    ...whole,
    action,
    words: whole.actionWords[action],
    isWait: waits.includes(action),
    says: action === 'withdraw-as-error' ? 'reason' : rules[action].says,
    values,
    errors: refused?.errors,
    reasonChoices: reasonsFor(action, values.reason_code),
    outcomeChoices,
    measureFields,
    // They stay out of sight where nobody typed any: a mistake elsewhere is seen at once.
    hasMeasures: measureFields.some(({ name }) => (values[name] ?? '').trim() !== ''),
  });
}
