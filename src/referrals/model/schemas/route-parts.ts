import { Type } from 'typebox';
import {
  noToken,
  type Reply,
  type Request,
  badBody as unreadableBody,
} from '../../../platform/http/index.ts';
import { badRequest, Problem, versionMissing } from '../../../platform/problem/index.ts';
import { etagOf, type PresentedReferral } from '../present.ts';

/** What several routes of this room share. */

export const tags = ['Referrals'];
export const idParams = Type.Object({
  id: Type.String({ parameter: 'ReferralId', maxLength: 100, description: 'The id of a referral.' }),
});

export const notYours = 'There is no such referral, or it is not yours to see.';
export const restrictedOrErased = 'The referral is restricted, or was erased.';

/** Added to who may act: a colleague from whom the service is hidden gives a reason first. */
export const orServiceHidden =
  ' Or its service is restricted, and you have not opened the referral with a reason.';
export const keyReused = 'The idempotency key was used for another request.';
/** The refusals of a call with a token and a body. */
export const badBody = { ...unreadableBody, 401: noToken };
export const staleVersion = {
  412: 'The referral has changed since you read it.',
  428: 'If-Match is missing.',
};

/** Who is refused when they read the messages or the files of a referral. */
export const contentRefusals = {
  401: noToken,
  403: 'An operator has not opened the referral.',
  404: notYours,
  409: restrictedOrErased,
};

export const ifMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      parameter: 'ReferralVersion',
      maxLength: 100,
      description:
        'The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.',
      examples: ['"1-l6DqN0YcTzq2YBpyWzYkQg"'],
    }),
  ),
});

/** Used where no version is required. */
export const optionalIfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      parameter: 'ReferralVersionIfKnown',
      maxLength: 100,
      description:
        'The ETag of the referral as you last read it, or its `version` in quotation marks. If it is sent and the version is another one since, the answer is 412. It may be left out.',
      examples: ['"1-l6DqN0YcTzq2YBpyWzYkQg"'],
    }),
  ),
});

export const ifNoneMatchHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({ maxLength: 1000, description: 'The ETag of the referral as you last read it.' }),
  ),
});

/** The site cannot tell a program that reads for itself from one that shows a person what it reads. */
export const shownToHeaders = Type.Object({
  'onward-shown-to': Type.Optional(
    Type.Enum(['person'], {
      parameter: 'OnwardShownTo',
      description:
        'Send `person` if the person whose token it is has the answer on a screen now, as when they opened it. Only then does reading count as seen by a person, and end the emails about what nobody has seen. Leave it out where a program reads for itself, such as in the background: that is a delivery to a system. A system account’s token never counts.',
    }),
  ),
});

export function isShownToSomebody({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['onward-shown-to'] === 'person';
}

export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      parameter: 'IdempotencyKey',
      minLength: 1,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'A new random text for every referral, message or file, such as a UUID. Sent again with the same body it gives the same answer, so a request whose answer was lost can be repeated.',
    }),
  ),
});

export const theReferral = Type.Ref('Referral', { description: 'The referral as it is now.' });

export function sendReferral(reply: Reply, referral: PresentedReferral): never {
  return reply.header('etag', etagOf(referral)).send(referral) as never;
}

export function sendNewReferral(
  reply: Reply,
  { settings }: { settings: { baseUrl: string } },
  { referral, isReplayed }: { referral: PresentedReferral; isReplayed: boolean },
): never {
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
export function versionSeen(request: Request): number {
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
