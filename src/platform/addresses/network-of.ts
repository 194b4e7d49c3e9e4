import { isIPv4, isIPv6 } from 'node:net';
import { plainAddress } from './plain-address.ts';

const mapped = '::ffff:';

/**
 * The network that an address counts for: an IPv4 address itself, or the /64 of an IPv6 address, since one household has
 * 2^64 addresses. All other text counts as one network. Every API call needs this, so the usual forms are parsed by hand:
 * `SocketAddress` takes 2 µs.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (address.startsWith(mapped)) {
    const inner = address.slice(mapped.length);
    if (isIPv4(inner)) return inner;
  }
  if (!isIPv6(address)) return 'unknown';
  const half = firstHalf(address);
  const plain = half === '0:0:0:0' ? plainAddress(address)! : '';
  return isIPv4(plain) ? plain : `${half}::/64`;
}

/** The first four of the eight groups, each written out: `2001:db8::1` begins with 2001:db8:0:0. */
function firstHalf(address: string): string {
  const gap = address.indexOf('::');
  const before = gap < 0 ? address : address.slice(0, gap);
  const groups = before === '' ? [] : before.split(':');
  if (gap >= 0) {
    const rest = gap + 2 === address.length ? [] : address.slice(gap + 2).split(':');
    // An IPv4 address at the end stands for two groups.
    const restGroups = rest.length + (address.includes('.') ? 1 : 0);
    while (groups.length + restGroups < 8) groups.push('0');
    groups.push(...rest);
  }
  let half = '';
  for (let index = 0; index < 4; index += 1) {
    half += (index === 0 ? '' : ':') + Number.parseInt(groups[index]!, 16).toString(16);
  }
  return half;
}
