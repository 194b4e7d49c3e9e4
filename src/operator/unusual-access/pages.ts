import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import {
  readUntrimmedFields,
  successBanner,
  toFormErrors,
  trimToUndefined,
} from '../../platform/html/index.ts';
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
import { unprocessable, wrongInput } from '../../platform/problem/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import { accessReasonWords } from './access-reason-words.ts';
import { reviewAccess } from './review-access.ts';
import { type AccessToReview, countOpenReviews, listReviews } from './unusual-access-store.ts';

const path = '/operator/looks';
const done = successBanner({ checked: 'You have written down what you found.' });
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const querystring = Type.Object({
  show: Type.Optional(Type.Literal('checked')),
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
  done: done.query,
});
const pageLength = 50;

/** The Caldicott guardian's list. It names staff and client systems, and no patients, so opening it needs no entry in the audit. */
export function unusualAccessPages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));
  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    show(deps, request, reply, request.query, { done: done.words(request.query.done) }),
  );

  // Needs a recent sign-in, so that nobody at an unlocked computer can clear the list.
  const reviewConfig = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  app.post(
    `${path}/:id/checked`,
    { config: reviewConfig, schema: { params, body: anyForm } },
    async (request, reply) => {
      const { id } = request.params;
      const note = trimToUndefined(readUntrimmedFields(request.body, ['note']).note);
      const pointer = `/note-${id}`;
      const errors = reasonErrors(note, { pointer, request: 'Say what you found' });
      if (note === undefined || errors.length > 0) {
        const problem = wrongInput(unprocessable, errors);
        const formErrors = toFormErrors({ [`note-${id}`]: 'What you found' }, problem);
        reply.code(unprocessable.status);
        return show(deps, request, reply, {}, { errors: formErrors, refusedId: id, sentNote: note });
      }
      await reviewAccess(deps, requireCaller(request), { id, note, ipAddress: request.ip });
      return reply.redirect(done.path(path, 'checked'), 303);
    },
  );
}

async function show(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { show: tab, cursor }: { show?: 'checked' | undefined; cursor?: string | undefined },
  more: object,
): Promise<Reply> {
  const checked = tab === 'checked';
  const list = { checked, beforeId: readIdCursor(cursor || undefined), limit: pageLength + 1 };
  const { items, next_cursor } = pageOfRows(await listReviews(deps.db, list), pageLength);
  const { accountId } = requireCaller(request);
  return deps.pages.send(request, reply, 'operator/unusual-access/templates/unusual-access.njk', {
    checked,
    openCount: (await countOpenReviews(deps.db)).reduce((sum, { count }) => sum + count, 0),
    rows: items.map((each) => ({
      ...each,
      ...inWords(each),
      isOwn: [each.accountId, each.ownerId].includes(accountId),
    })),
    nextHref:
      next_cursor &&
      `${path}?${new URLSearchParams({ ...(checked && { show: 'checked' }), cursor: next_cursor })}`,
    ...more,
  });
}

function inWords({ reason, accountId, day }: AccessToReview) {
  const entries = new URLSearchParams({ who: accountId, from: day, to: day });
  return { words: accessReasonWords[reason], auditHref: `/operator/audit?${entries}` };
}
