import { Type } from 'typebox';
import { describePattern, noOtherFields, openEnum, orNull } from '../../../platform/http/index.ts';
import { waysToReach } from '../access/referrers-details.ts';
import { contactKindCodes } from '../after-acceptance/contacts.ts';
import { measureCodes, measureModes, measurers, measures, stages } from '../after-acceptance/measures.ts';
import { type PromptKind, promptKinds, promptSides } from '../attention/prompts.ts';
import { personPageStateSchema } from '../person-page/person-page-schemas.ts';
import { outcomeWords } from '../presentation/words.ts';
import { reasonCodes, referralStatuses } from '../referral.ts';
import {
  deliveryLegSchema,
  deliveryPurposeSchema,
  deliveryStatusSchema,
  refusedBecauseSchema,
} from './delivery.ts';
import { referralExample } from './examples.ts';
import {
  agreementBases,
  answerSchemaOf,
  howReferredFields,
  longText,
  needsFields,
  patientSchema,
  reasonsSchema,
  risks,
  safetyNotesForPractice,
  shareWithGp,
  urgencySchema,
} from './new-referral.ts';

export const moment = Type.String({ format: 'date-time' });

const referralStatusSchema = Type.Enum([...referralStatuses], {
  title: 'ReferralStatus',
  description:
    '`requested`, `accepted`, `in-progress` and `on-hold` (on the waiting list) are open. A `draft` was not sent. The others have ended; `rejected`, `failed` and `cancelled` were unsuccessful; with the reason `died` they ended because the person has died, and nobody declined them. The guide says what may follow each.',
});
const statusReasonSchema = Type.Object(
  { code: Type.String({ title: 'StatusReasonCode', knownValues: [...reasonCodes] }), text: Type.String() },
  { title: 'StatusReason' },
);
const deliverySummarySchema = Type.Object(
  {
    id: Type.String(),
    leg: deliveryLegSchema,
    purpose: deliveryPurposeSchema,
    practice: orNull(
      Type.String({
        description:
          'The GP practice that it goes to, also if the referral names another one now; null for the service.',
      }),
    ),
    practice_code: orNull(Type.String({ description: 'Its ODS code.' })),
    channel: orNull(Type.String()),
    status: deliveryStatusSchema,
    may_have_arrived: Type.Boolean({
      description:
        'It went out, or still may. Also true where it was stopped (`suppressed`) after an attempt that may have reached its receiver.',
    }),
    refused_because: refusedBecauseSchema,
    updated_at: moment,
  },
  { title: 'DeliverySummary' },
);

const knownContact = Type.Object(
  {
    channel: Type.Optional(Type.String()),
    safe: Type.Optional(Type.Enum(['yes', 'no', 'only_at', 'not_asked'], { title: 'KnownContactSafety' })),
    only_at: Type.Optional(Type.String()),
    voicemail: Type.Optional(Type.Boolean()),
    who_must_not_know: Type.Optional(Type.String()),
  },
  {
    title: 'KnownSafeContact',
    description:
      'How it is safe to contact the person: read this before anything else. Where the service is hidden from you it is always `safe: no`, whatever the person said: ask who referred them before you contact them.',
  },
);

const rangesInWords = measureCodes
  .map((code) => `\`${code}\` ${measures[code].min} to ${measures[code].max}`)
  .join(', ');

/** A measure, without when and how it was taken. */
export const measureFields = {
  code: Type.Enum([...measureCodes], { title: 'MeasureCode' }),
  stage: Type.Enum([...stages], {
    title: 'MeasureStage',
    description: 'Taken when the support began, between, or when it ended.',
  }),
  value: Type.Number({
    minimum: 0,
    maximum: 70,
    description: `Whole numbers in the range of each measure: ${rangesInWords}. The metric scores of SWEMWBS have decimals.`,
  }),
};

