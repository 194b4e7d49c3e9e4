import { actorOf, requireCaller } from '../../accounts/index.ts';
import {
  type AuditPage,
  auditAlarm,
  auditChecked,
  checkAudit,
  type FoundEntry,
  findLastLink,
  findLatest,
  listActions,
  searchAudit,
} from '../../audit/index.ts';
import { type FormProblem, formProblem, readForm } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { type AuditForm, auditFields, auditFormSchema, auditLabels, filterFrom } from './form.ts';

const path = '/operator/audit';
const pageLength = 50;
/** A longer chain takes seconds, for which a page is no place. */
const maxLengthToCheck = 200_000;

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
      return await sendAudit(deps, request, reply, form, found);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== unprocessable) throw error;
      reply.code(unprocessable.status);
      return sendAudit(
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
  return ((await findLastLink(db))?.position ?? 0) <= maxLengthToCheck;
}

async function sendAudit(
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
    alarm: await findLatest(deps.db, auditAlarm),
    canCheckHere: await isShort(deps),
  });
}

/** `account.api_access_on` as “account api access on”. */
function actionInWords(action: string): string {
  return action.replaceAll(/[._]/g, ' ');
}

/** An entry as the page shows it. */
function entryInWords(entry: FoundEntry) {
  const { actorName, actorRole, organisation, subjectType, subjectId, details } = entry;
  return {
    ...entry,
    actorHref: entry.actorId && `/operator/accounts/${entry.actorId}`,
    actorName,
    actorIs: [actorRole?.replaceAll(',', ', '), organisation].filter(Boolean).join(', '),
    action: actionInWords(entry.action),
    // To the second, and in the time that logs are written in.
    time: `${entry.at.toISOString().slice(11, 19)} UTC`,
    refused: entry.outcome === 'refused',
    subject: subjectId === null ? undefined : `${actionInWords(subjectType ?? '')} ${subjectId}`.trim(),
    subjectHref: subjectHref(subjectType, subjectId),
    details: Object.entries(details).flatMap(([name, value]) =>
      value === null || value === undefined
        ? []
        : [{ name: actionInWords(name), value: valueInWords(value) }],
    ),
  };
}

function subjectHref(type: string | null, id: string | null): string | undefined {
  if (type === 'account') return `/operator/accounts/${id}`;
  if (type === 'service') return `/services/${encodeURIComponent(id ?? '')}`;
  return type === 'referral' ? `/referrals/${id}` : undefined;
}

function valueInWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length > 0 ? value.map(valueInWords).join(', ') : 'none';
  if (value === null || typeof value !== 'object') return String(value);
  const parts = Object.entries(value).map(([name, part]) => `${actionInWords(name)}: ${valueInWords(part)}`);
  return parts.length > 0 ? parts.join('; ') : 'none';
}
