import { Type } from 'typebox';
import { actionOn, requireCaller } from '../../accounts/index.ts';
import { findUnmatchedMessages, isFullOfUnmatched, tabsWithUnmatched } from '../../delivery/index.ts';
import { fieldError, readUntrimmedFields, successBanner } from '../../platform/html/index.ts';
import {
  type App,
  anyForm,
  page,
  pageOfRows,
  type Reply,
  type Request,
  readIdCursor,
  signedIn,
} from '../../platform/http/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { unprocessable } from '../../platform/problem/index.ts';
import { errorsInWhatWasDone, maxReasonLength } from '../../platform/reason.ts';
import { cutInWords } from './collect.ts';
import {
  closeAsDone,
  type MessageToResolve,
  openUnmatchedMessage,
  retryGivenUp,
  saveUnmatchedMessage,
} from './resolve.ts';
import { countUnmatched, findUnmatched, listUnmatched } from './unmatched-store.ts';

const pageLength = 25;
const messageTemplate = 'operator/unmatched/templates/message.njk';
const path = '/operator/deliveries/unmatched';
const config = page(signedIn('operator'));
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const done = successBanner({
  done: 'You have written down what was done.',
  retried: 'The task is tried again now. If it fails, it comes back to this list.',
});
const cursor = Type.Optional(Type.String({ maxLength: 100 }));
const show = Type.Optional(Type.Enum(['resolved']));
const querystring = Type.Object({ cursor, show, done: done.query });
/** Forms name the page of the list, so that their sender comes back to it. */
const onPage = { params, querystring: Type.Object({ cursor }) };
type ListPosition = { cursor?: string | undefined; show?: 'resolved' };

/** The pages of the operators' worklist: messages that could not be placed, and jobs that were given up. */
export function unmatchedPages(app: App, deps: WebPlatform): void {
  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    send(deps, request, reply, request.query, { done: done.words(request.query.done) }),
  );

  // Older emails have this address.
  app.get('/operator/loose-ends', { config }, (_request, reply) => reply.redirect(path, 301));

  // The message may be about a patient.
  const messageConfig = page(signedIn('operator'), { needsRecentSignIn: true });
  app.get(`${path}/:id`, { config: messageConfig, schema: { params } }, async (request, reply) => {
    const message = await openUnmatchedMessage(deps, actionOn(request, request.params.id));
    return sendMessage(deps, request, reply, message, {});
  });

  const saveConfig = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  app.get(`${path}/:id/message`, { config: saveConfig, schema: { params } }, async (request, reply) => {
    const message = await saveUnmatchedMessage(deps, actionOn(request, request.params.id));
    return reply
      .type('application/octet-stream')
      .header('content-disposition', 'attachment; filename="message"')
      .send(message);
  });

  app.post(`${path}/:id/retry`, { config, schema: onPage }, async (request, reply) => {
    await retryGivenUp(deps, actionOn(request, request.params.id));
    return reply.redirect(done.path(path, 'retried') + withCursor(request.query), 303);
  });

  app.post(`${path}/:id/done`, { config, schema: { ...onPage, body: anyForm } }, async (request, reply) => {
    const { id } = request.params;
    const { words } = readUntrimmedFields(request.body, ['words']);
    const [error] = errorsInWhatWasDone(words, { request: 'Say what was done' });
    if (error) {
      const message =
        error.code === 'maxLength' ? `Use ${maxReasonLength} characters or fewer` : error.message;
      const more = { errors: fieldError(`words-${id}`, message), refusedId: id, sentWords: words };
      reply.code(unprocessable.status);
      const item = isUuid(id) ? await findUnmatched(deps.db, id) : undefined;
      if (item?.kind !== 'unexplained-message') return send(deps, request, reply, request.query, more);
      // The message itself is shown only after a recent sign-in.
      return deps.pages.send(request, reply, messageTemplate, { item, isHidden: true, ...more });
    }
    await closeAsDone(deps, actionOn(request, id), words);
    return reply.redirect(done.path(path, 'done') + withCursor(request.query), 303);
  });
}

async function send(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { cursor, show }: ListPosition,
  more: object,
): Promise<Reply> {
  const open = show === undefined;
  const page = { open, after: readIdCursor(cursor || undefined), limit: pageLength + 1 };
  const { items, next_cursor } = pageOfRows(await listUnmatched(deps.db, page), pageLength);
  // The last one of this page is resolved; there may be others on the first page.
  if (cursor && items.length === 0) return send(deps, request, reply, show ? { show } : {}, more);
  const list = open ? path : `${path}?show=resolved`;
  const messages = await findUnmatchedMessages(
    deps.db,
    items.map(({ subject }) => subject),
  );
  return deps.pages.send(request, reply, 'operator/unmatched/templates/unmatched.njk', {
    // Two messages of one mailbox would look alike. Their subjects are not shown here, as they may name a patient.
    rows: items.map((item) => ({ ...item, message: messages.get(item.subject) })),
    open,
    isFull: open && (await isFullOfUnmatched(deps.db)),
    tabs: await tabsWithUnmatched(deps.db, requireCaller(request).accountId, await countUnmatched(deps.db)),
    onPage: cursor ? `?${new URLSearchParams({ cursor })}` : '',
    firstHref: cursor && list,
    nextHref: next_cursor && `${list}${open ? '?' : '&'}cursor=${next_cursor}`,
    ...more,
  });
}

/** The page of one message: all that the site has of it, and the form that resolves it. */
function sendMessage(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { item, message, text }: MessageToResolve,
  more: object,
): Reply {
  const { headers } = message;
  return deps.pages.send(request, reply, messageTemplate, {
    item,
    text,
    cut: cutInWords(message),
    headers,
    rows: [
      ['From mailbox', headers['mex-from']],
      ['Workflow', message.workflow],
      ['Subject', headers['mex-subject']],
      ['File name', headers['mex-filename']],
      ['What the exchange says', headers['mex-statusdescription']],
      ['About this site’s message', headers['mex-localid']],
    ].filter(([, value]) => value),
    ...more,
  });
}

function withCursor({ cursor }: ListPosition): string {
  return cursor ? `&${new URLSearchParams({ cursor })}` : '';
}
