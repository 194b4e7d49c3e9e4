import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import type { PresentedReferral } from '../../model/presentation/present.ts';
import { addMeasures } from '../../progress/add-measures.ts';
import { bookAppointment, cancelAppointment, logContact } from '../../progress/contacts-and-appointments.ts';
import { referralPagePath } from '../referral-page-address.ts';
import { listSuffix } from './list-links.ts';
import {
  appointmentForm,
  contactForm,
  explainProgressForm,
  measureForm,
  type ProgressForm,
  readProgressForm,
} from './progress-forms.ts';
import { pathAfter, type RefusedForm, showReferral } from './referral-page.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const withAppointment = Type.Object({
  ...params.properties,
  appointment_id: Type.String({ maxLength: 100 }),
});

/** Where the forms stand on a referral’s page. Their own addresses are opened when somebody reloads after a mistake. */
const anchors = { contacts: 'contacts', appointments: 'contacts', measures: 'measures' } as const;

/** The forms of a referral’s page by which staff log a contact with the person, book or cancel an appointment, and add a measure. */
export function contactPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  for (const [part, anchor] of Object.entries(anchors))
    app.get(`/referrals/:id/${part}`, { config, schema: { hide: true, params } }, (request, reply) =>
      reply.redirect(`${referralPagePath(request.params.id)}${listSuffix(request)}#${anchor}`, 303),
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
  form: ProgressForm;
  store(deps: Deps, request: FormRequest, body: object): Promise<Pick<PresentedReferral, 'status'>>;
  done(values: Values, stored: Pick<PresentedReferral, 'status'>): Parameters<typeof pathAfter>[2];
};

const tokenOf = ({ body }: FormRequest) => readUntrimmedFields(body, ['form_token']).form_token;

const contact: PageForm = {
  form: contactForm,
  store: (deps, request, body) =>
    logContact(deps, requireCaller(request), {
      referralId: request.params.id,
      ipAddress: request.ip,
      formToken: tokenOf(request),
      contact: body as Parameters<typeof logContact>[2]['contact'],
    }),
  done: ({ contact_reached: reached }, { status }) => {
    if (reached === 'no') return 'not-reached';
    return status === 'on-hold' ? 'reached-waiting' : 'reached';
  },
};

const appointment: PageForm = {
  form: appointmentForm,
  store: (deps, request, body) =>
    bookAppointment(deps, requireCaller(request), {
      referralId: request.params.id,
      ipAddress: request.ip,
      appointment: body as Parameters<typeof bookAppointment>[2]['appointment'],
    }),
  done: () => 'appointment',
};

const measure: PageForm = {
  form: measureForm,
  store: (deps, request, body) =>
    addMeasures(deps, requireCaller(request), {
      referralId: request.params.id,
      ipAddress: request.ip,
      formToken: tokenOf(request),
      ...(body as Pick<Parameters<typeof addMeasures>[2], 'measures'>),
    }),
  done: () => 'measure',
};

async function save(
  deps: Deps,
  request: FormRequest,
  reply: Reply,
  { form, store, done }: PageForm,
): Promise<Reply> {
  const values: Values = readUntrimmedFields(request.body, form.names);
  const { body, errors } = readProgressForm(form, values);
  const refuse = (wrong: readonly FieldError[]) =>
    showReferral(deps, request, reply, request.params.id, refusal(form, values, wrong));
  if (errors.length > 0) return refuse(errors);
  try {
    const stored = await store(deps, request, body);
    return reply.redirect(pathAfter(request, request.params.id, done(values, stored)), 303);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.kind !== unprocessable || !problem.errors?.[0])
      throw problem;
    return refuse(problem.errors);
  }
}

function refusal(form: ProgressForm, values: Values, wrong: readonly FieldError[]): RefusedForm {
  const errors = explainProgressForm(form, values, wrong);
  return { status: unprocessable.status, values, errors, tried: Object.keys(errors.fields)[0]! };
}
