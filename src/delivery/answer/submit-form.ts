import { tooManyAttempts } from '../../accounts/index.ts';
import { readUntrimmedFields, successBanner, toFormErrors } from '../../platform/html/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { type FieldError, Problem, unprocessable, versionStale } from '../../platform/problem/index.ts';
import {
  actionsPossibleByLink,
  explainActionByLink,
  type ReferralDeps,
  readActionByLink,
} from '../../referrals/index.ts';
import {
  answerFormErrors,
  answerOf,
  claimErrors,
  codeErrors,
  contactErrors,
  contactOf,
  type Form,
  type FormErrors,
  labels,
  messageErrors,
  ringErrors,
  whoErrors,
} from './answer-forms.ts';
import { answerReferral, type OpenLink } from './answer-referral.ts';
import { claimAccount } from './claims/claim-account.ts';
import { closeVisits, enterCode, requestCode } from './enter-code.ts';
import { findSupportForm } from './support-forms.ts';
import { askToBeRung, endingActions, type StepWithCode, takeStep } from './take-step.ts';
import type { FormResult } from './usable-link.ts';
import type { Visitor } from './visits-store.ts';

export type AnswerDeps = WebPlatform & ReferralDeps;

/** What somebody sent from a form of the link's page. */
export type SentForm = {
  secret: string;
  /** Of the visit in this browser, if there is one. */
  token: string | undefined;
  values: Form;
  hidden: Record<'step' | 'version' | 'reached' | 'opened_at' | 'code_to', string>;
  body: unknown;
  who: { name: string; role: string; ipAddress: string };
};

/** What the page does with it. */
export type FormOutcome =
  /** `errorsOn`: the page that shows the errors, if it is not the form that was sent. */
  | { result: 'refused'; errors: FormErrors; values?: object; errorsOn?: 'code' }
  | { result: 'needs-code' }
  | { result: 'done'; message?: Done | undefined; next?: 'code'; visit?: { token: string } | 'closed' };

export const done = successBanner({
  accepted: 'You accepted the referral, and the referrer is told. Next: contact the person.',
  contact: 'The contact was logged.',
  message: 'Your message was sent. The referrer is told.',
  appointment: 'The appointment was booked.',
  'appointment-cancelled': 'The appointment was cancelled.',
  measure: 'The measure was added.',
  goals: 'The goals were saved, and the referrer is told.',
  file: 'The file was attached. The referrer can read it.',
  'file-unscanned':
    'The file was attached. The referrer can read it. It was not scanned for viruses: the scanner did not answer and is asked again later, or a password keeps it out.',
  ring: 'We asked the referrer to ring you.',
  claim:
    'We passed your request on to the people who run this site. If they grant it, you get an email with a link.',
  start: 'You started to support the person, and the referrer is told.',
  hold: 'The person is on your waiting list, and the referrer is told.',
  'change-wait': 'The waiting list was changed, and the referrer is told.',
  closed: 'You closed the referral in this browser. To open it again you need a new code.',
});
type Done = Parameters<(typeof done)['path']>[1];

/** @param form the name of the form's page: undefined for the first answer; for a step, its action */
export async function submitForm(
  deps: AnswerDeps,
  opened: OpenLink,
  form: string | undefined,
  sent: SentForm,
): Promise<FormOutcome> {
  if (sent.hidden.step === 'close') return submitClosing(deps, sent);
  if (sent.hidden.step === 'send-code') return submitCodeRequest(deps, sent);
  if (form === undefined) return submitAnswer(deps, opened, sent);
  if (form === 'code') return submitCode(deps, sent);
  if (form === 'ring') return submitRing(deps, sent);
  if (form === 'claim') return submitClaim(deps, opened, sent);
  if (!opened.visitor) return { result: 'needs-code' };
  if (form === 'contact') return submitContact(deps, sent);
  if (form === 'message') return submitMessage(deps, sent);
  if (form === 'cancel-appointment') return submitCancellation(deps, opened.visitor, sent);
  const support = findSupportForm(form);
  if (support) return submitSupportForm(deps, support, sent);
  return submitStep(deps, opened, form, sent);
}

async function submitClosing(deps: AnswerDeps, { secret, token, who }: SentForm): Promise<FormOutcome> {
  await closeVisits(deps, secret, { token, ipAddress: who.ipAddress });
  return { result: 'done', message: 'closed', visit: 'closed' };
}