export const outcomeSchema = Type.Object(
  {
    code: Type.String({
      title: 'OutcomeCode',
      knownValues: Object.keys(outcomeWords),
      pattern: describePattern(
        '^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$',
        'must be a code of up to 60 letters, digits, hyphens and underscores, such as goals-met',
      ),
      description: `A short code: one of ${Object.keys(outcomeWords).join(', ')}, which pages say in words; or a code of your own, such as of SNOMED CT, which is kept and shown as it is.`,
    }),
    text: longText('What came of it for the person.'),
    measures: Type.Optional(
      Type.Array(Type.Object(measureFields, noOtherFields), {
        minItems: 1,
        maxItems: 12,
        description: 'What was measured, each at most once a stage.',
      }),
    ),
  },
  { ...noOtherFields, title: 'NewOutcome' },
);

const gpActionSchema = Type.Object(
  {
    number: Type.Integer({ description: 'Counts from 1 in this referral.' }),
    text: Type.String(),
    by_date: orNull(Type.String({ format: 'date', description: 'By when; null if no date was given.' })),
    asked_by: orNull(Type.String({ description: 'Who asks. Null only in a draft.' })),
    patient_told: orNull(
      Type.Boolean({ description: 'Whether the person knows of it; null if that was not asked.' }),
    ),
    asked_by_letter: Type.Boolean({
      description:
        'Whether a letter to the practice asks for it. If not, because none was named, it has closed, or the person did not agree, tell their practice yourself.',
    }),
    status: Type.Enum(['open', 'acknowledged', 'done_by_hand'], {
      title: 'GpActionStatus',
      description:
        '`open` until the practice has confirmed the letter that asks for it, or staff have said that it was done.',
    }),
    done_by_hand: orNull(
      Type.Object(
        { at: moment, by: Type.Object({ name: Type.String() }) },
        {
          title: 'WhoAndWhen',
          description: 'Who said that the practice has done it or that staff told it, and when.',
        },
      ),
    ),
  },
  { title: 'GpAction' },
);

const promptMeanings: Readonly<Record<PromptKind, string>> = {
  'service-closed': 'the service has closed, or is closed for now',
  'service-stopped': 'the service takes no more referrals on this site',
  'service-moved': 'another organisation runs it, whose staff cannot see the referral',
  'service-sensitive':
    'it was marked as sensitive after the person was referred, so the person has to be asked again',
  'practice-closed': 'the GP practice has closed',
  'referrer-left': 'the person who made the referral no longer works there',
  'staff-left': 'the one of the service who looked after it no longer works there',
  'nobody-left':
    'none of the service’s staff can sign in any more, so nobody there can answer; for the referrer too, to know',
  'may-have-died':
    'the person’s death was reported in another referral, before this one was made or again after it was taken back; shown to staff of the service if it was told of that, and otherwise to operators alone',
  'death-reported': 'somebody told that the person has died, and nobody has settled it',
  'draft-waiting': 'a draft was not sent for five working days, or its maker has left',
  'person-wants-to-stop': 'the person said on their own page that they no longer want it',
  'person-not-helped': 'the person said on their own page that they did not get help',
  'alarming-answer': 'a measure is in the worst band, or worse by 3 than at the start',
  'end-measure-due': 'the end was not measured',
  'service-asks-to-ring': 'somebody of the service asked, by the link in its email, to be rung',
  'service-not-told': 'no message to the service arrived',
  'nhs-number-not-recognised': 'the NHS message exchange did not recognise the NHS number on a letter',
  'not-their-patient': 'the GP practice answered that the person is not its patient, or has left it',
  'practice-missing': 'an operator asked which GP practice gets the copy, because none is named',
  'risk-to-act-on':
    'somebody is at risk of harm, the text has words of a crisis, or contact is not safe: somebody of the referrer’s side confirms that somebody has acted',
};

