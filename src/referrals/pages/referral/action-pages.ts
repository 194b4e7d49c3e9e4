import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../../accounts/index.ts';
import { minuteMs } from '../../../platform/durations.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import { Problem, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import { completeWithGoals } from '../../corrections/complete-with-goals.ts';
import { takeBackDecline, takeBackTimeMs } from '../../corrections/take-back-decline.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { listHistory } from '../../model/history-store.ts';
import { goalResultItems } from '../../model/person/needs.ts';
import { outcomeChoices } from '../../model/presentation/words.ts';
import { wrongState } from '../../model/problems.ts';
import {
  type Action,
  actingSide,
  actionRules,
  actions,
  actionsThatMayMeanDeclined,
  suggestingActions,
  waitActions,
} from '../../model/status/state-machine.ts';
import type { ActionBody, ActionRequest } from '../../progress/apply-action.ts';
import { confirmEnding, undoEnding } from '../../progress/check-ending.ts';
import { closeGpAction } from '../../progress/close-gp-action.ts';
import { dismissPrompt } from '../../progress/dismiss-prompt.ts';
import { acceptToWaitingList, takeAction } from '../../progress/take-action.ts';
import { hasFurtherActions } from '../gp-actions-form.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import {
  type ActionForm,
  actionBodyFrom,
  actionErrors,
  emptyActionForm,
  explainActionErrors,
  measuredFirst,
  measureFields,
  readActionForm,
  reasonsToChoose,
  waitForm,
  waitNote,
} from './action-form.ts';
import { goalResultsFrom, goalRowsOf, readGoalResults } from './goal-results.ts';
import { listSuffix } from './list-links.ts';
import { pathAfter, type RefusedForm, refusedField, showReferral } from './referral-page.ts';
import { findToSuggest, type SuggestDeps } from './suggest-service.ts';
import { readFullReferral } from './view/full-referral.ts';
import { referralView } from './view/referral-view.ts';
import { whatAnEndDoes } from './view/what-an-end-does.ts';

type Deps = ReferralDeps & SuggestDeps;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The button that closes something that the GP practice was asked to do. */
export function closeGpActionPage(app: App, deps: Deps): void {
  const config = page(signedIn());
  const numbered = Type.Object({ ...params.properties, number: Type.Integer({ minimum: 1, maximum: 100 }) });
  const path = '/referrals/:id/gp-actions/:number/done-by-hand';
  app.get(path, { config, schema: { hide: true, params: numbered } }, (request, reply) =>
    reply.redirect(`${referralPagePath(request.params.id)}#gp-actions`, 303),
  );
  app.post(path, { config, schema: { hide: true, params: numbered } }, async (request, reply) => {
    const { id: referralId, number } = request.params;
    await closeGpAction(deps, requireCaller(request), { referralId, number, ipAddress: request.ip });
    return reply.redirect(pathAfter(request, referralId, 'gp-action'), 303);
  });
}

/** The button by which somebody says that they have dealt with a prompt. */
export function dismissPromptPage(app: App, deps: Deps): void {
  const config = page(signedIn());
  const withPrompt = Type.Object({ ...params.properties, prompt_id: Type.String({ maxLength: 100 }) });
  const path = '/referrals/:id/prompts/:prompt_id/dismiss';
  app.get(path, { config, schema: { hide: true, params: withPrompt } }, (request, reply) =>
    reply.redirect(referralPagePath(request.params.id), 303),
  );
  const schema = { hide: true, params: withPrompt, body: anyForm };
  app.post(path, { config, schema }, async (request, reply) => {
    const { id: referralId, prompt_id: promptId } = request.params;
    const reason = readUntrimmedFields(request.body, ['reason']).reason || undefined;
    const target = { referralId, promptId, reason, ipAddress: request.ip };
    try {
      await dismissPrompt(deps, requireCaller(request), target);
    } catch (error) {
      const wrong = error instanceof Problem && error.kind === unprocessable && error.errors?.[0];
      if (!wrong) throw error;
      const field = `prompt-${promptId}`;
      const refused = refusedField(field, wrong.message, { [field]: reason ?? '' });
      return showReferral(deps, request, reply, referralId, refused);
    }
    return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'prompt'), 303);
  });
}

/** The buttons by which the referrer says whether an ending by link is right, and the service takes back its decline. */
export function checkEndingPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  for (const [name, { act, done }] of Object.entries(checks)) {
    const path = `/referrals/:id/${name}`;
    app.get(path, { config, schema: { hide: true, params } }, (request, reply) =>
      reply.redirect(referralPagePath(request.params.id), 303),
    );
    app.post(path, { config, schema: { hide: true, params, body: anyForm } }, async (request, reply) => {
      const referralId = request.params.id;
      const version = Number(readUntrimmedFields(request.body, ['version']).version);
      try {
        await act(deps, requireCaller(request), { referralId, version, ipAddress: request.ip });
      } catch (error) {
        return showReferral(deps, request, reply, referralId, refusedByState(error, name, {}));
      }
      return reply.redirect(pathAfter(request, referralId, done), 303);
    });
  }
}

