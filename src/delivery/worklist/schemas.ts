import { type TSchema, Type } from 'typebox';
import { deliveryStatuses } from '../../referrals/index.ts';
import { attemptOutcomes } from '../delivery.ts';
import { worries } from './store.ts';

const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description });
const moment = (description: string) => Type.String({ format: 'date-time', description });
const person = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() });

export const kindSchema = Type.Enum([...worries], {
  description:
    'Why somebody has to see to it. `failed`: no way worked. `uncertain`: nobody can tell whether it arrived. `expired`: handed over and not confirmed within five days. `unanswered`: its receiver has not answered within a day. `no-practice`: the person’s GP practice was not named.',
});

const worklistSchema = Type.Object({
  kind: kindSchema,
  reason: Type.String({ description: 'The same in plain words.' }),
  escalated: Type.Boolean({ description: 'It has waited for five days.' }),
  opened_at: moment('Since when.'),
  owner: orNull(person, 'The operator who sees to it; null only as long as the site has none.'),
  closed_at: orNull(Type.String({ format: 'date-time' }), 'Null as long as it is to be seen to.'),
  closed_as: orNull(
    Type.Enum(['resolved', 'retried', 'another-way', 'by-hand']),
    '`resolved`: it became well by itself.',
  ),
  closed_by: orNull(person, 'Who saw to it.'),
  closing_words: orNull(Type.String(), 'What they said of it.'),
});

const fields = {
  id: Type.String({ format: 'uuid' }),
  referral: Type.Object({ id: Type.String({ format: 'uuid' }), reference: Type.String() }),
  leg: Type.Enum(['service', 'gp_practice'], { description: 'Who is told.' }),
  purpose: Type.Enum(['referral', 'outcome'], { description: 'Of what.' }),
  recipient: orNull(Type.String(), 'The service or the practice; null where none was named.'),
  channel: orNull(Type.String(), 'By which way; null until one is chosen.'),
  status: Type.Enum([...deliveryStatuses]),
  simulated: Type.Boolean(),
  created_at: moment('When it became necessary.'),
  updated_at: moment('When its status last changed.'),
  worklist: orNull(worklistSchema, 'What is or was to be seen to; null where nothing ever was.'),
};

export const listedDeliverySchema = Type.Object(fields);
export const wholeDeliverySchema = Type.Object({
  ...fields,
  attempts: Type.Array(
    Type.Object({
      at: moment('When it ended.'),
      channel: Type.String({ description: 'By which way.' }),
      outcome: Type.Enum([...attemptOutcomes]),
      detail: Type.String({ description: 'What happened, in plain words.' }),
    }),
    { description: 'What was tried and what was heard, oldest first.' },
  ),
});
