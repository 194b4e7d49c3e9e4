import { Type } from 'typebox';
import { hostCookie } from '../../accounts/index.ts';
import { anonymousActor, recordRefusalOncePerMinute } from '../../audit/index.ts';
import { type FormErrors, readFields, sendClosedForCheck, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, anyone, page, type Reply, type Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { findRestoreCheck } from '../../platform/restore-check/index.ts';
import { whyNoCode } from '../../platform/secrets/index.ts';
import {
  notSaid,
  type QuestionnaireCode,
  questionNames,
  questionnaireCodes,
  questionnaireOf,
} from '../model/after-acceptance/questionnaires.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { type PersonAnswer, visitMs } from '../model/person-page/person-page.ts';
import {
  findOpenWishToStop,
  isLackOfHelpOpen,
  lastSaid,
  listPersonAnswers,
} from '../model/person-page/person-pages-store.ts';
import { wrongState } from '../model/problems.ts';
import type { Referral } from '../model/referral.ts';
import { answerAsPerson, canAskToStop, canSayWhetherHelped } from './answer-as-person.ts';
import { answerQuestionnaire, listQuestionnairesDue, questionnaireState } from './answer-questionnaire.ts';
import { describeForPerson, promiseToContact } from './describe-for-person.ts';
import { enterPageCode, leavePersonPage, openPersonPage, requestPageCode } from './enter-code.ts';

type Deps = ReferralDeps & WebPlatform;
type PageRequest = Request & { params: { secret: string } };

/** The cookie of an open page. It ends by itself, because others may use the same telephone. */
const visitCookie = hostCookie('onward-my', visitMs);

const template = (name: string) => `referrals/person-page/templates/${name}.njk`;

/**
 * The person’s own page. Opening the link changes nothing, because mail scanners open every link, and shows only that there is a message.
 * “Leave this page” leads to a page that anybody may have open.
 */
export function personPages(app: App, deps: Deps): void {
  const config = page(anyone, { countsAsCall: true, secretInAddress: true });
  const params = Type.Object({ secret: Type.String({ maxLength: 200 }) });
  const schema = { hide: true, params } as const;
  const path = '/my/:secret';

  app.get(path, { config, schema }, async (request, reply) =>
    (await findRestoreCheck(deps.db))
      ? sendClosedForCheck(deps, request, reply, template('shut'))
      : show(deps, request, reply),
  );

  // Every form goes to the address of the page, so that no page holds the secret.
  app.post(path, { config, schema: { ...schema, body: anyForm } }, (request, reply) =>
    takeStep(deps, request, reply),
  );
}

const tokenOf = ({ settings }: Deps, request: Request) => visitCookie.read(request, settings);

/** Does what the pressed button says. Questionnaire answers come back with every form, so that nobody has to answer twice. */
async function takeStep(deps: Deps, request: PageRequest, reply: Reply): Promise<unknown> {
  const { secret } = request.params;
  const { step, code } = readFields(request.body, ['step', 'code']);
  const answers = readQuestionnaire(request.body);
  if (step === 'leave') return leave(deps, request, reply);
  if (await findRestoreCheck(deps.db)) return sendClosedForCheck(deps, request, reply, template('shut'));
  if (step === 'ask' && answers) return show(deps, request, reply, { answers });
  if (step === 'answers' && answers) return saveAnswers(deps, request, reply, answers);
  if (step === 'code') {
    await requestPageCode(deps, secret);
    if (answers) return show(deps, request, reply, { answers });
  }
  if (step === 'open') {
    const mistyped = whyNoCode(code);
    if (mistyped) return show(deps, request, reply, { error: mistyped, answers });
    const entered = await enterPageCode(deps, secret, { typed: code, ipAddress: request.ip });
    if (entered.result === 'wrong' || entered.result === 'expired')
      return show(deps, request, reply, { error: codeErrors[entered.result], answers });
    if (entered.result === 'opened') {
      visitCookie.set(reply, deps.settings, entered.token);
      if (answers) return show(deps, request, reply, { answers, token: entered.token });
    }
  }
  const answer = personAnswersOf[step];
  if (answer)
    await answerAsPerson(deps, secret, { token: tokenOf(deps, request), answer, ipAddress: request.ip });
  return reply.redirect(`/my/${encodeURIComponent(secret)}`, 303);
}

async function leave(deps: Deps, request: PageRequest, reply: Reply): Promise<Reply> {
  await leavePersonPage(deps, tokenOf(deps, request));
  visitCookie.clear(reply, deps.settings);
  // The content security policy blocks a redirect to another site after a form.
  reply.header('refresh', `0; url=${elsewhere}`);
  return deps.pages.send(request, reply, template('left'), { elsewhere });
}

/** Answers that cannot be stored are shown again, with what is missing. */
async function saveAnswers(deps: Deps, request: PageRequest, reply: Reply, answers: Answers): Promise<Reply> {
  const { secret } = request.params;
  const submission = { ...answers, token: tokenOf(deps, request), ipAddress: request.ip };
  const saved = await answerQuestionnaire(deps, secret, submission);
  if (saved.result === 'stored') return reply.redirect(`/my/${encodeURIComponent(secret)}`, 303);
  if (saved.result === 'closed' || saved.result === 'not-asked')
    return show(deps, request, reply, { answers });
  const labels = Object.fromEntries(questionNames(answers.which).map((name) => [name, '']));
  const errors = toFormErrors(labels, new Problem(unprocessable, undefined, { errors: saved.errors }));
  return show(deps, request, reply.code(unprocessable.status), { answers, errors });
}

/** Shows what the link opens for this browser: that it is closed, that there is a message, or the page. */
async function show(
  deps: Deps,
  request: PageRequest,
  reply: Reply,
  { error, answers, errors, token = tokenOf(deps, request) }: PageValues = {},
): Promise<Reply> {
  const opened = await openPersonPage(deps, request.params.secret, token);
  if (opened.state === 'closed') {
    const actor = anonymousActor(request.ip);
    await recordRefusalOncePerMinute(deps, { actor, action: 'person_page.link_refused' });
    const notSent = Boolean(answers);
    return deps.pages.send(request, reply.code(notFound.status), template('closed'), { notSent });
  }
  if (opened.state === 'message') {
    if (error !== undefined) reply.code(unprocessable.status);
    const unsentAnswers = answers && { which: answers.which, ...answers.values };
    return deps.pages.send(request, reply, template('message'), {
      canLeave: true,
      ...opened,
      error,
      kept: unsentAnswers,
    });
  }
  return showOpened(deps, request, reply, opened.referral, { answers, errors });
}

/** Shows the page itself, one of its questionnaires, or that the questionnaire they answered is no longer due. */
async function showOpened(
  deps: Deps,
  request: PageRequest,
  reply: Reply,
  referral: Referral,
  { answers, errors }: Pick<PageValues, 'answers' | 'errors'>,
): Promise<Reply> {
  const { operatorContact } = deps.settings;
  const send = (name: string, context: object) =>
    deps.pages.send(request, reply, template(name), { canLeave: true, ...context });
  const questionnairesDue = await listQuestionnairesDue(deps.db, deps, referral);
  const isAsked = questionnairesDue.some(({ code }) => code === answers?.which);
  const answered = answers && !isAsked ? answersInWords(answers) : [];
  if (answered.length > 0) {
    const { toRing } = await describeForPerson(deps, referral);
    reply.code(wrongState.status);
    return send('not-sent', { answered, toRing, operatorContact });
  }
  if (answers && isAsked) {
    const questionnaire = questionnaireOf(answers.which);
    return send('questionnaire', { ...answers, questionnaire, notSaid, errors });
  }
  const personAnswers = (await listPersonAnswers(deps.db, [referral.id])).get(referral.id) ?? [];
  const { ofHelp, toStop } = lastSaid(personAnswers);
  const described = await describeForPerson(deps, referral);
  return send('page', {
    ...described,
    ...questionnaireState(referral, deps.clock.now()),
    asked: questionnairesDue.map(({ code }) => ({ code, button: questionnaireOf(code).button })),
    operatorContact,
    canStop: canAskToStop(referral),
    canSayWhetherHelped: canSayWhetherHelped(described),
    practiceIsTold: referral.gp_practice !== null && referral.content.consent.share_with_gp === true,
    hasAskedToStop: toStop !== undefined,
    wishToStopAt: await findOpenWishToStop(deps.db, referral.id),
    saidOfHelp: ofHelp?.answer,
    promise: await promiseToContact(deps, referral),
    isLackOfHelpOpen: await isLackOfHelpOpen(deps.db, referral.id),
  });
}

type Answers = { which: QuestionnaireCode; values: Record<string, string> };

type PageValues = {
  error?: string;
  /** A questionnaire with its answers, so that nobody has to answer twice. */
  answers?: Answers | undefined;
  errors?: FormErrors | undefined;
  /** Of the visit; that of the cookie if it is left out. */
  token?: string | undefined;
};

/** Which questionnaire a form is about, and its answers; undefined for the other forms. */
function readQuestionnaire(body: unknown): Answers | undefined {
  const { which } = readFields(body, ['which']);
  const code = questionnaireCodes.find((each) => each === which);
  return code && { which: code, values: readFields(body, questionNames(code)) };
}

/** What somebody answered, question by question, without those that they left out. */
function answersInWords({ which, values }: Answers): { question: string; answer: string }[] {
  return questionnaireOf(which).questions.flatMap(({ name, text, answers }) => {
    const answer = answers.find(({ value }) => String(value) === values[name]);
    return answer ? [{ question: text, answer: answer.text }] : [];
  });
}

/** A page that anybody may have open. */
const elsewhere = 'https://www.bbc.co.uk/weather';

const personAnswersOf: Readonly<Record<string, PersonAnswer>> = {
  helped: 'got-help',
  'not-helped': 'did-not-get-help',
  stop: 'no-longer-wanted',
};

const codeErrors = {
  wrong: 'The code is not right. Enter the 6 digits of the latest one that we sent',
  expired: 'There is no code that works now. Get a new one',
};
