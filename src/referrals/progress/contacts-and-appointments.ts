import { type Static, Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import {
  type App,
  emptyBody,
  nonBlankPattern,
  noOtherFields,
  problemAnswers,
  withToken,
} from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { type FieldError, forbidden, notFound, Problem } from '../../platform/problem/index.ts';
import { lockForSides } from '../model/access/access.ts';
import { actorByLink, type LinkHolder } from '../model/actors/link-holder.ts';
import {
  type Appointment,
  appointmentTimeErrors,
  type Contact,
  contactKindCodes,
  contactTimeErrors,
  firstContactAt,
  maxAppointments,
  maxContacts,
} from '../model/after-acceptance/contacts.ts';
import { setContacts } from '../model/after-acceptance/contacts-store.ts';
import { noteSeen, watchWords } from '../model/attention/watches.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { nextAppointmentDay, nextDateAfter } from '../model/due/next-date.ts';
import { keepAnswer, keyedForm, replayOrRefuse } from '../model/idempotency/idempotency.ts';
import { sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { nothingChangedProblem } from '../model/problems.ts';
import type { Referral } from '../model/referral.ts';
import { longText } from '../model/schemas/new-referral.ts';
import {
  badBody,
  idParams,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { requireOpen } from '../model/status/usable.ts';

const kind = Type.Enum(contactKindCodes, {
  title: 'ContactKind',
  description: 'How the person is contacted or met.',
});
const shortText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: nonBlankPattern, description });

/** The body of a new contact. */
export const newContactSchema = Type.Object(
  {
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When it was. Now, when left out. Not in the future, and not before the referral was made.',
      }),
    ),
    kind,
    reached: Type.Boolean({ description: 'Whether somebody spoke with the person, or met them.' }),
    by: Type.Optional(shortText('Who tried. You, when left out.')),
    note: Type.Optional(longText('What both sides should know of it.')),
  },
  { ...noOtherFields, title: 'NewContact' },
);

/** The body of a new appointment. */
export const newAppointmentSchema = Type.Object(
  {
    at: Type.String({
      format: 'date-time',
      description: 'When it is: within a year, and not before the referral was made.',
    }),
    kind,
    place: Type.Optional(shortText('Where.')),
    by: Type.Optional(shortText('With whom. You, when left out.')),
  },
  { ...noOtherFields, title: 'NewAppointment' },
);

type Target = { referralId: string; ipAddress: string; formToken?: string | undefined };

/**
 * Notes that somebody of the service contacted the person, or tried. The first time that the person is reached is the first contact,
 * which ends the wait for it. The version stays, and nobody is emailed. The same contact sent twice counts once.
 * @throws Problem `not-found`, `forbidden`, `wrong-state` if the referral is not open, `unprocessable`.
 */
export function logContact(
  deps: ReferralDeps,
  caller: Caller,
  { contact, ...target }: Target & { contact: Static<typeof newContactSchema> },
): Promise<PresentedReferral> {
  const change = changeByContact(contact, caller.name);
  return changeContacts(deps, caller, target, { action: 'contact_logged', change, content: contact });
}

/** What a new contact changes; nothing if it is there already. */
const changeByContact =
  (contact: Static<typeof newContactSchema>, byWhom: string): WorkOutContacts =>
  (referral, at) => {
    const when = contact.at === undefined ? at.toISOString() : new Date(contact.at).toISOString();
    refuseIfAny(contactTimeErrors(referral, when, at));
    const { contacts = [] } = referral.content;
    const added = { ...contact, id: newId(at.getTime()), at: when, by: contact.by ?? byWhom };
    if (contacts.some((each) => isSame(each, added))) return undefined;
    if (contacts.length >= maxContacts)
      throw nothingChangedProblem([tooMany('/at', maxContacts, 'contacts')]);
    return {
      contacts: inOrder([...contacts, added]),
      reachedAt: contact.reached ? when : undefined,
      text: contact.note,
    };
  };