const promptSchema = Type.Object(
  {
    id: Type.String(),
    kind: openEnum(promptKinds, {
      title: 'PromptKind',
      description: Object.entries(promptMeanings)
        .map(([kind, meaning]) => `\`${kind}\`: ${meaning}.`)
        .join(' '),
    }),
    side: Type.Enum([...promptSides], {
      title: 'PromptSide',
      description: 'Who looks after it: one of the two sides, or the operators of the site.',
    }),
    owner: orNull(
      Type.Object(
        { name: Type.String() },
        { description: 'The person who was told by email and looks after it; null for the operators.' },
      ),
    ),
    since: moment,
    due_on: orNull(
      Type.String({
        format: 'date',
        description:
          'Somebody rings the person by the end of this day because of what the person said, or confirms that somebody has acted on a risk; null for everything else.',
      }),
    ),
  },
  {
    title: 'Prompt',
    examples: [
      {
        id: '01a1fc72-4ae0-7b1c-9d2e-3f4a5b6c7d8f',
        kind: 'service-closed',
        side: 'referrer',
        owner: { name: 'Rashid Referrer' },
        since: '2026-11-23T09:30:00.000Z',
        due_on: null,
      },
    ],
  },
);

/** An open referral of somebody who is said to have died. */
export const referralToConfirmSchema = Type.Object({
  id: Type.String(),
  reference: Type.String(),
  status: referralStatusSchema,
});
export const referralToConfirmExample = {
  id: '01a1fc72-4adf-7a4a-aa65-fc267c41c863',
  reference: '7K3QF-XW29D',
  status: 'accepted',
};

const knownAgreement = Type.Object(
  {
    basis: Type.Optional(Type.Enum([...agreementBases, 'not_asked'], { title: 'KnownAgreementBasis' })),
    judged_by: Type.Optional(Type.String()),
    when: Type.Optional(moment),
    decided_by: Type.Optional(Type.String()),
    consulted: Type.Optional(Type.String()),
  },
  { title: 'KnownAgreement', description: 'On what the agreement in `consent` rests.' },
);

/**
 * A referral in answers. Operators get it without what is personal or clinical, and a draft has only what is
 * known.
 */
