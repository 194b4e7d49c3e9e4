import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { Referral } from '../../model/referral.ts';
import {
  type Action,
  actionsFor,
  actionsPersonMayHaveDeclined,
  rules,
  waitActions,
} from '../../model/state-machine.ts';
import { actionWords, outcomeChoices, reasonsFor } from '../../model/words.ts';
import type { ActionBody } from '../../progress/act.ts';
import type { FormErrors } from '../form-errors.ts';
import { furtherActions } from '../gp-actions-form.ts';
import {
  type AnswerForm,
  answerBody,
  answerErrors,
  emptyAnswerForm,
  explainAnswerErrors,
  measureFields,
  readAnswerForm,
  waitForm,
} from './answer-form.ts';

/** The steps after the answer that somebody takes by link and code. They have the same forms and rules as for people with an account. */
const stepsByLink: readonly Action[] = ['start', 'hold', 'change-wait', 'complete', 'fail'];

/** Those that are possible now, with the words of their buttons. */
export function stepsPossibleByLink(referral: Referral): { action: Action; text: string }[] {
  return actionsFor(referral, ['provider'])
    .filter((action) => stepsByLink.includes(action))
    .map((action) => ({ action, text: actionWords[action].button }));
}

/** A death is reported with an account, or by telephone: it concerns all referrals of the person. */
function reasonsByLink(action: Action, given?: string) {
  return reasonsFor(action, 'provider', given).filter(({ value }) => value !== 'died');
}

type StepForm = { body: ActionBody } | { values: AnswerForm; errors: FormErrors };

/** Reads the form of a step. @returns its errors, in the words of the form */
export function readStepForm(action: Action, body: unknown, now: Date): StepForm {
  const values = readAnswerForm(body);
  const offered = reasonsByLink(action).map(({ value }) => value as string);
  const form = offered.includes(values.reason_code) ? values : { ...values, reason_code: '' };
  const errors = answerErrors(action, form, now);
  return errors.length > 0
    ? { values: form, errors: explainAnswerErrors(errors, form) }
    : { body: answerBody(action, form) as ActionBody };
}

/** The errors of a step that was refused, in the words of its form; undefined if it was refused for another reason. */
export function explainStepRefusal(error: unknown, body: unknown) {
  if (!(error instanceof Problem) || error.kind !== unprocessable || !error.errors) return undefined;
  const values = readAnswerForm(body);
  return { values, errors: explainAnswerErrors(error.errors, values) };
}

/** What the form of a step shows. */
export function viewOfStep(action: Action, referral: Referral, refused: Partial<AnswerForm> | undefined) {
  const { status_reason, expected_date, content, gp_practice } = referral;
  const untouched = action === 'change-wait' ? waitForm(status_reason, expected_date) : emptyAnswerForm;
  const values = refused ? { ...emptyAnswerForm, ...refused } : untouched;
  return {
    action,
    words: actionWords[action],
    requires: rules[action].requires,
    isWait: waitActions.includes(action),
    mayDecline: actionsPersonMayHaveDeclined.includes(action),
    values,
    reasonChoices: reasonsByLink(action),
    outcomeChoices,
    measureFields,
    hasMeasures: measureFields.some(({ name }) => values[name].trim() !== ''),
    hasMoreGpActions: furtherActions(values),
    told: { consent: content.consent, gp_practice },
  };
}
