import type { Request } from '../../platform/http/index.ts';
import { badRequest, Problem, versionMissing, versionStale } from '../../platform/problem/index.ts';
import { tagOf } from '../send-answer.ts';

/**
 * The versions of a service that a caller says it has seen, from the If-Match header.
 * @throws Problem `version-missing` (428) without one, `bad-request` for what is no ETag.
 */
export function tagsSeen({ headers }: Request): readonly string[] {
  const header = headers['if-match'];
  if (header === undefined) {
    throw new Problem(
      versionMissing,
      'Send the header If-Match with the ETag of the service as you last read it.',
    );
  }
  // A proxy that compresses answers makes tags weak, and they name the same version still.
  const tags = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  if (tags.every((tag) => tag === '*' || /^"[^"]+"$/.test(tag))) return tags;
  const errors = [
    { pointer: '/headers/if-match', message: 'must be the ETag of the service, with its quotation marks' },
  ];
  throw new Problem(badRequest, 'See `errors`.', { errors });
}

/** @throws Problem `version-stale` where the service is no longer as the caller has seen it. */
export function requireSeen(seen: readonly string[], content: string): void {
  const etag = tagOf(content);
  if (seen.includes(etag) || seen.includes('*')) return;
  throw new Problem(versionStale, 'Read the service again, then change it again.', { headers: { etag } });
}
