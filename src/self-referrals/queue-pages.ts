import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { findServiceForReferral } from '../library/index.ts';
import { localTime } from '../platform/clock/index.ts';
import {
  type FormErrors,
  readFields,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
  trimToUndefined,
} from '../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import type { SubmitDeps } from '../referrals/index.ts';
import { findDesk } from './desk-store.ts';
import {
  type Act,
  closeSelfReferral,
  deleteAsAsked,
  draftReferral,
  giveBackSelfReferral,
  noteCall,
  readSelfReferral,
  takeSelfReferral,
} from './handle.ts';
import {
  answerDayInWords,
  type CloseReason,
  calledTooLongAgo,
  closeReasons,
  deskState,
  runsDesk,
} from './model.ts';
import { listOpen } from './self-referrals-store.ts';

type Deps = WebPlatform & SubmitDeps;

const path = '/self-referrals';
const done = successBanner({
  'given-back': 'It is back in the list. A colleague can take it.',
  called: 'The call was noted.',
  closed: 'It is closed. What the person sent is deleted in 30 days.',
  deleted: 'All of it was deleted.',
});
const maxNoteLength = 2000;

/** The queue of people who referred themselves, for link workers: take one, ring, note the call, make a draft or close it. */
export function queuePages(app: App, deps: Deps): void {
  const querystring = Type.Object({ done: done.query });
  const config = page(signedIn('referrer'));

  // The list names nobody, so a look at it needs no entry.
  app.get(path, { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const { accountId } = requireCaller(request);
    const now = deps.clock.now();
    const [desk, rows] = await Promise.all([findDesk(deps.db), listOpen(deps.db)]);
    const runs = runsDesk(desk, accountId);
    const today = localTime(now).day.date;
    return deps.pages.send(request, reply, 'self-referrals/templates/queue.njk', {
      state: deps.settings.selfReferral ? deskState(desk, now) : 'off',
      desk,
      rows: rows.map((row) => ({
        ...row,
        ringBy: answerDayInWords(row.answerBy),
        isLate: row.lastCallAt ? row.lastCallAt < calledTooLongAgo(now) : row.answerBy < today,
        mayOpen: row.takenById === accountId || (runs && row.takenById !== null),
        mayTake: row.takenById === null || (runs && row.takenById !== accountId),
      })),
      done: done.words(request.query.done),
    });
  });

  const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
  app.get(`${path}/:id`, { config, schema: { hide: true, params, querystring } }, (request, reply) =>
    show(deps, request, reply, actOf(request, request.params.id), { done: done.words(request.query.done) }),
  );

  const form = { config, schema: { hide: true, params, body: anyForm } };
  const tail = (id: string) => `${path}/${encodeURIComponent(id)}`;

  app.post(`${path}/:id/take`, form, async (request, reply) => {
    await takeSelfReferral(deps, actOf(request, request.params.id));
    return reply.redirect(tail(request.params.id), 303);
  });
  app.post(`${path}/:id/give-back`, form, async (request, reply) => {
    await giveBackSelfReferral(deps, actOf(request, request.params.id));
    return reply.redirect(done.path(path, 'given-back'), 303);
  });
  app.post(`${path}/:id/call`, form, async (request, reply) => {
    const act = actOf(request, request.params.id);
    return orShow(request, reply, act, async () => {
      const { reached, note } = readCall(request.body);
      await noteCall(deps, act, { reached, note });
      return done.path(tail(act.id), 'called');
    });
  });
  app.post(`${path}/:id/draft`, form, async (request, reply) => {
    const act = actOf(request, request.params.id);
    return orShow(request, reply, act, async () => `/referrals/${await draftReferral(deps, act)}/edit`);
  });
  app.post(`${path}/:id/close`, form, async (request, reply) => {
    const act = actOf(request, request.params.id);
    return orShow(request, reply, act, async () => {
      await closeSelfReferral(deps, act, readClosing(request.body));
      return done.path(path, 'closed');
    });
  });
  app.post(`${path}/:id/delete`, form, async (request, reply) => {
    await deleteAsAsked(deps, actOf(request, request.params.id));
    return reply.redirect(done.path(path, 'deleted'), 303);
  });

  /** Leads to where the work ended, or shows the page with what is wrong. */
  async function orShow(
    request: Request,
    reply: Reply,
    act: Act,
    work: () => Promise<string>,
  ): Promise<Reply> {
    try {
      return reply.redirect(await work(), 303);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== unprocessable) throw error;
      const errors = toFormErrors({ reached: '', note: '', reason: '', close_note: '' }, error);
      return show(deps, request, reply.code(unprocessable.status), act, { errors });
    }
  }
}

function actOf(request: Request, id: string): Act {
  return { caller: requireCaller(request), id, ipAddress: request.ip };
}

/** @throws Problem `unprocessable` in the words of the form. */
function readCall(body: unknown): { reached: boolean; note: string } {
  const { reached } = readFields(body, ['reached']);
  const note = trimToUndefined(readUntrimmedFields(body, ['note']).note) ?? '';
  const errors = [
    ...(reached === 'yes' || reached === 'no'
      ? []
      : [{ pointer: '/reached', message: 'Say whether you reached them' }]),
    ...([...note].length > maxNoteLength
      ? [{ pointer: '/note', message: `Use ${maxNoteLength} characters or fewer` }]
      : []),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return { reached: reached === 'yes', note };
}

/** @throws Problem `unprocessable` in the words of the form. */
function readClosing(body: unknown): { reason: CloseReason; note: string | undefined } {
  const { reason } = readFields(body, ['reason']);
  const note = trimToUndefined(readUntrimmedFields(body, ['close_note']).close_note);
  const errors = [
    ...(Object.hasOwn(closeReasons, reason) ? [] : [{ pointer: '/reason', message: 'Choose a reason' }]),
    ...([...(note ?? '')].length > maxNoteLength
      ? [{ pointer: '/close_note', message: `Use ${maxNoteLength} characters or fewer` }]
      : []),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return { reason: reason as CloseReason, note };
}

async function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  act: Act,
  shown: { done?: string | undefined; errors?: FormErrors },
): Promise<Reply> {
  const found = await readSelfReferral(deps, act);
  const [service, desk] = await Promise.all([
    findServiceForReferral(deps.db, found.serviceId),
    findDesk(deps.db),
  ]);
  return deps.pages.send(request, reply, 'self-referrals/templates/one.njk', {
    found,
    service,
    isOpen: found.settledAt === null,
    wasReached: found.calls.some(({ reached }) => reached),
    mayDelete: runsDesk(desk, act.caller.accountId),
    closedBecause: found.closeReason && closeReasons[found.closeReason],
    reasons: Object.entries(closeReasons).map(([value, text]) => ({ value, text })),
    values: readUntrimmedFields(request.body, ['reached', 'note', 'reason', 'close_note']),
    ...shown,
  });
}
