import { type Static, type TObject, type TSchema, Type } from 'typebox';
import {
  compileValidator,
  describePattern,
  nonBlankPattern,
  noOtherFields,
  openEnum,
  requiredWith,
} from '../../../platform/http/index.ts';
import { reasonRule } from '../../../platform/reason.ts';
import { adjustmentCodes } from '../person/adjustments.ts';
import { ethnicCategories, ethnicCategoryCodes } from '../person/ethnic-category.ts';
import { episodes, methods, sources } from '../person/how-referred.ts';
import { goalResults, needCodes, needs, sdohCategory } from '../person/needs.ts';
import type { DeepPartial } from '../referral.ts';

const shortText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: nonBlankPattern, description });
export const longText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 10_000, pattern: nonBlankPattern, description });

const tenDigits = {
  pattern: describePattern('^\\d( ?\\d){9}$', 'must be 10 digits, such as 999 000 0018'),
};
const telephone = {
  pattern: describePattern(
    '^\\+?[\\d ()-]{5,25}$',
    'must be a telephone number, of 5 to 25 digits, spaces, brackets and hyphens, such as 01632 960123 or +44 1632 960123; leave it out if there is none',
  ),
};
export const nhsNumberSchema = Type.String({
  ...tenDigits,
  description: 'Ten digits, in groups if you like: 999 000 0018.',
});

/** How to reach the person, and what they need for that. */
export const contactFields = {
  address: Type.Object(
    {
      lines: Type.Array(shortText('A line of the address, without the postcode.'), {
        minItems: 1,
        maxItems: 6,
      }),
      postcode: Type.String({
        pattern: describePattern(
          '^[A-Za-z]{1,2}\\d[A-Za-z\\d]? ?\\d[A-Za-z]{2}$',
          'must be a full UK postcode such as ZT1 3GH',
        ),
        description: 'Such as HR1 2BN.',
      }),
    },
    { ...noOtherFields, title: 'Address' },
  ),
  telephone: Type.Optional(Type.String(telephone)),
  email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
  preferred_contact: Type.Optional(
    shortText('How the person would like to be contacted, such as telephone or letter.'),
  ),
  communication_needs: Type.Optional(
    Type.Object(
      {
        interpreter: Type.Optional(shortText('The language, such as Polish or British Sign Language.')),
        format: Type.Optional(shortText('Such as large print or easy read.')),
      },
      { ...noOtherFields, title: 'CommunicationNeeds' },
    ),
  ),
  carer: Type.Optional(
    Type.Object(
      {
        name: shortText('The carer’s name.'),
        relationship: Type.Optional(shortText('Such as daughter or neighbour.')),
        telephone: Type.Optional(Type.String(telephone)),
        share_with_gp: Type.Optional(
          Type.Boolean({
            description:
              'True if the GP practice’s copy may name the carer. False when left out. Refused together with `contact.who_must_not_know`, whomever that names: it may be the carer.',
          }),
        ),
      },
      { ...noOtherFields, title: 'Carer' },
    ),
  ),
};

/** Asked of everybody: a letter that the wrong person opens can get somebody hurt at home. */
export const safeContactFields = {
  contact: Type.Optional(
    Type.Object(
      {
        channel: Type.Optional(
          shortText('How: telephone, text, email, letter or in person. Other words are shown as they are.'),
        ),
        safe: Type.Enum(['yes', 'no', 'only_at'], {
          title: 'ContactSafety',
          description:
            'Whether it is safe to contact the person in this way. With `only_at`, say when or where in `only_at`.',
        }),
        only_at: Type.Optional(
          shortText(
            'When or where it is safe, such as: weekdays before three. Required with `only_at`, and only for it.',
          ),
        ),
        voicemail: Type.Optional(
          Type.Boolean({ description: 'Whether a voicemail may be left. Not true with `safe: no`.' }),
        ),
        who_must_not_know: Type.Optional(
          shortText('Who must not learn of the referral, such as: her husband.'),
        ),
      },
      {
        title: 'SafeContact',
        rules: requiredWith('safe', { only_at: ['only_at'] }),
        ...noOtherFields,
        description:
          'How it is safe to contact the person. Left out, it is stored as `{"safe": "not_asked"}`. Pages and letters say it first.',
      },
    ),
  ),
  do_not_show_online: Type.Optional(
    Type.Boolean({
      title: 'DoNotShowOnline',
      description:
        'True if the GP practice is not to show its copy where the patient, or somebody at their side, reads the record online. The letter says so, and it says so in any case if `contact` names somebody who must not know, or is not safe, if a child agreed for themselves (`competent_child`), and if the service is sensitive.',
    }),
  ),
};

