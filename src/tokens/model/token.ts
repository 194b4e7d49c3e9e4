import { crc32 } from 'node:zlib';
import { newRandomBytes, type SiteSecrets } from '../../platform/secrets/index.ts';

/**
 * A token is `ona_` (access) or `onr_` (refresh), the site's tag, `_`, 256 random bits and a checksum, in base62. With the
 * tag and the checksum, tokens of other sites and mistyped ones are refused without a look-up, and secret scanners find
 * leaked ones. They prove nothing: a token works only if its hash is stored.
 */
export type TokenKind = 'access' | 'refresh';

const prefixes = { access: 'ona_', refresh: 'onr_' } as const;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 43;
const checksumLength = 6;
const tagLength = 6;
const shape = new RegExp(`^on[ar]_[0-9A-Za-z]{${tagLength}}_[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** What the form of a text says about it, before any look-up. */
type TokenForm = 'plausible' | 'malformed' | 'other-site' | 'other-kind';

/** The six characters by which this site recognises its own tokens. */
export function siteTag(secrets: SiteSecrets): string {
  return base62(BigInt(`0x${secrets.hash('site tag', 'tag').toString('hex')}`), secretLength).slice(
    -tagLength,
  );
}

/** A new random token of this kind for the site with this tag. */
export function newToken(kind: TokenKind, tag: string): string {
  const secret = base62(BigInt(`0x${newRandomBytes(32).toString('hex')}`), secretLength);
  const start = `${prefixes[kind]}${tag}_${secret}`;
  return start + checksum(start);
}

/** Checks whether a text has the form of a token of this kind and site. */
export function checkTokenForm(text: string, kind: TokenKind, tag: string): TokenForm {
  if (!shape.test(text)) return 'malformed';
  if (!text.endsWith(checksum(text.slice(0, -checksumLength)))) return 'malformed';
  if (!text.startsWith(tag, prefixes.access.length)) return 'other-site';
  return text.startsWith(prefixes[kind]) ? 'plausible' : 'other-kind';
}

function checksum(start: string): string {
  return base62(BigInt(crc32(start)), checksumLength);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = digits[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
