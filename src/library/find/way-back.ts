import { type Asked, findPath, readAsked } from './asked.ts';

/**
 * The way back from a service's page to the results that it was opened from. The browser says what they were: it names
 * the page that a link was on to pages of the same site alone (see the security headers), so that the words and filters
 * of a search come into no further address. Only the form's own fields are taken from it, so it leads nowhere else.
 * Where it says nothing, the way back is by what the page itself was opened with.
 */
export function wayBack(referer: string | undefined, opened: Asked): string {
  const from = URL.parse(referer ?? '');
  if (from?.pathname !== '/services') return findPath(opened);
  const { searchParams } = from;
  const asked = readAsked(
    Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)])),
  );
  return findPath(asked, asked.page);
}