/** Asked each time: what was safe last month may not be now. */
const personPageSchema = Type.Object(
  {
    send: Type.Boolean({
      description: 'True if you asked the person, and it is safe to send this to them. False when left out.',
    }),
  },
  {
    ...noOtherFields,
    title: 'SendPersonPage',
    description:
      'A link to a page of their own, to the safe email address or mobile number: where the referral stands, what happens next, whom to ring. It says only “You have a message”, and the page opens with a code that goes the same way. It needs `contact` with `safe: yes` and `channel: email`, and `patient.email`; or `channel: text` and a UK mobile in `patient.telephone`, where the site sends texts. It is refused for sensitive services, where a need, an answer or the words tell of abuse at home, a risk of harm or a crisis, while somebody must not know, where somebody else decides for the person, and under 16 without `competent_child`. Ask each time: it is never copied from another referral.',
  },
);

export const agreementBases = [
  'person',
  'parental_responsibility',
  'competent_child',
  'best_interests',
  'attorney_or_deputy',
  'safeguarding',
] as const;

export const agreementSchema = Type.Object(
  {
    basis: Type.Enum([...agreementBases], {
      title: 'AgreementBasis',
      description:
        'Who agreed, or on what ground it was decided. Left out, it is stored as `person`, or as `not_asked` for somebody under 16. `person` is refused for somebody under 16, and `competent_child` for a child who was under 10 when that was judged. For one of 10 to 12 the service is told their age then, and who judged it.',
    }),
    judged_by: Type.Optional(shortText('Who judged that the child can decide this. With `competent_child`.')),
    when: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When that was judged. With `competent_child`. At most 10 years ago.',
      }),
    ),
    decided_by: Type.Optional(
      shortText('Who decided in the person’s best interests. With `best_interests`.'),
    ),
    consulted: Type.Optional(shortText('Who was asked before. With `best_interests`.')),
  },
  {
    title: 'Agreement',
    rules: requiredWith('basis', {
      competent_child: ['judged_by', 'when'],
      best_interests: ['decided_by'],
    }),
    ...noOtherFields,
    description: 'On what the agreement in `consent` rests.',
  },
);
const agreement = Type.Optional(agreementSchema);

export const ethnicCategorySchema = Type.Enum(ethnicCategoryCodes, {
  title: 'EthnicCategory',
  description: `The code of UK Core and the NHS data dictionary, beside the person’s own words in \`ethnicity\`: ${inWordsList(ethnicCategories)}.`,
});

function inWordsList(words: Readonly<Record<string, string>>): string {
  return Object.entries(words)
    .map(([code, text]) => `\`${code}\` ${text}`)
    .join('; ');
}

export const patientSchema = Type.Object(
  {
    nhs_number: Type.Optional(
      Type.String({
        ...tenDigits,
        description:
          'Ten digits. You may send them in groups, 999 000 0018; the answer has no spaces. A test site takes only numbers that begin with 999.',
      }),
    ),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 35,
        pattern: nonBlankPattern,
        description: 'Such as Mr, Mrs, Mx or Dr.',
      }),
    ),
    given_name: shortText('First name or names.'),
    family_name: shortText('Last name.'),
    birth_date: Type.String({ format: 'date' }),
    gender: Type.Optional(
      Type.Enum(['male', 'female', 'other', 'unknown'], {
        title: 'Gender',
        description:
          'As the person describes it, in the words of FHIR. `unknown` if they were asked and did not say; leave it out if nobody asked.',
      }),
    ),
    ethnicity: Type.Optional(shortText('As the person describes it.')),
    ethnic_category: Type.Optional(ethnicCategorySchema),
    ...contactFields,
  },
  { title: 'Patient', ...noOtherFields, description: 'The person who is referred.' },
);