async function submitCodeRequest(deps: AnswerDeps, { secret, hidden, who }: SentForm): Promise<FormOutcome> {
  const slowedDown = await unlessSlowedDown('/page', async () => {
    await requestCode(deps, secret, { chosen: hidden.code_to, ipAddress: who.ipAddress });
    return undefined;
  });
  return slowedDown ? { ...slowedDown, errorsOn: 'code' } : { result: 'done', next: 'code' };
}

async function submitAnswer(
  deps: AnswerDeps,
  opened: OpenLink,
  { secret, values, hidden, body, who }: SentForm,
): Promise<FormOutcome> {
  // Without this error, the next page would look as if the referral had been declined.
  if (values.answer === 'decline' && opened.referral.status !== 'requested')
    return refusedOutcome([{ pointer: '/page', message: acceptedBefore }]);
  const errors = answerFormErrors(values, opened);
  if (errors.length > 0) return refusedOutcome(errors);
  const answer = answerOf(values, Number(hidden.version));
  const message = answer.kind === 'accept' ? 'accepted' : undefined;
  return doOrExplain(body, message, () => answerReferral(deps, secret, answer, who));
}

const acceptedBefore =
  'Your service has accepted this referral already, so it was not declined. If you cannot help the person, ask the referrer to ring you';

async function submitCode(deps: AnswerDeps, { secret, token, values, who }: SentForm): Promise<FormOutcome> {
  const errors = codeErrors(values);
  if (errors.length > 0) return refusedOutcome(errors);
  const { ipAddress, ...visitor } = who;
  const entry = await unlessSlowedDown('/code', () =>
    enterCode(deps, secret, { typed: values.code, visitor, token, ipAddress }),
  );
  if (entry.result === 'refused') return entry;
  if (entry.result === 'wrong' || entry.result === 'expired') {
    const isLast = entry.result === 'wrong' && entry.attemptsLeft === 1;
    const message = isLast ? `${codeRefusals.wrong}. ${lastTry}` : codeRefusals[entry.result];
    return refusedOutcome([{ pointer: '/code', message }]);
  }
  if (entry.result === 'paused') return { result: 'done', next: 'code' };
  return { result: 'done', ...(entry.result === 'opened' && { visit: { token: entry.token } }) };
}

const codeRefusals = {
  wrong: 'The code is not right. Enter the 6 digits of the latest one that we sent',
  expired: 'There is no code that works now. Ask for a new one',
};
const lastTry = 'You have 1 try left. After that nobody can try for a while';

/** Runs `act`. If too many codes were sent to or entered for the service, its mailbox or its mobile, the form says so. */
async function unlessSlowedDown<Result>(pointer: string, act: () => Promise<Result>) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== tooManyAttempts) throw error;
    return refusedOutcome([{ pointer, message: `${error.kind.title}. ${error.detail}` }]);
  }
}

async function submitRing(deps: AnswerDeps, { secret, values, body, who }: SentForm): Promise<FormOutcome> {
  const errors = ringErrors(values);
  if (errors.length > 0) return refusedOutcome(errors);
  const { telephone, when } = values;
  return doOrExplain(body, 'ring', () => askToBeRung(deps, secret, { telephone, when }, who));
}

async function submitClaim(
  deps: AnswerDeps,
  opened: OpenLink,
  { values, body, who }: SentForm,
): Promise<FormOutcome> {
  const errors = claimErrors(values);
  if (errors.length > 0) return refusedOutcome(errors);
  return doOrExplain(body, 'claim', async () => {
    await claimAccount(deps, opened, values.email, who);
    return 'done';
  });
}

async function submitContact(
  deps: AnswerDeps,
  { secret, token, values, hidden, body, who }: SentForm,
): Promise<FormOutcome> {
  const now = deps.clock.now();
  const errors = contactErrors(values, hidden.reached, now);
  if (errors.length > 0) return refusedOutcome(errors);
  const contact = contactOf(values, hidden.reached, hidden.opened_at, now);
  const act = () => takeStep(deps, secret, contact, { ...who, token });
  return doOrExplain(body, 'contact', act, (error) => {
    const wrong = error instanceof Problem && error.errors?.find(({ pointer }) => pointer === '/at');
    if (!wrong) return explainActionByLink(error, body);
    const message = `When it was ${wrong.message}`;
    return { values, errors: formErrorsOf([{ pointer: '/contact_at', message }]) };
  });
}

async function submitMessage(
  deps: AnswerDeps,
  { secret, token, values, body, who }: SentForm,
): Promise<FormOutcome> {
  const errors = messageErrors(values);
  if (errors.length > 0) return refusedOutcome(errors);
  const message = { kind: 'message', text: values.text } as const;
  return doOrExplain(body, 'message', () => takeStep(deps, secret, message, { ...who, token }));
}

