import { momentOfOpening } from '../../platform/html/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import {
  appointmentForm,
  contactKindItems,
  explainProgressForm,
  goalsForm,
  measureChoices,
  measureForm,
  type NewMeasures,
  type ProgressForm,
  type Referral,
  readGoals,
  readProgressForm,
} from '../../referrals/index.ts';
import type { FormErrors } from './answer-forms.ts';
import type { StepWithCode } from './take-step.ts';

// The forms for what happens after the answer: goals, appointments and measures. They have the fields of the forms for people with an account.

type Values = Readonly<Record<string, string>>;
type FormSubmission = { values: Values; version: number; openedAt: string; now: Date };

type SupportForm = {
  read(sent: FormSubmission): { step: StepWithCode } | { errors: FormErrors };
  /** What the action found wrong, in the words of the form. */
  explain(values: Values, error: FieldError): FormErrors;
  /** What its page shows. `typed`: what somebody sent before, if it was refused. */
  view(referral: Referral, typed?: Values): object;
};

/** @param stepOf what a body without an error does */
function readBy(form: ProgressForm, { values }: FormSubmission, stepOf: (body: never) => StepWithCode) {
  const { body, errors } = readProgressForm(form, values);
  return errors.length > 0
    ? { errors: explainProgressForm(form, values, errors) }
    : { step: stepOf(body as never) };
}

const explainBy = (form: ProgressForm) => (values: Values, error: FieldError) =>
  explainProgressForm(form, values, [error]);

type Appointment = Extract<StepWithCode, { kind: 'appointment' }>['appointment'];

const supportForms = {
  appointment: {
    read: (sent) =>
      readBy(appointmentForm, sent, (appointment: Appointment) => ({ kind: 'appointment', appointment })),
    explain: explainBy(appointmentForm),
    view: () => ({ choices: contactKindItems }),
  },
  measure: {
    read: (sent) =>
      readBy(measureForm, sent, ({ measures }: { measures: NewMeasures }) => {
        // A second click sends the same time, and counts once.
        const taken_at = momentOfOpening(sent.openedAt, sent.now).toISOString();
        return { kind: 'measures', measures: measures.map((each) => ({ ...each, taken_at })) };
      }),
    explain: explainBy(measureForm),
    view: () => ({ choices: measureChoices }),
  },
  goals: {
    read: ({ values, version }) => {
      const { goals, errors } = readGoals(values);
      return errors ? { errors } : { step: { kind: 'goals', goals, version } };
    },
    explain: (_values, { message }) => ({ summary: [{ text: message }], fields: {} }),
    view: ({ content }, typed) => goalsForm(content.goals ?? [], typed && readGoals(typed).rows),
  },
} as const satisfies Record<string, SupportForm>;

export type SupportFormName = keyof typeof supportForms;

/** The form of this name; undefined if it is none of these. */
export function findSupportForm(
  name: string | undefined,
): { name: SupportFormName; form: SupportForm } | undefined {
  if (name === undefined || !Object.hasOwn(supportForms, name)) return undefined;
  return { name: name as SupportFormName, form: supportForms[name as SupportFormName] };
}
