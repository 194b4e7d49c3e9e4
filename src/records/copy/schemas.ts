import { Type } from 'typebox';
import { deliverySchema } from '../../delivery/index.ts';
import {
  momentSchema,
  noOtherFields,
  orNull,
  requiredUnless,
  requiredWith,
} from '../../platform/http/index.ts';
import { reasonRule } from '../../platform/reason.ts';
import { nhsNumberSchema, reasonSchema, referralRecordSchema } from '../../referrals/index.ts';

/** Who gets a copy: the person or somebody who acts for them, somebody whom the law lets have it, or somebody else. */
export const purposes = ['person', 'required_by_law', 'beyond_care'] as const;
export type Purpose = (typeof purposes)[number];

/** What was decided about the national data opt-out for a copy that is used beyond care. */
export const optOutDecisions = ['not_opted_out', 'does_not_apply'] as const;
export type OptOut = { decision: (typeof optOutDecisions)[number]; because: string };

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

export const copyRequestSchema = Type.Object(
  {
    nhs_number: Type.Optional(nhsNumberSchema),
    given_name: text(
      'First name or names. Without nhs_number, or where several people have that number, all three are needed.',
    ),
    family_name: text('Last name.'),
    birth_date: Type.Optional(Type.String({ format: 'date' })),
    reason: reasonSchema,
    purpose: Type.Optional(
      Type.Enum([...purposes], {
        title: 'CopyPurpose',
        description:
          '`person`, which is the default: the copy is for the person, or for somebody who acts for them. `required_by_law`: for somebody whom the law lets have it, such as a court. `beyond_care`: for anything else, such as research or planning; `opt_out` is required then.',
      }),
    ),
    opt_out: Type.Optional(
      Type.Object(
        {
          decision: Type.Enum([...optOutDecisions], {
            title: 'OptOutDecision',
            description:
              '`not_opted_out`: it was checked that the person has not opted out. `does_not_apply`: the opt-out does not apply, for example because the person consents to this use.',
          }),
          because: Type.String({
            minLength: 1,
            maxLength: 500,
            description: `How that is known, such as the date of the check. ${reasonRule}.`,
          }),
        },
        {
          ...noOtherFields,
          description: 'What was decided about the national data opt-out. Only with `beyond_care`.',
        },
      ),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'zip'], {
        title: 'CopyFormat',
        deprecated: true,
        description:
          'Only for the answer that the site holds nothing. You choose the format of a copy when you get it.',
      }),
    ),
  },
  {
    title: 'CopyRequest',
    rules: {
      allOf: [
        requiredUnless('nhs_number', ['given_name', 'family_name', 'birth_date']),
        requiredWith('purpose', { beyond_care: ['opt_out'] }),
      ],
    },
    ...noOtherFields,
    examples: [
      { nhs_number: '9990000018', reason: 'Subject access request of 12 November, identity checked.' },
    ],
  },
);

const moment = Type.String({ format: 'date-time' });

const auditEntrySchema = Type.Object(
  {
    at: moment,
    by: Type.Object({
      name: Type.String(),
      role: orNull(Type.String()),
      organisation: orNull(Type.String()),
    }),
    action: Type.String({ description: 'A noun and a verb, such as referral.read.' }),
    outcome: Type.String({ description: 'done or refused.' }),
  },
  { title: 'RecordAuditEntry' },
);

const by = Type.Object({ name: Type.String() });

const selfReferralSchema = Type.Object(
  {
    sent_at: moment,
    given_name: Type.String(),
    family_name: Type.String(),
    telephone: Type.String(),
    safe: Type.String({ description: 'Whether it was safe to ring: yes or only_at.' }),
    only_at: Type.Optional(Type.String()),
    voicemail: Type.Boolean(),
    postcode: Type.Optional(Type.String()),
    about: Type.Optional(Type.String()),
    calls: Type.Array(
      Type.Object({
        at: moment,
        by,
        reached: Type.Boolean(),
        note: Type.String(),
      }),
    ),
  },
  {
    title: 'RecordSelfReferral',
    examples: [
      {
        sent_at: '2026-11-20T18:05:00.000Z',
        given_name: 'Ines',
        family_name: 'Marsh',
        telephone: '01632 960 123',
        safe: 'only_at',
        only_at: 'Weekdays before noon',
        voicemail: false,
        about: 'Company in the evenings',
        calls: [
          {
            at: '2026-11-23T10:15:00.000Z',
            by: { name: 'Rashid Referrer' },
            reached: true,
            note: 'Would like a befriender.',
          },
        ],
      },
    ],
  },
);

