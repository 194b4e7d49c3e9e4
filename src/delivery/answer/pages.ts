import { Type } from 'typebox';
import { hostCookie } from '../../accounts/index.ts';
import { anonymousActor, recordRefusalOncePerMinute } from '../../audit/index.ts';
import { readDistrict, readPostcode } from '../../library/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { upperFirst } from '../../platform/first-letter.ts';
import { readFields, readUntrimmedFields, sendClosedForCheck } from '../../platform/html/index.ts';
import { type App, anyForm, anyone, page, type Reply, type Request } from '../../platform/http/index.ts';
import { notFound, unprocessable } from '../../platform/problem/index.ts';
import { findRestoreCheck } from '../../platform/restore-check/index.ts';
import { sendsTexts } from '../../platform/texts/index.ts';
import type { Referral, ReferralStatus } from '../../referrals/index.ts';
import {
  actionsPossibleByLink,
  agreedContactKind,
  contactKindItems,
  listHistory,
  loadContactElsewhereForLetters,
  readByCode,
  riskHelp,
  statusInWords,
  viewOfActionByLink,
} from '../../referrals/index.ts';
import { composeLetter } from '../letter/compose-letter.ts';
import type { Fact, Section } from '../letter/letter.ts';
import { identityFacts } from '../letter/sections.ts';
import { ageInYears, yearsInWords } from '../letter/words.ts';
import { findNewsAndFiles } from '../model/letter-facts-store.ts';
import { type Form, type FormErrors, fields, reasons } from './answer-forms.ts';
import { type LinkPageState, type OpenLink, readLink } from './answer-referral.ts';
import { attachFilePages } from './attach-file.ts';
import { receiverInWords } from './code-receivers.ts';
import { recordReading, visitMs } from './enter-code.ts';
import { linkTelephones } from './link-telephones.ts';
import { type AnswerDeps, done, type SentForm, submitForm } from './submit-form.ts';
import { findSupportForm } from './support-forms.ts';
import type { Visitor } from './visits-store.ts';

/** One browser may open several referrals, each by a code of its own. */
const visitCookie = hostCookie('onward-answer', visitMs);

/** Who sent a form last in this browser: people ask for a code, answer and ask to be rung in one sitting. */
const nameCookie = hostCookie('onward-answer-name', hourMs);

const template = (name: string) => `delivery/answer/templates/${name}.njk`;

/** The forms for everybody who has the link. All others need a code. */
const withoutCode = ['code', 'ring', 'claim'];
/** The forms after a code whose fields are all in the template. */
const plainForms = ['contact', 'message'];

/**
 * The page of the link in an email to a service. Opening it changes nothing, because virus scanners open every link: a person must
 * press the button. A link that was guessed and one that has ended get the same page. The forms have no `action`: they go to the address
 * of their page, so that no page holds the secret.
 */
export function answerPages(app: App, deps: AnswerDeps): void {
  const config = page(anyone, { countsAsCall: true, secretInAddress: true, refusesPrefetch: true });
  const params = Type.Object({ secret: Type.String({ maxLength: 200 }) });
  const querystring = Type.Object({
    do: Type.Optional(Type.String({ maxLength: 20 })),
    done: done.query,
  });
  const schema = { hide: true, params, querystring } as const;
  const path = '/answer/:secret';
  const tokenOf = (request: Request) => visitCookie.read(request, deps.settings);
  const open = async (request: Request, secret: string): Promise<LinkPageState> =>
    (await findRestoreCheck(deps.db)) ? { state: 'closed' } : readLink(deps, secret, tokenOf(request));

  app.get(path, { config, schema }, async (request, reply) => {
    if (await findRestoreCheck(deps.db))
      return sendClosedForCheck(deps, request, reply, template('answer-shut'));
    const { do: formName, done: banner } = request.query;
    const { secret } = request.params;
    const opened = await open(request, secret);
    // A page of its own, because its form sends a file.
    if (formName === 'file' && opened.state === 'open' && opened.visitor)
      return reply.redirect(`${addressOf(secret)}/file`, 303);
    return show(deps, request, reply, opened, { formName, done: done.words(banner) });
  });

  app.post(path, { config, schema: { ...schema, body: anyForm } }, async (request, reply) => {
    if (await findRestoreCheck(deps.db))
      return sendClosedForCheck(deps, request, reply, template('answer-shut'));
    const { secret } = request.params;
    const formName = request.query.do;
    const opened = await open(request, secret);
    if (opened.state === 'ended') {
      const { answer } = readFields(request.body, ['answer']);
      const isSame = endings[formName ?? answer] === opened.as;
      return show(deps, request, reply, isSame ? opened : { ...opened, isNotRecorded: true });
    }
    if (opened.state !== 'open') return show(deps, request, reply, opened);
    const sent = readForm(request, secret, tokenOf(request));
    const outcome = await submitForm(deps, opened, formName, sent);
    if (outcome.result === 'needs-code') return show(deps, request, reply, opened, { formName });
    if (outcome.result === 'refused') {
      const typed = readUntrimmedFields(request.body, Object.keys(request.body as object));
      const values = { ...typed, ...sent.values, ...outcome.values };
      const refused = { values, errors: outcome.errors };
      const filledForm = { formName: outcome.errorsOn ?? formName, refused };
      return show(deps, request, reply, await open(request, secret), filledForm);
    }
    const { message, next, visit } = outcome;
    if (visit === 'closed') visitCookie.clear(reply, deps.settings);
    else if (visit) visitCookie.set(reply, deps.settings, visit.token);
    const { name, role } = sent.who;
    if (!opened.visitor && !visit && name && role) nameCookie.set(reply, deps.settings, `${name}\n${role}`);
    const here = addressOf(secret);
    if (next) return reply.redirect(`${here}?do=${next}`, 303);
    return reply.redirect(message ? done.path(here, message) : here, 303);
  });

  const summaryOf = (opened: OpenLink) => summaryForHolder(opened, deps.clock.now());
  attachFilePages(app, deps, { config, params, path: addressOf, open, tokenOf, summaryOf });
}

