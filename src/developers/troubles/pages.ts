import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { timeSpans } from '../../delivery/index.ts';
import {
  type FormErrors,
  readFields,
  readOneOf,
  successBanner,
  toFormErrors,
} from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { type FieldError, Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import type { TokenDeps } from '../../tokens/index.ts';
import { addTrouble, clearTroubles, listOwnTroubles, type TroubleInput } from './change-troubles.ts';
import { fastForwardAccount } from './fast-forward.ts';
import {
  defaultSeconds,
  maxCalls,
  maxSeconds,
  type Trouble,
  type TroubleKind,
  timedTroubles,
  troubleKinds,
  troubleWords,
} from './trouble.ts';

type Deps = TokenDeps & WebPlatform;

const path = '/apikeys/troubles';
const template = 'developers/templates/troubles.njk';
const config = page(signedIn());
const labels = { kind: '', operation_id: 'The operation', calls: '', retry_after: 'The pause' };
const emptyForm = { kind: '', operation_id: '', calls: '1', retry_after: '' };
const done = successBanner({
  added: 'It will be played on the next calls of your account.',
  cleared: 'No more failures are played.',
  moved: 'The time of your webhooks and tokens was moved on.',
});

/** Where developers let a test site simulate failures on the calls of their own account. */
export function troublePages(app: App, deps: Deps, operations: ReadonlySet<string>): void {
  const show = async (
    request: Request,
    reply: Reply,
    shown: { values?: object; errors?: FormErrors; done?: string | undefined },
  ) => {
    const caller = requireCaller(request);
    if (!caller.hasApiAccess) return reply.redirect('/apikeys', 303);
    const troubles = await listOwnTroubles(deps, caller);
    return deps.pages.send(request, reply, template, {
      waiting: troubles.filter(({ played, calls }) => played < calls).map(troubleForPage),
      played: troubles.filter(({ played, calls }) => played === calls).map(troubleForPage),
      kinds: troubleKinds.map((kind) => ({ kind, words: troubleWords[kind] })),
      operations: [...operations].sort(),
      timed: timedTroubles,
      limits: { calls: maxCalls, seconds: maxSeconds, defaultSeconds },
      values: emptyForm,
      ...shown,
    });
  };

  app.get(
    path,
    { config, schema: { hide: true, querystring: Type.Object({ done: done.query }) } },
    (request, reply) => show(request, reply, { done: done.words(request.query.done) }),
  );

  app.post(path, { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const values = readFields(request.body, ['kind', 'operation_id', 'calls', 'retry_after']);
    try {
      const caller = requireCaller(request);
      if (!caller.hasApiAccess) return reply.redirect('/apikeys', 303);
      await addTrouble(deps, caller, { input: readTrouble(values), operations, ipAddress: request.ip });
      return reply.redirect(done.path(path, 'added'), 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      return show(request, reply.code(unprocessable.status), { values, errors: toFormErrors(labels, error) });
    }
  });

  app.post(`${path}/clear`, { config, schema: { hide: true } }, async (request, reply) => {
    await clearTroubles(deps, requireCaller(request), request.ip);
    return reply.redirect(done.path(path, 'cleared'), 303);
  });

  app.post(`${path}/move-on`, { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const by = readOneOf(request.body, 'by', timeSpans);
    await fastForwardAccount(deps, requireCaller(request), { by, ipAddress: request.ip });
    return reply.redirect(done.path(path, 'moved'), 303);
  });
}

/** @throws Problem `unprocessable` */
function readTrouble(form: typeof emptyForm): TroubleInput {
  const kind = troubleKinds.find((each) => each === form.kind);
  const errors: FieldError[] = kind ? [] : [{ pointer: '/kind', message: 'Select what is to go wrong' }];
  const calls = readNumber(form.calls || '1', maxCalls);
  if (calls === undefined)
    errors.push({ pointer: '/calls', message: `Enter a number of calls from 1 to ${maxCalls}` });
  const seconds = readNumber(form.retry_after || String(defaultSeconds), maxSeconds);
  if (seconds === undefined)
    errors.push({ pointer: '/retry_after', message: `Enter a number of seconds from 1 to ${maxSeconds}` });
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return {
    kind: kind as TroubleKind,
    calls,
    seconds: form.retry_after === '' ? undefined : seconds,
    operationId: form.operation_id || undefined,
  };
}

function readNumber(text: string, max: number): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : undefined;
}

function troubleForPage({ kind, operationId, calls, played, seconds, endsAt }: Trouble) {
  return { kind, words: troubleWords[kind], operationId, calls, played, seconds, endsAt };
}