export const referralSchema = Type.Object(
  {
    id: Type.String(),
    reference: Type.String({
      description:
        'For people to say and write. Its last character is a check character, which shows a reading mistake.',
    }),
    service_id: orNull(
      Type.String({
        description:
          'Null in a draft that names none yet, and where `service.name` is “A restricted service”: operators, and colleagues of the person who made a referral, learn which sensitive service it goes to once they open it with a reason. Until then the reasons, needs, goals, what matters, safety notes, support, contacts, appointments and measures are missing, and no text of a message, nor any file, is shown.',
      }),
    ),
    service: orNull(
      Type.Object({
        name: Type.String(),
        organization_id: orNull(Type.String()),
        organization_name: orNull(Type.String()),
      }),
    ),
    status: referralStatusSchema,
    status_reason: orNull(statusReasonSchema),
    version: Type.Integer({
      description:
        'Grows with every change of the status and of what was referred: the person, the need, the agreement, the safety notes; and when a file is removed. It does not grow with a contact, an appointment, a measure, a message, a file, a task that the practice has done, `seen_to`, a restriction, a legal hold, an erasure, who has seen it, or what became of its deliveries. The ETag begins with it, and `If-Match` compares it.',
    }),
    created_at: moment,
    updated_at: {
      ...moment,
      description:
        'When it last changed: its status or what it says, a restriction, a legal hold, an erasure, a message, a file, that a task of the practice was done, or `seen_to`. `updated_after` finds it by this. It does not move with `seen`, `prompts`, `overdue`, `rerouted_to`, `referred_again` or `deliveries`: events tell what became of deliveries, and the rest follows from other referrals, from looking at it, or from the date.',
    } as typeof moment,
    requested_at: orNull({ ...moment, description: 'When it was sent; null in a draft.' } as typeof moment),
    due_at: orNull({
      ...moment,
      description: 'When the service should have answered, counted in working days.',
    } as typeof moment),
    next_date: orNull(
      Type.String({
        format: 'date',
        description:
          'The last day for what comes next in an open referral: the answer; once accepted, the first contact; on the waiting list, the check that it is still safe to wait; in progress, news. It is a working day in England: where the days end on a weekend or bank holiday, the one before. Every change of the status or of the wait, and every contact in which the person was reached, sets a new date; in progress, or after the first contact, a message of the service does too.',
      }),
    ),
    overdue: Type.Boolean({
      description: 'Open, and due_at (not answered yet) or next_date (accepted) has passed.',
    }),
    seen: orNull(
      Type.Object(
        { at: moment, by: Type.Object({ name: Type.String() }) },
        {
          title: 'WhoAndWhen',
          description:
            'Who of the service first opened it here, or had it on a screen by the API (`Onward-Shown-To`), or changed its status or wrote a message, and when; null until then. A delivery that was received, or a referral that a program read, is not yet seen by a person. It changes neither the version nor `updated_at`.',
        },
      ),
    ),
    first_contact_at: orNull({
      ...moment,
      description: 'When staff of the service first reached the person; null until they log such a contact.',
    } as typeof moment),
    expected_date: orNull(
      Type.String({ format: 'date', description: 'On the waiting list: when a place is expected.' }),
    ),
    reroutes: orNull(
      Type.String({ description: 'The referral that this one replaces; null for staff of the service.' }),
    ),
    rerouted_to: orNull(
      Type.String({
        description: 'The referral that replaces this one; null for staff of the service.',
      }),
    ),
    referred_again: Type.Boolean({
      description:
        'Whether your organisation has referred the person again, to any service, since this was unsuccessful; false for staff of the service.',
    }),
    seen_to: orNull(
      Type.Object(
        { at: moment, by: Type.Object({ name: Type.String() }) },
        {
          title: 'WhoAndWhen',
          description:
            'When your organisation said that the person was helped in another way; null for staff of the service.',
        },
      ),
    ),
    possible_duplicates: orNull(
      Type.Array(Type.Object({ id: Type.String(), reference: Type.String() }), {
        description:
          'Other open referrals to the service, by any referrer, that may be of the same person: the same NHS number, or the same name and birth date where only one of them has a number. For staff of the service; null for all others.',
      }),
    ),
    possible_twins: orNull(
      Type.Array(Type.Object({ id: Type.String(), reference: Type.String() }), {
        description:
          'Other open referrals to the service with the same last name and birth date, or NHS number, and another first name: they may be of a twin. Compare the first name before you contact anybody. For staff of the service; null for all others.',
      }),
    ),
    contact_elsewhere: orNull(
      Type.Array(
        Type.Object(
          {
            id: orNull(Type.String()),
            reference: orNull(Type.String()),
            contact: orNull(knownContact),
            stricter: Type.Boolean({ description: 'It asks for more care than this referral: go by it.' }),
            ring_first: Type.Optional(
              Type.String({
                description:
                  'Ring this person before you contact the patient: their organisation gave a more careful answer in a referral that is not for you to know.',
              }),
            ),
            may_be_another: Type.Optional(
              Type.Literal(true, {
                description:
                  'It may be of somebody else: only the last name, the birth date, the first letter, and the telephone or postcode are the same.',
              }),
            ),
          },
          { title: 'ContactElsewhere' },
        ),
        {
          description:
            'Other open referrals of the person with another answer in `contact`: show them beside it, those that are `stricter` before it. For staff of the service, those to their organisation, by any referrer, and `ring_first` where the organisation that made this one gave a more careful answer to somebody else; for the referrer’s side, those that its own organisation made, to any service. All but `stricter` is null where the record is restricted; of a referral to a service that the caller may not know they learn only `ring_first`, and that only if its answer is stricter. Null for all others.',
        },
      ),
    ),
    prompts: Type.Array(promptSchema, {
      description:
        'What this referral relied on and has lost, or what somebody has to look into, in some cases also after its end, until they have dealt with it: for each side its own, and for operators all. It is empty nearly always.',
    }),
    death_reported: orNull(
      Type.Object(
        {
          at: moment,
          told_by: Type.String({
            description: 'Who told it, in the words of the person who reported it here.',
          }),
          date: orNull(Type.String({ format: 'date' })),
          reported_by: orNull(
            Type.Object({ name: Type.String(), organisation: orNull(Type.String()) }),
            'Who reported it on this site, if that was somebody of one of the two sides. Null if it was another organisation, which is not named here.',
          ),
          may_undo: Type.Boolean({ description: 'Whether you may take it back with `…/died/undo`.' }),
        },
        {
          description:
            'Somebody told that the person has died, and nobody has confirmed it for this referral yet: nothing is sent about it meanwhile. For the two sides.',
        },
      ),
    ),
    restricted: Type.Boolean({
      description: 'The person asked that nobody works with it: it says nothing more, and cannot be changed.',
    }),
    held: Type.Boolean({
      description: 'It is on legal hold: nothing erases it. Keep your own papers and copies, too.',
    }),
    erased_at: orNull({
      ...moment,
      description: 'When what it said was erased; its reference, service, status and dates are left.',
    } as typeof moment),
    urgency: urgencySchema,
    simulated: Type.Boolean({ description: 'True on a test site.' }),
    patient: Type.Optional(answerSchemaOf(patientSchema)),
    referrer: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          role: Type.String(),
          organisation: orNull(Type.String()),
          ods_code: orNull(Type.String()),
          job_title: Type.Optional(Type.String({ description: 'Such as link worker.' })),
          telephone: Type.Optional(Type.String()),
          on_behalf_of: Type.Optional(Type.String()),
        },
        { title: 'Referrer' },
      ),
    ),
    gp_practice: orNull(
      Type.Object({ ods_code: Type.String(), name: Type.String() }, { title: 'GpPractice' }),
    ),
    reasons: Type.Optional(answerSchemaOf(reasonsSchema)),
    needs: Type.Optional(answerSchemaOf(needsFields.needs)),
    goals: Type.Optional(answerSchemaOf(needsFields.goals)),
    reasonable_adjustments: Type.Optional(answerSchemaOf(needsFields.reasonable_adjustments)),
    episode: howReferredFields.episode,
    source: Type.Optional(answerSchemaOf(howReferredFields.source)),
    method: howReferredFields.method,
    what_matters: Type.Optional(Type.String()),
    safety_notes: Type.Optional(Type.String()),
    safety_notes_for_practice: Type.Optional(safetyNotesForPractice),
    support_offered: Type.Optional(Type.String()),
    risk: Type.Optional(
      Type.Enum([...risks, 'not_asked'], {
        title: 'KnownRisk',
        description: 'Whether anybody was at risk of serious harm when the referral was made.',
      }),
    ),
    risk_acted_on: Type.Optional(
      Type.Object({ who_was_told: Type.Optional(Type.String()), when: Type.Optional(moment) }),
    ),
    fit_override: Type.Optional(
      Type.Object(
        {
          reason: Type.Optional(Type.String()),
          misfits: Type.Optional(
            Type.Array(Type.String(), { description: 'Of a draft: what the reason was given for.' }),
          ),
        },
        {
          description: 'Why the referrer chose the service although the person is outside its ages or area.',
        },
      ),
    ),
    mismatch_override: Type.Optional(
      Type.Object(
        { reason: Type.Optional(Type.String()) },
        {
          description:
            'Why the NHS number is right, although the site knew it with another name or birth date.',
        },
      ),
    ),
    contact_override: Type.Optional(
      Type.Object(
        { reason: Type.Optional(Type.String()) },
        {
          description:
            'Why the answer in `contact` is right, although another referral by the same organisation asked for more care.',
        },
      ),
    ),
    urgency_override: Type.Optional(
      Type.Object(
        { reason: Type.Optional(Type.String()) },
        {
          description:
            'Why the referral was sent as routine, although somebody is at risk of serious harm or its text has words of a crisis.',
        },
      ),
    ),
    namesake_override: Type.Optional(
      Type.Object(
        { reason: Type.Optional(Type.String()) },
        {
          description:
            'How the referrer knows that the person, who has the name of the referrer’s account, is somebody else.',
        },
      ),
    ),
    death_override: Type.Optional(
      Type.Object(
        { reason: Type.Optional(Type.String()) },
        {
          description:
            'Why the referrer made it although their organisation was told that the person has died.',
        },
      ),
    ),
    contact: Type.Optional(knownContact),
    do_not_show_online: Type.Optional(Type.Boolean()),
    person_page: Type.Optional(personPageStateSchema),
    agreement: Type.Optional(knownAgreement),
    made_at: Type.Optional({
      ...moment,
      description: 'When it was taken on paper. Missing if it was made on the site.',
    } as typeof moment),
    gp_actions: Type.Optional(
      orNull(
        Type.Array(gpActionSchema, {
          description:
            'What the GP practice has to do, as it was asked with the referral and when it was completed. Null if nobody was asked; empty if there is nothing.',
        }),
      ),
    ),
    contacts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String(),
            at: moment,
            kind: openEnum(contactKindCodes, { title: 'KnownContactKind' }),
            reached: Type.Boolean({ description: 'Whether somebody spoke with the person, or met them.' }),
            by: Type.String(),
            note: Type.Optional(Type.String()),
          },
          { title: 'Contact' },
        ),
        {
          description:
            'The contacts of the service with the person, and its attempts, by time. Missing if there were none.',
        },
      ),
    ),
    measures: Type.Optional(
      Type.Array(
        Type.Object(
          {
            code: openEnum(measureCodes, { title: 'KnownMeasureCode' }),
            stage: openEnum([...stages], { title: 'KnownMeasureStage' }),
            value: Type.Number(),
            taken_at: moment,
            by: openEnum([...measurers], { title: 'KnownMeasurer' }),
            mode: Type.Optional(openEnum([...measureModes], { title: 'KnownMeasureMode' })),
            alarming: Type.Boolean({
              description:
                'True for the newest of its kind if it is in the worst band, or worse by 3 than at the start. Show at once whom to call: 999 in danger, NHS 111 option 2 for urgent help with mental health. Somebody of the referrer’s organisation gets a prompt to ring the person by the end of the next working day.',
            }),
          },
          { title: 'Measure' },
        ),
        {
          description:
            'What was measured while the referral was open, in the order in which it was sent. Missing if nothing was; what was sent with the outcome is in `outcome.measures`.',
        },
      ),
    ),
    measure_changes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            code: openEnum(measureCodes, { title: 'KnownMeasureCode' }),
            start: orNull(Type.Number()),
            end: orNull(Type.Number()),
            change: orNull(
              openEnum(['better', 'same', 'worse'], {
                title: 'MeasureDirection',
                description: 'From the start to the end; null unless both were measured.',
              }),
            ),
          },
          { title: 'MeasureChange' },
        ),
        { description: 'Each measure that was taken at the start or the end, also those of the outcome.' },
      ),
    ),
    address_notice: Type.Optional(
      openEnum(['service-has-its-own', 'confidential-place'], {
        title: 'AddressNotice',
        description:
          'For the referrer’s side, while the referral is open: show it before somebody corrects the address. `service-has-its-own`: staff of a sensitive service, or of one whose place is confidential, keep another address, which you do not read. `confidential-place`: where the service is, is confidential. Never send that place as the patient’s address: the GP practice and others get what you send. Missing otherwise.',
      }),
    ),
    changed_by_service: Type.Optional(
      Type.Array(openEnum([...waysToReach], { title: 'WayToReach' }), {
        description:
          'Fields of `patient` that a confidential service has replaced, and that you do not read: they are left out, and `contact` says that contact is not safe where it rests on them. Show it first, and use no earlier value: somebody whom the person fears may hold that telephone. Ask the service, or the person who referred. Missing otherwise.',
      }),
    ),
    appointments: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String(),
            at: moment,
            kind: openEnum(contactKindCodes, { title: 'KnownContactKind' }),
            place: Type.Optional(Type.String()),
            by: Type.String(),
            cancelled: Type.Boolean(),
          },
          { title: 'Appointment' },
        ),
        {
          description:
            'Appointments of the person with the service, by time. Missing if there were none. The referrer’s side sees no `place` if the service is sensitive, or its place confidential.',
        },
      ),
    ),
    declines_social_prescribing: Type.Optional(
      Type.Boolean({ description: 'The person declines social prescribing altogether.' }),
    ),
    suggested_service: Type.Optional(
      orNull(
        Type.Object(
          { id: Type.String(), name: Type.String() },
          {
            title: 'SuggestedService',
            description:
              'Another service that staff suggested when they declined or closed the referral. Make the next referral with `POST …/reroute` and its `id`, once the person agrees. Null for a colleague from whom the service is hidden.',
          },
        ),
      ),
    ),
    consent: Type.Optional(
      Type.Object(
        {
          referral: Type.Optional(Type.Boolean()),
          share_with_gp: Type.Optional(shareWithGp),
          wording: Type.Optional(
            Type.String({
              description: 'The words that were shown or read to the person, with their answers.',
            }),
          ),
          recorded_by: Type.Optional(Type.String()),
          recorded_at: Type.Optional(moment),
          said_by: Type.Optional({
            ...knownAgreement,
            description:
              'Who said that the agreement changes, or on what ground that was decided. `not_asked` for somebody under 16, or for whom others had agreed, if the client did not say. Missing where nothing has changed, or the person said so.',
          } as typeof knownAgreement),
          reason: Type.Optional(
            Type.String({
              description: 'Why the practice is told more than the person had decided themselves.',
            }),
          ),
        },
        { title: 'KnownConsent' },
      ),
    ),
    outcome: Type.Optional(orNull({ ...outcomeSchema, title: 'Outcome' } as typeof outcomeSchema)),
    deliveries: Type.Array(deliverySummarySchema, {
      description:
        'What has become of telling the service and the GP practice; more in /api/referrals/{id}/deliveries.',
    }),
    to_confirm: Type.Optional(
      Type.Array(referralToConfirmSchema, {
        description:
          'Only in the answer to an end with the reason `died`: the other open referrals of the person that you may confirm it for, one by one.',
      }),
    ),
  },
  { $id: 'Referral', description: 'A referral of one person to one service.', examples: [referralExample] },
);

