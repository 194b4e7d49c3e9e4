import type { Settings } from '../../platform/settings/index.ts';

/** An address that a token could be taken to, and what of it counts. */
export type ReturnUrl = {
  /** The very bytes that were given. */
  readonly text: string;
  /** What is registered: origin and path. A loopback address counts without its port, which its program picks anew. */
  readonly address: string;
  readonly origin: string;
  /** The origin without `https://`, for people. */
  readonly host: string;
};

/** What is wrong with an address, to be read after “The return address”. Never a part of the address itself. */
export type Fault = { readonly fault: string };

type Mode = Settings['mode'];

const maxLength = 2000;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const port = '(?::[1-9][0-9]{0,4})?';
const shape = new RegExp(`^(https://${label}(?:\\.${label})*${port})(/[^?#]*)(?:\\?([^#]*))?$`);
const loopbackShape = new RegExp(
  `^(http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])${port})(/[^?#]*)(?:\\?([^#]*))?$`,
);

/**
 * Reads a `returnUrl`. It is strict far beyond the standard: whatever one program could read otherwise than another (user
 * info, dots, slashes and semicolons in disguise, ports and hosts in odd spellings) is refused, so that the bytes that
 * are compared are the place that a browser goes to.
 */
export function readReturnUrl(text: string, mode: Mode): ReturnUrl | Fault {
  const fault = faultOfCharacters(text);
  if (fault) return { fault };
  const loopback = loopbackShape.exec(text);
  if (loopback && mode !== 'test') return { fault: 'may be on this computer only at a test site' };
  const match = loopback ?? shape.exec(text);
  if (!match)
    return { fault: 'must be of the form https://host/path, in small letters, without user or fragment' };
  const [, origin = '', path = '', query = ''] = match;
  const further = faultOfPath(path) ?? faultOfReading(text, origin + path) ?? faultOfQuery(query);
  if (further) return { fault: further };
  const address = withoutLoopbackPort(origin) + path;
  return { text, address, origin, host: origin.slice(origin.indexOf('//') + 2) };
}

/** Reads an address that is to be registered: a return URL without a query. */
export function readReturnAddress(text: string, mode: Mode): ReturnUrl | Fault {
  if (text.includes('?')) return { fault: 'must have no query: clients may add one of their own' };
  return readReturnUrl(text, mode);
}

/** The address to go to: the very bytes given, and the token. */
export function appendToken({ text }: ReturnUrl, token: string): string {
  const start = text.indexOf('?');
  if (start === -1) return `${text}?token=${token}`;
  // A further question mark is a character of the query, and separates nothing.
  const separated = start === text.length - 1 || text.endsWith('&');
  return `${text}${separated ? '' : '&'}token=${token}`;
}

/** Programs on one's own computer listen where there is room (RFC 8252, section 7.3): their port does not count. */
export function withoutLoopbackPort(origin: string): string {
  return origin.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):[0-9]+$/, '$1');
}

function faultOfCharacters(text: string): string | undefined {
  if (text.length === 0 || text.length > maxLength) return `must have 1 to ${maxLength} characters`;
  if (!/^[!-~]+$/.test(text) || /["<>\\^`{|}]/.test(text))
    return 'must be plain ASCII, percent-encoded where needed';
  if (/%(?![0-9a-f]{2})/i.test(text)) return 'must have two hexadecimal digits after every %';
  if (/%(?:[01][0-9a-f]|7f)/i.test(text)) return 'must have no control characters';
  return undefined;
}

function faultOfPath(path: string): string | undefined {
  if (path.includes('//') || path.includes('..') || path.includes(';'))
    return 'must have no //, .. or ; in its path';
  // %25 too: decoded twice, as proxies do, %252e becomes a dot after all.
  if (/%(?:2f|5c|2e|3b|25)/i.test(path)) return 'must have no %2F, %5C, %2E, %3B or %25 in its path';
  return undefined;
}

/** A browser must read it as it stands: no default port, no host in another notation, no single dot as a folder. */
function faultOfReading(text: string, place: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const same = url && url.origin + url.pathname === place && url.username === '' && url.password === '';
  return same ? undefined : 'must be written as a browser writes it, without a default port';
}

function faultOfQuery(query: string): string | undefined {
  return findTokenParameter(query) ? 'must have no parameter token or access_token of its own' : undefined;
}

/**
 * Whether a query has a parameter that some client could take for the token we append: `token` or `access_token` in any
 * spelling (percent-encoded, in capitals, `token[]`, `access.token`, full-width letters). The client might read that one,
 * and sign its user in with somebody else's token. A name that nobody can read counts as one too.
 */
function findTokenParameter(query: string): boolean {
  // A semicolon separates parameters for some programs.
  return query.split(/[&;]/).some((part) => {
    const name = decodeWholly(part.split('=', 1)[0]!);
    return name === undefined || spellingsOf(name).some((each) => each === 'token' || each === 'accesstoken');
  });
}

/** Decoded until nothing is left to decode. Undefined where it is not UTF-8. */
function decodeWholly(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? text : decodeWholly(decoded);
  } catch {
    // A percent sign of its own is left when “%2525” was decoded; it is no letter of any spelling.
    return /%(?![0-9a-f]{2})/i.test(text) ? decodeWholly(text.replaceAll('%', '')) : undefined;
  }
}

/** The name as lenient programs read it: what stands before a bracket, without marks, in small plain letters. */
function spellingsOf(name: string): string[] {
  const plain = name.normalize('NFKC').toLowerCase();
  return [plain, plain.split('[', 1)[0]!].map((each) => each.replaceAll(/[^a-z0-9]/g, ''));
}
