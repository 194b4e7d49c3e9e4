import { type Static, Type } from 'typebox';
import { referralExample } from './examples.ts';
import { deliveryStatuses } from './listener.ts';
import { reasonCodes, referralStatuses } from './referral.ts';

/** Text with something to read in it, and without NUL, which PostgreSQL cannot store. */
const written = '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$';
const short = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: written, description });
const long = (description: string) =>
  Type.String({ minLength: 1, maxLength: 10_000, pattern: written, description });
const closed = { additionalProperties: false } as const;

const moment = Type.String({ format: 'date-time' });

const patientSchema = Type.Object(
  {
    nhs_number: Type.Optional(
      Type.String({
        pattern: '^\\d{10}$',
        description: 'Ten digits without spaces. A test site takes only numbers that begin with 999.',
      }),
    ),
    given_name: short('First name or names.'),
    family_name: short('Last name.'),
    birth_date: Type.String({ format: 'date' }),
    gender: Type.Optional(Type.Enum(['male', 'female', 'other', 'unknown'])),
    ethnicity: Type.Optional(short('As the person describes it.')),
    address: Type.Object(
      {
        lines: Type.Array(short('A line of the address, without the postcode.'), {
          minItems: 1,
          maxItems: 6,
        }),
        postcode: Type.String({
          pattern: '^[A-Za-z]{1,2}\\d[A-Za-z\\d]? ?\\d[A-Za-z]{2}$',
          description: 'Such as HR1 2BN.',
        }),
      },
      closed,
    ),
    telephone: Type.Optional(Type.String({ pattern: '^\\+?[\\d ()-]{5,25}$' })),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    preferred_contact: Type.Optional(
      short('How the person would like to be contacted, such as telephone or letter.'),
    ),
    communication_needs: Type.Optional(
      Type.Object(
        {
          interpreter: Type.Optional(short('The language, such as Polish or British Sign Language.')),
          format: Type.Optional(short('Such as large print or easy read.')),
        },
        closed,
      ),
    ),
    carer: Type.Optional(
      Type.Object(
        {
          name: short('The carer’s name.'),
          relationship: Type.Optional(short('Such as daughter or neighbour.')),
          telephone: Type.Optional(Type.String({ pattern: '^\\+?[\\d ()-]{5,25}$' })),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: 'The person who is referred.' },
);

const reasonsSchema = Type.Array(
  Type.Object({ text: long('In your own words.'), code: Type.Optional(short('A SNOMED CT code.')) }, closed),
  { minItems: 1, maxItems: 20, description: 'Why the person is referred.' },
);

const contentFields = {
  reasons: reasonsSchema,
  what_matters: Type.Optional(long('What matters to the person.')),
  safety_notes: Type.Optional(long('What staff must know to keep the person and themselves safe.')),
  support_offered: Type.Optional(long('What has been offered or tried so far.')),
};

const shareWithGp = Type.Union([Type.Boolean(), Type.Literal('codes_only')], {
  description: 'Whether the GP practice gets a copy: true, false, or codes_only for codes without any text.',
});

/** What a client system sends to make a referral. */
export const newReferralSchema = Type.Object(
  {
    service_id: short('The id of a service in the library.'),
    urgency: Type.Optional(Type.Enum(['routine', 'urgent'])),
    patient: patientSchema,
    referrer: Type.Optional(
      Type.Object(
        { on_behalf_of: Type.Optional(short('The colleague for whom you make the referral.')) },
        closed,
      ),
    ),
    gp_practice: Type.Optional(
      Type.Object(
        { ods_code: Type.String({ pattern: '^[A-Za-z0-9]{3,12}$' }) },
        { ...closed, description: 'The person’s GP practice.' },
      ),
    ),
    ...contentFields,
    consent: Type.Object(
      {
        referral: Type.Boolean({ description: 'The person agrees to be referred. Must be true.' }),
        share_with_gp: shareWithGp,
        recorded_by: Type.Optional(short('Who asked the person. You, when left out.')),
        recorded_at: Type.Optional(Type.String({ format: 'date-time', description: 'Now, when left out.' })),
      },
      closed,
    ),
    allow_duplicate: Type.Optional(
      Type.Boolean({ description: 'Make the referral although the person has an open one to this service.' }),
    ),
  },
  closed,
);

export type NewReferral = Static<typeof newReferralSchema>;

const statusReasonSchema = Type.Object(
  { code: Type.Enum([...reasonCodes]), text: long('The reason in words, for the other side to read.') },
  closed,
);

const outcomeSchema = Type.Object(
  {
    code: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$',
      description: 'A short code, such as goals-met or a SNOMED CT code.',
    }),
    text: long('What came of it for the person.'),
  },
  closed,
);

export const acceptSchema = Type.Object({}, closed);
export const rejectSchema = Type.Object({ status_reason: statusReasonSchema }, closed);
export const completeSchema = Type.Object({ outcome: outcomeSchema }, closed);

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const deliverySummarySchema = Type.Object({
  id: Type.String(),
  leg: Type.Enum(['service', 'gp_practice']),
  purpose: Type.Enum(['referral', 'outcome']),
  channel: orNull(Type.String()),
  status: Type.Enum([...deliveryStatuses]),
  updated_at: moment,
});

/** A referral as it is answered. An operator gets it without what is personal or clinical. */
export const referralSchema = Type.Object(
  {
    id: Type.String(),
    reference: Type.String({
      description: 'For people to say and write. Its last character tells when it was misread.',
    }),
    service_id: Type.String(),
    service: Type.Object({
      name: Type.String(),
      organization_id: orNull(Type.String()),
      organization_name: orNull(Type.String()),
    }),
    status: Type.Enum([...referralStatuses]),
    status_reason: orNull(Type.Object({ code: Type.String(), text: Type.String() })),
    version: Type.Integer({
      description: 'Grows with every change. The ETag is the same number; send it back as If-Match.',
    }),
    created_at: moment,
    updated_at: moment,
    due_at: orNull(moment),
    urgency: Type.Enum(['routine', 'urgent']),
    simulated: Type.Boolean({ description: 'True on a test site.' }),
    patient: Type.Optional(patientSchema),
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
    reasons: Type.Optional(reasonsSchema),
    what_matters: Type.Optional(Type.String()),
    safety_notes: Type.Optional(Type.String()),
    support_offered: Type.Optional(Type.String()),
    consent: Type.Optional(
      Type.Object({
        referral: Type.Boolean(),
        share_with_gp: shareWithGp,
        recorded_by: Type.String(),
        recorded_at: moment,
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

export const historySchema = Type.Object({
  version: Type.Integer(),
  at: moment,
  by: Type.Object({ name: Type.String(), organisation: orNull(Type.String()) }),
  from: orNull(Type.String()),
  to: Type.String(),
  reason: orNull(Type.Object({ code: Type.String(), text: Type.String() })),
});
