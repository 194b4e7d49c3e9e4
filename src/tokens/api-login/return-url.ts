import type { Settings } from '../../platform/settings/index.ts';

/** An address that a browser can take a token to, and its parts. */
export type ReturnUrl = {
  /** The address exactly as it was given. */
  readonly text: string;
  /** The part that is registered: origin and path. A loopback address is without its port, which changes at each start. */
  readonly address: string;
  readonly origin: string;
  /** The origin without `https://`, for people. */
  readonly host: string;
};

/** Why an address is refused, worded to follow “The return address”. It never repeats the address. */
export type AddressError = { readonly error: string };

type Mode = Settings['mode'];

const maxLength = 2000;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const port = '(?::[1-9][0-9]{0,4})?';
const shape = new RegExp(`^(https://${label}(?:\\.${label})*${port})(/[^?#]*)(?:\\?([^#]*))?$`);
const loopbackShape = new RegExp(
  `^(http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])${port})(/[^?#]*)(?:\\?([^#]*))?$`,
);

/**
 * Reads a `returnUrl`. It is much stricter than the standard, so that the text that is compared is the place that a browser goes to. It
 * refuses all that two programs could read in different ways: user info, encoded dots, slashes and semicolons, and unusual spellings of
 * ports and hosts.
 */
export function readReturnUrl(text: string, mode: Mode): ReturnUrl | AddressError {
  const error = findCharacterError(text);
  if (error) return { error };
  const loopback = loopbackShape.exec(text);
  if (loopback && mode !== 'test') return { error: 'may be on this computer only at a test site' };
  const match = loopback ?? shape.exec(text);
  if (!match)
    return { error: 'must be of the form https://host/path, in small letters, without user or fragment' };
  const [, origin = '', path = '', query = ''] = match;
  const partError =
    findPathError(path) ?? findNormalisationError(text, origin + path) ?? findQueryError(query);
  if (partError) return { error: partError };
  const address = withoutLoopbackPort(origin) + path;
  return { text, address, origin, host: origin.slice(origin.indexOf('//') + 2) };
}

/** Reads an address that is to be registered: a return URL without a query. */
export function readReturnAddress(text: string, mode: Mode): ReturnUrl | AddressError {
  if (text.includes('?')) return { error: 'must have no query: clients may add one of their own' };
  return readReturnUrl(text, mode);
}

/** The address to send the browser to: the return URL, unchanged, and the token. */
export function appendToken({ text }: ReturnUrl, token: string): string {
  const start = text.indexOf('?');
  if (start === -1) return `${text}?token=${token}`;
  // A second question mark is only a character of the query.
  const isSeparated = start === text.length - 1 || text.endsWith('&');
  return `${text}${isSeparated ? '' : '&'}token=${token}`;
}

/** Addresses of the user's own computer, without a port. */
export const loopbackOrigins = ['http://localhost', 'http://127.0.0.1', 'http://[::1]'];

/** A program on the user's computer listens on any free port (RFC 8252, section 7.3), so its port does not count. */
export function withoutLoopbackPort(origin: string): string {
  return origin.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):[0-9]+$/, '$1');
}

function findCharacterError(text: string): string | undefined {
  if (text.length === 0 || text.length > maxLength) return `must have 1 to ${maxLength} characters`;
  if (!/^[!-~]+$/.test(text) || /["<>\\^`{|}]/.test(text))
    return 'must be plain ASCII, percent-encoded where needed';
  if (/%(?![0-9a-f]{2})/i.test(text)) return 'must have two hexadecimal digits after every %';
  if (/%(?:[01][0-9a-f]|7f)/i.test(text)) return 'must have no control characters';
  return undefined;
}

function findPathError(path: string): string | undefined {
  if (path.includes('//') || path.includes('..') || path.includes(';'))
    return 'must have no //, .. or ; in its path';
  // %25 too: some proxies decode twice, and turn %252e into a dot.
  if (/%(?:2f|5c|2e|3b|25)/i.test(path)) return 'must have no %2F, %5C, %2E, %3B or %25 in its path';
  return undefined;
}

/** A browser must not change it: no default port, no host in another notation, no dot as a folder. */
function findNormalisationError(text: string, expected: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUnchanged =
    url && url.origin + url.pathname === expected && url.username === '' && url.password === '';
  return isUnchanged ? undefined : 'must be written as a browser writes it, without a default port';
}

function findQueryError(query: string): string | undefined {
  return hasTokenParameter(query) ? 'must have no parameter token or access_token of its own' : undefined;
}

/**
 * Whether a query has a parameter that a client could mistake for the token we append: `token` or `access_token` in any
 * spelling (percent-encoded, in capitals, `token[]`, `access.token`, full-width letters). The client might read that one
 * and sign its user in with somebody else's token. A name that cannot be decoded counts too.
 */
function hasTokenParameter(query: string): boolean {
  // A semicolon separates parameters for some programs.
  return query.split(/[&;]/).some((part) => {
    const name = decodeFully(part.split('=', 1)[0]!);
    return name === undefined || spellingsOf(name).some((each) => each === 'token' || each === 'accesstoken');
  });
}

/** Decodes until nothing changes any more. @returns undefined if it is not UTF-8. */
function decodeFully(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? text : decodeFully(decoded);
  } catch {
    // Decoding “%2525” leaves a single percent sign, which is not part of any spelling.
    const withoutLonePercents = text.replaceAll(/%(?![0-9a-f]{2})/gi, '');
    return withoutLonePercents === text ? undefined : decodeFully(withoutLonePercents);
  }
}

/** The name as lenient programs read it: in plain small letters, without punctuation, and without a part in brackets. */
function spellingsOf(name: string): string[] {
  const plain = name.normalize('NFKC').toLowerCase();
  return [plain, plain.split('[', 1)[0]!].map((each) => each.replaceAll(/[^a-z0-9]/g, ''));
}
