import type { Trx } from '../../../platform/database/index.ts';
import type { FieldChange, HistoryLine } from '../history-store.ts';
import {
  findServicesNotToName,
  hiddenServiceName,
  isServiceHidden,
  notShown,
  notShownHere,
  revealsService,
  somebodyUnnamed,
  staffOfService,
  withoutNames,
} from './hide-sensitive-services.ts';
import { waysToReach } from './referrers-details.ts';
import type { View } from './sides.ts';

/** Something that one of the sides, the site or an operator wrote. */
type AuthoredItem = {
  actorId?: string | null;
  actorName?: string;
  actorOrganisation?: string | null;
  actorOrganisationId?: string | null;
  authorId?: string;
  authorName?: string;
  authorOrganisation?: string | null;
  authorOrganisationId?: string | null;
  /** The side that wrote it, if both sides can read it. */
  side?: string;
  text?: string;
  reason?: { code: string; text: string } | null;
  confirmedByName?: string | null;
  removedByName?: string | null;
  removedByOrganisation?: string | null;
  /** The name of a file. */
  name?: string;
  details?: HistoryLine['details'];
};

/** `isHidden`: the reader does not see the words; where staff of the service wrote them, not their name either. */
export type MaybeHidden<T> = T & { isHidden?: true };

/**
 * If the service is hidden from the reader, removes what both sides wrote, the names of files, and the names and organisation of its
 * staff. Words and files may be signed, and what the reader’s own side wrote may tell why the person was referred, so it goes, too.
 * Otherwise only the names of other sensitive services are taken out.
 * @param view with the answer of `isServiceHidden`, where the caller has it
 */
export async function hideWords<T extends AuthoredItem>(
  trx: Trx,
  view: View & { isServiceHidden?: boolean },
  items: readonly T[],
): Promise<MaybeHidden<T>[]> {
  if (items.length === 0) return [];
  const isHidden = view.isServiceHidden ?? (await isServiceHidden(trx, view));
  if (isHidden) return items.map((item) => hideWordsIn(view, item));
  const { names } = await findServicesNotToName(trx, view);
  return names.size === 0 ? [...items] : items.map((item) => withoutNamesIn(names, item));
}

/** Another service may have become sensitive after somebody named it here. */
function withoutNamesIn<T extends AuthoredItem>(names: ReadonlySet<string>, item: T): T {
  const { text, reason, name, details } = item;
  return {
    ...item,
    ...(details && { details: { ...details, changes: withoutNamesInValues(names, details.changes) } }),
    ...(text !== undefined && { text: withoutNames(names, text) }),
    ...(reason && { reason: { ...reason, text: withoutNames(names, reason.text) } }),
    ...(name !== undefined && { name: withoutNames(names, name) }),
  };
}

function withoutNamesInValues<T>(names: ReadonlySet<string>, value: T): T {
  const hide = (part: unknown): unknown => {
    if (typeof part === 'string') return withoutNames(names, part);
    if (Array.isArray(part)) return part.map(hide);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, hide(each)]));
  };
  return hide(value) as T;
}

function hideWordsIn<T extends AuthoredItem>(view: View, item: T): MaybeHidden<T> {
  const byStaff = isByStaff(view, item);
  const hasWords = item.text !== undefined || item.name !== undefined;
  return {
    ...item,
    ...(item.text !== undefined && { text: notShown }),
    ...(item.reason && { reason: { ...item.reason, text: notShown } }),
    ...(item.name !== undefined && {
      name: `${byStaff ? 'file-of-the-service' : 'file'}${/\.\w+$/.exec(item.name)?.[0] ?? ''}`,
    }),
    // The service confirms what the referrer wrote.
    ...(item.confirmedByName && item.side === 'referrer' && { confirmedByName: staffOfService }),
    ...(item.removedByName && { removedByName: somebodyUnnamed, removedByOrganisation: null }),
    ...((byStaff || hasWords) && { isHidden: true }),
    ...(byStaff && 'actorName' in item && { actorName: staffOfService, actorOrganisation: null }),
    ...(byStaff && 'authorName' in item && { authorName: staffOfService, authorOrganisation: null }),
  };
}