const checks = {
  'undo-ending': { act: undoEnding, done: 'ending-undone' },
  'confirm-ending': { act: confirmEnding, done: 'ending-confirmed' },
  // In the API, `undo-decline` is an older name of `undo-ending`, for the referrer.
  'undo-decline': { act: takeBackDecline, done: 'decline-undone' },
} as const;

/** The other actions are buttons on the referral’s page. */
const needsForm = (action: Action) =>
  actionRules[action].requires !== undefined || action === 'withdraw-as-error';

/** The forms of actions, each on a page of its own. */
export function actionPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  for (const action of actions) {
    app.get(`/referrals/:id/${action}`, { config, schema: { hide: true, params } }, (request, reply) =>
      needsForm(action)
        ? showAction(deps, request, reply, request.params.id, { action })
        : reply.redirect(referralPagePath(request.params.id), 303),
    );
    app.post(
      `/referrals/:id/${action}`,
      { config, schema: { hide: true, params, body: anyForm } },
      async (request, reply) => {
        const { id } = request.params;
        if (readUntrimmedFields(request.body, ['find_service']).find_service !== '')
          return showAction(deps, request, reply, id, {
            action,
            refused: { values: readActionForm(request.body) },
          });
        // A death concerns all referrals of the person, and has a form of its own.
        if (readActionForm(request.body).reason_code === 'died')
          return reply.redirect(`${referralPagePath(id)}/died`, 303);
        const refused = await submitAction(
          deps,
          request,
          id,
          action,
          action === 'complete' ? withGoals(request.body) : {},
        );
        if (!refused) return reply.redirect(pathAfter(request, id, action), 303);
        const isInvalid = refused.status === unprocessable.status;
        return isInvalid
          ? showAction(deps, request, reply, id, { action, refused })
          : showReferral(deps, request, reply, id, refused);
      },
    );
  }
}

/** The form to complete a referral also asks what came of each goal. */
function withGoals(body: unknown): SubmitOptions {
  const typed = readGoalResults(body);
  return {
    values: { ...readActionForm(body), ...typed },
    take: (deps, caller, request) =>
      completeWithGoals(deps, caller, { ...request, results: goalResultsFrom(typed) }),
  };
}

/** The form of the waiting list for a referral that waits for an answer: to accept it and put the person there is one step. */
export function acceptToWaitPage(app: App, deps: Deps): void {
  const config = page(signedIn('provider'));
  const path = '/referrals/:id/accept-to-wait';
  app.get(path, { config, schema: { hide: true, params } }, (request, reply) =>
    showAction(deps, request, reply, request.params.id, { action: 'hold', as: toWaitingList }),
  );
  app.post(path, { config, schema: { hide: true, params, body: anyForm } }, async (request, reply) => {
    const { id } = request.params;
    const refused = await submitAction(deps, request, id, 'hold', { take: acceptToWaitingList });
    if (!refused) return reply.redirect(pathAfter(request, id, 'hold'), 303);
    return refused.status === unprocessable.status
      ? showAction(deps, request, reply, id, { action: 'hold', refused, as: toWaitingList })
      : showReferral(deps, request, reply, id, refused);
  });
}

const toWaitingList = {
  path: 'accept-to-wait',
  possibleWith: 'accept',
  button: 'Accept to the waiting list',
} as const;

type SubmitOptions = {
  values?: ActionForm;
  take?: (deps: ReferralDeps, caller: Caller, request: ActionRequest) => Promise<unknown>;
};

/** Takes the action. @returns the form with its errors when that was refused. */
export async function submitAction(
  deps: ReferralDeps,
  request: Request,
  referralId: string,
  action: Action,
  {
    values = readActionForm(request.body),
    take = (deps, caller, request) => takeAction(deps, caller, action, request),
  }: SubmitOptions = {},
): Promise<RefusedForm | undefined> {
  const body = actionBodyFrom(action, values);
  const errors = actionErrors(action, values, deps.clock.now());
  if (errors.length > 0) {
    return {
      status: unprocessable.status,
      values,
      errors: explainActionErrors(errors, values),
      tried: action,
    };
  }
  const version = Number(readUntrimmedFields(request.body, ['version']).version);
  try {
    const sent = { referralId, version, ipAddress: request.ip, body: body as ActionBody };
    // A decline by mistake can be taken back for a while.
    const declineFinalAt = new Date(deps.clock.now().getTime() + takeBackTimeMs);
    await take(deps, requireCaller(request), { ...sent, declineFinalAt });
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.kind === unprocessable && error.errors)
      return {
        status: unprocessable.status,
        values,
        errors: explainActionErrors(error.errors, values),
        tried: action,
      };
    const refused = refusedByState(error, action, values);
    return (await hasJustDone(deps, requireCaller(request), { referralId, version, action }))
      ? undefined
      : refused;
  }
}