/** Who told that the person has died. */
export const toldBySchema = shortText('Who reported it, such as a relative or the ward.');

export const reasonsSchema = Type.Array(
  Type.Object(
    { text: longText('In your own words.'), code: Type.Optional(shortText('A SNOMED CT code.')) },
    { ...noOtherFields, title: 'Reason' },
  ),
  { minItems: 1, maxItems: 20, description: 'Why the person is referred.' },
);

const needSchema = Type.Enum(needCodes, {
  title: 'Need',
  description: `What the person may need help with: ${inWordsList(
    Object.fromEntries(needCodes.map((code) => [code, needs[code].title])),
  )}. These are categories of the SDOH Clinical Care guide (HL7 Gravity) too, under the same code: ${needCodes
    .filter((code) => sdohCategory(code) !== undefined)
    .join(', ')}.`,
});

/** What the two sides agree to work on. */
export const needsFields = {
  needs: Type.Optional(
    Type.Array(needSchema, {
      uniqueItems: true,
      maxItems: needCodes.length,
      description: 'What the person needs help with, each at most once.',
    }),
  ),
  goals: Type.Optional(
    Type.Array(
      Type.Object(
        {
          text: Type.String({
            minLength: 1,
            maxLength: 1000,
            pattern: nonBlankPattern,
            description: 'What the person wants to change, in their own words.',
          }),
          need: Type.Optional(needSchema),
          result: Type.Optional(
            Type.Enum([...goalResults], {
              title: 'GoalResult',
              description: 'Whether it was achieved, `partly` or `not`. Left out while nobody has said.',
            }),
          ),
        },
        { ...noOtherFields, title: 'Goal' },
      ),
      {
        maxItems: 20,
        description:
          'What the person wants to change. The letter to the GP practice has the goals, at the end as met, partly met or not met.',
      },
    ),
  ),
  reasonable_adjustments: Type.Optional(
    Type.Array(
      Type.Enum(adjustmentCodes, {
        title: 'ReasonableAdjustment',
        description: 'What makes it possible for the person to use the service.',
      }),
      {
        uniqueItems: true,
        maxItems: adjustmentCodes.length,
        description: 'The reasonable adjustments that the person needs. The service sees them first.',
      },
    ),
  ),
};

/** Where the referral comes from. */
export const howReferredFields = {
  episode: Type.Optional(
    Type.Enum(Object.keys(episodes) as (keyof typeof episodes)[], {
      title: 'Episode',
      description:
        '`continuing` if an earlier referral began this episode of care: the letter to the GP practice then has no code for a referral, because a second code would count as a second referral. Left out, it is not known, and the letter has the code unless this referral replaces one whose letter had it.',
    }),
  ),
  source: Type.Optional(
    Type.Enum(Object.keys(sources) as (keyof typeof sources)[], {
      title: 'ReferralSource',
      description: `Who asked for the referral: ${inWordsList(sources)}.`,
    }),
  ),
  method: Type.Optional(
    Type.Enum(Object.keys(methods) as (keyof typeof methods)[], {
      title: 'ReferralMethod',
      description: `How it was taken: ${inWordsList(methods)}.`,
    }),
  ),
};

export const safetyNotesForPractice = Type.Boolean({
  description: 'Whether the letter to the GP practice has the safety notes. False when left out.',
});

const contentFields = {
  reasons: reasonsSchema,
  ...needsFields,
  ...howReferredFields,
  what_matters: Type.Optional(longText('What matters to the person.')),
  safety_notes: Type.Optional(longText('What staff must know to keep the person and themselves safe.')),
  safety_notes_for_practice: Type.Optional(safetyNotesForPractice),
  support_offered: Type.Optional(longText('What has been offered or tried so far.')),
};

