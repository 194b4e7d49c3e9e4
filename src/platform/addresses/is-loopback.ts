/**
 * Whether the host of a URL is this machine. It goes by the name alone, so that no name server can change the answer. `URL`
 * puts IPv6 in brackets.
 */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