/**
 * Books an appointment of the person with the service. Until the first contact, an appointment is the date by which the person is
 * contacted, unless the referral is urgent.
 * @throws Problem as `logContact`
 */
export function bookAppointment(
  deps: ReferralDeps,
  caller: Caller,
  { appointment, ...target }: Target & { appointment: Static<typeof newAppointmentSchema> },
): Promise<PresentedReferral> {
  const change = changeByAppointment(appointment, caller.name);
  return changeContacts(deps, caller, target, { action: 'appointment_booked', change });
}

const changeByAppointment =
  (appointment: Static<typeof newAppointmentSchema>, byWhom: string): WorkOutContacts =>
  (referral, at) => {
    const when = new Date(appointment.at).toISOString();
    refuseIfAny(appointmentTimeErrors(referral, when, at));
    const { appointments = [] } = referral.content;
    const isBooked = appointments.some(
      (each) => each.at === when && each.kind === appointment.kind && !each.cancelled,
    );
    if (isBooked) return undefined;
    if (appointments.length >= maxAppointments)
      throw nothingChangedProblem([tooMany('/at', maxAppointments, 'appointments')]);
    const added = {
      ...appointment,
      id: newId(at.getTime()),
      at: when,
      by: appointment.by ?? byWhom,
      cancelled: false,
    };
    return { appointments: inOrder([...appointments, added]), text: appointment.place };
  };

/** Cancels an appointment. A second call changes nothing. @throws Problem as `logContact`; `not-found` for no such appointment. */
export function cancelAppointment(
  deps: ReferralDeps,
  caller: Caller,
  { appointmentId, ...target }: Target & { appointmentId: string },
): Promise<PresentedReferral> {
  const change = changeByCancelling(appointmentId);
  return changeContacts(deps, caller, target, { action: 'appointment_cancelled', change });
}

const changeByCancelling =
  (appointmentId: string): WorkOutContacts =>
  (referral) => {
    const { appointments = [] } = referral.content;
    const index = appointments.findIndex(({ id }) => id === appointmentId);
    const appointment = appointments[index];
    if (!appointment) throw new Problem(notFound);
    if (appointment.cancelled) return undefined;
    return { appointments: appointments.with(index, { ...appointment, cancelled: true }) };
  };

/** The list that changes, and when somebody reached the person, if that is new. */
type ContactsChange = {
  contacts?: Contact[];
  appointments?: Appointment[];
  reachedAt?: string | undefined;
  /** The note of the contact, or the place of the appointment, that is new. */
  text?: string | undefined;
};

type ContactAction = 'contact_logged' | 'appointment_booked' | 'appointment_cancelled';

/** Works out what changes in a locked referral; undefined if nothing does. */
type WorkOutContacts = (referral: Referral, at: Date) => ContactsChange | undefined;

/** What somebody who answers by link does with contacts and appointments. */
export type ContactByLink =
  | { kind: 'contact'; contact: Static<typeof newContactSchema> }
  | { kind: 'appointment'; appointment: Static<typeof newAppointmentSchema> }
  | { kind: 'cancel-appointment'; appointmentId: string };

/**
 * Logs a contact, books or cancels an appointment, for somebody who answers by link, on a locked referral.
 * @throws Problem `wrong-state` if the referral is not open, `unprocessable`, `not-found` for no such appointment.
 */
export async function changeContactsByLink(
  trx: Trx,
  deps: ReferralDeps,
  locked: Referral,
  { step, at }: { step: ContactByLink; at: Date },
  holder: LinkHolder,
): Promise<void> {
  const referral = requireOpen(locked);
  const { action, change } = contactChangeOf(step, `${holder.name}, ${holder.role}`);
  const update = change(referral, at);
  if (update) await storeContacts(trx, deps, referral, { update, action, at }, actorByLink(holder));
}

