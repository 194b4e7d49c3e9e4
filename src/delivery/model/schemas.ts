import { Type } from 'typebox';
import { openEnum } from '../../platform/http/index.ts';
import { deliveryPurposes, deliveryStatuses } from '../../referrals/index.ts';
import { attemptOutcomes } from './delivery.ts';
import type { ListedDelivery } from './store.ts';

const moment = (description: string) => Type.String({ format: 'date-time', description });

const attemptSchema = Type.Object(
  {
    at: moment('When the attempt ended.'),
    outcome: Type.Enum([...attemptOutcomes], {
      title: 'AttemptOutcome',
      description:
        '`sent`: handed over. `received`: the receiver can see it. `acknowledged`: they confirmed it. `will-retry`: did not work, and is tried again by itself. `uncertain`: went out, but nobody can tell whether it arrived. `failed`: cannot work this way. `expired`: was not taken in time. `interrupted`: the site stopped in the middle, and tries again with the same message.',
    }),
    detail: Type.String({ description: 'What happened, in plain words.' }),
  },
  { title: 'DeliveryAttempt' },
);

export const deliverySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    leg: Type.Enum(['service', 'gp_practice'], { title: 'DeliveryLeg', description: 'Who is told.' }),
    purpose: openEnum(deliveryPurposes, {
      title: 'DeliveryPurpose',
      description:
        'What the message is about: that the referral was made, how it ended, or that a practice which was named by mistake removes its letter.',
    }),
    channel: Type.Union([Type.String(), Type.Null()], {
      description:
        'The channel, such as inbox (the list of referrals on this site) or document (a letter to print or file); null until it is chosen.',
    }),
    status: openEnum(deliveryStatuses, {
      title: 'DeliveryStatus',
      description:
        '`queued`: waits to be sent, for the first time or again. `sending`: under way. `sent`: handed over. `received`: the receiver can see it. `acknowledged`: the receiver answered. `uncertain`: nobody can tell yet whether it arrived. `failed` and `expired`: it did not arrive. `suppressed`: it was not to be sent.',
    }),
    detail: Type.Union([Type.String(), Type.Null()], {
      description: 'The reason for the status, in plain words.',
    }),
    simulated: Type.Boolean({
      description: 'True on a test site: the message was captured, and went nowhere.',
    }),
    superseded: Type.Boolean({
      description: 'A newer letter has taken its place, because something was corrected.',
    }),
    attempts: Type.Array(attemptSchema, { description: 'What was tried, oldest first.' }),
    created_at: moment('When it was created.'),
    updated_at: moment('When its status last changed.'),
  },
  { title: 'Delivery' },
);

/** A delivery as the API shows it. */
export function presentDelivery({ created_at, updated_at, attempts, ...delivery }: ListedDelivery) {
  return {
    ...delivery,
    attempts: attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
