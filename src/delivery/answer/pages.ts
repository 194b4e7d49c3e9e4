import { Type } from 'typebox';
import { recordRefusalOncePerMinute, strangerAt } from '../../audit/index.ts';
import { readFields, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, anyone, page, type Reply, type Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import {
  type FieldError,
  notFound,
  Problem,
  unprocessable,
  versionStale,
} from '../../platform/problem/index.ts';
import { type ReferralDeps, reasonsOffered, reasonWords, statusInWords } from '../../referrals/index.ts';
import { type Answer, answerReferral, type OpenedLink, openLink } from './answer-referral.ts';
import { personInShort } from './person-in-short.ts';

const fields = ['name', 'role', 'answer', 'reason', 'explanation', 'version', 'news_read'] as const;
type Form = Record<(typeof fields)[number], string>;

/** The form's own messages are whole sentences, so they need no labels. In the order of the page. */
const labels = { news_read: '', answer: '', reason: '', explanation: '', name: '', role: '' };

const reasons = (reasonsOffered.provider.reject ?? []).map((code) => ({
  value: code,
  text: reasonWords[code],
}));

/**
 * The page of the link in an email to a service. Opening it changes nothing, because virus scanners open every link: a person must
 * press the button. A link that was guessed and one that has ended get the same page.
 */
export function answerPages(app: App, deps: WebPlatform & ReferralDeps): void {
  const config = page(anyone, { countsAsCall: true, secretInAddress: true });
  const params = Type.Object({ secret: Type.String({ maxLength: 200 }) });
  const path = '/answer/:secret';
  app.get(path, { config, schema: { hide: true, params } }, async (request, reply) => {
    const { secret } = request.params;
    return show(deps, request, reply, await openLink(deps, secret));
  });

  app.post(path, { config, schema: { hide: true, params, body: anyForm } }, async (request, reply) => {
    const { secret } = request.params;
    const opened = await openLink(deps, secret);
    if (opened.state !== 'open') return show(deps, request, reply, opened);
    const values = readFields(request.body, fields);
    const errors = formErrors(values, opened);
    if (errors.length > 0) return show(deps, request, reply, opened, { values, errors });
    const { name, role } = values;
    try {
      await answerReferral(deps, secret, answerOf(values), { name, role, ipAddress: request.ip });
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== versionStale) throw error;
      const message =
        'The referral has changed since you opened this page. Read the latest email, then answer again';
      const now = await openLink(deps, secret);
      return show(deps, request, reply, now, { values, errors: [{ pointer: '/answer', message }] });
    }
    return reply.redirect(`/answer/${encodeURIComponent(secret)}`, 303);
  });
}

type Refused = { values: Form; errors: FieldError[] };

async function show(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  opened: OpenedLink,
  refused?: Refused,
): Promise<Reply> {
  if (opened.state === 'closed') {
    await recordRefusalOncePerMinute(deps, { actor: strangerAt(request.ip), action: 'answer-link.opened' });
    reply.code(notFound.status);
  }
  if (opened.state !== 'open')
    return deps.pages.send(request, reply, 'delivery/templates/answer-ended.njk', { state: opened.state });
  const { referral, toConfirm, news, telephone } = opened;
  const { reference, urgency, status, version, service, requested_at, due_at, next_date, seenByName } =
    referral;
  if (refused) reply.code(unprocessable.status);
  return deps.pages.send(request, reply, 'delivery/templates/answer.njk', {
    referral: { reference, urgency, version, requestedAt: requested_at, dueAt: due_at, nextDate: next_date },
    service: service.name,
    person: personInShort(referral.content, deps.clock.now()),
    status: { ...statusInWords(status, referral.status_reason), code: status },
    seenByName,
    toConfirm,
    news,
    referrer: { ...referral.content.referrer, telephone },
    toAnswer: status === 'requested',
    reasons,
    values: refused?.values ?? {},
    errors:
      refused && toFormErrors(labels, new Problem(unprocessable, undefined, { errors: refused.errors })),
  });
}

const answers = ['accept', 'decline', 'confirm'];
const maxNameLength = 100;

function formErrors(
  { name, role, answer, reason, explanation, news_read }: Form,
  { referral, news }: Extract<OpenedLink, { state: 'open' }>,
): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (field: keyof Form, message: string) => errors.push({ pointer: `/${field}`, message });
  // Who only confirms that the message has arrived may read the news later.
  const mustRead = news !== undefined && (answer !== 'confirm' || referral.status !== 'requested');
  if (mustRead && news_read !== news)
    refuse('news_read', 'Read the news in the latest letter, or ring, and then tick that you did');
  if (!answers.includes(answer)) refuse('answer', 'Select what you want to do');
  if (answer === 'decline') {
    if (!reasons.some(({ value }) => value === reason)) refuse('reason', 'Select why you decline');
    if (explanation === '') refuse('explanation', 'Explain the reason to the referrer');
    if ([...explanation].length > 2000) refuse('explanation', 'Use 2,000 characters or fewer');
  }
  if (name.length < 2 || name.length > maxNameLength) refuse('name', 'Enter your name');
  if (role.length < 2 || role.length > maxNameLength) refuse('role', 'Enter your role, such as duty manager');
  return errors;
}

function answerOf({ answer, reason, explanation, version, news_read: newsRead }: Form): Answer {
  if (answer === 'confirm') return { kind: 'confirm', newsRead };
  if (answer === 'accept') return { kind: 'accept', version: Number(version), newsRead };
  const code = reasons.find(({ value }) => value === reason)!.value;
  return { kind: 'decline', version: Number(version), newsRead, reason: { code, text: explanation } };
}