/** What the GP practice is asked to do, at a new referral or at its completion. */
export const gpActionsSchema = Type.Array(
  Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: nonBlankPattern,
        description: 'What the practice is asked to do.',
      }),
      by_date: Type.Optional(
        Type.String({ format: 'date', description: 'By when. Today or later, and within 100 years.' }),
      ),
      asked_by: Type.Optional(
        shortText('Who asks, with a telephone number. You and your organisation, when left out.'),
      ),
      patient_told: Type.Optional(
        Type.Boolean({ description: 'Whether the person knows that the practice is asked.' }),
      ),
    },
    { ...noOtherFields, title: 'NewGpAction' },
  ),
  {
    maxItems: 10,
    description:
      'What the GP practice has to do. An empty list says that there is nothing; left out, it is shown as not asked. What was said with the referral does not answer for its end.',
  },
);

export const shareWithGp = Type.Union([Type.Boolean(), Type.Literal('codes_only')], {
  description: 'Whether the GP practice gets a copy: true, false, or codes_only for codes without any text.',
});

/** The wording read to the person, kept as evidence of what they agreed to. */
export const agreementWording = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: nonBlankPattern,
  description:
    'The words that were shown or read to the person, with their answers. Forms and leaflets change: these words stay with the referral.',
});

export const urgencySchema = Type.Enum(['routine', 'urgent'], {
  title: 'Urgency',
  description: '`urgent` shortens the time in which the service should answer.',
});

export const risks = ['no', 'yes', 'could_not_ask'] as const;

export const riskActedOnSchema = Type.Object(
  {
    who_was_told: shortText('Who was told of the risk, such as the police or the duty social worker.'),
    when: Type.String({
      format: 'date-time',
      description: 'When they were told. At most 31 days ago, or before `made_at`.',
    }),
  },
  { title: 'RiskActedOn', ...noOtherFields, description: 'What was done about the risk.' },
);

/** Asked before a referral is sent. After a yes it says who was told, so that nobody waits for this service alone. */
const riskFields = {
  risk: Type.Optional(
    Type.Enum([...risks], {
      title: 'Risk',
      description:
        'Is anybody at risk of serious harm now, or is a child or adult being hurt? With `yes`, act on it first and say so in `risk_acted_on`. `could_not_ask` if you could not ask, for example because somebody else was listening. Left out, it is stored as `not_asked`.',
    }),
  ),
  risk_acted_on: Type.Optional(riskActedOnSchema),
};

const madeAt = Type.Optional(
  Type.String({
    format: 'date-time',
    description:
      'When the referral was taken on paper, if it is typed in later, for example because the site was away. In the past, and at most 31 days ago (a site can set another number). Due dates count from then.',
  }),
);

export const fitOverrideSchema = Type.Object(
  { reason: longText(`Why this service all the same. ${reasonRule}. The service sees it.`) },
  {
    title: 'FitOverride',
    ...noOtherFields,
    description: 'Makes the referral although the person is outside the ages or the area of the service.',
  },
);
/** The same, for a form that asks only after a refusal. */
export const answeringFitOverrideSchema = Type.Object(
  {
    ...fitOverrideSchema.properties,
    misfits: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 100,
          pattern: describePattern('^\\S+$', 'must be one of the misfits of the refusal, as it was given'),
        }),
        {
          maxItems: 10,
          description:
            'The `misfits` of the refusal that the reason answers. With them the reason counts for no others: if the person or the service has changed meanwhile, it is asked again. Without them it counts for whatever does not fit.',
        },
      ),
    ),
  },
  {
    title: 'AnsweringFitOverride',
    ...noOtherFields,
    description: 'Makes the referral although the person is outside the ages or the area of the service.',
  },
);
const fitOverride = Type.Optional(answeringFitOverrideSchema);

export const gpPractice = Type.Object(
  {
    ods_code: Type.String({
      pattern: describePattern(
        '^[A-Za-z0-9]{3,12}$',
        'must be the ODS code of a GP practice, of 3 to 12 letters and digits, such as Z99001: GET /api/practices finds it',
      ),
    }),
  },
  { title: 'GpPracticeCode', ...noOtherFields, description: 'The person’s GP practice.' },
);

