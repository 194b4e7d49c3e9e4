import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../ip-addresses/index.ts';
import type { Settings } from '../settings/index.ts';
import { OutboundError } from './request.ts';

// Where a site may call. A test site calls other machines only if its settings name them, so that nothing tried out there
// reaches a real service.

type Mode = Settings['mode'];

/** Whether a site may call an address of its own settings. A test site may call itself and `allowedHosts`. */
export function mayCallFromSettings(url: URL, mode: Mode, allowedHosts: readonly URL[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (isLoopback(url)) return url.protocol === 'http:' || url.protocol === 'https:';
  if (url.protocol !== 'https:') return false;
  return mode === 'live' || allowedHosts.some(({ hostname }) => hostname === url.hostname);
}

/**
 * Whether a site may call an address that somebody typed in. A test site: only this machine, so that a client can be tried
 * out. A live site: only https, and never this machine or a private network. The addresses behind a name are checked
 * when the connection is made.
 */
export function mayCallTyped(url: URL, mode: Mode): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (mode === 'test') return isLoopback(url) && /^https?:$/.test(url.protocol);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return url.protocol === 'https:' && !isLoopback(url) && (isIP(host) === 0 || isPublicAddress(host));
}

const maxLength = 2000;

/**
 * What is wrong with an address that somebody typed in: the rest of the sentence “The address …”, or undefined. A test
 * site accepts what a live one accepts, without calling it, and addresses of this computer.
 */
export function whyNotCall(text: string, mode: Mode): string | undefined {
  if (text.length > maxLength) return `must have at most ${maxLength} characters`;
  if (!/^[!-~]+$/.test(text) || !URL.canParse(text)) return `must be ${expectedForm(mode)}`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must have no user name or password in it';
  if (url.hash !== '') return 'must have no fragment';
  if (mayCallTyped(url, mode) || mayCallTyped(url, 'live')) return undefined;
  if (isLoopback(url)) return 'may be on this computer only at a test site';
  return url.protocol === 'https:' ? 'must be on the public internet' : `must be ${expectedForm(mode)}`;
}

function expectedForm(mode: Mode): string {
  const https = 'an address such as https://client.example.org/webhooks';
  return mode === 'live' ? https : `${https}, or on this computer such as http://localhost:3000/webhooks`;
}

/** All IPv6 addresses in use so far (RFC 4291, section 2.4). Outside them, `::10.0.0.1` hides an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is on the open internet. Addresses set aside for other uses are not: private, loopback, link-local (where
 * clouds keep metadata), multicast, IPv6 addresses that hide an IPv4 one, and so on.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast));
}

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Looks up a host for a connection that is being made, and returns only public addresses. */
export function lookupPublic(resolve: Resolve = lookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      const publicAddresses = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = publicAddresses;
      if (!first) return done(new OutboundError('ADDRESS_NOT_ALLOWED'), '');
      if (options.all) return done(null, publicAddresses);
      done(null, first.address, first.family);
    });
  };
}
