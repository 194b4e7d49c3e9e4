import { Type } from 'typebox';
import { hostCookie } from '../../accounts/index.ts';
import { recordRefusalOncePerMinute, strangerAt } from '../../audit/index.ts';
import { readFields, readUntrimmedFields, successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, anyone, page, type Reply, type Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import {
  type FieldError,
  notFound,
  Problem,
  unprocessable,
  versionStale,
} from '../../platform/problem/index.ts';
import {
  contactKindItems,
  explainStepRefusal,
  type ReferralDeps,
  readAsService,
  readStepForm,
  statusInWords,
  stepsPossibleByLink,
  viewOfStep,
} from '../../referrals/index.ts';
import { composeLetter } from '../letter/compose-letter.ts';
import { answerReferral, type OpenedLink, openLink } from './answer-referral.ts';
import { claimAccount } from './claims/claim-account.ts';
import { closeVisits, enterCode, recordReading, requestCode, visitMs } from './enter-code.ts';
import {
  answerFormErrors,
  answerOf,
  claimErrors,
  codeErrors,
  contactErrors,
  contactOf,
  type Form,
  fields,
  labels,
  messageErrors,
  reasons,
  ringErrors,
  whoErrors,
} from './forms.ts';
import { personInShort } from './person-in-short.ts';
import { askToBeRung, endingSteps, type Step, takeStep } from './take-step.ts';

type Deps = WebPlatform & ReferralDeps;
type Open = OpenedLink & { state: 'open' };

/** One browser may open several referrals, each by a code of its own. */
const visitCookie = hostCookie('onward-answer', visitMs);

const done = successBanner({
  contact: 'The contact was logged.',
  message: 'Your message was sent. The referrer is told.',
  ring: 'We asked the referrer to ring you.',
  claim:
    'We passed your request on to the people who run this site. If they grant it, you get an email with a link.',
  start: 'You started to support the person, and the referrer is told.',
  hold: 'The person is on your waiting list, and the referrer is told.',
  'change-wait': 'The waiting list was changed, and the referrer is told.',
  closed: 'You closed the referral in this browser. To open it again you need a new code.',
});
type Done = Parameters<(typeof done)['path']>[1];

const template = (name: string) => `delivery/answer/templates/${name}.njk`;

/** The forms that have a page of their own. Those of `withoutCode` are for everybody who has the link. */
const withoutCode = ['code', 'ring', 'claim'];
const withCode = ['contact', 'message'];

/**
 * The page of the link in an email to a service. Opening it changes nothing, because virus scanners open every link: a person must
 * press the button. A link that was guessed and one that has ended get the same page. The forms have no address, so that no page holds
 * the secret.
 */
export function answerPages(app: App, deps: Deps): void {
  const config = page(anyone, { countsAsCall: true, secretInAddress: true });
  const params = Type.Object({ secret: Type.String({ maxLength: 200 }) });
  const querystring = Type.Object({
    do: Type.Optional(Type.String({ maxLength: 20 })),
    done: done.query,
  });
  const schema = { hide: true, params, querystring } as const;
  const path = '/answer/:secret';
  const tokenOf = (request: Request) => visitCookie.read(request, deps.settings);
  const open = (request: Request, secret: string) => openLink(deps, secret, tokenOf(request));

  app.get(path, { config, schema }, async (request, reply) => {
    const { do: form, done: code } = request.query;
    const opened = await open(request, request.params.secret);
    return show(deps, request, reply, opened, { form, done: done.words(code) });
  });

  app.post(path, { config, schema: { ...schema, body: anyForm } }, async (request, reply) => {
    const { secret } = request.params;
    const form = request.query.do;
    const opened = await open(request, secret);
    if (opened.state !== 'open') return show(deps, request, reply, opened);
    const token = tokenOf(request);
    const values = readFields(request.body, fields);
    const { step, version, reached, opened_at } = readUntrimmedFields(request.body, [
      'step',
      'version',
      'reached',
      'opened_at',
    ]);
    const typed = readUntrimmedFields(request.body, Object.keys(request.body as object));
    const who = { name: values.name, role: values.role, ipAddress: request.ip };
    const now = deps.clock.now();
    const back = (code?: Done) => {
      const here = `/answer/${encodeURIComponent(secret)}`;
      return reply.redirect(code ? done.path(here, code) : here, 303);
    };
    const refuse = (errors: readonly FieldError[]) => showErrors(formErrorsOf(errors));
    const showErrors = async (errors: FormErrors, more: object = {}) =>
      show(deps, request, reply, await open(request, secret), {
        form,
        refused: { values: { ...typed, ...values, ...more }, errors },
      });

    /** Takes a step, or shows why it was refused. */
    async function take(code: Done | undefined, act: () => Promise<unknown>): Promise<Reply> {
      try {
        await act();
      } catch (error) {
        const explained = explainStepRefusal(error, request.body);
        if (explained) return showErrors(explained.errors, explained.values);
        if (!(error instanceof Problem) || error.kind !== versionStale) throw error;
        const message =
          'The referral has changed since you opened this page. Read the latest email, then answer again';
        return refuse([{ pointer: '/page', message }]);
      }
      return back(code);
    }

    if (step === 'close') {
      await closeVisits(deps, secret, { token, ipAddress: request.ip });
      visitCookie.clear(reply, deps.settings);
      return back('closed');
    }
    if (step === 'send-code') {
      await requestCode(deps, secret, request.ip);
      return reply.redirect(`/answer/${encodeURIComponent(secret)}?do=code`, 303);
    }
    if (form === undefined) {
      const errors = answerFormErrors(values, opened);
      if (errors.length > 0) return refuse(errors);
      const answer = answerOf(values, Number(version));
      return take(undefined, () => answerReferral(deps, secret, answer, who));
    }
    if (form === 'code') {
      const errors = codeErrors(values);
      if (errors.length > 0) return refuse(errors);
      const { ipAddress, ...visitor } = who;
      const entry = await enterCode(deps, secret, { typed: values.code, visitor, token, ipAddress });
      if (entry.result === 'wrong' || entry.result === 'expired')
        return refuse([{ pointer: '/code', message: codeRefusals[entry.result] }]);
      if (entry.result === 'opened') visitCookie.set(reply, deps.settings, entry.token);
      return entry.result === 'paused'
        ? reply.redirect(`/answer/${encodeURIComponent(secret)}?do=code`, 303)
        : back();
    }
    if (form === 'ring') {
      const errors = ringErrors(values);
      if (errors.length > 0) return refuse(errors);
      const { telephone, when } = values;
      return take('ring', () => askToBeRung(deps, secret, { telephone, when }, who));
    }
    if (form === 'claim') {
      const errors = claimErrors(values);
      if (errors.length > 0) return refuse(errors);
      return take('claim', () => claimAccount(deps, opened, values.email, who));
    }
    if (!opened.visitor) return show(deps, request, reply, opened, { form });
    if (form === 'contact') {
      const errors = contactErrors(values, reached, now);
      if (errors.length > 0) return refuse(errors);
      const contact = contactOf(values, reached, opened_at, now);
      return take('contact', () => takeStep(deps, secret, contact, { ...who, token }));
    }
    if (form === 'message') {
      const errors = messageErrors(values);
      if (errors.length > 0) return refuse(errors);
      const message = { kind: 'message', text: values.text } as const;
      return take('message', () => takeStep(deps, secret, message, { ...who, token }));
    }
    const possible = stepsPossibleByLink(opened.referral).find(({ action }) => action === form);
    if (!possible) return back();
    const { action } = possible;
    const read = readStepForm(action, request.body, now);
    const whoIsWrong = formErrorsOf(whoErrors(values));
    if ('errors' in read) return showErrors(joinErrors(read.errors, whoIsWrong), read.values);
    if (whoIsWrong.summary.length > 0) return showErrors(whoIsWrong);
    if (endingSteps.includes(action) && opened.news !== undefined)
      return refuse([{ pointer: '/page', message: unreadNews }]);
    const taken: Step = { kind: 'action', action, body: read.body, version: Number(version) };
    const words = endingSteps.includes(action) ? undefined : (action as Done);
    return take(words, () => takeStep(deps, secret, taken, { ...who, token }));
  });
}

const unreadNews =
  'There is news that nobody of your service has read. Go back to the referral, read it, and confirm that you did';

const codeRefusals = {
  wrong: 'The code is not right. Enter the 6 numbers of the newest email',
  expired: 'There is no code that works now. Ask for a new one',
};

/** The forms of steps come from another room, and leave out the fields without an error. */
type FormErrors = {
  summary: readonly { text: string; href?: string }[];
  fields: Readonly<Record<string, { text: string } | undefined>>;
};

const noErrors: FormErrors = { summary: [], fields: {} };
const formErrorsOf = (errors: readonly FieldError[]): FormErrors =>
  errors.length === 0
    ? noErrors
    : toFormErrors(labels, new Problem(unprocessable, undefined, { errors: [...errors] }));
const joinErrors = (one: FormErrors, other: FormErrors): FormErrors => ({
  summary: [...one.summary, ...other.summary],
  fields: { ...one.fields, ...other.fields },
});

type Shown = {
  /** Which form has a page of its own now. */
  form?: string | undefined;
  done?: string | undefined;
  refused?: { values: Partial<Form> & Record<string, string>; errors: FormErrors };
};

async function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  opened: OpenedLink,
  shown: Shown = {},
): Promise<Reply> {
  if (opened.state === 'closed') {
    await recordRefusalOncePerMinute(deps, { actor: strangerAt(request.ip), action: 'answer-link.opened' });
    reply.code(notFound.status);
  }
  if (opened.state !== 'open') return deps.pages.send(request, reply, template('answer-ended'), opened);
  const { form, refused } = shown;
  if (refused) reply.code(unprocessable.status);
  const { referral, visitor, code } = opened;
  const common = {
    ...inShort(opened, deps.clock.now()),
    visitor,
    code,
    done: shown.done,
    values: { ...visitor, ...refused?.values },
    errors: refused?.errors,
  };
  const steps = stepsPossibleByLink(referral);
  const needsCode = form !== undefined && !withoutCode.includes(form);
  if (needsCode && !visitor && code.isPossible)
    return deps.pages.send(request, reply, template('answer-code'), { ...common, isAskedFirst: true });
  if (form === 'code' && code.isPossible)
    return deps.pages.send(request, reply, template('answer-code'), common);
  if (form === 'ring' || form === 'claim')
    return deps.pages.send(request, reply, template(`answer-${form}`), common);
  if (visitor && form !== undefined && withCode.includes(form))
    return deps.pages.send(request, reply, template('answer-step'), {
      ...common,
      form,
      contactKinds: contactKindItems,
      openedAt: deps.clock.now().toISOString(),
    });
  const step = visitor && steps.find(({ action }) => action === form);
  if (step)
    return deps.pages.send(request, reply, template('answer-step'), {
      ...common,
      form: 'action',
      step: viewOfStep(step.action, referral, refused?.values as never),
      ...(refused && { errors: refused.errors }),
    });
  if (!visitor) return deps.pages.send(request, reply, template('answer'), common);
  await recordReading(deps.db, opened, { visitor, ipAddress: request.ip, at: deps.clock.now() });
  return deps.pages.send(request, reply, template('answer-whole'), {
    ...common,
    ...(await whole(deps, opened)),
    steps,
  });
}

/** What everybody who has the link sees. */
function inShort({ referral, toConfirm, news, telephone }: Open, now: Date) {
  const { reference, urgency, status, version, service, requested_at, due_at, next_date, seenByName } =
    referral;
  return {
    referral: { reference, urgency, version, requestedAt: requested_at, dueAt: due_at, nextDate: next_date },
    service: service.name,
    person: personInShort(referral.content, now),
    status: { ...statusInWords(status, referral.status_reason), code: status },
    seenByName,
    toConfirm,
    news,
    referrer: { ...referral.content.referrer, telephone },
    toAnswer: status === 'requested',
    reasons,
  };
}

/** What a code opens: what the letter to the service says, with what happened since. */
async function whole({ db, settings, clock }: Deps, { referral }: Open) {
  const { patient } = referral.content;
  const { letter } = composeLetter(referral, {
    site: settings,
    leg: 'service',
    purpose: 'referral',
    recipient: referral.service,
    date: clock.now(),
    test: referral.simulated,
  });
  return {
    personName: `${patient.given_name} ${patient.family_name}`,
    // Nobody needs the code of the letter here.
    sections: letter.sections.filter(({ heading }) => !heading.startsWith('SNOMED')),
    ...(await readAsService(db, referral)),
  };
}
