import { Type } from 'typebox';
import { momentSchema } from '../../platform/http/index.ts';
import {
  attemptOutcomeSchema,
  deliveryLegSchema,
  deliveryPurposeSchema,
  deliveryStatusSchema,
  refusedBecauseSchema,
} from '../../referrals/index.ts';
import type { ListedDelivery } from './deliveries-store.ts';

const attemptSchema = Type.Object(
  {
    at: momentSchema('When the attempt ended.'),
    outcome: attemptOutcomeSchema,
    detail: Type.String({ description: 'What happened, in plain words.' }),
  },
  { title: 'DeliveryAttempt' },
);

export const deliverySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    leg: deliveryLegSchema,
    purpose: deliveryPurposeSchema,
    channel: Type.Union([Type.String(), Type.Null()], {
      description:
        'The channel, such as inbox (the list of referrals on this site) or document (a letter to print or file); null until it is chosen.',
    }),
    status: deliveryStatusSchema,
    detail: Type.Union([Type.String(), Type.Null()], {
      description: 'The reason for the status, in plain words.',
    }),
    refused_because: refusedBecauseSchema,
    simulated: Type.Boolean({
      description: 'True on a test site: the message was captured, and went nowhere.',
    }),
    superseded: Type.Boolean({
      description: 'A newer letter has taken its place, because something was corrected.',
    }),
    attempts: Type.Array(attemptSchema, { description: 'What was tried, oldest first.' }),
    created_at: momentSchema('When it was created.'),
    updated_at: momentSchema('When its status last changed.'),
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
