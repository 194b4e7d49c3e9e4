import { actorOf, requireCaller } from '../accounts/index.ts';
import {
  type AuditPage,
  auditChecked,
  checkAudit,
  findLastLink,
  findLatest,
  listActions,
  searchAudit,
} from '../audit/index.ts';
import { type FormProblem, formProblem, readForm } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { type AuditForm, auditFields, auditFormSchema, auditLabels, filterFrom } from './audit-form.ts';
import { actionInWords, entryInWords } from './audit-words.ts';

const path = '/operator/audit';
const pageLength = 50;
/** A longer chain takes seconds, for which a page is no place. */
const longestToCheck = 200_000;

/** Who did what, and whether the chain of it is whole. */
export function auditPages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));
  const schema = { querystring: auditFormSchema };

  app.get(path, { config, schema }, async (request, reply) => {
    // An address can be written by anybody: of what it says besides, nothing comes back in the links of the page.
    const form = readForm(request.query, auditFields);
    const after = /^\d{1,15}$/.test(form.cursor ?? '') ? Number(form.cursor) : undefined;
    const actor = actorOf(requireCaller(request), request.ip);
    try {
      const filter = await filterFrom(deps.db, form);
      const found = await searchAudit(deps, actor, filter, { after, limit: pageLength });
      return await show(deps, request, reply, form, found);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== unprocessable) throw error;
      reply.code(unprocessable.status);
      return show(
        deps,
        request,
        reply,
        form,
        { entries: [], next: undefined },
        formProblem(auditLabels, error),
      );
    }
  });

  app.post(`${path}/check`, { config }, async (request, reply) => {
    if (await isShort(deps)) await checkAudit(deps, actorOf(requireCaller(request), request.ip));
    return reply.redirect(path, 303);
  });
}

async function isShort({ db }: WebPlatform): Promise<boolean> {
  return ((await findLastLink(db))?.position ?? 0) <= longestToCheck;
}

async function show(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  form: AuditForm,
  { entries, next }: AuditPage,
  errors?: FormProblem,
): Promise<Reply> {
  const { cursor, ...filter } = form;
  const asked = Object.entries(filter).filter(([, text]) => text);
  const actions = (await listActions(deps.db)).map((value) => ({ value, text: actionInWords(value) }));
  return deps.pages.send(request, reply, 'operator/templates/audit.njk', {
    form,
    errors,
    actions,
    rows: entries.map(entryInWords),
    firstPage: !cursor,
    filtered: asked.length > 0,
    firstHref: `${path}?${new URLSearchParams(asked)}`,
    olderHref: next && `${path}?${new URLSearchParams([...asked, ['cursor', String(next)]])}`,
    checked: await findLatest(deps.db, auditChecked),
    canCheckHere: await isShort(deps),
  });
}
