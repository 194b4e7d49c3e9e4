import { Type } from 'typebox';

export const responsivenessSchema = Type.Object(
  {
    median_days: Type.Optional(
      Type.Number({ minimum: 0, description: 'The median number of days to the first answer.' }),
    ),
    share_accepted: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'The share of decided referrals that were accepted, to the nearest twentieth.',
      }),
    ),
    referrals_90_days: Type.Optional(
      Type.Integer({ minimum: 5, description: 'How many referrals were sent to it in the last 90 days.' }),
    ),
    commonest_rejection: Type.Optional(
      Type.String({
        description: 'The commonest reason for rejecting, a value of a referral’s `status_reason.code`.',
      }),
    ),
  },
  {
    $id: 'ServiceResponsiveness',
    description:
      'How the service answers referrals, calculated every hour from the referrals that this site sent it in the last year. A figure based on fewer than five referrals is left out. For a sensitive service it is eight, and its referrals are counted in steps of eight.',
    examples: [
      { median_days: 2.5, share_accepted: 0.85, referrals_90_days: 14, commonest_rejection: 'no-capacity' },
    ],
  },
);
