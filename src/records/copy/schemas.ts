import { Type } from 'typebox';
import { deliverySchema } from '../../delivery/index.ts';
import { nhsNumberSchema, reasonSchema, referralRecordSchema } from '../../referrals/index.ts';

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

export const exportRequestSchema = Type.Object(
  {
    nhs_number: Type.Optional(nhsNumberSchema),
    given_name: text('First name or names. Without nhs_number, all three are needed.'),
    family_name: text('Last name.'),
    birth_date: Type.Optional(Type.String({ format: 'date' })),
    reason: reasonSchema,
    format: Type.Optional(
      Type.Enum(['json', 'zip'], {
        description:
          '`json` when left out. `zip` has the same as record.json, a page to read and print, and the files.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      { nhs_number: '9990000018', reason: 'Subject access request of 12 November, identity checked.' },
    ],
  },
);

const auditEntrySchema = Type.Object({
  at: Type.String({ format: 'date-time' }),
  by: Type.Object({
    name: Type.String(),
    role: Type.Union([Type.String(), Type.Null()]),
    organisation: Type.Union([Type.String(), Type.Null()]),
  }),
  action: Type.String({ description: 'A noun and a verb, such as referral.read.' }),
  outcome: Type.String({ description: 'done or refused.' }),
});

/** Everything that the site holds about one person. Its `version` grows when a reader of it would have to change. */
export const patientRecordSchema = Type.Object(
  {
    version: Type.Literal(1),
    exported_at: Type.String({ format: 'date-time' }),
    site: Type.Object({
      name: Type.String(),
      address: Type.String(),
      data_controller: Type.Union([Type.String(), Type.Null()]),
    }),
    referrals: Type.Array(
      Type.Object({
        ...referralRecordSchema.properties,
        deliveries: Type.Array(deliverySchema, { description: 'Who was told of the referral, and how.' }),
        audit: Type.Array(auditEntrySchema, {
          description: 'Who read or changed the referral, and when, oldest first.',
        }),
      }),
      { description: 'Oldest first. Empty where the site holds none.' },
    ),
  },
  { $id: 'PatientRecord', description: 'Everything that a site holds about one person.' },
);