/** The status that a referral gets by each form that ends it. */
const endings: Readonly<Record<string, ReferralStatus>> = {
  decline: 'rejected',
  reject: 'rejected',
  complete: 'completed',
  fail: 'failed',
};

const addressOf = (secret: string) => `/answer/${encodeURIComponent(secret)}`;

function readForm({ body, ip }: Request, secret: string, token: string | undefined): SentForm {
  const values = readFields(body, fields);
  const hidden = readUntrimmedFields(body, ['step', 'version', 'reached', 'opened_at', 'code_to']);
  return {
    secret,
    token,
    values,
    hidden,
    body,
    who: { name: values.name, role: values.role, ipAddress: ip },
  };
}

type PageValues = {
  /** Which form has a page of its own now. */
  formName?: string | undefined;
  done?: string | undefined;
  refused?: { values: Partial<Form> & Record<string, string>; errors: FormErrors };
};

async function show(
  deps: AnswerDeps,
  request: Request,
  reply: Reply,
  opened: LinkPageState,
  shown: PageValues = {},
): Promise<Reply> {
  if (opened.state === 'closed') {
    await recordRefusalOncePerMinute(deps, {
      actor: anonymousActor(request.ip),
      action: 'answer-link.opened',
    });
    reply.code(notFound.status);
  }
  if (opened.state !== 'open')
    return deps.pages.send(request, reply, template('answer-ended'), { ...opened, done: shown.done });
  const { refused } = shown;
  if (refused) reply.code(unprocessable.status);
  const { visitor } = opened;
  const code = codeView(opened.code);
  const history = await listHistory(deps.db, opened.referral.id);
  const common = {
    ...summaryForHolder(opened, deps.clock.now()),
    visitor,
    code,
    sendsTexts: sendsTexts(deps.settings),
    acceptedBy: history.findLast(({ from, to }) => from === 'requested' && to === 'accepted')?.actorName,
    done: shown.done,
    values: { ...nameInBrowser(request, deps), ...visitor, ...refused?.values },
    errors: refused?.errors,
  };
  const form = formView(deps, opened, shown);
  if (form) return deps.pages.send(request, reply, template(form.template), { ...common, ...form.context });
  if (!visitor) return deps.pages.send(request, reply, template('answer'), common);
  await recordReading(deps.db, opened, { visitor, ipAddress: request.ip, at: deps.clock.now() });
  return deps.pages.send(request, reply, template('answer-whole'), {
    ...common,
    ...(await letterForVisitor(deps, opened, history)),
    steps: actionsPossibleByLink(opened.referral),
  });
}

function nameInBrowser(request: Request, { settings }: AnswerDeps): Partial<Visitor> {
  const [name = '', role = ''] = nameCookie.read(request, settings)?.split('\n') ?? [];
  return { name, role };
}

type View = { template: string; context: object };

/** The form that has a page of its own now, or the one that asks for a code first; undefined for the link’s own page. */
function formView(
  deps: AnswerDeps,
  { referral, visitor, code }: OpenLink,
  { formName, refused }: PageValues,
): View | undefined {
  if (formName === undefined) return undefined;
  const needsCode = !withoutCode.includes(formName);
  const isPossible = code.receivers.length > 0;
  if (needsCode && !visitor && isPossible)
    return { template: 'answer-code', context: { isAskedFirst: true } };
  if (formName === 'code' && isPossible) return { template: 'answer-code', context: {} };
  if (formName === 'ring' || formName === 'claim') return { template: `answer-${formName}`, context: {} };
  const context = visitor && stepView(deps, referral, formName, refused?.values);
  return context && { template: 'answer-step', context };
}

/** Where a code can go, for people who may only recognise it. */
function codeView({ receivers, sentTo, pausedUntil }: OpenLink['code']) {
  return {
    pausedUntil,
    sentTo: sentTo && { by: sentTo.by, words: receiverInWords(sentTo) },
    choices: receivers.map((each) => ({ value: each.by, text: upperFirst(receiverInWords(each)) })),
    onlyTo: receivers.length === 1 ? receiverInWords(receivers[0]!) : undefined,
    chosen: (sentTo ?? receivers[0])?.by,
  };
}

