import { momentOfOpening } from '../../platform/html/index.ts';
import { isMailAddress } from '../../platform/mail/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import { whyNoCode } from '../../platform/secrets/index.ts';
import {
  type ContactKind,
  contactKindCodes,
  momentFromField,
  reasonsOffered,
  reasonsToExplain,
  reasonWords,
} from '../../referrals/index.ts';
import type { Answer, LinkPageState } from './answer-referral.ts';
import type { StepWithCode } from './take-step.ts';

// The fields of the forms on the link's page, and what is wrong in them. Forms that people with an account have too are in referrals/.

/** The forms of steps come from another room, and leave out the fields without an error. */
export type FormErrors = {
  summary: readonly { text: string; href?: string }[];
  fields: Readonly<Record<string, { text: string } | undefined>>;
};

/** In the order of the pages. The messages are whole sentences, so they need no labels. */
export const labels = {
  news_read: '',
  answer: '',
  reason: '',
  explanation: '',
  code: '',
  contact_kind: '',
  contact_at: '',
  contact_note: '',
  text: '',
  telephone: '',
  when: '',
  email: '',
  name: '',
  role: '',
};
export const fields = Object.keys(labels) as (keyof typeof labels)[];
export type Form = Record<keyof typeof labels, string>;

export const reasons = (reasonsOffered.provider.reject ?? []).map((code) => ({
  value: code,
  text: reasonWords[code],
}));

const maxNameLength = 100;
const maxTextLength = 2000;

function errorList() {
  const errors: FieldError[] = [];
  const refuse = (field: keyof Form, message: string) => errors.push({ pointer: `/${field}`, message });
  return { errors, refuse };
}

const isTooLong = (text: string, max = maxTextLength) => [...text].length > max;

/** People who answer say who they are. */
export function whoErrors({ name, role }: Form): FieldError[] {
  const { errors, refuse } = errorList();
  if (name.length < 2 || name.length > maxNameLength) refuse('name', 'Enter your name');
  if (role.length < 2 || role.length > maxNameLength) refuse('role', 'Enter your role, such as duty manager');
  return errors;
}

const answers = ['accept', 'decline', 'confirm'];

export function answerFormErrors(
  form: Form,
  { referral, news }: Extract<LinkPageState, { state: 'open' }>,
): FieldError[] {
  const { answer, reason, explanation, news_read } = form;
  const { errors, refuse } = errorList();
  // To confirm that the message has arrived, nobody has to read the news.
  const mustRead = news !== undefined && (answer !== 'confirm' || referral.status !== 'requested');
  if (mustRead && news_read !== news)
    refuse('news_read', 'Read the news in the latest letter, or ring, and then tick that you did');
  if (!answers.includes(answer)) refuse('answer', 'Select what you want to do');
  if (answer === 'decline') {
    if (!reasons.some(({ value }) => value === reason)) refuse('reason', 'Select why you decline');
    if (explanation === '' && reasonsToExplain.includes(reason))
      refuse('explanation', 'Say what happened, in your own words');
    if (isTooLong(explanation)) refuse('explanation', 'Use 2,000 characters or fewer');
  }
  return [...errors, ...whoErrors(form)];
}

export function answerOf(
  { answer, reason, explanation, news_read: newsRead }: Form,
  version: number,
): Answer {
  if (answer === 'confirm') return { kind: 'confirm', newsRead };
  if (answer === 'accept') return { kind: 'accept', version, newsRead };
  const code = reasons.find(({ value }) => value === reason)!.value;
  return { kind: 'decline', version, newsRead, reason: { code, text: explanation || reasonWords[code] } };
}

export function codeErrors(form: Form): FieldError[] {
  const { errors, refuse } = errorList();
  const mistyped = whyNoCode(form.code);
  if (mistyped) refuse('code', mistyped);
  return [...errors, ...whoErrors(form)];
}

export function messageErrors(form: Form): FieldError[] {
  const { errors, refuse } = errorList();
  if (form.text === '') refuse('text', 'Write your message');
  if (isTooLong(form.text)) refuse('text', 'Use 2,000 characters or fewer');
  return [...errors, ...whoErrors(form)];
}

export function contactErrors(form: Form, reached: string, now: Date): FieldError[] {
  const { errors, refuse } = errorList();
  const { contact_kind, contact_at, contact_note } = form;
  const at = contact_at === '' ? now.toISOString() : momentFromField(contact_at);
  if (!contactKindCodes.some((each) => each === contact_kind)) refuse('contact_kind', 'Select how');
  else if (reached !== 'yes' && reached !== 'no') refuse('contact_kind', 'Press one of the two buttons');
  if (at === undefined)
    refuse('contact_at', 'When it was must be a date and time, like 24 November 2026 at 10:30');
  else if (new Date(at) > now) refuse('contact_at', 'When it was must not be in the future');
  if (isTooLong(contact_note)) refuse('contact_note', 'Use 2,000 characters or fewer');
  return [...errors, ...whoErrors(form)];
}

/** @param openedAt when the page was opened: a second click logs the same contact, which counts once */
export function contactOf(form: Form, reached: string, openedAt: string, now: Date): StepWithCode {
  const { contact_kind, contact_at, contact_note: note } = form;
  const contact = {
    kind: contact_kind as ContactKind,
    reached: reached === 'yes',
    at: momentFromField(contact_at) ?? momentOfOpening(openedAt, now).toISOString(),
    ...(note !== '' && { note }),
  };
  return { kind: 'contact', contact };
}

export function ringErrors(form: Form): FieldError[] {
  const { errors, refuse } = errorList();
  const digits = form.telephone.replaceAll(/\D/g, '').length;
  if (digits < 7 || isTooLong(form.telephone, 50))
    refuse('telephone', 'Enter a telephone number, like 01632 960 001');
  if (form.when === '' || isTooLong(form.when, 200))
    refuse('when', 'Enter a good time to ring, like weekdays from 9 to 12');
  return [...errors, ...whoErrors(form)];
}

export function claimErrors(form: Form): FieldError[] {
  const { errors, refuse } = errorList();
  if (!isMailAddress(form.email)) refuse('email', 'Enter your work email address, like name@example.org');
  return [...errors, ...whoErrors(form)];
}