async function submitCancellation(
  deps: AnswerDeps,
  visitor: Visitor,
  { secret, token, body, who }: SentForm,
): Promise<FormOutcome> {
  const { appointment_id: appointmentId = '' } = readUntrimmedFields(body, ['appointment_id']);
  const by = { ...visitor, ipAddress: who.ipAddress, token };
  const step = { kind: 'cancel-appointment', appointmentId } as const;
  return doOrExplain(body, 'appointment-cancelled', () => takeStep(deps, secret, step, by));
}

async function submitSupportForm(
  deps: AnswerDeps,
  { name, form }: NonNullable<ReturnType<typeof findSupportForm>>,
  { secret, token, values, hidden, body, who }: SentForm,
): Promise<FormOutcome> {
  const typed = readUntrimmedFields(body, Object.keys(body as object));
  const { version, opened_at: openedAt } = hidden;
  const now = deps.clock.now();
  const read = form.read({ values: typed, version: Number(version), openedAt, now });
  const errorsAboutWho = formErrorsOf(whoErrors(values));
  if ('errors' in read) return { result: 'refused', errors: joinErrors(read.errors, errorsAboutWho) };
  if (errorsAboutWho.summary.length > 0) return { result: 'refused', errors: errorsAboutWho };
  const explain = (error: unknown) =>
    error instanceof Problem && error.kind === unprocessable && error.errors?.[0]
      ? { values: typed, errors: form.explain(typed, error.errors[0]) }
      : undefined;
  return doOrExplain(body, name, () => takeStep(deps, secret, read.step, { ...who, token }), explain);
}

async function submitStep(
  deps: AnswerDeps,
  { referral, news }: OpenLink,
  form: string,
  { secret, token, values, hidden, body, who }: SentForm,
): Promise<FormOutcome> {
  const possible = actionsPossibleByLink(referral).find(({ action }) => action === form);
  if (!possible) return { result: 'done' };
  const { action } = possible;
  const read = readActionByLink(action, body, deps.clock.now());
  const errorsAboutWho = formErrorsOf(whoErrors(values));
  if ('errors' in read)
    return { result: 'refused', errors: joinErrors(read.errors, errorsAboutWho), values: read.values };
  if (errorsAboutWho.summary.length > 0) return { result: 'refused', errors: errorsAboutWho };
  const ends = endingActions.includes(action);
  if (ends && news !== undefined) return refusedOutcome([{ pointer: '/page', message: unreadNews }]);
  const version = Number(hidden.version);
  const step: StepWithCode = { kind: 'action', action, version, ...read };
  const message = ends ? undefined : (action as Done);
  return doOrExplain(body, message, () => takeStep(deps, secret, step, { ...who, token }));
}

const unreadNews =
  'There is news that nobody of your service has read. Go back to the referral, read it, and confirm that you did';

/** Runs `act`, or explains in the form why it was refused. The next page says `message` only if it was done now. */
async function doOrExplain(
  body: unknown,
  message: Done | undefined,
  act: () => Promise<FormResult>,
  explain: (
    error: unknown,
    body: unknown,
  ) => { values: object; errors: FormErrors } | undefined = explainActionByLink,
): Promise<FormOutcome> {
  try {
    return { result: 'done', message: (await act()) === 'done' ? message : undefined };
  } catch (error) {
    const explanation = explain(error, body);
    if (explanation) return { result: 'refused', ...explanation };
    if (!(error instanceof Problem) || error.kind !== versionStale) throw error;
    return refusedOutcome([{ pointer: '/page', message: hasChanged }]);
  }
}

const hasChanged =
  'The referral has changed since you opened this page. Read the latest email, then answer again';

const refusedOutcome = (errors: readonly FieldError[]): FormOutcome & { result: 'refused' } => ({
  result: 'refused',
  errors: formErrorsOf(errors),
});

const noErrors: FormErrors = { summary: [], fields: {} };
export const formErrorsOf = (errors: readonly FieldError[]): FormErrors =>
  errors.length === 0
    ? noErrors
    : toFormErrors(labels, new Problem(unprocessable, undefined, { errors: [...errors] }));
const joinErrors = (one: FormErrors, other: FormErrors): FormErrors => ({
  summary: [...one.summary, ...other.summary],
  fields: { ...one.fields, ...other.fields },
});
