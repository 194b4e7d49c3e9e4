import { Type } from 'typebox';
import { capacities } from './capacity.ts';

/** What is said of a service here, and not by its source. */

export const capacitySchema = Type.Object(
  {
    status: Type.Enum(capacities, {
      description: 'Whether it has room for new people, has them wait, or takes nobody new at present.',
    }),
    waiting_time: Type.Optional(Type.String({ description: 'How long people wait, in words.' })),
    updated: Type.String({ format: 'date-time', description: 'When this was last said.' }),
  },
  {
    $id: 'ServiceCapacity',
    description: 'What a service last said of its room for new people.',
    examples: [{ status: 'waitlist', waiting_time: 'about six weeks', updated: '2026-11-03T10:00:00Z' }],
  },
);

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
      'How the service answers referrals, reckoned every hour from those that this site sent it in the last year. What fewer than five referrals say is left out, and all of it where there are fewer.',
    examples: [
      { median_days: 2.5, share_accepted: 0.85, referrals_90_days: 14, commonest_rejection: 'no-capacity' },
    ],
  },
);
