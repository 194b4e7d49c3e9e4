import type { SiteSecrets } from '../platform/secrets/index.ts';

/** A link of the chain. Its hash covers its entry, its position and the hash before it. */
export type Link = { position: number; hash: Buffer };

/**
 * The hash of the link after `previous`. It is keyed with the site key: somebody who can change the database, but does not have the key,
 * cannot make a new chain. The entry is hashed by itself first, so that nothing can be added to the end of what the outer hash covers.
 */
export function nextHash(secrets: SiteSecrets, previous: Link | undefined, canonical: string): Buffer {
  const position = (previous?.position ?? 0) + 1;
  const before = previous?.hash.toString('hex') ?? 'the first';
  return secrets.hash('audit link', `${position}:${before}:${secrets.hashText('audit entry', canonical)}`);
}
