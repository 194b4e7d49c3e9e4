import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isLoopback } from '../ip-addresses/index.ts';

// Each parser takes the raw text of a variable and throws an Error whose message completes “<VARIABLE> …”.

/** One of these words. */
export function oneOf<const T extends string>(...allowed: T[]): (raw: string) => T {
  return (raw) => {
    const word = allowed.find((value) => value === raw);
    if (word === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
    return word;
  };
}

/** A text with a minimum and a maximum length, without the spaces around it. */
export function text(minLength: number, maxLength: number): (raw: string) => string {
  return (raw) => {
    const value = raw.trim();
    const { length } = [...value];
    if (length < minLength || length > maxLength) {
      throw new Error(`must have ${minLength} to ${maxLength} characters`);
    }
    return value;
  };
}

/** A TCP port; 0 lets the system choose. */
export function port(raw: string): number {
  if (!/^\d{1,5}$/.test(raw) || Number(raw) > 65535) throw new Error('must be a port number, 0 to 65535');
  return Number(raw);
}

/** `true` or `false`. No other word is accepted. */
export function flag(raw: string): boolean {
  if (raw !== 'true' && raw !== 'false') throw new Error('must be true or false');
  return raw === 'true';
}

/** The path of a file or directory, made absolute. */
export function path(raw: string): string {
  if (raw.trim() === '' || raw.includes('\0')) throw new Error('must be the path of a file or directory');
  return resolve(raw);
}

/** An http(s) address without a path, as an origin: without a slash behind it. */
export function webAddress(raw: string): string {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  const usable =
    url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
  if (!usable || (url.pathname !== '/' && url.pathname !== '')) {
    throw new Error('must be an http or https address without path, query or user name');
  }
  return url.origin;
}

/** Where a virus scanner answers: icap, http or https. */
export function scannerAddress(raw: string): string {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  if (!url || !/^(icap|https?):$/.test(url.protocol) || url.hostname === '' || url.username)
    throw new Error('must be the icap, http or https address of a virus scanner');
  return url.href;
}

/** An IP address, or a network as CIDR writes it. Unlike `readNetwork` it accepts 0.0.0.0/0: any proxy may be trusted. */
export function network(raw: string): string {
  const [address = '', bits, ...rest] = raw.split('/');
  const max = isIP(address) === 6 ? 128 : 32;
  const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max);
  if (isIP(address) === 0 || !bitsFit || rest.length > 0) {
    throw new Error('must be IP addresses or networks such as 10.0.0.0/8, separated by commas');
  }
  return raw;
}

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (raw: string) => number {
  return (raw) => {
    if (!/^\d{1,12}$/.test(raw) || Number(raw) < min || Number(raw) > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return Number(raw);
  };
}

/** `smtps://` or `smtp://`, with a name and password in it or without. */
export function smtpAddress(raw: string): string {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.search || url.hash)
    throw new Error('must be an smtps:// or smtp:// address of a mail server');
  if (![url.username, url.password].every(isDecodable))
    throw new Error(
      'must have special characters in its user name and password percent-encoded, such as % as %25',
    );
  return raw;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** https, except on loopback, where a server may be tried. */
export function secureAddress(ofWhat: string): (raw: string) => string {
  return (raw) => {
    const url = URL.canParse(raw) ? new URL(raw) : undefined;
    const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
    if (!url || !secure || url.search || url.hash) throw new Error(`must be the https address of ${ofWhat}`);
    if (url.username || url.password) throw new Error('must have no user name and no password in it');
    return raw;
  };
}

/** Where somebody can write to: an email address, or the https address of a page. @returns it as a URI. */
export function contactAddress(raw: string): string {
  const value = raw.trim();
  if (/^[^\s@<>?#]+@[^\s@<>?#]+\.[^\s@<>?#]+$/.test(value)) return `mailto:${value}`;
  if (/^https:\/\/\S+$/.test(value) && URL.canParse(value)) return value;
  throw new Error('must be an email address, or the https address of a page');
}

/** Dates such as 2027-05-10, separated by commas. */
export function dates(raw: string): string[] {
  return raw.split(',').map((part) => {
    const date = part.trim();
    const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
    if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date)
      throw new Error('must be real dates, as year-month-day, separated by commas');
    return date;
  });
}
