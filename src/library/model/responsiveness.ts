import { Type } from 'typebox';

export const responsivenessSchema = Type.Object(
  {
    median_days: Type.Optional(
      Type.Number({ minimum: 0, description: 'Half of its first answers came within so many days.' }),
    ),
    share_accepted: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'How much of what was decided on was accepted, to the nearest twentieth.',
      }),
    ),
    referrals_90_days: Type.Optional(
      Type.Integer({ minimum: 5, description: 'How many referrals were sent to it in the last 90 days.' }),
    ),
    commonest_rejection: Type.Optional(
      Type.String({
        description: 'The commonest reason why it rejects, as `status_reason.code` of referrals has it.',
      }),
    ),
  },
  {
    $id: 'ServiceResponsiveness',
    description:
      'How the service answers referrals, reckoned every hour from those that this site sent it in the last year. What fewer than five referrals say is left out, and all of it where there are fewer. A sensitive service needs eight, and its referrals are counted in steps of eight.',
    examples: [
      { median_days: 2.5, share_accepted: 0.85, referrals_90_days: 14, commonest_rejection: 'no-capacity' },
    ],
  },
);
