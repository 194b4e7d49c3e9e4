import { minuteMs } from '../../../platform/durations.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { addDaysOf24Hours, waitsSince } from '../due/dates.ts';

/** How staff of a service contact the person, or meet them. */
export const contactKinds = {
  telephone: 'By telephone',
  text: 'By text message',
  email: 'By email',
  letter: 'By letter',
  video: 'By video call',
  'in-person': 'In person',
  'home-visit': 'At the person’s home',
} as const satisfies Record<string, string>;

export type ContactKind = keyof typeof contactKinds;
export const contactKindCodes = Object.keys(contactKinds) as ContactKind[];
export const contactKindItems = contactKindCodes.map((value) => ({ value, text: contactKinds[value] }));

/**
 * The kind that a form of a contact has selected first: the way that was agreed with the person, by telephone if no way was agreed, or
 * undefined if it is not one of these.
 */
export function agreedContactKind(channel = ''): ContactKind | undefined {
  return channel.trim() === '' ? 'telephone' : readChannel(channel);
}

const channelPatterns: readonly [ContactKind, RegExp][] = [
  ['email', /^(by )?e-?mails?$/],
  ['text', /^(by )?(text|sms)( message)?s?$/],
  ['letter', /^(by )?(letter|post)s?$/],
  ['telephone', /^(by )?(tele)?phone$/],
  ['in-person', /^in person$/],
];

/** The one way that `contact.channel`, which is free text, names; undefined for other words, such as “telephone or text”. */
export function readChannel(channel: string | undefined): ContactKind | undefined {
  const words = channel?.trim().toLowerCase() ?? '';
  return channelPatterns.find(([, pattern]) => pattern.test(words))?.[0];
}

/** A contact with the person, or an attempt at one. `at` is in ISO 8601, UTC; `by` is a name. */
export type Contact = {
  id: string;
  at: string;
  kind: ContactKind;
  reached: boolean;
  by: string;
  note?: string;
};

export type Appointment = {
  id: string;
  at: string;
  kind: ContactKind;
  place?: string;
  by: string;
  cancelled: boolean;
};

/** Enough for a call each day of half a year. A referral is read whole. */
export const maxContacts = 200;
export const maxAppointments = 100;

/** The contact that was logged last: it may have been earlier than others. Ids begin with the time at which they were made. */
export function lastLogged(contacts: readonly Contact[] | undefined): Contact | undefined {
  return contacts?.toSorted((one, other) => (one.id < other.id ? -1 : 1)).at(-1);
}

/** The time of the first contact in which somebody of the service reached the person; null if nobody has. */
export function firstContactAt(contacts: readonly Contact[]): Date | null {
  const reached = contacts.filter((each) => each.reached).map(({ at }) => at);
  return reached.length === 0 ? null : new Date(reached.sort()[0]!);
}

/** What tells when a referral was made. */
type MadeReferral = { content: { made_at?: string | undefined }; requested_at: Date };

/** A contact that is to come has not happened. A clock of another system may be a minute ahead. */
export function contactTimeErrors(referral: MadeReferral, at: string, now: Date): FieldError[] {
  if (Date.parse(at) > now.getTime() + minuteMs)
    return [{ pointer: '/at', message: 'must not be in the future', code: 'in-future' }];
  return beforeMadeErrors(referral, at);
}

/** Nobody books further ahead than a year: more is a typing mistake. */
const maxDaysAhead = 366;

export function appointmentTimeErrors(referral: MadeReferral, at: string, now: Date): FieldError[] {
  if (Date.parse(at) > addDaysOf24Hours(now, maxDaysAhead).getTime())
    return [{ pointer: '/at', message: 'must be within a year', code: 'too-late' }];
  return beforeMadeErrors(referral, at);
}

function beforeMadeErrors({ content, requested_at }: MadeReferral, at: string): FieldError[] {
  // A time typed without seconds may be up to a minute early.
  const madeAt = waitsSince(content, requested_at).getTime();
  if (Date.parse(at) >= madeAt - minuteMs) return [];
  return [{ pointer: '/at', message: 'must not be before the referral was made', code: 'too-early' }];
}
