import type { SiteSecrets } from '../platform/secrets/index.ts';

/** A place in the chain: each link's hash covers its entry, its position and the hash before it. */
export type Link = { position: number; hash: Buffer };

/**
 * The hash of the link that follows another. Keyed with the site key: whoever can change the database, but has no key,
 * cannot make the chain anew. The entry is hashed by itself first, so that what the outer hash covers has one length
 * whatever is in the entry, and nothing can be added to its end.
 */
export function nextHash(secrets: SiteSecrets, previous: Link | undefined, canonical: string): Buffer {
  const position = (previous?.position ?? 0) + 1;
  const before = previous?.hash.toString('hex') ?? 'the first';
  return secrets.hash('audit link', `${position}:${before}:${secrets.hashText('audit entry', canonical)}`);
}
