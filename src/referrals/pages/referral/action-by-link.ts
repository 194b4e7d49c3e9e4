import type { Platform } from '../../../platform/platform.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { GoalResults } from '../../corrections/complete-with-goals.ts';
import { goalResultItems } from '../../model/person/needs.ts';
import { actionWords, outcomeChoices } from '../../model/presentation/words.ts';
import type { Referral } from '../../model/referral.ts';
import {
  type Action,
  actionRules,
  actionsFor,
  actionsThatMayMeanDeclined,
  waitActions,
} from '../../model/status/state-machine.ts';
import type { ActionBody } from '../../progress/apply-action.ts';
import type { FormErrors } from '../form-errors.ts';
import { hasFurtherActions } from '../gp-actions-form.ts';
import {
  type ActionForm,
  actionBodyFrom,
  actionErrors,
  emptyActionForm,
  explainActionErrors,
  measureFields,
  readActionForm,
  reasonsToChoose,
  waitForm,
  waitNote,
} from './action-form.ts';
import { goalResultsFrom, goalRowsOf, readGoalResults } from './goal-results.ts';

/** The actions after the answer that somebody takes by link and code. They have the same forms and rules as for people with an account. */
const actionsByLink: readonly Action[] = ['start', 'hold', 'change-wait', 'complete', 'fail'];

/** Those that are possible now, with the words of their buttons. */
export function actionsPossibleByLink(referral: Referral): { action: Action; text: string }[] {
  return actionsFor(referral, ['provider'])
    .filter((action) => actionsByLink.includes(action))
    .map((action) => ({ action, text: actionWords[action].button }));
}

type ActionByLink = { body: ActionBody; results: GoalResults } | { values: ActionForm; errors: FormErrors };

/** Reads the form of a step. @returns its errors, in the words of the form */
export function readActionByLink(action: Action, body: unknown, now: Date): ActionByLink {
  const values = readActionForm(body);
  const offered = reasonsToChoose(action, 'provider').map(({ value }) => value as string);
  const form = offered.includes(values.reason_code) ? values : { ...values, reason_code: '' };
  const errors = actionErrors(action, form, now);
  return errors.length > 0
    ? { values: form, errors: explainActionErrors(errors, form) }
    : {
        body: actionBodyFrom(action, form) as ActionBody,
        results: action === 'complete' ? goalResultsFrom(readGoalResults(body)) : [],
      };
}

/** The errors of a step that was refused, in the words of its form; undefined if it was refused for another reason. */
export function explainActionByLink(error: unknown, body: unknown) {
  if (!(error instanceof Problem) || error.kind !== unprocessable || !error.errors) return undefined;
  const values = readActionForm(body);
  return { values, errors: explainActionErrors(error.errors, values) };
}

/** What the form of a step shows. */
export function viewOfActionByLink(
  { settings, clock }: Pick<Platform, 'settings' | 'clock'>,
  action: Action,
  referral: Referral,
  refused: Partial<ActionForm> | undefined,
) {
  const { status_reason, expected_date, content, gp_practice } = referral;
  const untouched = action === 'change-wait' ? waitForm(status_reason, expected_date) : emptyActionForm;
  const values = refused ? { ...emptyActionForm, ...refused } : untouched;
  return {
    action,
    words: actionWords[action],
    requires: actionRules[action].requires,
    wait: waitActions.includes(action) ? waitNote(settings, referral, clock.now()) : undefined,
    mayDecline: actionsThatMayMeanDeclined.includes(action),
    values,
    reasonChoices: reasonsToChoose(action, 'provider'),
    outcomeChoices,
    goalRows: goalRowsOf(content.goals, (refused ?? {}) as Record<string, string>),
    goalResultItems,
    measureFields,
    hasMeasures: measureFields.some(({ name }) => values[name].trim() !== ''),
    hasMoreGpActions: hasFurtherActions(values),
    told: { consent: content.consent, gp_practice },
  };
}
