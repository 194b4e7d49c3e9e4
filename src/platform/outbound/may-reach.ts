import { isLoopback } from '../addresses/index.ts';

/**
 * Where the site may call. A live site: whatever is https, and loopback. A test site leaves its machine only for the
 * hosts that its settings name, so that something tried there never reaches a real service by mistake.
 */
export function mayReach(url: URL, mode: 'test' | 'live', named: readonly URL[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (isLoopback(url)) return url.protocol === 'http:' || url.protocol === 'https:';
  if (url.protocol !== 'https:') return false;
  return mode === 'live' || named.some(({ hostname }) => hostname === url.hostname);
}
