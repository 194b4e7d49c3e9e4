/**
 * Whether the host of an address is this very machine, judged by its name alone: no answer of a name server can change
 * that. IPv6 is in brackets, as `URL` has it.
 */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