const mismatchOverride = Type.Optional(
  Type.Object(
    { reason: longText(`Why the number is right, such as a marriage. ${reasonRule}. The service sees it.`) },
    {
      title: 'MismatchOverride',
      ...noOtherFields,
      description:
        'Makes the referral although the site knows the NHS number with another name or date of birth.',
    },
  ),
);

const contactOverride = Type.Optional(
  Type.Object(
    {
      reason: longText(
        `Why this answer about safe contact is right, although another open referral of the person by your organisation asks for more care. ${reasonRule}. The service sees it: name no other service.`,
      ),
    },
    { title: 'ContactOverride', ...noOtherFields },
  ),
);

const urgencyOverride = Type.Optional(
  Type.Object(
    {
      reason: longText(
        `Why the referral is not urgent, although somebody is at risk of serious harm or its text has words of a crisis. ${reasonRule}. The service sees it.`,
      ),
    },
    { title: 'UrgencyOverride', ...noOtherFields },
  ),
);

const namesakeOverride = Type.Optional(
  Type.Object(
    { reason: longText(`How you know that it is somebody else. ${reasonRule}. The service sees it.`) },
    {
      title: 'NamesakeOverride',
      ...noOtherFields,
      description:
        'Makes the referral although the person has the first and last name of your account. The Caldicott guardian is told of it. It has no effect where the email address is yours.',
    },
  ),
);

const deathOverride = Type.Optional(
  Type.Object(
    {
      reason: longText(
        `Why this is somebody else, or how you know that they are alive. ${reasonRule}. The service sees it.`,
      ),
    },
    {
      title: 'DeathOverride',
      ...noOtherFields,
      description: 'Makes the referral although your organisation was told that the person has died.',
    },
  ),
);

const referralFields = {
  service_id: shortText('The id of a service in the library.'),
  urgency: Type.Optional(urgencySchema),
  patient: patientSchema,
  referrer: Type.Optional(
    Type.Object(
      { on_behalf_of: Type.Optional(shortText('The colleague for whom you make the referral.')) },
      noOtherFields,
    ),
  ),
  gp_practice: Type.Optional(gpPractice),
  ...contentFields,
  ...riskFields,
  ...safeContactFields,
  person_page: Type.Optional(personPageSchema),
  agreement,
  fit_override: fitOverride,
  mismatch_override: mismatchOverride,
  namesake_override: namesakeOverride,
  contact_override: contactOverride,
  urgency_override: urgencyOverride,
  death_override: deathOverride,
  made_at: madeAt,
  gp_actions: Type.Optional(gpActionsSchema),
  consent: Type.Object(
    {
      referral: Type.Boolean({ description: 'The person agrees to be referred. Must be true.' }),
      share_with_gp: shareWithGp,
      wording: Type.Optional(agreementWording),
      recorded_by: Type.Optional(shortText('Who asked the person. You, when left out.')),
      recorded_at: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'At most 10 years ago. When left out: `made_at`, or else now.',
        }),
      ),
    },
    { ...noOtherFields, title: 'Consent' },
  ),
  reroutes: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'The id of a referral of yours that was unsuccessful (rejected, failed or cancelled), which this one replaces. Then `agreement` is required if others had agreed to that one, or for a child, and what was not to be shown online stays so unless `do_not_show_online` is false.',
    }),
  ),
};

export const allowDuplicate = Type.Optional(
  Type.Boolean({ description: 'Make the referral although the person has an open one to this service.' }),
);

/** The body of `POST /api/referrals`. */
export const newReferralSchema = Type.Object(
  {
    ...referralFields,
    allow_duplicate: allowDuplicate,
    status: Type.Optional(
      Type.Literal('requested', { description: 'Sends it at once, as when it is left out.' }),
    ),
  },
  { ...noOtherFields, title: 'NewReferral', rules: requiredWith('risk', { yes: ['risk_acted_on'] }) },
);

