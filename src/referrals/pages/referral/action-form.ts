import { joinDate, readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import { describeErrors, validatorOf } from '../../../platform/http/index.ts';
import { withoutUndefined } from '../../../platform/objects.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import { measureCodes, measures, pairedStages } from '../../model/after-acceptance/measures.ts';
import { nextDateAfter, nextDateOf } from '../../model/due/next-date.ts';
import { explanationOf, reasonsFor, reasonsToExplain, reasonWords } from '../../model/presentation/words.ts';
import { type Draft, type Referral, reasonCodes, type StatusReason } from '../../model/referral.ts';
import {
  type Action,
  actionRules,
  actionsThatMayMeanDeclined,
  type Side,
  suggestingActions,
  waitActions,
} from '../../model/status/state-machine.ts';
import { actionSchemas } from '../../progress/action-routes.ts';
import { type ActionBody, actionBodyErrors } from '../../progress/apply-action.ts';
import { errorText, type Field, type FormErrors, fieldAt, formErrors } from '../form-errors.ts';
import {
  gpActionsFrom,
  gpContradictions,
  gpFieldAt,
  gpFields,
  missingGpAnswers,
} from '../gp-actions-form.ts';

/** The form field of each measure, such as `swemwbs_end`. */
export const measureFields = measureCodes.flatMap((code) =>
  pairedStages.map((stage) => ({ name: `${code}_${stage}` as const, code, stage, ...measures[code] })),
);
/** The fields of the scores, first those of the scales that were used for the person before. */
export function measuredFirst(measures: readonly { code: string }[] = []): typeof measureFields {
  const isUsed = (code: string) => measures.some((measure) => measure.code === code);
  return measureFields.toSorted((one, other) => Number(isUsed(other.code)) - Number(isUsed(one.code)));
}

type MeasureField = (typeof measureFields)[number]['name'];

const measureFieldTexts = Object.fromEntries(
  measureFields.map(({ name, stage, ...measure }) => {
    const label = `${measure.title}, at the ${stage}`;
    return [name, { label, wrong: `${label} must be a number from ${measure.min} to ${measure.max}` }];
  }),
) as Record<MeasureField, Field>;

/** The fields of the actions’ forms, in the order of the page. */
const answerFields = {
  reason_code: { pointer: '/status_reason/code', label: 'Reason', empty: 'Select the reason' },
  reason_text: {
    pointer: '/status_reason',
    label: 'Explanation',
    empty: 'Say what happened, in your own words',
  },
  expected_day: {
    pointer: '/expected_date',
    label: 'Date',
    messages: {
      format: 'The date must be a real date, like 5 4 2027',
      'in-past': 'The date must not be in the past',
      'too-late': 'The date must be within a year. If there is no place by then, say so in the explanation',
    },
  },
  expected_month: { label: 'Month' },
  expected_year: { label: 'Year' },
  outcome_code: { pointer: '/outcome/code', label: 'Outcome', empty: 'Select the outcome' },
  outcome_text: {
    pointer: '/outcome/text',
    label: 'Description',
    empty: 'Describe what changed for the person',
  },
  ...measureFieldTexts,
  ...gpFields,
  declines: { pointer: '/declines_social_prescribing', label: 'Social prescribing declined' },
  suggest_search: {
    pointer: '/suggested_service_id',
    label: 'Another service',
    messages: {
      unknown: 'Select another service from the list, or leave this blank',
      'takes-no-referrals': 'That service takes no referrals here. Suggest another one, or leave this blank',
      sensitive: 'That is a sensitive service. Message the referrer instead',
      'not-chosen': 'Select the service, or leave this blank',
    },
  },
  suggest_id: { label: 'Another service' },
} satisfies Record<string, Field>;

export type ActionField = keyof typeof answerFields;
export type ActionForm = Record<ActionField, string>;

const names = Object.keys(answerFields) as ActionField[];
export const emptyActionForm: ActionForm = readUntrimmedFields({}, names);

export function readActionForm(body: unknown): ActionForm {
  return readUntrimmedFields(body, names);
}

/** The form to change the reason and date of a wait, filled in with the present ones. */
export function waitForm(reason: StatusReason | null, expectedDate: string | null): ActionForm {
  const [expected_year = '', expected_month = '', expected_day = ''] = expectedDate?.split('-') ?? [];
  return {
    ...emptyActionForm,
    reason_code: reason?.code ?? '',
    reason_text: (reason && explanationOf(reason)) ?? '',
    expected_day,
    expected_month,
    expected_year,
  };
}

/** What the form of a wait says of the next date, if the person has no place sooner. */
export function waitNote(settings: Settings, referral: Referral | Draft, now: Date) {
  const waiting = { ...referral, status: 'on-hold' as const, expected_date: null };
  return {
    isUrgent: referral.urgency === 'urgent',
    dueOn: nextDateOf(referral),
    checkBy: nextDateAfter(settings, waiting, now),
  };
}

/** The reasons on the page of an action. A death is not one of them: it concerns all referrals of the person, and has a form of its own. */
export function reasonsToChoose(action: Action, side: Side, earlierReason?: string) {
  return reasonsFor(action, side, earlierReason).filter(({ value }) => value !== 'died');
}

/** The body that the API expects for this action, as far as the form is filled in. */
export function actionBodyFrom(action: Action, form: ActionForm): object {
  const reason = reasonFrom(form);
  if (action === 'withdraw-as-error') return { ...withoutUndefined({ status_reason: reason }) };
  const { requires } = actionRules[action];
  if (requires === 'outcome')
    return { outcome: outcomeFrom(form), ...withoutUndefined({ gp_actions: gpActionsFrom(form) }) };
  if (requires !== 'reason') return {};
  const date = joinDate([form.expected_year, form.expected_month, form.expected_day]);
  return {
    status_reason: { ...reason },
    // The tick belongs to one reason, and is hidden beside the others.
    ...(actionsThatMayMeanDeclined.includes(action) &&
      form.reason_code === 'client-declined' &&
      form.declines === 'yes' && { declines_social_prescribing: true }),
    ...(suggestingActions.includes(action) &&
      withoutUndefined({ suggested_service_id: trimToUndefined(form.suggest_id) })),
    ...(waitActions.includes(action) && withoutUndefined({ expected_date: date })),
  };
}

/** Most reasons say enough. The API wants a text all the same: the words that were chosen. */
function reasonFrom(form: ActionForm) {
  const code = trimToUndefined(form.reason_code);
  const known = reasonCodes.find((each) => each === code);
  const chosen = known && !reasonsToExplain.includes(known) ? reasonWords[known] : undefined;
  return withoutUndefined({ code, text: trimToUndefined(form.reason_text) ?? chosen });
}

function outcomeFrom(form: ActionForm): object {
  const measures = filledMeasures(form).map(({ name, code, stage }) => {
    const typed = form[name].trim();
    // Anything but a number stays text, so that the schema refuses it.
    return { code, stage, value: /^\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed };
  });
  return {
    ...withoutUndefined({
      code: trimToUndefined(form.outcome_code),
      text: trimToUndefined(form.outcome_text),
      measures: measures.length > 0 ? measures : undefined,
    }),
  };
}

function filledMeasures(form: ActionForm) {
  return measureFields.filter(({ name }) => form[name].trim() !== '');
}

/** The errors that the API would answer with, and what only pages require. */
export function actionErrors(action: Action, form: ActionForm, now: Date): FieldError[] {
  const answer = actionBodyFrom(action, form);
  const schemaErrors = describeErrors(validatorOf(actionSchemas[action]).Errors(answer), '');
  // Which reason it is comes first: most need no text.
  const firstErrors =
    form.reason_code === ''
      ? schemaErrors.filter(({ pointer }) => pointer !== '/status_reason/text')
      : schemaErrors;
  const errors = firstErrors.length > 0 ? firstErrors : actionBodyErrors(answer as ActionBody, now);
  if (suggestingActions.includes(action) && form.suggest_search.trim() !== '' && form.suggest_id === '')
    errors.push({ pointer: '/suggested_service_id', message: 'is not chosen', code: 'not-chosen' });
  if (actionRules[action].requires !== 'outcome') return errors;
  return [...errors, ...missingGpAnswers(gpActionsFrom(form)), ...gpContradictions(form)];
}

export function explainActionErrors(
  errors: readonly FieldError[],
  form: ActionForm,
): FormErrors<ActionField> {
  const fieldErrors = errors.map((error) => {
    const measure = /^\/outcome\/measures\/(\d+)/.exec(error.pointer);
    const field = measure
      ? filledMeasures(form)[Number(measure[1])]?.name
      : (gpFieldAt(form, error.pointer) ?? fieldAt(answerFields, error.pointer));
    const text = field ? errorText(answerFields[field], form[field], error) : error.message;
    return { field, text };
  });
  return formErrors(names, fieldErrors);
}
