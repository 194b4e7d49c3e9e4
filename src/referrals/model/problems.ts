import { type TProperties, Type } from 'typebox';
import { defineProblem, type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { ReferralStatus } from './referral.ts';

/** Which other referral stands in the way. */
const otherReferral: TProperties = {
  referral_id: Type.String({
    description:
      'The referral that stands in the way. With `possible-duplicate` and `death-reported`, if you may see it.',
  }),
  reference: Type.String({ description: 'Its reference, for people.' }),
};

export const takesNoReferrals = 'is a service that does not take referrals through this site';

/** For a referral that is refused: what became of it, and where to look. */
export function whatToChange(outcome: string): string {
  return `${outcome} See \`errors\` for what to change.`;
}

export const cannotRefer = defineProblem({
  type: 'cannot-refer',
  status: 422,
  title: 'This referral cannot be made',
  exampleDetail: whatToChange('Nothing was sent.'),
  exampleErrors: [{ pointer: '/service_id', message: takesNoReferrals }],
});
export const riskNotActedOn = defineProblem({
  type: 'risk-not-acted-on',
  status: 422,
  title: 'Somebody is at risk: act on that first',
  members: {
    emergency_number: Type.String({ description: 'With `risk-not-acted-on`: whom to call first.' }),
    safeguarding_contact: Type.Union([Type.String(), Type.Null()], {
      description: 'With `risk-not-acted-on`: whom to tell of a child or adult at risk.',
    }),
  },
});
export const doesNotFit = defineProblem({
  type: 'does-not-fit',
  status: 422,
  title: 'The person is outside the ages or the area of this service',
  members: {
    service_telephone: Type.Union([Type.String(), Type.Null()], {
      description: 'With `does-not-fit`: where to ask the service whether it makes an exception.',
    }),
  },
});
export const refersThemselves = defineProblem({
  type: 'refers-themselves',
  status: 422,
  title: 'Nobody refers themselves',
});
export const possibleDuplicate = defineProblem({
  type: 'possible-duplicate',
  status: 409,
  title: 'Your organisation has an open referral of this person to this service',
  detail: 'Follow that one, or send allow_duplicate: true if a second one is meant.',
  members: otherReferral,
});
export const personMismatch = defineProblem({
  type: 'person-mismatch',
  status: 409,
  title: 'This NHS number is known with another name or date of birth',
  members: otherReferral,
});
export const deathReported = defineProblem({
  type: 'death-reported',
  status: 409,
  title: 'Your organisation was told that this person has died',
  members: {
    ...otherReferral,
    reported_at: Type.String({
      format: 'date-time',
      description: 'With `death-reported`: when somebody told it.',
    }),
  },
});
export const idempotencyKeyReused = defineProblem({
  type: 'idempotency-key-reused',
  status: 422,
  title: 'The idempotency key was used for another request',
});
export const stillInProgress = defineProblem({
  type: 'still-in-progress',
  status: 409,
  title: 'The same request is still being worked on',
  detail: 'Wait for its answer, or send it again in a moment.',
});
export const referralRestricted = defineProblem({
  type: 'referral-restricted',
  status: 409,
  title: 'Nobody may work with this referral for now',
  detail: 'Ask the operator of the site why, and when that ends.',
});
export const referralHeld = defineProblem({
  type: 'referral-held',
  status: 409,
  title: 'This record is on legal hold and cannot be erased',
});
export const referralErased = defineProblem({
  type: 'referral-erased',
  status: 409,
  title: 'What this referral said has been erased',
});
export const wrongState = defineProblem({
  type: 'wrong-state',
  status: 409,
  title: 'The referral is not in a state for that',
  exampleDetail: wrongStateText('completed', ['requested']),
});

export const noSuchPractice = {
  pointer: '/gp_practice/ods_code',
  message: 'is not the code of a practice that this site knows',
};

/** Why something is impossible in a state, and in which it is possible. */
function wrongStateText(status: string, possible: readonly string[], that = 'that'): string {
  return `It is ${status}; ${that} is possible only when it is ${possible.join(' or ')}.`;
}

/** A letter to it would reach nobody. */
export const closedPractice = {
  pointer: '/gp_practice/ods_code',
  message: 'is the code of a practice that has closed: ask the person which one they have now',
  code: 'closed-practice',
};

/** A change of a referral that is refused for these errors. */
export function nothingChanged(errors: readonly FieldError[]): Problem {
  return new Problem(unprocessable, 'Nothing was changed. See `errors`.', { errors });
}

/** What somebody is told who tries something that is possible in these statuses alone. */
export function refusedInStatus(
  status: ReferralStatus | 'draft',
  possible: readonly string[],
  { forYou = false, instead = '' } = {},
): Problem {
  const that = forYou ? 'for you that' : 'that';
  return new Problem(wrongState, `${wrongStateText(status, possible, that)}${instead}`);
}
