import { compact, dateFrom, readForm, trimmed } from '../platform/html/index.ts';
import { checkOf, describeErrors } from '../platform/http/index.ts';
import type { FieldError } from '../platform/problem/index.ts';
import { actionSchemas } from './action-schemas.ts';
import { type AnswerField, type AnswerForm, answerFields, measureFields } from './answer-fields.ts';
import { answerProblems } from './check-answer.ts';
import { type FormErrors, fieldAt, formErrors, sentence } from './form-errors.ts';
import type { StatusReason } from './referral.ts';
import { type Action, rules, waits } from './state-machine.ts';
import type { ActionBody } from './take-action.ts';

const names = Object.keys(answerFields) as AnswerField[];
export const emptyAnswerForm: AnswerForm = readForm({}, names);

export function readAnswerForm(body: unknown): AnswerForm {
  return readForm(body, names);
}

/** What was said of the wait, to be changed. */
export function heldForm(reason: StatusReason | null, expectedDate: string | null): AnswerForm {
  const [expected_year = '', expected_month = '', expected_day = ''] = expectedDate?.split('-') ?? [];
  return {
    ...emptyAnswerForm,
    reason_code: reason?.code ?? '',
    reason_text: reason?.text ?? '',
    expected_day,
    expected_month,
    expected_year,
  };
}

/** The body that the API takes for this action, as far as the form gives it. */
export function answerFrom(action: Action, form: AnswerForm): object {
  const reason = compact({ code: trimmed(form.reason_code), text: trimmed(form.reason_text) });
  if (action === 'withdraw-as-error') return { ...compact({ status_reason: reason }) };
  const { says } = rules[action];
  if (says === 'outcome') return { outcome: outcomeFrom(form) };
  if (says !== 'reason') return {};
  const date = dateFrom([form.expected_year, form.expected_month, form.expected_day]);
  return {
    status_reason: { ...reason },
    ...(waits.includes(action) && compact({ expected_date: date })),
  };
}

function outcomeFrom(form: AnswerForm): object {
  const measures = filledMeasures(form).map(({ name, code, stage }) => {
    const typed = form[name].trim();
    // What is no number stays recognisable as none, for the schema to refuse.
    return { code, stage, value: /^\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed };
  });
  return {
    ...compact({
      code: trimmed(form.outcome_code),
      text: trimmed(form.outcome_text),
      measures: measures.length > 0 ? measures : undefined,
    }),
  };
}

function filledMeasures(form: AnswerForm) {
  return measureFields.filter(({ name }) => form[name].trim() !== '');
}

/** What the API's own checks find wrong with the answer. */
export function answerErrors(action: Action, answer: object, now: Date): FieldError[] {
  const errors = describeErrors(checkOf(actionSchemas[action]).Errors(answer), '');
  return errors.length > 0 ? errors : answerProblems(answer as ActionBody, now);
}

export function explainAnswerErrors(
  errors: readonly FieldError[],
  form: AnswerForm,
): FormErrors<AnswerField> {
  const found = errors.map((error) => {
    const measure = /^\/outcome\/measures\/(\d+)/.exec(error.pointer);
    const field = measure
      ? filledMeasures(form)[Number(measure[1])]?.name
      : fieldAt(answerFields, error.pointer);
    const text = field ? sentence(answerFields[field], form[field], error) : error.message;
    return { field, text };
  });
  return formErrors(names, found);
}
