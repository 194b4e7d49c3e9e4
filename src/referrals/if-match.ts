import type { Request } from '../platform/http/index.ts';
import { badRequest, Problem, versionMissing } from '../platform/problem/index.ts';

/**
 * The version that a caller says it has seen, from the If-Match header.
 * @throws Problem `version-missing` (428) without one, `bad-request` for what is not one of our ETags.
 */
export function versionSeen(request: Request): number {
  const header = request.headers['if-match'];
  if (header === undefined) {
    throw new Problem(
      versionMissing,
      'Send the header If-Match with the ETag of the referral as you last read it, such as "1".',
    );
  }
  const match = /^"?(\d{1,9})"?$/.exec(header.trim());
  if (match) return Number(match[1]);
  const errors = [{ pointer: '/headers/if-match', message: 'must be an ETag of the referral, such as "1"' }];
  throw new Problem(badRequest, 'See `errors`.', { errors });
}
