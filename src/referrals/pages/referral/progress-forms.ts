import { trimToUndefined } from '../../../platform/html/index.ts';
import { describeErrors, validatorOf } from '../../../platform/http/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { type MeasureCode, measureCodes, measureErrors } from '../../model/after-acceptance/measures.ts';
import { newMeasuresSchema } from '../../progress/add-measures.ts';
import { newAppointmentSchema, newContactSchema } from '../../progress/contacts-and-appointments.ts';
import { errorText, type Field, type FormErrors, formErrors } from '../form-errors.ts';
import { isSkippedTime, momentFromField } from '../moment-field.ts';

// The forms by which staff log a contact with the person, book an appointment, and add a measure.

type Values = Record<string, string>;

export type ProgressForm = {
  names: readonly string[];
  /** The field of the form for each pointer of the body. */
  fields: Readonly<Record<string, Field & { name: string }>>;
  bodyOf(values: Values): object;
  schema: Parameters<typeof validatorOf>[0];
  /** What the schema cannot say, or says less well. */
  errors?(values: Values): FieldError[];
};

const wrongTime = 'must be a date and time, like 24 November 2026 at 10:30';

export const contactForm: ProgressForm = {
  names: ['contact_kind', 'contact_reached', 'contact_at', 'contact_note'],
  fields: {
    '/kind': { name: 'contact_kind', label: 'How', empty: 'Select how', wrong: 'Select how' },
    '/reached': { name: 'contact_kind', label: 'Reached', wrong: 'Press one of the two buttons' },
    '/at': { name: 'contact_at', label: 'When it was', wrong: `When it was ${wrongTime}` },
    '/note': { name: 'contact_note', label: 'The note' },
  },
  bodyOf: (values) => ({
    kind: values.contact_kind,
    reached: { yes: true, no: false }[values.contact_reached ?? ''],
    ...timeOf(values.contact_at),
    ...(trimToUndefined(values.contact_note ?? '') && { note: trimToUndefined(values.contact_note!) }),
  }),
  schema: newContactSchema,
};

export const appointmentForm: ProgressForm = {
  names: ['appointment_at', 'appointment_kind', 'appointment_place'],
  fields: {
    '/at': {
      name: 'appointment_at',
      label: 'When it is',
      empty: 'Enter when the appointment is',
      wrong: `When it is ${wrongTime}`,
      messages: { 'too-late': 'The appointment must be within a year' },
    },
    '/kind': { name: 'appointment_kind', label: 'How', empty: 'Select how', wrong: 'Select how' },
    '/place': { name: 'appointment_place', label: 'Where' },
  },
  bodyOf: (values) => ({
    kind: values.appointment_kind,
    ...timeOf(values.appointment_at),
    ...(trimToUndefined(values.appointment_place ?? '') && {
      place: trimToUndefined(values.appointment_place!),
    }),
  }),
  schema: newAppointmentSchema,
};

export const measureForm: ProgressForm = {
  names: ['measure_code', 'measure_stage', 'measure_value', 'measure_by'],
  fields: {
    '/measures/0/code': {
      name: 'measure_code',
      label: 'What was measured',
      empty: 'Select what was measured',
      wrong: 'Select what was measured',
    },
    '/measures/0/stage': { name: 'measure_stage', label: 'When', empty: 'Select when', wrong: 'Select when' },
    '/measures/0/value': { name: 'measure_value', label: 'The score', empty: 'Enter the score' },
    '/measures/0/by': {
      name: 'measure_by',
      label: 'Who answered',
      empty: 'Select who answered',
      wrong: 'Select who answered',
    },
  },
  bodyOf: ({ measure_code: code, measure_stage: stage, measure_value: typed = '', measure_by: by }) => {
    // Anything but a number stays text, so that the schema refuses it.
    const value = isNumber(typed) ? Number(typed) : typed;
    return { measures: [{ code, stage, value, by }] };
  },
  schema: newMeasuresSchema,
  errors: ({ measure_code: code = '', measure_value: typed = '' }) => {
    if (!isNumber(typed) || !measureCodes.some((each) => each === code)) return [];
    const measure = { code: code as MeasureCode, stage: 'review', value: Number(typed) } as const;
    return measureErrors([measure], '/measures');
  },
};

const isNumber = (typed: string) => /^\d+(\.\d+)?$/.test(typed.trim());

/** The time of a field. Text that is no time stays as it was typed, so that the schema refuses it. */
function timeOf(typed = ''): { at?: string } {
  const text = trimToUndefined(typed);
  return text === undefined ? {} : { at: momentFromField(text) ?? text };
}

/** The body of a form, with its errors. */
export function readProgressForm(form: ProgressForm, values: Values): { body: object; errors: FieldError[] } {
  const body = form.bodyOf(values);
  const ofForm = form.errors?.(values) ?? [];
  return { body, errors: [...ofForm, ...describeErrors(validatorOf(form.schema).Errors(body), '')] };
}

/** What the page says of each field that is wrong. What no field has is said only where every field is right. */
export function explainProgressForm(
  form: ProgressForm,
  values: Values,
  errors: readonly FieldError[],
): FormErrors {
  const ofFields = errors.filter(({ pointer }) => form.fields[pointer] !== undefined);
  const shown = ofFields.length > 0 ? ofFields : errors.slice(0, 1);
  return formErrors(
    form.names,
    shown.map((error) => explainError(form, values, error)),
  );
}

function explainError(form: ProgressForm, values: Values, error: FieldError) {
  const field = form.fields[error.pointer];
  if (field && error.pointer === '/at' && isSkippedTime(values[field.name] ?? ''))
    return {
      field: field.name,
      text: 'The clocks go forward that night, so this time does not exist. Enter another',
    };
  const text = field ? errorText(field, values[field.name] ?? '', error) : error.message;
  return { field: field?.name ?? form.names[0]!, text };
}
