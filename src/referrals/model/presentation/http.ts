import type { Reply, Request } from '../../../platform/http/index.ts';
import { badRequest, Problem, versionMissing } from '../../../platform/problem/index.ts';
import { etagOf, type PresentedReferral } from './present.ts';

// The headers of calls and answers about referrals; `schemas/route-parts.ts` describes them.

/** Whether the client says that it shows the answer to a person: then it counts as read, and not only as fetched. */
export function isShownToSomebody({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['onward-shown-to'] === 'person';
}

export function sendReferral(reply: Reply, referral: PresentedReferral): Reply {
  return reply.header('etag', etagOf(referral)).send(referral);
}

export function sendNewReferral(
  reply: Reply,
  { settings }: { settings: { baseUrl: string } },
  { referral, isReplayed }: { referral: PresentedReferral; isReplayed: boolean },
): Reply {
  const location = `${settings.baseUrl}/api/referrals/${referral.id}`;
  return sendReferral(markReplayed(reply.code(201).header('location', location), isReplayed), referral);
}

/** Sets the header that says whether the answer was first given to an earlier request with the same key. */
export function markReplayed(reply: Reply, isReplayed: boolean): Reply {
  return isReplayed ? reply.header('idempotent-replayed', 'true') : reply;
}

/** The version that the caller has seen, where they need not say so. @throws Problem `bad-request` */
export function versionSeenIfSent(request: Request): number | undefined {
  return request.headers['if-match'] === undefined ? undefined : versionSeen(request);
}

/** The version that stands for an ETag of another kind. No referral has it, so the request is stale. */
const noVersion = 0;

/**
 * The version that the caller has seen, from the If-Match header.
 * @throws Problem `version-missing` (428) without the header, `bad-request` for anything that is not an ETag.
 */
export function versionSeen(request: Pick<Request, 'headers'>): number {
  const header = request.headers['if-match'];
  if (header === undefined) {
    throw new Problem(
      versionMissing,
      'Send the header If-Match with the ETag of the referral as you last read it, such as "1".',
    );
  }
  // A proxy that compresses answers makes their tags weak (`W/`); they still mean the same version.
  const match = /^(?:W\/)?"([^"]*)"$|^(\d+)$/.exec(header.trim());
  const tag = match?.[1] ?? match?.[2];
  if (tag !== undefined) return Number(/^(\d{1,9})(?:-[\w-]+)?$/.exec(tag)?.[1] ?? noVersion);
  const errors = [{ pointer: '/headers/if-match', message: 'must be an ETag of the referral, such as "1"' }];
  throw new Problem(badRequest, 'See `errors`.', { errors });
}

/**
 * What a change of a referral expects: which referral, at which version, and where the caller is.
 * @throws Problem as `versionSeen`
 */
export function expectedOf(request: Pick<Request, 'headers' | 'ip'> & { params: { id: string } }) {
  return { referralId: request.params.id, version: versionSeen(request), ipAddress: request.ip };
}