/** How far a copy has come: packed, reviewed, handed out. */
export const recordCopySchema = Type.Object(
  {
    id: Type.String(),
    reference: Type.String({ description: 'For people to say and write.' }),
    status: Type.Enum(['to_review', 'reviewed', 'handed_out', 'deleted'], {
      title: 'CopyStatus',
      description:
        '`to_review` until an operator has reviewed it on the page at `review_at`. `deleted` 30 days after it was packed: only the decisions about it are kept.',
    }),
    reason: Type.String(),
    purpose: Type.Enum([...purposes], { title: 'CopyPurpose' }),
    opt_out: orNull(
      Type.Object({
        decision: Type.Enum([...optOutDecisions], { title: 'OptOutDecision' }),
        because: Type.String(),
      }),
    ),
    referrals: Type.Integer({ description: 'How many referrals and drafts are in it.' }),
    changed: Type.Boolean({
      description: 'Whether the record has changed since it was packed: pack it again if that matters.',
    }),
    packed: Type.Object({ at: moment, by }),
    reviewed: orNull(Type.Object({ at: moment, by })),
    handed_out: orNull(Type.Object({ at: moment, by }, { description: 'The first time.' })),
    delete_at: momentSchema('When the record in the copy is deleted.'),
    review_at: Type.String({ format: 'uri', description: 'The page on which operators review it.' }),
  },
  {
    $id: 'RecordCopy',
    description: 'A copy of a person’s record, which is handed out once a named person has reviewed it.',
    examples: [
      {
        id: '019a1fc7-4ae0-7b1c-9d2e-3f4a5b6c7d8f',
        reference: 'K7M2Q-X4R9D',
        status: 'to_review',
        reason: 'Subject access request of 12 November, identity checked.',
        purpose: 'person',
        opt_out: null,
        referrals: 2,
        changed: false,
        packed: { at: '2026-11-23T09:30:00.000Z', by: { name: 'Olwen Operator' } },
        reviewed: null,
        handed_out: null,
        delete_at: '2026-12-23T09:30:00.000Z',
        review_at:
          'https://referrals.example.org/operator/patients/copies/019a1fc7-4ae0-7b1c-9d2e-3f4a5b6c7d8f',
      },
    ],
  },
);

/** Everything that the site holds about one person. Its `version` grows with changes that would break a client. */
export const patientRecordSchema = Type.Object(
  {
    version: Type.Literal(1),
    exported_at: moment,
    site: Type.Object({
      name: Type.String(),
      address: Type.String(),
      data_controller: orNull(Type.String()),
    }),
    referrals: Type.Array(
      Type.Object({
        ...referralRecordSchema.properties,
        deliveries: Type.Array(deliverySchema, { description: 'Who was told of the referral, and how.' }),
        self_referrals: Type.Optional(
          Type.Array(selfReferralSchema, {
            description:
              'What the person sent to refer themselves, and the calls to them, for 30 days after the draft was made.',
          }),
        ),
        audit: Type.Array(auditEntrySchema, {
          description: 'Who read or changed the referral, and when, oldest first.',
        }),
      }),
      { description: 'Oldest first. Empty where the site holds none.' },
    ),
    left_out: Type.Array(
      Type.Object({
        referral: orNull(
          Type.String({
            description: 'The reference of the referral; null for words that are covered everywhere.',
          }),
        ),
        what: Type.String(),
        how: Type.Enum(['held_back', 'blacked_out'], {
          title: 'LeftOutHow',
          description: '`held_back`: it is not there. `blacked_out`: █████ stands for the words.',
        }),
        because: Type.Enum(['third_party', 'other'], {
          title: 'LeftOutBecause',
          description: '`third_party`: it is about somebody else. `other`: another exemption of the law.',
        }),
      }),
      {
        examples: [
          [{ referral: 'K7M2Q-X4R9D', what: 'A message', how: 'held_back', because: 'third_party' }],
        ],
        description: 'What the reviewer left out, as far as the person may be told.',
      },
    ),
  },
  { $id: 'PatientRecord', description: 'Everything that a site holds about one person.' },
);
