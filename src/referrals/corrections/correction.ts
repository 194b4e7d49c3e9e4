import { isDeepStrictEqual } from 'node:util';
import { type Static, type TSchema, Type } from 'typebox';
import { noOtherFields, orNull } from '../../platform/http/index.ts';
import { reasonRule } from '../../platform/reason.ts';
import type { FieldChange } from '../model/history-store.ts';
import { withPlainNames } from '../model/person/identity/patient.ts';
import { type Referral, withoutInternalFields } from '../model/referral.ts';
import {
  answeringFitOverrideSchema,
  contactFields,
  ethnicCategorySchema,
  gpPractice,
  longText,
  needsFields,
  safeContactFields,
  safetyNotesForPractice,
  urgencySchema,
} from '../model/schemas/new-referral.ts';
import type { Side } from '../model/status/state-machine.ts';

const orRemoved = <T extends TSchema>(field: T) => Type.Optional(orNull(field));

const { channel, safe, only_at, voicemail, who_must_not_know } = safeContactFields.contact.properties;

/** What is left out stays: somebody who adds a channel does not know, or think of, everything that protects the person. */
const contactCorrection = Type.Object(
  {
    channel: orRemoved(channel),
    safe: Type.Optional(safe),
    only_at: orRemoved(only_at),
    voicemail: orRemoved(voicemail),
    who_must_not_know: orRemoved(who_must_not_know),
  },
  {
    title: 'SafeContactCorrection',
    ...noOtherFields,
    description:
      'Only what changes of how it is safe to contact the person; null removes an answer. Where `safe` becomes `no`, the ways and times at which it was safe, and leave to use voicemail, are removed unless they are sent again.',
  },
);

/** Who the person is stays: letters about somebody else are out already. */
const notCorrectable =
  'cannot be corrected: withdraw the referral as an error (POST …/withdraw-as-error, with the reason wrong-person if it is about somebody else), and refer the person again';

/** The body of a correction: only what changes. Null removes a value that may be missing. */
export const correctionSchema = Type.Object(
  {
    patient: Type.Optional(
      Type.Object(
        {
          address: Type.Optional(contactFields.address),
          telephone: orRemoved(contactFields.telephone),
          email: orRemoved(contactFields.email),
          preferred_contact: orRemoved(contactFields.preferred_contact),
          communication_needs: orRemoved(contactFields.communication_needs),
          carer: orRemoved(contactFields.carer),
          ethnic_category: orRemoved(ethnicCategorySchema),
        },
        {
          title: 'ContactCorrection',
          ...noOtherFields,
          refusedNames: Object.fromEntries(
            ['title', 'given_name', 'family_name', 'birth_date', 'nhs_number', 'gender'].map((name) => [
              name,
              notCorrectable,
            ]),
          ),
          description: 'How to reach the person, what they need for that, and their ethnic category.',
        },
      ),
    ),
    ...needsFields,
    contact: Type.Optional(contactCorrection),
    do_not_show_online: safeContactFields.do_not_show_online,
    gp_practice: Type.Optional(orNull(gpPractice)),
    urgency: Type.Optional(urgencySchema),
    safety_notes: Type.Optional(
      orNull(longText('What staff must know to keep the person and themselves safe.')),
    ),
    safety_notes_for_practice: Type.Optional(safetyNotesForPractice),
    fit_override: orRemoved({
      ...answeringFitOverrideSchema,
      description:
        'Why the referral stays with the service although the new postcode is outside its area. Without it, such a postcode is refused to the referrer’s organisation (`does-not-fit`).',
    }),
    reason: Type.Optional(
      longText(
        `Why it is corrected. ${reasonRule}. Required if a protection is taken away: that it is not safe to contact the person, or only at certain times or in one way; other times; another way, or a voicemail, where contact is not plainly safe or somebody must not know; that no voicemail may be left; who must not know; \`do_not_show_online\`; words of the safety notes; that it is urgent. Both sides read it, in the history and in the service’s letter.`,
      ),
    ),
  },
  { title: 'Correction', ...noOtherFields, minProperties: 1 },
);

