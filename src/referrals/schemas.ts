import { Type } from 'typebox';
import { outcomeSchema } from './action-schemas.ts';
import { referralExample } from './examples.ts';
import { mediaTypes } from './file-kind.ts';
import { deliveryStatuses } from './listener.ts';
import { patientSchema, reasonsSchema, relaxed, shareWithGp } from './new-referral-schema.ts';
import { referralStatuses } from './referral.ts';

export const moment = Type.String({ format: 'date-time' });
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const deliverySummarySchema = Type.Object({
  id: Type.String(),
  leg: Type.Enum(['service', 'gp_practice']),
  purpose: Type.Enum(['referral', 'outcome']),
  channel: orNull(Type.String()),
  status: Type.Enum([...deliveryStatuses]),
  updated_at: moment,
});

/** A referral as it is answered: an operator gets it without what is personal or clinical, a draft has what is known. */
export const referralSchema = Type.Object(
  {
    id: Type.String(),
    reference: Type.String({
      description: 'For people to say and write. Its last character tells when it was misread.',
    }),
    service_id: orNull(Type.String({ description: 'Null in a draft that names none yet.' })),
    service: orNull(
      Type.Object({
        name: Type.String(),
        organization_id: orNull(Type.String()),
        organization_name: orNull(Type.String()),
      }),
    ),
    status: Type.Enum([...referralStatuses]),
    status_reason: orNull(Type.Object({ code: Type.String(), text: Type.String() })),
    version: Type.Integer({
      description: 'Grows with every change. The ETag is the same number; send it back as If-Match.',
    }),
    created_at: moment,
    updated_at: moment,
    requested_at: orNull({ ...moment, description: 'When it was sent; null in a draft.' } as typeof moment),
    due_at: orNull({ ...moment, description: 'When the service should have answered.' } as typeof moment),
    overdue: Type.Boolean({ description: 'Not answered, and due_at has passed.' }),
    expected_date: orNull(
      Type.String({ format: 'date', description: 'On the waiting list: when a place is expected.' }),
    ),
    reroutes: orNull(
      Type.String({ description: 'The referral whose place this one takes; null for staff of the service.' }),
    ),
    rerouted_to: orNull(
      Type.String({
        description: 'The referral that takes the place of this; null for staff of the service.',
      }),
    ),
    referred_again: Type.Boolean({
      description:
        'Whether your organisation has referred the person again, to whatever service, since this came to nothing; false for staff of the service.',
    }),
    seen_to: orNull(
      Type.Object(
        { at: moment, by: Type.Object({ name: Type.String() }) },
        {
          description:
            'When your organisation said that the person was helped in another way; null for staff of the service.',
        },
      ),
    ),
    restricted: Type.Boolean({
      description: 'The person asked that nobody works with it: it says nothing more, and cannot be changed.',
    }),
    erased_at: orNull({
      ...moment,
      description: 'When what it said was erased; its reference, service, status and dates are left.',
    } as typeof moment),
    urgency: Type.Enum(['routine', 'urgent']),
    simulated: Type.Boolean({ description: 'True on a test site.' }),
    patient: Type.Optional(relaxed(patientSchema)),
    referrer: Type.Optional(
      Type.Object({
        name: Type.String(),
        role: Type.String(),
        organisation: orNull(Type.String()),
        ods_code: orNull(Type.String()),
        on_behalf_of: Type.Optional(Type.String()),
      }),
    ),
    gp_practice: orNull(Type.Object({ ods_code: Type.String(), name: Type.String() })),
    reasons: Type.Optional(relaxed(reasonsSchema)),
    what_matters: Type.Optional(Type.String()),
    safety_notes: Type.Optional(Type.String()),
    support_offered: Type.Optional(Type.String()),
    consent: Type.Optional(
      Type.Object({
        referral: Type.Optional(Type.Boolean()),
        share_with_gp: Type.Optional(shareWithGp),
        recorded_by: Type.Optional(Type.String()),
        recorded_at: Type.Optional(moment),
      }),
    ),
    outcome: Type.Optional(orNull(outcomeSchema)),
    deliveries: Type.Array(deliverySummarySchema, {
      description:
        'What has become of telling the service and the GP practice; more in /api/referrals/{id}/deliveries.',
    }),
  },
  { $id: 'Referral', description: 'A referral of one person to one service.', examples: [referralExample] },
);

const authorSchema = Type.Object({ name: Type.String(), organisation: orNull(Type.String()) });

export const historySchema = Type.Object({
  version: Type.Integer(),
  at: moment,
  by: authorSchema,
  from: orNull(Type.String()),
  to: Type.String(),
  reason: orNull(Type.Object({ code: Type.String(), text: Type.String() })),
});

export const messageSchema = Type.Object({
  id: Type.String(),
  at: moment,
  side: Type.Enum(['provider', 'referrer'], { description: 'Which side wrote it.' }),
  by: authorSchema,
  text: Type.String(),
});

export const attachmentSchema = Type.Object({
  id: Type.String(),
  at: moment,
  by: authorSchema,
  name: Type.String({ description: 'As it was called, with the ending of what it is.' }),
  media_type: Type.Enum([...mediaTypes]),
  size: Type.Integer({ description: 'In octets.' }),
});

export const openingSchema = Type.Object({
  id: Type.String(),
  at: moment,
  ends_at: moment,
  by: Type.Object({ name: Type.String() }),
  reason: Type.String(),
});
