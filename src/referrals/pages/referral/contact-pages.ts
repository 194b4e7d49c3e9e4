import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { fieldError, readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import {
  type App,
  anyForm,
  describeErrors,
  page,
  type Reply,
  type Request,
  signedIn,
  validatorOf,
} from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import type { PresentedReferral } from '../../model/present.ts';
import { addMeasures, newMeasuresSchema } from '../../progress/add-measures.ts';
import {
  bookAppointment,
  cancelAppointment,
  logContact,
  newAppointmentSchema,
  newContactSchema,
} from '../../progress/log-contact.ts';
import { errorText, type Field } from '../form-errors.ts';
import { momentFromField } from '../moment-field.ts';
import { listSuffix } from './came-from.ts';
import { pathAfter, type RefusedForm, referralPath, showReferral } from './referral-page.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const withAppointment = Type.Object({
  ...params.properties,
  appointment_id: Type.String({ maxLength: 100 }),
});

/** The forms of a referral’s page by which staff log a contact with the person, book or cancel an appointment, and add a measure. */
export function contactPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  for (const part of ['contacts', 'appointments', 'measures'])
    app.get(`/referrals/:id/${part}`, { config, schema: { hide: true, params } }, (request, reply) =>
      reply.redirect(`${referralPath(request.params.id)}${listSuffix(request)}#contacts`, 303),
    );
  const schema = { hide: true, params, body: anyForm } as const;
  app.post('/referrals/:id/contacts', { config, schema }, (request, reply) =>
    save(deps, request, reply, contact),
  );
  app.post('/referrals/:id/appointments', { config, schema }, (request, reply) =>
    save(deps, request, reply, appointment),
  );
  app.post('/referrals/:id/measures', { config, schema }, (request, reply) =>
    save(deps, request, reply, measure),
  );
  app.post(
    '/referrals/:id/appointments/:appointment_id/cancel',
    { config, schema: { hide: true, params: withAppointment, body: anyForm } },
    async (request, reply) => {
      const { id: referralId, appointment_id: appointmentId } = request.params;
      await cancelAppointment(deps, requireCaller(request), {
        referralId,
        appointmentId,
        ipAddress: request.ip,
      });
      return reply.redirect(pathAfter(request, referralId, 'appointment-cancelled'), 303);
    },
  );
}

type FormRequest = Request & { params: { id: string } };
type Values = Record<string, string>;

type PageForm = {
  names: readonly string[];
  /** The field of the form for each pointer of the body. */
  fields: Readonly<Record<string, Field & { name: string }>>;
  bodyOf(values: Values): object;
  schema: Parameters<typeof validatorOf>[0];
  store(deps: Deps, request: FormRequest, body: object): Promise<Pick<PresentedReferral, 'status'>>;
  done(values: Values, stored: Pick<PresentedReferral, 'status'>): Parameters<typeof pathAfter>[2];
};

const wrongTime = 'must be a date and time, like 24 November 2026 at 10:30';

const contact: PageForm = {
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
  store: (deps, request, body) =>
    logContact(deps, requireCaller(request), {
      referralId: request.params.id,
      ipAddress: request.ip,
      contact: body as Parameters<typeof logContact>[2]['contact'],
    }),
  done: ({ contact_reached: reached }, { status }) => {
    if (reached === 'no') return 'not-reached';
    if (status === 'on-hold') return 'reached-waiting';
    return status === 'in-progress' ? 'reached-again' : 'reached';
  },
};

const appointment: PageForm = {
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
  store: (deps, request, body) =>
    bookAppointment(deps, requireCaller(request), {
      referralId: request.params.id,
      ipAddress: request.ip,
      appointment: body as Parameters<typeof bookAppointment>[2]['appointment'],
    }),
  done: () => 'appointment',
};

const measure: PageForm = {
  names: ['measure_code', 'measure_stage', 'measure_value', 'measure_by'],
  fields: {
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
    const value = /^\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : typed;
    return { measures: [{ code, stage, value, by }] };
  },
  schema: newMeasuresSchema,
  store: (deps, request, body) =>
    addMeasures(deps, requireCaller(request), {
      referralId: request.params.id,
      ipAddress: request.ip,
      ...(body as Pick<Parameters<typeof addMeasures>[2], 'measures'>),
    }),
  done: () => 'measure',
};

/** What was typed, where it is no time, so that the schema refuses it. */
function timeOf(typed = ''): { at?: string } {
  const text = trimToUndefined(typed);
  return text === undefined ? {} : { at: momentFromField(text) ?? text };
}

async function save(deps: Deps, request: FormRequest, reply: Reply, form: PageForm): Promise<Reply> {
  const values: Values = readUntrimmedFields(request.body, form.names);
  const body = form.bodyOf(values);
  const refuse = (error: FieldError) =>
    showReferral(deps, request, reply, request.params.id, refusal(form, values, error));
  const [error] = describeErrors(validatorOf(form.schema).Errors(body), '');
  if (error) return refuse(error);
  try {
    const stored = await form.store(deps, request, body);
    return reply.redirect(pathAfter(request, request.params.id, form.done(values, stored)), 303);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.kind !== unprocessable || !problem.errors?.[0])
      throw problem;
    return refuse(problem.errors[0]);
  }
}

function refusal(form: PageForm, values: Values, error: FieldError): RefusedForm {
  const field = form.fields[error.pointer];
  const text = field ? errorText(field, values[field.name] ?? '', error) : error.message;
  return {
    status: unprocessable.status,
    values,
    errors: fieldError(field?.name ?? form.names[0]!, text),
    tried: field?.name ?? form.names[0]!,
  };
}
