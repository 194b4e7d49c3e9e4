import { type Static, Type } from 'typebox';
import { actorOf, findAccountByEmail, requireCaller, searchAccounts } from '../../accounts/index.ts';
import {
  type AuditFilter,
  type AuditPage,
  auditAlarm,
  auditChecked,
  findLastLink,
  findLatestEntry,
  type HideEntries,
  listActions,
  sealCheckAndRecord,
  searchAudit,
} from '../../audit/index.ts';
import { isCalendarDay } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { dayInWords, type FormErrors, readUntrimmedFields, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { plainIpAddress } from '../../platform/ip-addresses/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { type FieldError, Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { actionsOf, groupNames, isActionGroup } from './action-groups.ts';
import { auditCsv } from './audit-csv.ts';
import {
  actionInWords,
  entryInWords,
  idsIn,
  itemOf,
  itemTypeInWords,
  nameItem,
  spellOut,
  valueInWords,
} from './entry-in-words.ts';
import { findItemNames, type ItemNames } from './item-names-store.ts';
import {
  hasOpenedRevealingEntries,
  hideFor,
  openRevealingEntries,
  type PartlyHiddenEntry,
} from './revealing-entries.ts';

const path = '/operator/audit';
const field = Type.Optional(Type.String({ maxLength: 300 }));

/** The search form of the audit; every field may be empty. */
const auditFormSchema = Type.Object({
  /** The tab, such as `accounts`. */
  about: field,
  who: field,
  action: field,
  subject: field,
  outcome: field,
  address: field,
  from: field,
  to: field,
  cursor: field,
});
type AuditForm = Static<typeof auditFormSchema>;
const auditFields = Object.keys(auditFormSchema.properties) as (keyof AuditForm)[];

const auditLabels = { address: 'IP address', from: 'First day', to: 'Last day' } as const;

const pageLength = 50;
/** Entries in one download, which has the newest. For older ones, search an earlier period. */
const maxExported = 10_000;
/** The page offers no check of a longer chain, because that takes seconds: `site check` does it. */
const maxLengthToCheck = 200_000;

/** The page to search the audit and to check its chain. */
export function auditPages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));
  const schema = { querystring: auditFormSchema };
  /** Finds the entries that the form asks for, without the parts that the reader may not see. */
  const search = async (
    request: Request,
    form: AuditForm,
    range: { after?: number | undefined; limit: number },
  ) => {
    const caller = requireCaller(request);
    const filter = await readFilter(deps.db, form);
    const isOpen = await hasOpenedRevealingEntries(deps.db, caller, deps.clock.now());
    const hide = isOpen ? showAll : hideFor(caller, filter);
    return searchAudit(deps, actorOf(caller, request.ip), filter, { ...range, hide });
  };

  app.get(path, { config, schema }, async (request, reply) => {
    // Only known fields are used, so that nothing else from the address gets into the page's links.
    const form = readUntrimmedFields(request.query, auditFields);
    const after = /^\d{1,15}$/.test(form.cursor ?? '') ? Number(form.cursor) : undefined;
    try {
      const results = await search(request, form, { after, limit: pageLength });
      return await sendAudit(deps, request, reply, { form, results });
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      reply.code(unprocessable.status);
      return sendAudit(deps, request, reply, { form, errors: toFormErrors(auditLabels, error) });
    }
  });

  app.get(`${path}.csv`, { config, schema }, async (request, reply) => {
    const form = readUntrimmedFields(request.query, auditFields);
    const { entries } = await search(request, form, { limit: maxExported });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit.csv"')
      .send(auditCsv(entries, await findItemNames(deps.db, entries.flatMap(idsIn))));
  });

  const openConfig = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  app.post(`${path}/open`, { config: openConfig, schema: { body: anyForm } }, async (request, reply) => {
    const { reason } = readUntrimmedFields(request.body, ['reason']);
    try {
      await openRevealingEntries(deps, requireCaller(request), { reason, ipAddress: request.ip });
      return reply.redirect(path, 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      const errors = toFormErrors({ reason: 'The reason' }, error);
      reply.code(unprocessable.status);
      return sendAudit(deps, request, reply, { form: {}, errors, reason });
    }
  });

  app.post(`${path}/check`, { config }, async (request, reply) => {
    if (await mayCheckHere(deps)) await sealCheckAndRecord(deps, actorOf(requireCaller(request), request.ip));
    return reply.redirect(path, 303);
  });
}

const showAll: HideEntries = async (_trx, entries) => [...entries];

async function mayCheckHere({ db }: WebPlatform): Promise<boolean> {
  return ((await findLastLink(db))?.position ?? 0) <= maxLengthToCheck;
}

const noResults: AuditPage = { entries: [], next: undefined };

