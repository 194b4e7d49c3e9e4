import { Type } from 'typebox';
import { type ActionOn, actionOn, listOperators } from '../../accounts/index.ts';
import {
  type FormErrors,
  readUntrimmedFields,
  successBanner,
  textError,
  trimToUndefined,
} from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { unprocessable } from '../../platform/problem/index.ts';
import { londonDate } from '../../referrals/index.ts';
import {
  acknowledgeRequest,
  addRequestNote,
  answerRequest,
  assignRequest,
  readRequest,
} from './handle-request.ts';
import { requestWords } from './request.ts';
import { type ListedRequest, listRequests } from './requests-store.ts';

const path = '/operator/requests';
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const done = successBanner({
  assigned: 'The request has a new owner.',
  acknowledged: 'The complaint is marked as acknowledged.',
  noted: 'The note was added.',
  answered: 'The request is marked as answered.',
});
/** Requests on the page: far more than a site has at a time. If there are more, the page says so. */
const maxShown = 200;
const maxTextLength = 5000;

/** Where operators work on what people ask about their record. The list names nobody, so opening it is not audited. */
export function operatorRequestPages(app: App, deps: WebPlatform): void {
  const listQuery = Type.Object({ show: Type.Optional(Type.Literal('answered')) });
  const config = page(signedIn('operator'));
  app.get(path, { config, schema: { hide: true, querystring: listQuery } }, async (request, reply) => {
    const answered = request.query.show === 'answered';
    const requests = await listRequests(deps.db, { answered, limit: maxShown });
    return deps.pages.send(request, reply, 'records/templates/requests.njk', {
      answered,
      isCut: requests.length === maxShown,
      rows: requests.map((each) => ({ ...each, ...stateOf(each, londonDate(deps.clock.now())) })),
    });
  });

  const requestConfig = page(signedIn('operator'), { needsRecentSignIn: true });
  const querystring = Type.Object({ done: done.query });
  app.get(
    `${path}/:id`,
    { config: requestConfig, schema: { hide: true, params, querystring } },
    (request, reply) =>
      show(deps, request, reply, actionOn(request, request.params.id), {
        done: done.words(request.query.done),
      }),
  );

  const actionRoute = {
    config: page(signedIn('operator'), { needsRecentSignIn: true, returnTo: `${path}/:id` }),
    schema: { hide: true, params },
  };
  const formRoute = { ...actionRoute, schema: { ...actionRoute.schema, body: anyForm } };
  app.post(`${path}/:id/owner`, formRoute, async (request, reply) => {
    const act = actionOn(request, request.params.id);
    await assignRequest(deps, act, readUntrimmedFields(request.body, ['account_id']).account_id);
    return reply.redirect(done.path(`${path}/${act.id}`, 'assigned'), 303);
  });
  app.post(`${path}/:id/acknowledge`, actionRoute, async (request, reply) => {
    const act = actionOn(request, request.params.id);
    await acknowledgeRequest(deps, act);
    return reply.redirect(done.path(`${path}/${act.id}`, 'acknowledged'), 303);
  });
  app.post(`${path}/:id/note`, formRoute, async (request, reply) => {
    const act = actionOn(request, request.params.id);
    const note = trimToUndefined(readUntrimmedFields(request.body, ['note']).note);
    const errors = textError('note', note, { ifMissing: 'Write the note', maxLength: maxTextLength });
    if (note === undefined || errors)
      return show(deps, request, reply.code(unprocessable.status), act, { errors });
    await addRequestNote(deps, act, note);
    return reply.redirect(done.path(`${path}/${act.id}`, 'noted'), 303);
  });
  app.post(`${path}/:id/answer`, formRoute, async (request, reply) => {
    const act = actionOn(request, request.params.id);
    const answer = trimToUndefined(readUntrimmedFields(request.body, ['answer']).answer);
    const errors = textError('answer', answer, {
      ifMissing: 'Say what was answered, and how',
      maxLength: maxTextLength,
    });
    if (answer === undefined || errors)
      return show(deps, request, reply.code(unprocessable.status), act, { errors });
    await answerRequest(deps, act, answer);
    return reply.redirect(done.path(`${path}/${act.id}`, 'answered'), 303);
  });
}

/** Words and colour for how far a request has come. */
function stateOf(
  { kind, dueOn, acknowledgeOn, acknowledgedAt, answeredAt }: ListedRequest,
  today: string,
): { title: string; state: { text: string; colour: string } } {
  const { title } = requestWords[kind];
  if (answeredAt !== null) return { title, state: { text: 'Answered', colour: 'green' } };
  if (dueOn < today) return { title, state: { text: 'Overdue', colour: 'red' } };
  if (acknowledgeOn !== null && acknowledgedAt === null)
    return { title, state: { text: 'Acknowledge', colour: acknowledgeOn < today ? 'red' : 'yellow' } };
  return { title, state: { text: 'Open', colour: 'blue' } };
}

async function show(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  act: ActionOn,
  state: { done?: string | undefined; errors?: FormErrors | undefined },
): Promise<Reply> {
  const recordRequest = await readRequest(deps, act);
  return deps.pages.send(request, reply, 'records/templates/request.njk', {
    request: { ...recordRequest, ...stateOf(recordRequest, londonDate(deps.clock.now())) },
    operators: await listOperators(deps.db),
    you: act.caller.accountId,
    values: readUntrimmedFields(request.body, ['note', 'answer']),
    ...state,
  });
}