/** The body of a reroute. */
export const rerouteSchema = Type.Object(
  {
    service_id: referralFields.service_id,
    consent: referralFields.consent,
    agreement,
    do_not_show_online: referralFields.do_not_show_online,
    person_page: referralFields.person_page,
    ...riskFields,
    safety_notes: referralFields.safety_notes,
    fit_override: fitOverride,
    mismatch_override: mismatchOverride,
    namesake_override: namesakeOverride,
    death_override: deathOverride,
    allow_duplicate: allowDuplicate,
  },
  { ...noOtherFields, title: 'Reroute', rules: requiredWith('risk', { yes: ['risk_acted_on'] }) },
);

/** The body of a draft: every field may be left out. */
export const draftSchema = withNothingRequired(
  Type.Object(referralFields, { ...noOtherFields, title: 'Referral' }),
  'Draft',
);
const { properties: newDraftFields, ...newDraft } = withNothingRequired(
  newReferralSchema,
  'Draft',
) as TObject;
/** A new draft says that it is one. */
export const newDraftSchema = {
  ...newDraft,
  title: 'NewDraft',
  required: ['status'],
  properties: {
    ...newDraftFields,
    status: Type.Literal('draft', {
      description: 'Keeps it for your organisation alone, to be changed and sent later.',
    }),
  },
} as TSchema;

export type NewReferral = Static<typeof newReferralSchema>;
/** Only the pages keep in a draft that a second referral is meant, and that no practice is known: the schema has no such fields. */
export type DraftInput = DeepPartial<Omit<NewReferral, 'allow_duplicate' | 'status'>> & {
  duplicate_meant?: true;
  no_practice?: true;
};
export type NewDraft = DraftInput & { status: 'draft' };

export function isDraft(input: NewReferral | NewDraft): input is NewDraft {
  return input.status === 'draft';
}

type SchemaParts = {
  enum?: readonly string[];
  rules?: unknown;
  title?: string;
  required?: unknown;
  minItems?: unknown;
  properties?: Record<string, TSchema>;
  items?: TSchema;
};

/** These lists grow: an answer may have a value that a client, whose own are checked, does not know yet. */
const growingLists: readonly string[] = ['Need', 'ReasonableAdjustment', 'ReferralSource'];

/**
 * The same schema for answers: nothing is required and texts have no pattern, because words may be blacked out in a
 * copy of a record. Its name, and those of its parts, begin with Known.
 */
export const answerSchemaOf = (schema: TSchema): TSchema =>
  withNothingRequired(schema, 'Known', ['format', 'pattern']);

/** The same schema with nothing required. @param prefix what its name, and those of its parts, then begin with */
function withNothingRequired(schema: TSchema, prefix: string, without: readonly string[] = []): TSchema {
  const { required: _, minItems: __, rules: ___, title, properties, items, ...rest } = schema as SchemaParts;
  if (prefix === 'Known' && rest.enum && growingLists.includes(title ?? ''))
    return openEnum([...rest.enum], { title: `Known${title}` });
  // Enums and booleans keep their title: they are the same type in a draft.
  const isValue = 'enum' in rest || (rest as { type?: string }).type === 'boolean';
  const parts = Object.entries(properties ?? {});
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !without.includes(name))),
    ...(title !== undefined && { title: isValue ? title : `${prefix}${title}` }),
    ...(properties && {
      properties: Object.fromEntries(
        parts.map(([name, part]) => [name, withNothingRequired(part, prefix, without)]),
      ),
    }),
    ...(items && { items: withNothingRequired(items, prefix, without) }),
  } as TSchema;
}

/**
 * Checks a body with `"status": "draft"` against the schema of a draft, and any other against that of a referral. Checked against both, as
 * `oneOf` would, a referral with a mistake would be told the errors of a draft, too.
 */
export const compileReferralOrDraft: typeof compileValidator = (part) => {
  if (part.httpPart !== 'body') return compileValidator(part);
  const check = compileValidator({ ...part, schema: newReferralSchema });
  const checkDraft = compileValidator({ ...part, schema: newDraftSchema });
  return (body) =>
    (body as { status?: unknown } | null)?.status === 'draft' ? checkDraft(body) : check(body);
};
