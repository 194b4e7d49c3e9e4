import type { Request } from '../platform/http/index.ts';
import { badRequest, Problem, versionMissing } from '../platform/problem/index.ts';

/** What an ETag of something else comes to: the referral is not as the caller has seen it. */
const noVersion = 0;

/**
 * The version that a caller says it has seen, from the If-Match header.
 * @throws Problem `version-missing` (428) without one, `bad-request` for what is no ETag.
 */
export function versionSeen(request: Request): number {
  const header = request.headers['if-match'];
  if (header === undefined) {
    throw new Problem(
      versionMissing,
      'Send the header If-Match with the ETag of the referral as you last read it, such as "1".',
    );
  }
  // A proxy that compresses answers makes tags weak, and they name the same version still.
  const match = /^(?:W\/)?"([^"]*)"$|^(\d+)$/.exec(header.trim());
  const tag = match?.[1] ?? match?.[2];
  if (tag !== undefined) return /^\d{1,9}$/.test(tag) ? Number(tag) : noVersion;
  const errors = [{ pointer: '/headers/if-match', message: 'must be an ETag of the referral, such as "1"' }];
  throw new Problem(badRequest, 'See `errors`.', { errors });
}
