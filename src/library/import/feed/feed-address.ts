import { Problem, unprocessable } from '../../../platform/problem/index.ts';

/**
 * The base of a feed, of its own address or that of its services. It is what the source is called by, so it may hold
 * nothing secret and one feed has one form of it.
 * @throws Problem `unprocessable` where it is no such address.
 */
export function feedBase(address: string): string {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : undefined;
  const refused = (message: string) =>
    new Problem(unprocessable, undefined, { errors: [{ pointer: '/address', message }] });
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw refused('must be the address of a feed, such as https://feed.example/api/library');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw refused('must have neither a password nor anything from a question mark on: it is shown and kept');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/services$/, '')}`;
}
