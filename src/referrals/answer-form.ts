import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { compact, readForm, trimmed } from '../platform/html/index.ts';
import { describeErrors } from '../platform/http/index.ts';
import type { FieldError } from '../platform/problem/index.ts';
import { type Field, type FormErrors, fieldAt, formErrors, sentence } from './form-errors.ts';
import type { Outcome, StatusReason } from './referral.ts';
import { acceptSchema, completeSchema, rejectSchema } from './schemas.ts';
import type { Action } from './state-machine.ts';

/** The fields of the forms with which a service answers. */
const answerFields = {
  reason_code: {
    pointer: '/status_reason/code',
    label: 'Reason',
    empty: 'Select why you reject the referral',
  },
  reason_text: {
    pointer: '/status_reason',
    label: 'Explanation',
    empty: 'Explain the reason to whoever referred the person',
  },
  outcome_code: { pointer: '/outcome/code', label: 'Outcome', empty: 'Select what came of it' },
  outcome_text: {
    pointer: '/outcome',
    label: 'Description',
    empty: 'Describe what came of it for the person',
  },
} satisfies Record<string, Field>;

type AnswerField = keyof typeof answerFields;
type AnswerForm = Record<AnswerField, string>;
export type Answer = { status_reason?: StatusReason; outcome?: Outcome };

const names = Object.keys(answerFields) as AnswerField[];
export const emptyAnswerForm: AnswerForm = readForm({}, names);

export function readAnswerForm(body: unknown): AnswerForm {
  return readForm(body, names);
}

const schemas: Readonly<Record<Action, TSchema>> = {
  accept: acceptSchema,
  reject: rejectSchema,
  complete: completeSchema,
};
const checks = Object.fromEntries(
  Object.entries(schemas).map(([action, schema]) => [action, Compile(schema)]),
) as Record<Action, ReturnType<typeof Compile>>;

/** The body that the API takes for this action, as far as the form gives it. */
export function answerFrom(action: Action, form: AnswerForm): object {
  const part = (kind: 'reason' | 'outcome') => ({
    ...compact({ code: trimmed(form[`${kind}_code`]), text: trimmed(form[`${kind}_text`]) }),
  });
  if (action === 'reject') return { status_reason: part('reason') };
  if (action === 'complete') return { outcome: part('outcome') };
  return {};
}

/** What the API's own schema finds wrong with the answer. */
export function answerErrors(action: Action, answer: object): FieldError[] {
  return describeErrors(checks[action].Errors(answer), '');
}

export function explainAnswerErrors(
  errors: readonly FieldError[],
  form: AnswerForm,
): FormErrors<AnswerField> {
  const found = errors.map((error) => {
    const field = fieldAt(answerFields, error.pointer);
    const text = field ? sentence(answerFields[field], form[field], error) : error.message;
    return { field, text };
  });
  return formErrors(names, found);
}
