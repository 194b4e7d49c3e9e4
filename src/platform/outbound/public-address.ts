import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.ts';

/** All of IPv6 that is given out so far (RFC 4291, section 2.4). Outside it, `::10.0.0.1` still hides an IPv4 address. */
const givenOut = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the open internet. Everything set aside for something else is not: private, loopback,
 * link-local (with the clouds' metadata), multicast, those that hide an IPv4 address in an IPv6 one, and so on.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const read = ipaddr.process(address);
  return read.range() === 'unicast' && (read instanceof ipaddr.IPv4 || read.match(givenOut));
}

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Looks a host up for a connection that is being made, and gives it public addresses alone. Checked any earlier, a name
 * could lead elsewhere by the time it is connected to (DNS rebinding).
 */
export function lookupPublic(resolve: Resolve = lookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const open = found.filter(({ address }) => isPublicAddress(address));
      const [first] = open;
      if (!first) return done(new OutboundError('ADDRESS_NOT_ALLOWED'), '');
      if (options.all) return done(null, open);
      done(null, first.address, first.family);
    });
  };
}