/** What the form of a step after the answer shows; undefined if there is no such step now. */
function stepView(
  deps: AnswerDeps,
  referral: Referral,
  form: string,
  typed: NonNullable<PageValues['refused']>['values'] | undefined,
): object | undefined {
  const openedAt = deps.clock.now().toISOString();
  if (plainForms.includes(form))
    return {
      form,
      contactKinds: contactKindItems,
      agreedKind: agreedContactKind(referral.content.contact?.channel),
      openedAt,
    };
  const support = findSupportForm(form);
  if (support) return { form: support.name, ...support.form.view(referral, typed), openedAt };
  const step = actionsPossibleByLink(referral).find(({ action }) => action === form);
  return (
    step && {
      form: 'action',
      step: viewOfActionByLink(deps, step.action, referral, typed as never),
    }
  );
}

/** What everybody who has the link sees. */
function summaryForHolder({ referral, needsConfirmation, news, telephone }: OpenLink, now: Date) {
  const { reference, urgency, status, version, service, requested_at, due_at, next_date, seenByName } =
    referral;
  return {
    referral: { reference, urgency, version, requestedAt: requested_at, dueAt: due_at, nextDate: next_date },
    service: service.name,
    person: personInShort(referral.content, now),
    status: { ...statusInWords(status, referral.status_reason), code: status },
    seenByName,
    needsConfirmation,
    news,
    referrer: { ...referral.content.referrer, telephone },
    needsAnswer: status === 'requested',
    reasons,
  };
}

/** Adds who the person is, which a letter says at the top of each page. */
function withIdentity(section: Section, patient: Referral['content']['patient'], now: Date): Section {
  const age = ` (${yearsInWords(patient.birth_date, now)})`;
  const identity = identityFacts(patient).map(
    ([label, value, ...weight]): Fact =>
      label === 'Date of birth' ? [label, `${value}${age}`] : [label, value, ...weight],
  );
  return { ...section, facts: [...identity, ...(section.facts ?? [])] };
}

/** The fixed words of a letter that say “patient”: pages say “person”. What somebody typed stays as it is. */
const wordsOfPage: Readonly<Record<string, string>> = {
  Patient: 'The person',
  'Before you contact the patient': 'Before you contact the person',
  'Do not contact the patient': 'Do not contact the person',
  'Patient’s telephone': 'Telephone',
  'Patient’s email': 'Email',
};
const inWordsOfPage = (words: string) => wordsOfPage[words] ?? words;

/** A section of the letter as the page shows it. */
function sectionOfPage({ heading, facts, paragraphs, ...section }: Section, telephone: string | null) {
  return {
    ...section,
    heading: inWordsOfPage(heading),
    paragraphs: paragraphs?.map((text) => linkTelephones(text, telephone)),
    facts: facts?.map(([label, value, weight]) => ({
      label: inWordsOfPage(label),
      parts: linkTelephones(value, telephone),
      isBold: weight === 'bold',
    })),
  };
}

/** What a code opens: the sections of the letter to the service, and what has happened since. */
async function letterForVisitor(
  { db, settings, clock }: AnswerDeps,
  { referral, telephone }: OpenLink,
  history: Awaited<ReturnType<typeof listHistory>>,
) {
  const { patient } = referral.content;
  const at = clock.now();
  const elsewhere = await loadContactElsewhereForLetters(db, [referral]);
  const { files } = await findNewsAndFiles(db, { id: referral.id, at });
  const { letter } = composeLetter(referral, {
    site: settings,
    leg: 'service',
    purpose: 'referral',
    receiver: referral.service,
    date: at,
    test: referral.simulated,
    contactElsewhere: elsewhere.get(referral.id) ?? [],
    // The page itself has the news, with the messages that somebody has read.
    news: [],
    files,
  });
  return {
    personName: `${patient.given_name} ${patient.family_name}`,
    sections: letter.sections.map((section) =>
      sectionOfPage(section.isPatient ? withIdentity(section, patient, at) : section, telephone),
    ),
    ...(await readByCode(db, referral, history)),
    crisisHelp: riskHelp(settings),
  };
}

/** What a link shows of the person without a code: it identifies the referral, but not the person. */
function personInShort({ patient }: Referral['content'], now: Date) {
  return {
    initials: `${initialOf(patient.given_name)}${initialOf(patient.family_name)}`,
    ageBand: ageBand(ageInYears(patient.birth_date, now)),
    district: districtOf(patient.address.postcode),
  };
}

const initialOf = (name: string) => [...name.trim()][0]?.toUpperCase() ?? '';

function ageBand(age: number): string {
  if (age < 16) return 'Under 16';
  if (age < 18) return '16 to 17';
  if (age < 25) return '18 to 24';
  if (age >= 85) return '85 or over';
  const first = age - ((age - 25) % 10);
  return `${first} to ${first + 9}`;
}

/** The first half of a postcode, such as HR4; undefined if it is not one. */
function districtOf(postcode: string): string | undefined {
  return readPostcode(postcode)?.district ?? readDistrict(postcode);
}
