import { type Static, Type } from 'typebox';
import {
  type ActionOn,
  actionOn,
  type Caller,
  hasSignedInRecently,
  listOperators,
  requireCaller,
} from '../../accounts/index.ts';
import { channelInWords } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { readUntrimmedFields, successBanner, toFormErrors } from '../../platform/html/index.ts';
import {
  type App,
  anyForm,
  noOtherFields,
  page,
  type Reply,
  type Request,
  signedIn,
} from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { requireWhatWasDone } from '../../platform/reason.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { type UndeliveredKind, undeliveredKinds } from '../model/undelivered-store.ts';
import {
  assignDelivery,
  canBeSentAgain,
  channelsToChoose,
  markDoneByHand,
  retryDelivery,
  sendAnotherWay,
} from './actions.ts';
import {
  isAboutPerson,
  mayArriveTwice,
  mendableChannel,
  readCauses,
  rowsToAskAbout,
} from './causes/causes.ts';
import { countOpenRows } from './causes/open-rows-store.ts';
import { causePages, causesDone } from './causes/pages.ts';
import { readDelivery, readUndelivered } from './read-undelivered.ts';
import { undeliveredTabs } from './tabs.ts';
import { causeInWords, deliveryInWords, kindWords, rowInWords } from './words.ts';

const path = '/operator/deliveries';
const pageLength = 25;
const config = page(signedIn('operator'));
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const querystring = Type.Object(
  {
    show: Type.Optional(Type.Enum(['causes', 'pressing', 'all', 'mine', 'closed'])),
    kind: Type.Optional(Type.Enum(['', ...undeliveredKinds])),
    cursor: Type.Optional(Type.String({ maxLength: 100 })),
    done: causesDone.query,
  },
  noOtherFields,
);
const done = successBanner({
  retried: 'It is tried again now.',
  'another-way': 'It is sent the way you chose.',
  'by-hand': 'Recorded as done by hand.',
  assigned: 'It has another owner now.',
});
type ListDeps = DeliveryDeps & WebPlatform & { countUnmatched: (db: Db) => Promise<number> };
const labels = { channel: 'Channel', words: 'What you did', account_id: 'Owner' };

/**
 * The operators' worklist, and the page of each delivery with its actions.
 * @param countUnmatched for the tab of the other list that operators work on
 */
export function undeliveredPages(
  app: App,
  deps: DeliveryDeps & WebPlatform,
  countUnmatched: (db: Db) => Promise<number>,
): void {
  const withTabs: ListDeps = { ...deps, countUnmatched };
  app.get(path, { config, schema: { querystring } }, (request, reply) => {
    const { show = request.query.kind ? 'all' : 'causes', done: code, ...rest } = request.query;
    return show === 'causes'
      ? sendCauses(withTabs, request, reply, causesDone.words(code))
      : sendList(withTabs, request, reply, { show, ...rest });
  });
  causePages(app, deps);
  const withDone = Type.Object({ done: done.query }, noOtherFields);
  app.get(`${path}/:id`, { config, schema: { params, querystring: withDone } }, (request, reply) =>
    sendOne(deps, request, reply, { done: done.words(request.query.done) }),
  );
  const fields = (request: Request) => readUntrimmedFields(request.body, ['channel', 'words', 'account_id']);
  const onPost = (
    name: string,
    code: Parameters<typeof done.path>[1],
    work: (act: ActionOn, request: Request) => Promise<void>,
  ) =>
    app.post(`${path}/:id/${name}`, { config, schema: { params, body: anyForm } }, async (request, reply) => {
      const { id } = request.params;
      try {
        await work(actionOn(request, id), request);
        return reply.redirect(done.path(`${path}/${id}`, code), 303);
      } catch (error) {
        if (!(error instanceof Problem) || error.kind.status === 404) throw error;
        const errors = toFormErrors(labels, error);
        return sendOne(deps, request, reply.code(error.kind.status), { errors, values: fields(request) });
      }
    });
  onPost('retry', 'retried', (act) => retryDelivery(deps, act));
  onPost('another-way', 'another-way', (act, request) => sendAnotherWay(deps, act, fields(request).channel));
  onPost('done', 'by-hand', (act, request) =>
    markDoneByHand(deps, act, requireWhatWasDone(fields(request).words)),
  );
  onPost('owner', 'assigned', (act, request) => assignDelivery(deps, act, fields(request).account_id));
}

