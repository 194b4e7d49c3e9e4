import { Type } from 'typebox';
import { describePattern, noToken, badBody as unreadableBody } from '../../../platform/http/index.ts';

// What several routes of this room share.

export const tags = ['Referrals'];
export const idParams = Type.Object({
  id: Type.String({ parameter: 'ReferralId', maxLength: 100, description: 'The id of a referral.' }),
});

export const notYours = 'There is no such referral, or it is not yours to see.';
export const restrictedOrErased = 'The referral is restricted, or was erased.';

/** Added to who may act: a colleague from whom the service is hidden gives a reason first. */
export const orServiceHidden =
  ' Or its service is restricted, and you have not opened the referral with a reason.';
export const keyReusedText = 'The idempotency key was used for another request.';
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
        'The ETag of the referral as you last read it, or its `version` in quotation marks. If it is sent and the referral has changed since, the answer is 412. It may be left out.',
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

export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      parameter: 'IdempotencyKey',
      minLength: 1,
      maxLength: 200,
      pattern: describePattern(
        '^[\\x21-\\x7e]+$',
        'must have only letters, digits and signs of ASCII, and no spaces, such as a UUID',
      ),
      description:
        'A new random text for every referral, message or file, such as a UUID. Sent again with the same body it gives the same answer, so a request whose answer was lost can be repeated.',
    }),
  ),
});

export const theReferral = Type.Ref('Referral', { description: 'The referral as it is now.' });