async function sendAudit(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  state: { form: AuditForm; results?: AuditPage; errors?: FormErrors; reason?: string },
): Promise<Reply> {
  const { form, results: { entries, next } = noResults, errors, reason = '' } = state;
  const { cursor, ...filter } = form;
  const filters = Object.entries(filter).filter(([, text]) => text);
  const { about: _, action: __, ...withoutAction } = Object.fromEntries(filters);
  const stored = await listActions(deps.db);
  const inTab = isActionGroup(form.about) ? actionsOf(form.about, stored) : stored;
  const actions = inTab.map((value) => ({ value, text: actionInWords(value) }));
  const items = await findItemNames(deps.db, entries.flatMap(idsIn));
  return deps.pages.send(request, reply, 'operator/audit/templates/audit.njk', {
    form,
    errors,
    actions,
    rows: entries,
    days: groupByDay(entries.map((entry) => toRow(entry, items))).map(({ day, rows }) => ({
      day,
      // Somebody who searches for one action wants to see each time it was done.
      lines: form.action ? rows.map((row) => [row]) : foldRepeats(rows),
    })),
    firstPage: !cursor,
    tabs: Object.entries({ '': 'All', ...groupNames }).map(([about, text]) => ({
      text,
      href: `${path}?${new URLSearchParams({ ...withoutAction, ...(about && { about }) })}`,
      isHere: about === (isActionGroup(form.about) ? form.about : ''),
    })),
    filtered: filters.some(([name]) => name !== 'about'),
    csvHref: `${path}.csv?${new URLSearchParams(filters)}`,
    firstHref: `${path}?${new URLSearchParams(filters)}`,
    olderHref: next && `${path}?${new URLSearchParams([...filters, ['cursor', String(next)]])}`,
    checked: await findLatestEntry(deps.db, auditChecked),
    alarm: await findLatestEntry(deps.db, auditAlarm),
    canCheckHere: await mayCheckHere(deps),
    isOpen: await hasOpenedRevealingEntries(deps.db, requireCaller(request), deps.clock.now()),
    reasonForm: { values: { reason }, errors },
  });
}

/** Groups rows by day, in their order. */
function groupByDay<Row extends { at: Date }>(rows: readonly Row[]): { day: string; rows: Row[] }[] {
  const days: { day: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const day = dayInWords(row.at);
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}

type Row = ReturnType<typeof toRow>;

/** Entries that follow each other and say the same of the same person share one line; the newest comes first. */
function foldRepeats(rows: readonly Row[]): Row[][] {
  const lines: Row[][] = [];
  for (const row of rows) {
    const line = lines.at(-1);
    if (line && isRepeat(row, line[0]!)) line.push(row);
    else lines.push([row]);
  }
  return lines;
}

function isRepeat(row: Row, other: Row): boolean {
  const isOrdinary = !row.refused && !other.refused && !row.isPartlyHidden && !other.isPartlyHidden;
  return (
    isOrdinary &&
    row.actorId === other.actorId &&
    row.actorName === other.actorName &&
    row.actorRole === other.actorRole &&
    row.action === other.action &&
    row.sentence === other.sentence
  );
}

/** An entry as the page shows it. */
function toRow(entry: PartlyHiddenEntry, items: ItemNames) {
  const { actorName, actorRole, organisation, subjectType, subjectId, details } = entry;
  const item = itemOf(entry, items);
  return {
    ...entry,
    actorHref: entry.actorId && `/operator/accounts/${entry.actorId}`,
    actorName,
    actorRole: [actorRole?.replaceAll(',', ', '), organisation].filter(Boolean).join(', '),
    sentence: entryInWords(entry, items),
    // To the second and in UTC, like the log.
    time: entry.isPartlyHidden ? undefined : `${entry.at.toISOString().slice(11, 19)} UTC`,
    refused: entry.outcome === 'refused',
    subject: subjectId === null ? undefined : `${itemTypeInWords(subjectType ?? '')} ${subjectId}`.trim(),
    subjectHref: subjectHref(subjectType, subjectId),
    item: item && nameItem(item),
    details: Object.entries(details).flatMap(([name, value]) =>
      value === null || value === undefined
        ? []
        : [{ name: spellOut(name), value: valueInWords(value, items) }],
    ),
  };
}

function subjectHref(type: string | null, id: string | null): string | undefined {
  if (type === 'account') return `/operator/accounts/${id}`;
  if (type === 'service') return `/services/${encodeURIComponent(id ?? '')}`;
  return type === 'referral' ? `/referrals/${id}` : undefined;
}

const maxAccounts = 1000;

/** Reads the filter from the form. @throws Problem `unprocessable`, with what is wrong in which field. */
async function readFilter(db: Db, form: AuditForm): Promise<AuditFilter> {
  const { about, who, action, subject, outcome, address, from, to } = trimmedForm(form);
  const errors: FieldError[] = [
    ...(address && plainIpAddress(address) === undefined
      ? [{ pointer: '/address', message: 'must be one such as 192.0.2.7' }]
      : []),
    ...Object.entries({ from, to }).flatMap(([name, day]) =>
      day === undefined || isCalendarDay(day)
        ? []
        : [{ pointer: `/${name}`, message: 'must be a date such as 2026-11-21' }],
    ),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return {
    actor: who === undefined ? undefined : await findActor(db, who),
    action,
    group: isActionGroup(about)
      ? { name: about, actions: actionsOf(about, await listActions(db)) }
      : undefined,
    subjectId: subject === undefined ? undefined : await findSubject(db, subject),
    outcome: outcome === 'done' || outcome === 'refused' ? outcome : undefined,
    ipAddress: address && plainIpAddress(address),
    from,
    to,
  };
}

function trimmedForm(form: AuditForm): AuditForm {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  );
}

/** The accounts with this id, or with this text in their name, address or organisation; and any actor of this name. */
async function findActor(db: Db, who: string): Promise<NonNullable<AuditFilter['actor']>> {
  if (isUuid(who)) return { ids: [who], name: who };
  const accounts = await searchAccounts(db, { text: who, limit: maxAccounts });
  return { ids: accounts.map(({ id }) => id), name: who };
}

/** Accounts are found by their email address, everything else by its id. */
async function findSubject(db: Db, subject: string): Promise<string> {
  const account = subject.includes('@') ? await findAccountByEmail(db, subject.toLowerCase()) : undefined;
  return account?.id ?? subject;
}