const historyKinds = [
  'status',
  'correction',
  'agreement',
  'things-have-changed',
  'news-read',
  'alarming-answer-settled',
  'risk-acted-on',
  'file-removed',
  'file-with-virus',
  'transfer',
  'death-reported',
  'death-confirmed',
  'death-undone',
];

export const authorSchema = Type.Object(
  { name: Type.String(), organisation: orNull(Type.String()) },
  { title: 'Author' },
);

export const historySchema = Type.Object(
  {
    version: Type.Integer(),
    at: moment,
    by: authorSchema,
    from: orNull(Type.String()),
    to: Type.String(),
    reason: orNull(statusReasonSchema),
    kind: openEnum(historyKinds, {
      title: 'HistoryKind',
      description:
        '`status`: the status changed. `correction`: details were put right. `agreement`: what the person agrees to changed. `things-have-changed`: one side told the other that something changed for the person. `news-read`: somebody of the service ticked by a link, without an account, that they read messages or what had changed. `alarming-answer-settled`: somebody looked into a worrying answer; `reason` says what they did. `risk-acted-on`: somebody confirmed that somebody has acted on a risk; `reason` says how. `file-removed`: a file that was attached by mistake was removed. `file-with-virus`: the virus scanner found a virus in a file later, and the site removed it. `transfer`: it went to another service of the same organisation. `death-reported`, `death-undone`: somebody told that the person has died, or that this was a mistake. `death-confirmed`: somebody confirmed it after the referral had ended for another reason; otherwise the end is the line for it.',
    }),
    changes: orNull(
      Type.Array(
        Type.Object(
          { field: Type.String(), from: Type.Unknown(), to: Type.Unknown() },
          { examples: [{ field: 'patient.telephone', from: '01632 960123', to: '01632 960987' }] },
        ),
        {
          description: 'Which fields changed, with the values before and after; null for a change of status.',
        },
      ),
    ),
  },
  { title: 'HistoryEntry' },
);