function contactChangeOf(
  step: ContactByLink,
  by: string,
): { action: ContactAction; change: WorkOutContacts } {
  if (step.kind === 'contact') return { action: 'contact_logged', change: changeByContact(step.contact, by) };
  if (step.kind === 'appointment')
    return { action: 'appointment_booked', change: changeByAppointment(step.appointment, by) };
  return { action: 'appointment_cancelled', change: changeByCancelling(step.appointmentId) };
}

/**
 * The transaction of each of the three actions above, for an account. `content` tells the form of a contact that is sent twice from another
 * one with the same token. The forms of appointments have no token: the same appointment is found in the list.
 */
function changeContacts(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, ipAddress, formToken }: Target,
  { action, change, content }: { action: ContactAction; change: WorkOutContacts; content?: unknown },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral: locked, sides } = await lockForSides(trx, caller, referralId, at);
    if (!sides.includes('provider')) throw new Problem(forbidden, 'This is for staff of the service.');
    const referral = requireOpen(locked);
    const form = keyedForm(deps, caller.accountId, formToken, { referral: referral.id, content });
    const update = (await replayOrRefuse(trx, deps, form)) ? undefined : change(referral, at);
    if (!update) return loadAndPresent(trx, deps, caller, referral, at);
    await noteSeen(trx, caller, { referral, sides }, at);
    const actor = actorOf(caller, ipAddress);
    const changed = await storeContacts(trx, deps, referral, { update, action, at }, actor);
    await keepAnswer(trx, form, { referralId, answer: {}, at });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

/** Stores the lists, with the next date and what other rooms do with them. */
async function storeContacts(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { update, action, at }: { update: ContactsChange; action: ContactAction; at: Date },
  actor: Actor,
): Promise<Referral> {
  const { reachedAt, text, ...lists } = update;
  const first_contact_at = firstContactAt(lists.contacts ?? referral.content.contacts ?? []);
  const after = { ...referral, first_contact_at, content: { ...referral.content, ...lists } };
  const nextDate = nextDateAfterChange(deps, referral, after, { reachedAt, at });
  const stored = { ...lists, firstContactAt: first_contact_at, nextDate };
  const changed = await setContacts(trx, referral.id, stored, at);
  const kind = action === 'contact_logged' ? 'contact' : 'appointment';
  const newText = { by: 'provider', authorId: actor.id ?? null, texts: [text], at } as const;
  await watchWords(trx, deps.settings, changed, newText);
  await deps.roomsAbove.onFollowUp(trx, { referral: changed, kind, text, at });
  const subject = { type: 'referral', id: referral.id };
  await recordAudit(trx, { at, actor, action: `referral.${action}`, subject });
  return changed;
}

/**
 * The next date after the change. A person who was reached has news, so the next is due later; an appointment moves the first contact. A
 * contact that is logged late never brings the date forward, and cancelling an appointment gains no time.
 */
function nextDateAfterChange(
  { settings }: Pick<ReferralDeps, 'settings'>,
  before: Referral,
  after: Referral,
  { reachedAt, at }: { reachedAt: string | undefined; at: Date },
): string | null {
  const { next_date: current, status, urgency } = before;
  if (reachedAt !== undefined) {
    const next = nextDateAfter(settings, after, new Date(reachedAt));
    return current !== null && next !== null && next < current ? current : next;
  }
  const waitsForAppointment =
    status === 'accepted' && after.first_contact_at === null && urgency !== 'urgent';
  const { appointments } = after.content;
  if (!waitsForAppointment || appointments === before.content.appointments) return current;
  return nextDateAfter(settings, after, nextAppointmentDay(appointments, at) ? at : before.versionAt);
}

function isSame(one: Contact, other: Contact): boolean {
  return (
    one.at === other.at && one.kind === other.kind && one.reached === other.reached && one.by === other.by
  );
}

function inOrder<T extends { at: string }>(list: T[]): T[] {
  return list.toSorted((one, other) => one.at.localeCompare(other.at));
}

function tooMany(pointer: string, max: number, what: string): FieldError {
  return { pointer, message: `cannot be added: a referral has at most ${max} ${what}`, code: 'too-many' };
}

