import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../accounts/index.ts';
import { readChoices, readFields, successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import {
  addSynonym,
  countSynonyms,
  findMeanings,
  listSynonyms,
  normalSaying,
  removeSynonym,
} from '../../search/index.ts';

const path = '/operator/library/synonyms';
const pageLength = 25;
const done = successBanner({
  added: 'The words were added. Next: search for one to see what it finds.',
  removed: 'The words were removed.',
});
const text = Type.Optional(Type.String({ maxLength: 200 }));
const pageNumber = Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 }));
const listQuery = Type.Object({ text, page: pageNumber, done: done.query });
const aSaying = Type.Object({ saying: Type.String({ maxLength: 200 }) });

/** The pages about sayings (what people say) and their meanings (what services call it): to list, search, add and remove. */
export function synonymPages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));

  app.get(path, { config, schema: { querystring: listQuery } }, (request, reply) => {
    const { text = '', page = 1 } = request.query;
    return sendList(deps, request, reply, { text, page, done: done.words(request.query.done) });
  });

  app.post(path, { config, schema: { body: anyForm } }, async (request, reply) => {
    const values = readFields(request.body, ['saying', 'meanings']);
    try {
      await addSynonym(deps, actorOf(requireCaller(request), request.ip), values);
      return reply.redirect(
        `${done.path(path, 'added')}&text=${encodeURIComponent(normalSaying(values.saying))}`,
        303,
      );
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      const errors = toFormErrors({ saying: 'What people say', meanings: 'What services call it' }, error);
      const saying = normalSaying(values.saying);
      const known = { saying, meanings: await findMeanings(deps.db, saying) };
      const form = { values, errors, known };
      return sendList(deps, request, reply.code(unprocessable.status), { text: '', page: 1, form });
    }
  });

  app.get(`${path}/remove`, { config, schema: { querystring: aSaying } }, async (request, reply) => {
    const { saying } = request.query;
    const meanings = await findMeanings(deps.db, saying);
    // Somebody else may have removed it.
    if (meanings.length === 0) return reply.redirect(path, 303);
    return deps.pages.send(request, reply, 'operator/library/templates/remove-synonym.njk', {
      saying,
      meanings,
    });
  });

  app.post(`${path}/remove`, { config, schema: { body: anyForm } }, async (request, reply) => {
    const { saying } = readFields(request.body, ['saying']);
    const meanings = readChoices(request.body, 'meanings');
    const actor = actorOf(requireCaller(request), request.ip);
    const isRemoved = await removeSynonym(deps, actor, { saying, meanings });
    return reply.redirect(isRemoved ? done.path(path, 'removed') : path, 303);
  });
}

type ListContext = { text: string; page: number; done?: string | undefined; form?: object };

async function sendList(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { text, page: requestedPage, ...more }: ListContext,
) {
  const saying = normalSaying(text);
  const total = await countSynonyms(deps.db, saying);
  const number = Math.min(requestedPage, Math.max(1, Math.ceil(total / pageLength)));
  const offset = (number - 1) * pageLength;
  const rows = await listSynonyms(deps.db, { text: saying, offset, limit: pageLength });
  const hrefOf = (number: number) =>
    `${path}?${new URLSearchParams({ ...(text && { text }), page: String(number) })}#list`;
  return deps.pages.send(request, reply, 'operator/library/templates/synonyms.njk', {
    text,
    rows,
    total,
    first: offset + 1,
    last: offset + rows.length,
    previousHref: number > 1 ? hrefOf(number - 1) : undefined,
    nextHref: offset + rows.length < total ? hrefOf(number + 1) : undefined,
    ...more,
  });
}