export type Correction = Omit<Static<typeof correctionSchema>, 'patient'> & {
  patient?: { [Name in keyof typeof contactFields | 'ethnic_category']?: unknown };
};

/** What staff of the service may put right as well: they speak with the person. */
export const correctableByService: readonly (keyof Correction)[] = [
  'patient',
  'contact',
  'needs',
  'goals',
  'reasonable_adjustments',
  'reason',
];

export function fieldsCallerMayNotCorrect(correction: Correction, sides: readonly Side[]): string[] {
  if (sides.includes('referrer')) return [];
  return Object.keys(correction).filter((field) => !correctableByService.includes(field as keyof Correction));
}

/** The content with the correction in it. */
export function correctedContent(
  content: Referral['content'],
  { patient = {}, ...correction }: Correction,
): Referral['content'] {
  const { safety_notes, safety_notes_for_practice, contact, do_not_show_online, fit_override } = correction;
  const { needs, goals, reasonable_adjustments } = correction;
  return withoutNulls({
    ...content,
    ...(safety_notes !== undefined && { safety_notes }),
    ...(safety_notes_for_practice !== undefined && { safety_notes_for_practice }),
    ...(needs && { needs: orNone(needs) }),
    ...(goals && { goals: orNone(goals) }),
    ...(reasonable_adjustments && { reasonable_adjustments: orNone(reasonable_adjustments) }),
    ...(contact && { contact: correctedContact(content.contact, contact) }),
    ...(fit_override !== undefined && {
      fit_override: fit_override && { reason: fit_override.reason },
    }),
    ...(do_not_show_online !== undefined && { do_not_show_online }),
    patient: withPlainNames(
      withoutNulls({ ...content.patient, ...patient }) as Referral['content']['patient'],
    ),
  }) as Referral['content'];
}

function correctedContact(
  before: Referral['content']['contact'],
  correction: NonNullable<Correction['contact']>,
): Referral['content']['contact'] {
  const { only_at, ...stored } = { safe: 'not_asked' as const, ...before };
  const { safe = stored.safe } = correction;
  const remaining = safe === 'no' && stored.safe !== 'no' ? withoutWaysThatWereSafe(stored) : stored;
  return withoutNulls({
    ...remaining,
    ...(safe === 'only_at' && only_at !== undefined && { only_at }),
    ...correction,
  } as object) as Referral['content']['contact'];
}

/** Beside “it is not safe”, staff would take a channel or voicemail for the one safe way. */
function withoutWaysThatWereSafe<T extends { channel?: string; voicemail?: boolean }>({
  channel: _channel,
  voicemail,
  ...rest
}: T) {
  return { ...rest, ...(voicemail === false && { voicemail }) };
}

/** An empty list takes the field away. */
function orNone<T>(list: readonly T[]): readonly T[] | null {
  return list.length > 0 ? list : null;
}

function withoutNulls<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null)) as T;
}

/** Every field that a correction changed, by its name in the API. */
export function changesBetween(before: CorrectableParts, after: CorrectableParts): FieldChange[] {
  const [old, current] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  return names
    .map((field) => ({ field, from: old[field] ?? null, to: current[field] ?? null }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to));
}

type CorrectableParts = Pick<Referral, 'content' | 'urgency' | 'gp_practice'>;

function fieldsOf({ content, urgency, gp_practice }: CorrectableParts): Record<string, FieldChange['from']> {
  const { patient, consent, gp_actions: _gpActions, ...rest } = withoutInternalFields(content);
  const ofPatient = Object.entries(patient).map(([name, value]) => [`patient.${name}`, value]);
  const ofConsent = { 'consent.share_with_gp': consent.share_with_gp };
  // Older referrals lack these fields. Without one, the box counts as not ticked, so that such a referral shows no change.
  const ticks = {
    do_not_show_online: content.do_not_show_online ?? false,
    safety_notes_for_practice: content.safety_notes_for_practice ?? false,
  };
  return {
    ...Object.fromEntries(ofPatient),
    ...rest,
    ...ticks,
    ...ofConsent,
    urgency,
    gp_practice,
  };
}
