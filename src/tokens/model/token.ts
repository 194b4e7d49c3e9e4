import { crc32 } from 'node:zlib';
import { randomOctets, type SiteSecrets } from '../../platform/secrets/index.ts';

/**
 * A token: `ona_` (access) or `onr_` (refresh), the site's tag, `_`, 256 random bits and a checksum, in base62.
 * Tag and checksum turn away foreign and mistyped tokens before anything is looked up, and let secret scanners find
 * leaks. They give nothing: only the stored hash of the whole token does.
 */
export type TokenKind = 'access' | 'refresh';

const prefixes = { access: 'ona_', refresh: 'onr_' } as const;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 43;
const checksumLength = 6;
const tagLength = 6;
const shape = /^on[ar]_[0-9A-Za-z]{6}_[0-9A-Za-z]{49}$/;

/** What a token looks like before it is looked up. */
export type Reading = 'plausible' | 'malformed' | 'other-site' | 'other-kind';

/** The six characters that tell this site's tokens from another's. */
export function siteTag(secrets: SiteSecrets): string {
  return base62(BigInt(`0x${secrets.hash('site tag', 'tag').toString('hex')}`), secretLength).slice(
    -tagLength,
  );
}

/** A new random token of this kind for the site with this tag. */
export function newToken(kind: TokenKind, tag: string): string {
  const secret = base62(BigInt(`0x${randomOctets(32).toString('hex')}`), secretLength);
  const start = `${prefixes[kind]}${tag}_${secret}`;
  return start + checksum(start);
}

/** Reads a text as a token of this kind and site, without looking anything up. */
export function readToken(text: string, kind: TokenKind, tag: string): Reading {
  if (!shape.test(text)) return 'malformed';
  if (!text.endsWith(checksum(text.slice(0, -checksumLength)))) return 'malformed';
  if (!text.startsWith(tag, prefixes.access.length)) return 'other-site';
  return text.startsWith(prefixes[kind]) ? 'plausible' : 'other-kind';
}

function checksum(start: string): string {
  let value = crc32(start);
  let text = '';
  for (let place = 0; place < checksumLength; place += 1) {
    text = digits[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let place = 0; place < length; place += 1) {
    text = digits[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
