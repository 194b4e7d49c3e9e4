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

/** Whether a host is this very machine, judged by its name alone: no answer of a name server can change that. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