/** Hidden, so that nobody rings an old number found in the history: somebody whom the person fears may hold that telephone. */
const fieldsToReach: readonly string[] = waysToReach.map((way) => `patient.${way}`);

/**
 * Removes from a history what staff of the service entered of the person, such as where she lives now, and why the person was referred;
 * the fields stay named.
 */
export function hideDetails(view: View, lines: readonly MaybeHidden<HistoryLine>[]): HistoryLine[] {
  const hidden = lines.map((line) =>
    withChanges(line, (change) =>
      revealsService(change.field) ? { ...change, from: notShown, to: notShown } : change,
    ),
  );
  return hideWhatStaffEntered(view, hidden, (field) => !revealsService(field));
}

/** Removes from a history what staff of the service entered in one field, such as `patient.address`. */
export function hideFieldOfStaff(view: View, lines: readonly HistoryLine[], field: string): HistoryLine[] {
  return hideWhatStaffEntered(view, lines, (name) => name === field);
}

function withChanges<T extends HistoryLine>(line: T, map: (change: FieldChange) => FieldChange): T {
  const { details } = line;
  return details ? { ...line, details: { ...details, changes: details.changes.map(map) } } : line;
}

function hideWhatStaffEntered(
  view: View,
  lines: readonly MaybeHidden<HistoryLine>[],
  isToHide: (field: string) => boolean,
): HistoryLine[] {
  const enteredByStaff = new Set<string>();
  return lines.map((line) => {
    const byStaff = line.isHidden === true || isByStaff(view, line);
    return withChanges(line, (change) => {
      if (!isToHide(change.field)) return change;
      const isReplaced = byStaff && fieldsToReach.includes(change.field);
      const from = isReplaced || enteredByStaff.has(change.field) ? notShown : change.from;
      if (byStaff) enteredByStaff.add(change.field);
      else enteredByStaff.delete(change.field);
      return { ...change, from, to: byStaff ? notShown : change.to };
    });
  });
}

/**
 * Whether the author may work for the service, because their organisation is neither the referrer’s nor the reader’s. The site, and
 * operators, have no organisation. An organisation that is not known by its id counts as the service’s.
 */
function isByStaff({ caller, referral }: View, item: AuthoredItem): boolean {
  const author = 'actorName' in item ? actorFields(item) : authorFields(item);
  if (author.organisation === null) return false;
  if (author.organisationId === null) return author.id !== referral.referrerAccountId;
  return ![caller.organisation?.id, referral.referrerOrganisationId].includes(author.organisationId);
}

function actorFields({ actorId, actorOrganisation, actorOrganisationId }: AuthoredItem) {
  return {
    id: actorId ?? null,
    organisation: actorOrganisation ?? null,
    organisationId: actorOrganisationId ?? null,
  };
}

function authorFields({ authorId, authorOrganisation, authorOrganisationId }: AuthoredItem) {
  return {
    id: authorId ?? null,
    organisation: authorOrganisation ?? null,
    organisationId: authorOrganisationId ?? null,
  };
}

/**
 * Takes the names of services that are hidden from the reader out of what people wrote in a history. A line of a transfer from or to such a
 * service loses its reason, too.
 */
export async function hideEarlierServices(
  trx: Trx,
  view: View,
  lines: readonly HistoryLine[],
): Promise<HistoryLine[]> {
  const { ids, names } = await findServicesNotToName(trx, view);
  if (names.size === 0) return [...lines];
  return lines.map((line) => {
    const { details, reason } = line;
    if (details?.kind !== 'transfer') return withoutNamesIn(names, line);
    const service = details.changes.find(({ field }) => field === 'service');
    const mustHide = (side: 'from' | 'to') =>
      ids.has(details.services?.[side] ?? '') || (service !== undefined && names.has(String(service[side])));
    const hidden = { from: mustHide('from'), to: mustHide('to') };
    const changes = details.changes.map((change) =>
      change.field === 'service'
        ? {
            ...change,
            from: hidden.from ? hiddenServiceName : change.from,
            to: hidden.to ? hiddenServiceName : change.to,
          }
        : change,
    );
    const isHidden = hidden.from || hidden.to;
    return {
      ...line,
      ...(isHidden && reason && { reason: { ...reason, text: notShownHere } }),
      details: { ...details, changes },
    };
  });
}