function refuseIfAny(errors: FieldError[]): void {
  if (errors.length > 0) throw nothingChangedProblem(errors);
}

const refusals = {
  ...badBody,
  403: `This is for staff of the service.${orServiceHidden}`,
  404: notYours,
  409: `The referral is not open. ${restrictedOrErased}`,
};

const config = { access: withToken(), scope: 'referrals:write' } as const;
const path = '/api/referrals/:id';

export function contactRoutes(app: App, deps: ReferralDeps): void {
  logContactRoute(app, deps);
  bookAppointmentRoute(app, deps);
  cancelAppointmentRoute(app, deps);
}

function logContactRoute(app: App, deps: ReferralDeps): void {
  const log = {
    operationId: 'logContact',
    tags,
    summary: 'Log a contact with the person',
    description:
      'For staff of the service, while the referral is open: that somebody contacted the person, or tried. The first contact in which the person was reached sets `first_contact_at` and ends the wait for it. It needs no `If-Match`, the version stays, and nobody is emailed. The same contact sent twice counts once.',
    params: idParams,
    body: {
      ...newContactSchema,
      examples: [{ kind: 'telephone', reached: true, note: 'She would like to come on Thursday.' }],
    },
    response: {
      200: theReferral,
      ...problemAnswers({
        ...refusals,
        422: `The time is in the future, or before the referral was made; or there are ${maxContacts} contacts already.`,
      }),
    },
  };
  app.post(`${path}/contacts`, { config, schema: log }, async (request, reply) => {
    const contact = request.body as Static<typeof newContactSchema>;
    const target = { referralId: request.params.id, ipAddress: request.ip, contact };
    return sendReferral(reply, await logContact(deps, requireCaller(request), target));
  });
}

function bookAppointmentRoute(app: App, deps: ReferralDeps): void {
  const book = {
    operationId: 'bookAppointment',
    tags,
    summary: 'Book an appointment of the person with the service',
    description:
      'For staff of the service, while the referral is open. Until the first contact, `next_date` is the day of the next appointment, or the working day after one at a weekend or bank holiday, at most 28 days ahead (a site can set another number); an urgent referral keeps its date. It needs no `If-Match`, the version stays, and nobody is emailed.',
    params: idParams,
    body: {
      ...newAppointmentSchema,
      examples: [{ at: '2027-01-14T10:30:00Z', kind: 'in-person', place: 'The Weir House' }],
    },
    response: {
      200: theReferral,
      ...problemAnswers({
        ...refusals,
        422: `The time is more than a year away, or before the referral was made; or there are ${maxAppointments} appointments already.`,
      }),
    },
  };
  app.post(`${path}/appointments`, { config, schema: book }, async (request, reply) => {
    const appointment = request.body as Static<typeof newAppointmentSchema>;
    const target = { referralId: request.params.id, ipAddress: request.ip, appointment };
    return sendReferral(reply, await bookAppointment(deps, requireCaller(request), target));
  });
}

function cancelAppointmentRoute(app: App, deps: ReferralDeps): void {
  const cancel = {
    operationId: 'cancelAppointment',
    tags,
    summary: 'Cancel an appointment',
    description:
      'The appointment stays in the list as cancelled. If it moved `next_date`, that is again what it was without it. A second call changes nothing.',
    params: Type.Object({
      ...idParams.properties,
      appointment_id: Type.String({ maxLength: 100, description: 'The id of one of `appointments`.' }),
    }),
    body: emptyBody,
    response: {
      200: theReferral,
      ...problemAnswers({ ...refusals, 404: `${notYours} Or it has no such appointment.` }),
    },
  };
  app.post(
    `${path}/appointments/:appointment_id/cancel`,
    { config, schema: cancel },
    async (request, reply) => {
      const { id: referralId, appointment_id: appointmentId } = request.params;
      const target = { referralId, appointmentId, ipAddress: request.ip };
      return sendReferral(reply, await cancelAppointment(deps, requireCaller(request), target));
    },
  );
}
