// The search, the list or the referral that a page was opened from, so that the page leads back there.

import { isUuid } from '../../platform/ids/index.ts';
import { type FindForm, pathFrom, readForm } from './find-form.ts';

/**
 * The search that a service's page was opened from. It comes from the browser's Referer, which is sent within this site only (see the
 * security headers), so that a search does not have to be in another address. Without it, the page's own query is used.
 */
export function searchBefore(
  referer: string | undefined,
  opened: FindForm,
  searchPath = '/services',
): FindForm {
  const from = URL.parse(referer ?? '');
  if (from?.pathname !== searchPath) return opened;
  const { searchParams } = from;
  return readForm(
    Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)])),
  );
}

/** The path back to that search. Only the form's own fields are in it, so it cannot lead elsewhere. */
export function pathBackToSearch(
  referer: string | undefined,
  opened: FindForm,
  searchPath = '/services',
): string {
  const form = searchBefore(referer, opened, searchPath);
  const path = pathFrom(searchPath);
  // Only a search that somebody came from has a page to go back to.
  return form === opened ? path(opened) : path(form, form.page);
}

/** The result that was just added to a list, if somebody comes back from there, and the path of the list. */
export function savedBefore({ saved, list }: Readonly<Record<string, unknown>>) {
  if (typeof saved !== 'string' || typeof list !== 'string' || !isUuid(list)) return undefined;
  return { serviceId: saved, listPath: `/lists/${list}` };
}

export const comparePathname = '/services/compare';

/** The referral that the chosen service would take over: only its id, which becomes a part of links. */
export function readReroutes(value: unknown): string | undefined {
  return typeof value === 'string' && isUuid(value) ? value : undefined;
}

/** The referral for which somebody looks for another service, where a service's page was opened from there. */
export function reroutedBefore(referer: string | undefined): { id: string; path: string } | undefined {
  const from = URL.parse(referer ?? '');
  if (!from) return undefined;
  const id =
    from.pathname === comparePathname
      ? readReroutes(from.searchParams.get('reroutes'))
      : /^\/referrals\/([\w-]{1,100})\/reroute$/.exec(from.pathname)?.[1];
  return id === undefined ? undefined : { id, path: `${from.pathname}${from.search}` };
}
