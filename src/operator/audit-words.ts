import type { FoundEntry } from '../audit/index.ts';

/** `account.api_access_on` as “account api access on”. */
export function actionInWords(action: string): string {
  return action.replaceAll(/[._]/g, ' ');
}

/** An entry as the page shows it. */
export function entryInWords(entry: FoundEntry) {
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
