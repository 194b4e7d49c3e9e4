import { Type } from 'typebox';
import { actionOn, requireCaller } from '../../accounts/index.ts';
import { tabsWithUnmatched } from '../../delivery/index.ts';
import { readUntrimmedFields, successBanner, textError, trimToUndefined } from '../../platform/html/index.ts';
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
import type { WebPlatform } from '../../platform/platform.ts';
import { unprocessable } from '../../platform/problem/index.ts';
import { closeAsDone, readUnmatchedMessage, retryGivenUp } from './resolve.ts';
import { countUnmatched, listUnmatched } from './store.ts';

const pageLength = 25;
const path = '/operator/deliveries/unmatched';
const config = page(signedIn('operator'));
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const maxNoteLength = 500;
const done = successBanner({
  done: 'You have written down what was done.',
  retried: 'The job is tried again now.',
});
const cursor = Type.Optional(Type.String({ maxLength: 100 }));
const querystring = Type.Object({ cursor, done: done.query });
/** Forms name the page of the list, so that their sender comes back to it. */
const onPage = { params, querystring: Type.Object({ cursor }) };
type ListPosition = { cursor?: string | undefined };

/** The pages of the operators' worklist: messages that could not be placed, and jobs that were given up. */
export function unmatchedPages(app: App, deps: WebPlatform): void {
  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    send(deps, request, reply, request.query, { done: done.words(request.query.done) }),
  );

  // Older emails have this address.
  app.get('/operator/loose-ends', { config }, (_request, reply) => reply.redirect(path, 301));

  // The message may be about a patient.
  const reading = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  app.get(`${path}/:id/message`, { config: reading, schema: { params } }, async (request, reply) => {
    const message = await readUnmatchedMessage(deps, actionOn(request, request.params.id));
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
    const note = trimToUndefined(readUntrimmedFields(request.body, ['words']).words);
    const errors = textError(`words-${id}`, note, {
      ifMissing: 'Say what was done',
      maxLength: maxNoteLength,
    });
    if (note === undefined || errors) {
      const more = { errors, wrong: id, typed: note };
      return send(deps, request, reply.code(unprocessable.status), request.query, more);
    }
    await closeAsDone(deps, actionOn(request, id), note);
    return reply.redirect(done.path(path, 'done') + withCursor(request.query), 303);
  });
}

async function send(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { cursor }: ListPosition,
  more: object,
): Promise<Reply> {
  const page = { open: true, after: readIdCursor(cursor || undefined), limit: pageLength + 1 };
  const { items, next_cursor } = pageOfRows(await listUnmatched(deps.db, page), pageLength);
  // The last one of this page is resolved; there may be others on the first page.
  if (cursor && items.length === 0) return send(deps, request, reply, {}, more);
  return deps.pages.send(request, reply, 'operator/unmatched/templates/unmatched.njk', {
    rows: items,
    tabs: await tabsWithUnmatched(deps.db, requireCaller(request).accountId, await countUnmatched(deps.db)),
    onPage: cursor ? `?${new URLSearchParams({ cursor })}` : '',
    firstHref: cursor && path,
    nextHref: next_cursor && `${path}?cursor=${next_cursor}`,
    ...more,
  });
}

function withCursor({ cursor }: ListPosition): string {
  return cursor ? `&${new URLSearchParams({ cursor })}` : '';
}
