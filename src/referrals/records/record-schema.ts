import { Type } from 'typebox';
import { attachmentSchema, historySchema, messageSchema, moment, openingSchema, orNull } from '../schemas.ts';

const operatorSchema = Type.Object({ name: Type.String() });

/** Everything about one referral, for the person it is about. */
export const referralRecordSchema = Type.Object({
  referral: Type.Ref('Referral'),
  history: Type.Array(historySchema),
  messages: Type.Array(messageSchema),
  attachments: Type.Array(attachmentSchema),
  openings: Type.Array(openingSchema, { description: 'Operators who looked inside, and why.' }),
  restrictions: Type.Array(
    Type.Object({
      at: moment,
      by: operatorSchema,
      reason: Type.String(),
      lifted: orNull(Type.Object({ at: moment, by: operatorSchema, reason: Type.String() })),
    }),
  ),
});
