import { Type } from 'typebox';
import { deliveryStatuses } from '../deps.ts';
import { measureCodes, stages } from '../measures.ts';
import { referralStatuses } from '../referral.ts';
import { outcomeWords } from '../words.ts';
import { referralExample } from './examples.ts';
import { closed, long, patientSchema, reasonsSchema, relaxed, risks, shareWithGp } from './new-referral.ts';

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

export const outcomeSchema = Type.Object(
  {
    code: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$',
      description: `A short code: one of ${Object.keys(outcomeWords).join(', ')}, which pages say in words; or a code of your own, such as of SNOMED CT, which is kept and shown as it is.`,
    }),
    text: long('What came of it for the person.'),
    measures: Type.Optional(
      Type.Array(
        Type.Object(
          {
            code: Type.Enum([...measureCodes]),
            stage: Type.Enum([...stages], { description: 'Taken when the support began, or when it ended.' }),
            value: Type.Number({
              minimum: 0,
              maximum: 35,
              description:
                'Whole numbers: 0 to 10 for each question of ONS4, 1 to 4 for the PAM level. 7 to 35 for SWEMWBS, whose metric scores have decimals.',
            }),
          },
          closed,
        ),
        { minItems: 1, maxItems: 12, description: 'What was measured, each at most once a stage.' },
      ),
    ),
  },
  closed,
);

/**
 * A referral in answers. Operators get it without what is personal or clinical, and a draft has only what is
 * known.
 */
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
    due_at: orNull({
      ...moment,
      description: 'When the service should have answered, counted in working days.',
    } as typeof moment),
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
    possible_duplicates: orNull(
      Type.Array(Type.Object({ id: Type.String(), reference: Type.String() }), {
        description:
          'Other open referrals to the service that may be of the same person, whoever made them: the same NHS number, or the same name and birth date where only one of them has a number. For staff of the service; null for all others.',
      }),
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
    risk: Type.Optional(
      Type.Enum([...risks, 'not_asked'], {
        description: 'Whether anybody was at risk of serious harm when the referral was made.',
      }),
    ),
    risk_acted_on: Type.Optional(
      Type.Object({ who_was_told: Type.Optional(Type.String()), when: Type.Optional(moment) }),
    ),
    fit_override: Type.Optional(
      Type.Object(
        { reason: Type.Optional(Type.String()) },
        {
          description: 'Why the referrer chose the service although the person is outside its ages or area.',
        },
      ),
    ),
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

export const authorSchema = Type.Object({ name: Type.String(), organisation: orNull(Type.String()) });

export const historySchema = Type.Object({
  version: Type.Integer(),
  at: moment,
  by: authorSchema,
  from: orNull(Type.String()),
  to: Type.String(),
  reason: orNull(Type.Object({ code: Type.String(), text: Type.String() })),
});
