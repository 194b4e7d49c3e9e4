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
/** Whom to call or tell before a referral of somebody at risk is made. */
export type RiskHelp = { emergency_number: string; safeguarding_contact: string | null };

export const riskActedOnRequired = 'is required when risk is yes';

/** What to do first where somebody is at risk, and what to send then. */
export function riskAdvice({ emergency_number, safeguarding_contact }: RiskHelp): string {
  const report =
    safeguarding_contact === null
      ? 'report it to your safeguarding lead'
      : `report it: ${safeguarding_contact}`;
  return `Nothing was sent. If anybody is in danger now, call ${emergency_number}. If a child or adult is being hurt, ${report}. Then say in risk_acted_on whom you told, and when.`;
}

export const riskNotActedOn = defineProblem({
  type: 'risk-not-acted-on',
  status: 422,
  title: 'Somebody is at risk: act on that first',
  exampleDetail: riskAdvice({ emergency_number: '999', safeguarding_contact: null }),
  exampleErrors: [{ pointer: '/risk_acted_on', message: riskActedOnRequired }],
  members: {
    emergency_number: Type.String({ description: 'With `risk-not-acted-on`: whom to call first.' }),
    safeguarding_contact: Type.Union([Type.String(), Type.Null()], {
      description: 'With `risk-not-acted-on`: whom to tell of a child or adult at risk.',
    }),
  },
});
export const referAllTheSame = 'you refer the person all the same';

/** Whom to ask about a person whom the service does not take, and what to send so that `whatHappens` happens. */
export function fitAdvice(telephone: string | undefined, whatHappens: string): string {
  const ask = telephone === undefined ? 'Ask the service' : `Ask the service (${telephone})`;
  return `${ask}, or send fit_override with the reason why ${whatHappens}.`;
}

export function tooYoung(minimumAge: number): string {
  return `is outside the ages of the service: it takes people from the age of ${minimumAge}`;
}

export const doesNotFit = defineProblem({
  type: 'does-not-fit',
  status: 422,
  title: 'The person is outside the ages or the area of this service',
  exampleDetail: fitAdvice(undefined, referAllTheSame),
  exampleErrors: [{ pointer: '/patient/birth_date', message: tooYoung(18) }],
  members: {
    service_telephone: Type.Union([Type.String(), Type.Null()], {
      description: 'With `does-not-fit`: where to ask the service whether it makes an exception.',
    }),
    misfits: Type.Array(Type.String(), {
      description:
        'With `does-not-fit`: what to send in `fit_override.misfits`, so that the reason counts for these errors alone.',
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
/** It does not say which of them differs. */
export const numberKnownOtherwise = 'is known on this site with another name or date of birth';

export const personMismatch = defineProblem({
  type: 'person-mismatch',
  status: 409,
  title: 'This NHS number is known with another name or date of birth',
  detail:
    'Nothing was sent. Check the number, the names and the date of birth with the person. If they are right, send mismatch_override with the reason.',
  exampleErrors: [{ pointer: '/patient/nhs_number', message: numberKnownOtherwise }],
});
export const deathReported = defineProblem({
  type: 'death-reported',
  status: 409,
  title: 'Your organisation was told that this person has died',
  detail:
    'Nothing was sent. If that was a mistake, say so on that referral, and send this again. If this is another person, send death_override with the reason.',
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
export function nothingChangedProblem(errors: readonly FieldError[]): Problem {
  return new Problem(unprocessable, 'Nothing was changed. See `errors`.', { errors });
}

/** What somebody is told who tries something that is possible in these statuses alone. */
export function wrongStatusProblem(
  status: ReferralStatus | 'draft',
  possible: readonly string[],
  { onlyForCaller = false, hint = '' } = {},
): Problem {
  const that = onlyForCaller ? 'for you that' : 'that';
  return new Problem(wrongState, `${wrongStateText(status, possible, that)}${hint}`);
}
