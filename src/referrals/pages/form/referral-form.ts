import { clockTime } from '../../../library/index.ts';
import { localTime } from '../../../platform/clock/index.ts';
import { readChoices, readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import { withoutUndefined } from '../../../platform/objects.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { groupedNhsNumber } from '../../model/person/identity/nhs-number.ts';
import { contactFields, type DraftInput } from '../../model/schemas/new-referral.ts';
import { errorText, type FormErrors, type FormFieldError, fieldAt, formErrors } from '../form-errors.ts';
import { gpActionsFrom, gpActionsNotShown, gpFieldAt, gpFormFromActions } from '../gp-actions-form.ts';
import { momentFromField } from '../moment-field.ts';
import {
  personFromForm,
  type ReferralField,
  referralFieldNames,
  referralFields,
  tickedFields,
} from '../referral-fields.ts';

// A form, what is sent and what is stored are changed into each other by these:
//
// body of the page → `readReferralForm` → form → `newReferralFrom` or `draftFrom` → what the API would be sent
// stored referral or draft → `draftInputOf` (submit/) → what the API would be sent → `formOf` → form
// form and what is stored → `correctionFrom` → a correction

/** What was typed, unchanged, so that the page can show it again. */
export type ReferralForm = Record<ReferralField, string>;

export const emptyReferralForm: ReferralForm = readUntrimmedFields<ReferralField>({}, referralFieldNames);

export function readReferralForm(body: unknown): ReferralForm {
  const tickedValues = tickedFields.map((name) => [
    name,
    readChoices(body ?? {}, name)
      .filter(Boolean)
      .join(),
  ]);
  const typed = readUntrimmedFields(body, referralFieldNames);
  // Who else agreed is asked below “Somebody else agreed or decided”. Without that answer, “other” is not a basis, and is refused.
  const { agreement_other: other } = readUntrimmedFields(body, ['agreement_other']);
  const basis = (typed.agreement_basis === 'other' && other) || typed.agreement_basis;
  return { ...typed, agreement_basis: basis, ...Object.fromEntries(tickedValues) };
}

const addressFields = ['address_line_1', 'address_line_2', 'address_town'] as const;
const birthFields = ['birth_day', 'birth_month', 'birth_year'] as const;

/**
 * The body that the API expects, as far as the form is filled in. The API’s schema finds what is missing or wrong.
 */
export function newReferralFrom(form: ReferralForm, serviceId: string): object {
  const text = (name: ReferralField) => trimToUndefined(form[name]);
  const reason = text('reasons');
  const isTicked = (name: ReferralField) => (form[name] === 'yes' ? true : undefined);
  return withoutUndefined({
    service_id: serviceId,
    urgency: text('urgency'),
    patient: patientFrom(form),
    referrer: withoutUndefined({ on_behalf_of: text('on_behalf_of') }),
    gp_practice: withoutUndefined({ ods_code: withoutSpaces(form.gp_ods_code)?.toUpperCase() }),
    reasons: reason === undefined ? [] : [{ text: reason }],
    needs: ticked(form, 'needs'),
    reasonable_adjustments: ticked(form, 'reasonable_adjustments'),
    source: text('source'),
    method: text('method'),
    episode: text('episode'),
    what_matters: text('what_matters'),
    safety_notes: text('safety_notes'),
    safety_notes_for_practice: isTicked('safety_notes_for_practice'),
    support_offered: text('support_offered'),
    risk: text('risk'),
    risk_acted_on: form.risk === 'yes' ? riskActedOn(form) : undefined,
    contact: contactFrom(form),
    do_not_show_online: isTicked('do_not_show_online'),
    person_page: withoutUndefined({ send: isTicked('person_page') }),
    agreement: agreementFrom(form),
    fit_override: fitOverrideFrom(form),
    mismatch_override: withoutUndefined({ reason: text('mismatch_reason') }),
    namesake_override: withoutUndefined({ reason: text('namesake_reason') }),
    death_override: withoutUndefined({ reason: text('death_reason') }),
    made_at: momentFromField(form.made_at) ?? text('made_at'),
    gp_actions: gpActionsFrom(form),
    consent: {
      ...withoutUndefined({
        referral: form.agreement_basis === '' ? undefined : true,
        share_with_gp: sharingFrom(form.share_with_gp) ?? (form.gp_from === 'none' ? false : undefined),
      }),
    },
    allow_duplicate: isTicked('allow_duplicate'),
  }) as object;
}

/** Nothing ticked is no answer. */
function ticked(form: ReferralForm, name: (typeof tickedFields)[number]): string[] | undefined {
  return form[name] === '' ? undefined : form[name].split(',');
}

function patientFrom(form: ReferralForm): object {
  const text = (name: ReferralField) => trimToUndefined(form[name]);
  return {
    ...withoutUndefined({
      ...personFromForm(form),
      title: text('title'),
      given_name: text('given_name'),
      gender: text('gender'),
      ethnicity: text('ethnicity'),
      ethnic_category: text('ethnic_category'),
      telephone: text('telephone')?.replaceAll(/\s+/g, ' '),
      email: text('email'),
      preferred_contact: text('preferred_contact'),
      communication_needs: withoutUndefined({ interpreter: text('interpreter'), format: text('format') }),
      carer: withoutUndefined({
        name: text('carer_name'),
        relationship: text('carer_relationship'),
        telephone: text('carer_telephone'),
        share_with_gp: form.carer_share === 'yes' && text('carer_name') !== undefined ? true : undefined,
      }),
    }),
    address: {
      lines: linesOf(form),
      ...withoutUndefined({ postcode: postcode(form.postcode) }),
    },
  };
}

function contactFrom(form: ReferralForm) {
  const { contact_safe: safe, contact_voicemail: voicemail } = form;
  return withoutUndefined({
    safe: trimToUndefined(safe),
    only_at: safe === 'only_at' ? trimToUndefined(form.contact_only_at) : undefined,
    channel: trimToUndefined(form.contact_channel),
    voicemail: voicemail === '' ? undefined : voicemail === 'yes',
    who_must_not_know: trimToUndefined(form.contact_secret),
  });
}

/** Only what belongs to the basis that was chosen: the other fields are folded away. */
export function agreementFrom(form: ReferralForm): NonNullable<DraftInput['agreement']> | undefined {
  const basis = trimToUndefined(form.agreement_basis);
  const { judged_by, when, decided_by, consulted } = agreementTexts(form);
  return withoutUndefined({
    basis,
    ...(basis === 'competent_child' && { judged_by, when }),
    ...(basis === 'best_interests' && { decided_by, consulted }),
  }) as NonNullable<DraftInput['agreement']> | undefined;
}

function agreementTexts(form: ReferralForm) {
  return {
    judged_by: trimToUndefined(form.agreement_judged_by),
    when: momentFromField(form.agreement_when) ?? trimToUndefined(form.agreement_when),
    decided_by: trimToUndefined(form.agreement_decided_by),
    consulted: trimToUndefined(form.agreement_consulted),
  };
}

/** Without the misfits that were shown, the reason would count for any other. */
function fitOverrideFrom({ fit_reason, fit_misfits }: ReferralForm) {
  const reason = trimToUndefined(fit_reason);
  return reason === undefined ? undefined : withoutUndefined({ reason, misfits: misfitsFrom(fit_misfits) });
}

function misfitsFrom(json: string): string[] | undefined {
  try {
    const misfits: unknown = JSON.parse(json);
    return Array.isArray(misfits) ? misfits.map(String) : undefined;
  } catch {
    return undefined;
  }
}

function riskActedOn(form: ReferralForm) {
  const { risk_told_at } = form;
  return withoutUndefined({
    who_was_told: trimToUndefined(form.risk_told),
    when: momentFromField(risk_told_at) ?? trimToUndefined(risk_told_at),
  });
}

function toLocal(moment: string | undefined): string | undefined {
  if (moment === undefined) return undefined;
  const { day, minute } = localTime(new Date(moment));
  return `${day.date}T${clockTime(minute)}`;
}

function withoutSpaces(typed: string): string | undefined {
  return typed.replaceAll(/\s/g, '') || undefined;
}

function postcode(typed: string): string | undefined {
  const plain = withoutSpaces(typed)?.toUpperCase();
  return plain?.replace(/^([A-Z\d]{2,4})([A-Z\d]{3})$/, '$1 $2');
}

/** What the GP practice may have, as the radio buttons send it. Undefined for anything else. */
export function sharingFrom(answer: string): boolean | 'codes_only' | undefined {
  const answers: Record<string, boolean | 'codes_only'> = { yes: true, no: false, codes_only: 'codes_only' };
  return Object.hasOwn(answers, answer) ? answers[answer] : undefined;
}

function filledLines(form: ReferralForm): (typeof addressFields)[number][] {
  return addressFields.filter((name) => form[name].trim() !== '');
}

function linesOf(form: ReferralForm): string[] {
  return filledLines(form).map((name) => form[name].trim());
}

function yesOrNo(value: boolean | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value ? 'yes' : 'no';
}

/** As `newReferralFrom`, for a draft: without empty parts, but with what was typed for another answer about the agreement. */
export function draftFrom(form: ReferralForm, serviceId: string | null): DraftInput {
  const whole = newReferralFrom(form, serviceId ?? '') as DraftInput & { allow_duplicate?: true };
  const { patient, consent, reasons, allow_duplicate: _, service_id: __, ...rest } = whole;
  const { address, ...person } = patient ?? {};
  const lines = address?.lines?.length ? address.lines : undefined;
  return {
    ...rest,
    ...withoutUndefined({
      service_id: serviceId ?? undefined,
      agreement: withoutUndefined({ basis: trimToUndefined(form.agreement_basis), ...agreementTexts(form) }),
      patient: withoutUndefined({ ...person, address: withoutUndefined({ ...address, lines }) }),
      consent: withoutUndefined({ ...consent }),
      reasons: reasons?.length ? reasons : undefined,
    }),
  } as DraftInput;
}

/** The form filled in with an existing referral or draft. */
export function formOf({ patient = {}, ...input }: DraftInput): ReferralForm {
  const { address, communication_needs: needs, carer, birth_date: born = '--', nhs_number } = patient;
  const [year, month, day] = born.split('-').map((part) => part.replace(/^0/, ''));
  const [line1, line2, ...town] = address?.lines ?? [];
  const share = input.consent?.share_with_gp;
  const known: Partial<Record<ReferralField, string | undefined>> = {
    ...patient,
    birth_day: day,
    birth_month: month,
    birth_year: year,
    nhs_number: nhs_number && groupedNhsNumber(nhs_number),
    address_line_1: line1,
    address_line_2: line2,
    address_town: town.join(', '),
    postcode: address?.postcode,
    interpreter: needs?.interpreter,
    format: needs?.format,
    carer_name: carer?.name,
    carer_relationship: carer?.relationship,
    carer_telephone: carer?.telephone,
    carer_share: carer?.share_with_gp ? 'yes' : '',
    contact_safe: input.contact?.safe,
    contact_only_at: input.contact?.only_at,
    contact_channel: input.contact?.channel,
    contact_voicemail: yesOrNo(input.contact?.voicemail),
    contact_secret: input.contact?.who_must_not_know,
    do_not_show_online: input.do_not_show_online ? 'yes' : '',
    person_page: input.person_page?.send ? 'yes' : '',
    // One question on the page: without the agreement itself, it has no answer yet.
    agreement_basis: input.consent?.referral ? input.agreement?.basis : undefined,
    agreement_judged_by: input.agreement?.judged_by,
    agreement_when: toLocal(input.agreement?.when),
    agreement_decided_by: input.agreement?.decided_by,
    agreement_consulted: input.agreement?.consulted,
    gp_ods_code: input.gp_practice?.ods_code,
    ...gpFormFromActions(input.gp_actions),
    reasons: input.reasons?.map(({ text }) => text).join('\n\n'),
    needs: input.needs?.join(),
    reasonable_adjustments: input.reasonable_adjustments?.join(),
    source: input.source,
    method: input.method,
    episode: input.episode,
    what_matters: input.what_matters,
    safety_notes: input.safety_notes,
    safety_notes_for_practice: input.safety_notes_for_practice ? 'yes' : '',
    support_offered: input.support_offered,
    risk: input.risk,
    risk_told: input.risk_acted_on?.who_was_told,
    risk_told_at: toLocal(input.risk_acted_on?.when),
    fit_reason: input.fit_override?.reason,
    fit_misfits: input.fit_override?.misfits && JSON.stringify(input.fit_override.misfits),
    mismatch_reason: input.mismatch_override?.reason,
    namesake_reason: input.namesake_override?.reason,
    death_reason: input.death_override?.reason,
    made_at: toLocal(input.made_at),
    urgency: input.urgency,
    share_with_gp:
      share === undefined ? '' : { true: 'yes', false: 'no', codes_only: 'codes_only' }[`${share}`],
    on_behalf_of: input.referrer?.on_behalf_of,
  };
  return readUntrimmedFields(known, referralFieldNames);
}

/**
 * The correction that a form asks for: what the referrer, or staff of the service, may put right. An emptied field is null, which
 * removes the value. An address that the service keeps to itself was not shown, so that a blank one changes nothing.
 */
export function correctionFrom(
  form: ReferralForm,
  stored: DraftInput,
  { isReferrer, isAddressHidden = false }: { isReferrer: boolean; isAddressHidden?: boolean },
): object {
  const input = keepHiddenFields(newReferralFrom(form, '') as DraftInput, stored);
  const { patient, urgency, safety_notes, gp_practice, fit_override } = input;
  const { needs = [], reasonable_adjustments = [] } = input;
  const isAddressUntouched = isAddressHidden && [...linesOf(form), form.postcode.trim()].join('') === '';
  const correctable = [...Object.keys(contactFields), 'ethnic_category'];
  const names = correctable.filter((name) => name !== 'address' || !isAddressUntouched);
  const reachable = names.map((name) => [name, patient?.[name as keyof typeof patient] ?? null]);
  const reason = trimToUndefined(form.correction_reason);
  const details = {
    patient: Object.fromEntries(reachable),
    needs,
    reasonable_adjustments,
    ...withoutUndefined({ contact: contactCorrectionFrom(form, stored), reason }),
  };
  if (!isReferrer) return details;
  return {
    ...details,
    do_not_show_online: form.do_not_show_online === 'yes',
    safety_notes_for_practice: form.safety_notes_for_practice === 'yes',
    urgency,
    safety_notes: safety_notes ?? null,
    gp_practice: gp_practice ?? null,
    ...withoutUndefined({ fit_override }),
  };
}

/** Every answer, because the form shows all: an emptied one is removed. Nothing if it was never asked and still is not. */
function contactCorrectionFrom(form: ReferralForm, stored: DraftInput): object | undefined {
  const contact = contactFrom(form);
  if (contact === undefined && (stored.contact?.safe ?? 'not_asked') === 'not_asked') return undefined;
  return { channel: null, only_at: null, voicemail: null, who_must_not_know: null, ...contact };
}

/**
 * The errors of the schema and the checks, in the words of the page and beside their fields.
 * @param attempt what was tried: a draft is saved, a referral sent
 */
export function explainReferralErrors(
  errors: readonly FieldError[],
  form: ReferralForm,
  attempt: 'saved' | 'sent' = 'sent',
): FormErrors<ReferralField> {
  return formErrors(
    referralFieldNames,
    errors.map((error) => explain(error, form, attempt)),
  );
}

function explain(
  error: FieldError,
  form: ReferralForm,
  attempt: 'saved' | 'sent',
): FormFieldError<ReferralField> {
  const line = /^\/patient\/address\/lines\/(\d+)$/.exec(error.pointer);
  const field =
    (line && filledLines(form)[Number(line[1])]) ||
    gpFieldAt(form, error.pointer) ||
    fieldAt(referralFields, error.pointer);
  if (field === undefined) return { field, text: withoutField(error, attempt) };
  if (error.code === 'nothing-typed') return { field, text: nothingTypedWords };
  if (field === 'birth_day') return birthDateError(error, form);
  return { field, text: errorText(referralFields[field], form[field], error) };
}

const nothingTypedWords = 'To save a draft, enter the person’s name or why you are referring them';

/** Why the service cannot be chosen, by the code of the error. */
const serviceWords: Readonly<Record<string, string>> = {
  'no-such-service': 'this is not a service in this library',
  'inactive-service': 'this service is not active at present',
  'takes-no-referrals': 'this service does not take referrals through this site',
  'no-channel': 'this service cannot receive referrals here yet',
  'unattended-service':
    'this service has no way to receive referrals yet: nobody who runs it has an account here, and it has no other channel',
};

/** An error that no field of the form is about. */
function withoutField({ pointer, message, code = '' }: FieldError, attempt: 'saved' | 'sent'): string {
  return `Nothing was ${attempt}: ${serviceWords[code] ?? `${pointer} ${message}`}`;
}

function birthDateError(error: FieldError, form: ReferralForm): FormFieldError<ReferralField> {
  const missing = birthFields.filter((name) => form[name].trim() === '');
  const parts = missing.map((name) => name.replace('birth_', ''));
  const texts = [
    errorText(referralFields.birth_day, 'typed', error),
    `Date of birth must include a ${parts[0]}`,
    `Date of birth must include a ${parts.join(' and ')}`,
    'Enter the person’s date of birth',
  ];
  return { field: 'birth_day', text: texts[missing.length]!, target: missing[0] ?? 'birth_day' };
}

/**
 * Keeps what the form does not show. A client system may have sent it:
 * - goals, who recorded the consent, and the referral that is replaced;
 * - reason codes, when the reason was not changed;
 * - more than three lines of an address, when it was not changed;
 * - more than three actions for the GP practice.
 *
 * If it sent `do_not_show_online`, an empty tick box is the answer no.
 */
export function keepHiddenFields<T extends DraftInput>(input: T, stored: DraftInput): T {
  const storedForm = formOf(stored);
  const sameReasons = input.reasons?.[0]?.text === storedForm.reasons;
  const address = input.patient?.address;
  const sameLines = address?.lines?.join('\n') === linesOf(storedForm).join('\n');
  const { recorded_by, recorded_at } = stored.consent ?? {};
  return {
    ...input,
    ...(sameReasons && { reasons: stored.reasons }),
    ...(sameLines && {
      patient: { ...input.patient, address: { ...address, lines: stored.patient?.address?.lines } },
    }),
    ...(stored.do_not_show_online !== undefined && { do_not_show_online: input.do_not_show_online ?? false }),
    ...(stored.goals !== undefined && { goals: stored.goals }),
    ...(stored.reroutes !== undefined && { reroutes: stored.reroutes }),
    ...(input.gp_actions?.length && {
      gp_actions: [...input.gp_actions, ...gpActionsNotShown(stored.gp_actions)],
    }),
    ...(input.consent && {
      consent: {
        ...(recorded_by !== undefined && { recorded_by }),
        ...(recorded_at !== undefined && { recorded_at }),
        ...input.consent,
      },
    }),
  };
}