/** A second press of a button within this time. */
const pressedTwiceMs = minuteMs;

/** Whether this person did the same a moment ago, from the same page: a double click, which must not read that nothing was done. */
async function hasJustDone(
  { db, clock }: ReferralDeps,
  { accountId }: Caller,
  { referralId, version, action }: { referralId: string; version: number; action: Action },
): Promise<boolean> {
  const last = (await listHistory(db, referralId)).at(-1);
  // The goals are a change of their own.
  const maxChanges = action === 'complete' ? 2 : 1;
  return (
    last !== undefined &&
    last.actorId === accountId &&
    last.version > version &&
    last.version <= version + maxChanges &&
    last.to === actionRules[action].to &&
    clock.now().getTime() - last.at.getTime() < pressedTwiceMs
  );
}

/** What the page says if the referral has changed since the button was shown. */
function refusedByState(error: unknown, tried: string, values: RefusedForm['values']): RefusedForm {
  if (!(error instanceof Problem) || (error.kind !== versionStale && error.kind !== wrongState)) throw error;
  const text = 'The referral has changed since you opened it, so nothing was done. This is how it is now';
  return { status: error.kind.status, values, errors: { summary: [{ text }], fields: {} }, tried };
}

type ActionPage = {
  action: Action;
  refused?: Pick<RefusedForm, 'values'> & Partial<RefusedForm>;
  /** Where the form goes, and which action has to be possible: the action itself if it is left out. */
  as?: { path: string; possibleWith: Action; button?: string };
};

/** Shows the form of an action; to somebody who may not (or no longer) take it, the referral’s page. */
async function showAction(
  deps: Deps,
  request: Request,
  reply: Reply,
  id: string,
  { action, refused, as = { path: action, possibleWith: action } }: ActionPage,
): Promise<Reply> {
  const full = await readFullReferral(deps, requireCaller(request), id, request.ip);
  const view = referralView(deps.settings, full);
  if (!view.actions.includes(as.possibleWith)) return reply.redirect(referralPagePath(id), 303);
  if (refused?.status) reply.code(refused.status);
  const { status, status_reason, expected_date } = view.referral;
  const side = actingSide(as.possibleWith, status, view.sides);
  const values =
    refused?.values ?? (action === 'change-wait' ? waitForm(status_reason, expected_date) : emptyActionForm);
  return deps.pages.send(request, reply, 'referrals/pages/templates/referral/action.njk', {
    ...view,
    listSuffix: listSuffix(request),
    action,
    formPath: as.path,
    asksAboutRisk: view.risk.isAskedAbout,
    words: { ...view.actionWords[action], ...(as.button && { button: as.button }) },
    wait: waitActions.includes(action) ? waitNote(deps.settings, full.referral, deps.clock.now()) : undefined,
    reasonEnds:
      (actionRules[action].requires === 'reason' && !waitActions.includes(action)) ||
      (action === 'withdraw-as-error' && !view.isDraft),
    needsReason: actionRules[action].requires === 'reason',
    requires: action === 'withdraw-as-error' ? 'reason' : actionRules[action].requires,
    values,
    errors: refused?.errors,
    reasonChoices: side ? reasonsToChoose(action, side, values.reason_code) : [],
    endsByDeath: actionRules[action].requires === 'reason' && !waitActions.includes(action),
    endLines: side && whatAnEndDoes(view, action, side),
    told: view.isDraft ? undefined : side === 'provider' ? 'referrer' : 'service',
    mayDecline: actionsThatMayMeanDeclined.includes(action),
    suggestion: suggestingActions.includes(action) && {
      services: await findToSuggest(deps, values.suggest_search ?? '', view.referral.service_id ?? undefined),
    },
    outcomeChoices,
    goalRows: action === 'complete' ? goalRowsOf(full.referral.content.goals, values) : [],
    goalResultItems,
    measureFields: measuredFirst('measures' in view.referral ? view.referral.measures : []),
    // Measures are folded away when there are none, so that errors elsewhere are seen at once.
    hasMeasures: measureFields.some(({ name }) => (values[name] ?? '').trim() !== ''),
    hasMoreGpActions: hasFurtherActions(values as ActionForm),
  });
}