async function sendCauses(
  deps: ListDeps,
  request: Request,
  reply: Reply,
  banner: string | undefined,
): Promise<Reply> {
  const { causes, isCut } = await readCauses(deps, requireCaller(request), request.ip);
  return deps.pages.send(request, reply, 'delivery/templates/causes.njk', {
    tabs: await tabsOf(deps, requireCaller(request), 'causes'),
    causes: causes.map((cause) => ({
      ...causeInWords(cause),
      // What may have arrived is checked first, because it would arrive twice.
      canRetry: (cause.kind === 'failed' || cause.kind === 'expired') && !isAboutPerson(cause),
      isAboutPerson: isAboutPerson(cause),
      ringFirst: mayArriveTwice(cause) && !cause.isServiceHidden,
      channel: mendableChannel(cause),
      toAsk: rowsToAskAbout(cause).length,
    })),
    isCut,
    // A form that is sent later than this leads to the sign-in, and what was typed is lost.
    canMendHere: hasSignedInRecently(deps, requireCaller(request)),
    done: banner,
  });
}

/** The lists that operators work on. */
async function tabsOf(deps: ListDeps, caller: Caller, here: string) {
  const counts = await countOpenRows(deps.db, caller.accountId);
  return undeliveredTabs({ ...counts, unmatched: await deps.countUnmatched(deps.db) }, here);
}

type ListShown = 'pressing' | 'all' | 'mine' | 'closed';

async function sendList(
  deps: ListDeps,
  request: Request,
  reply: Reply,
  { show, kind = '', cursor }: { show: ListShown; kind?: UndeliveredKind | ''; cursor?: string },
): Promise<Reply> {
  const caller = requireCaller(request);
  const filter = {
    open: show !== 'closed',
    owner: show === 'mine' ? caller.accountId : undefined,
    kind: kind === '' ? undefined : kind,
    pressingOnly: show === 'pressing',
  };
  const query = { cursor: cursor || undefined, limit: pageLength, ipAddress: request.ip };
  const { items, next_cursor: next } = await readUndelivered(deps, caller, filter, query);
  const href = (more: object = {}) =>
    `${path}?${new URLSearchParams({ show, ...(kind && { kind }), ...more })}`;
  return deps.pages.send(request, reply, 'delivery/templates/deliveries.njk', {
    tabs: await tabsOf(deps, caller, show),
    rows: items.map(rowInWords),
    show,
    kind,
    kinds: Object.entries(kindWords).map(([value, { text }]) => ({ value, text })),
    firstHref: cursor && href(),
    nextHref: next && href({ cursor: next }),
  });
}

async function sendOne(
  deps: DeliveryDeps & WebPlatform,
  request: Request,
  reply: Reply,
  more: object,
): Promise<Reply> {
  const caller = requireCaller(request);
  const { id } = request.params as Static<typeof params>;
  const delivery = await readDelivery(deps, caller, { id, ipAddress: request.ip });
  const tried = new Set(delivery.attempts.map(({ channel }) => channel));
  return deps.pages.send(request, reply, 'delivery/templates/delivery.njk', {
    delivery: deliveryInWords(delivery),
    address: `${path}/${id}`,
    canBeSentAgain: canBeSentAgain(delivery.status),
    isGivenUp: delivery.status === 'failed' && delivery.attempts.at(-1)?.outcome === 'failed',
    ways: channelsToChoose(deps, delivery.leg).map((value) => ({
      value,
      text: `${channelInWords(value)}${tried.has(value) ? ' (tried already)' : ''}`,
    })),
    operators: await listOperators(deps.db),
    you: caller.accountId,
    labels,
    values: {},
    ...more,
  });
}
