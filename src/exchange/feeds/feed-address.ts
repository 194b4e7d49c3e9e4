import { Problem, unprocessable } from '../../platform/problem/index.ts';
import type { SiteSecrets } from '../../platform/secrets/index.ts';

/** The address of a feed, and its name. */
export type FeedAddress = {
  /** The name of the source. Pages show it and everybody reads it in the history, so it has nothing secret. */
  name: string;
  /** The base of its API, without a query. */
  base: string;
  /** Parameters that every request has besides, such as `directory=north&key=…`. They may be secret. */
  query: string;
};

/** Parameters that the site sets itself. An address that somebody copied from a list contains some of them. */
const reservedParameters = ['page', 'per_page', 'full', 'minimal', 'modified_after', 'format'];

/**
 * Reads the address of a feed's API, or of its services.
 * @throws Problem `unprocessable` if it is not such an address.
 */
export function readFeedAddress(address: string): FeedAddress {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : undefined;
  const refusal = (message: string) =>
    new Problem(unprocessable, undefined, { errors: [{ pointer: '/address', message }] });
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw refusal('must be the address of a feed, such as https://feed.example/api/library');
  }
  if (url.username !== '' || url.password !== '')
    throw refusal('must have no name or password before the host');
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/services$/, '')}`;
  for (const parameter of reservedParameters) url.searchParams.delete(parameter);
  const parameters = [...url.searchParams].map(
    ([name, value]) => `${name}=${isPublicParameter(name, value) ? value : '…'}`,
  );
  const query = url.searchParams.toString();
  return { base, query, name: query === '' ? base : `${base}?${parameters.join('&')}` };
}

const purpose = 'scheduled feed';

/** Seals the whole address of a feed, with its query, which may be secret. */
export function sealFeedAddress(secrets: SiteSecrets, name: string, address: string): Buffer {
  return secrets.seal(purpose, name, address);
}

/** @returns undefined if another site key sealed it, as after `site key replace`. */
export function openFeedAddress(secrets: SiteSecrets, name: string, sealed: Buffer): string | undefined {
  try {
    return secrets.open(purpose, name, sealed);
  } catch {
    return undefined;
  }
}

/** Whether pages may show a parameter, because it only says which feed this is. It may not look like a key. */
function isPublicParameter(name: string, value: string): boolean {
  const looksSecret = /key|token|secret|pass|pwd|auth|sig|code|cred|user|session|sas/i.test(name);
  const looksRandom = value.length > 15 && /\d/.test(value);
  return !looksSecret && !looksRandom && /^[\p{L}\p{N} ._~-]{1,40}$/u.test(value);
}
