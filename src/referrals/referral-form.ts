import { compact, readForm, trimmed } from '../platform/html/index.ts';
import type { FieldError } from '../platform/problem/index.ts';
import { type FormErrors, type FoundError, fieldAt, formErrors, sentence } from './form-errors.ts';
import { type ReferralField, referralFieldNames, referralFields } from './referral-fields.ts';

/** What was typed, field by field and letter by letter, so that the page can show it again. */
export type ReferralForm = Record<ReferralField, string>;

export const emptyReferralForm: ReferralForm = {
  ...readForm<ReferralField>({}, referralFieldNames),
  urgency: 'routine',
};

export function readReferralForm(body: unknown): ReferralForm {
  return readForm(body, referralFieldNames);
}

const addressFields = ['address_line_1', 'address_line_2', 'address_town'] as const;
const birthFields = ['birth_day', 'birth_month', 'birth_year'] as const;

/** The body that the API takes, as far as the form gives it; the API's own schema says what is missing or wrong. */
export function newReferralFrom(form: ReferralForm, serviceId: string): object {
  const text = (name: ReferralField) => trimmed(form[name]);
  const reason = text('reasons');
  const ticked = (name: ReferralField) => (form[name] === 'yes' ? true : undefined);
  return compact({
    service_id: serviceId,
    urgency: text('urgency'),
    patient: patientFrom(form),
    referrer: compact({ on_behalf_of: text('on_behalf_of') }),
    gp_practice: compact({ ods_code: withoutSpaces(form.gp_ods_code)?.toUpperCase() }),
    reasons: reason === undefined ? [] : [{ text: reason }],
    what_matters: text('what_matters'),
    safety_notes: text('safety_notes'),
    support_offered: text('support_offered'),
    consent: { ...compact({ referral: ticked('consent_referral'), share_with_gp: sharing(form) }) },
    allow_duplicate: ticked('allow_duplicate'),
  }) as object;
}

function patientFrom(form: ReferralForm): object {
  const text = (name: ReferralField) => trimmed(form[name]);
  return {
    ...compact({
      nhs_number: withoutSpaces(form.nhs_number)?.replaceAll('-', ''),
      given_name: text('given_name'),
      family_name: text('family_name'),
      birth_date: birthDate(form),
      telephone: text('telephone')?.replaceAll(/\s+/g, ' '),
      email: text('email'),
      preferred_contact: text('preferred_contact'),
      communication_needs: compact({ interpreter: text('interpreter'), format: text('format') }),
    }),
    address: {
      lines: filledLines(form).map((name) => form[name].trim()),
      ...compact({ postcode: postcode(form.postcode) }),
    },
  };
}

function withoutSpaces(typed: string): string | undefined {
  return typed.replaceAll(/\s/g, '') || undefined;
}

function postcode(typed: string): string | undefined {
  const plain = withoutSpaces(typed)?.toUpperCase();
  return plain?.replace(/^([A-Z\d]{2,4})([A-Z\d]{3})$/, '$1 $2');
}

function sharing(form: ReferralForm): boolean | 'codes_only' | undefined {
  const answers: Record<string, boolean | 'codes_only'> = { yes: true, no: false, codes_only: 'codes_only' };
  return Object.hasOwn(answers, form.share_with_gp) ? answers[form.share_with_gp] : undefined;
}

/** The three numbers as one date; what is no date stays recognisable as none, for the schema to refuse. */
function birthDate(form: ReferralForm): string | undefined {
  const [day, month, year] = birthFields.map((name) => form[name].trim()) as [string, string, string];
  if (day === '' && month === '' && year === '') return undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function filledLines(form: ReferralForm): (typeof addressFields)[number][] {
  return addressFields.filter((name) => form[name].trim() !== '');
}

/** What the schema and the checks say about a referral, as the page says it, beside the fields it is about. */
export function explainReferralErrors(
  errors: readonly FieldError[],
  form: ReferralForm,
): FormErrors<ReferralField> {
  return formErrors(
    referralFieldNames,
    errors.map((error) => explain(error, form)),
  );
}

function explain(error: FieldError, form: ReferralForm): FoundError<ReferralField> {
  const line = /^\/patient\/address\/lines\/(\d+)$/.exec(error.pointer);
  const field = (line && filledLines(form)[Number(line[1])]) || fieldAt(referralFields, error.pointer);
  if (field === undefined) return { field, text: general(error) };
  if (field === 'birth_day') return birthDateError(error, form);
  return { field, text: sentence(referralFields[field], form[field], error) };
}

function general({ pointer, message }: FieldError): string {
  if (pointer === '/service_id')
    return `Nothing was sent: this ${message.replace('is a service that', 'service')}`;
  return `Nothing was sent: ${pointer} ${message}`;
}

function birthDateError(error: FieldError, form: ReferralForm): FoundError<ReferralField> {
  const missing = birthFields.filter((name) => form[name].trim() === '');
  const parts = missing.map((name) => name.replace('birth_', ''));
  const texts = [
    sentence(referralFields.birth_day, 'typed', error),
    `Date of birth must include a ${parts[0]}`,
    `Date of birth must include a ${parts.join(' and ')}`,
    'Enter the person’s date of birth',
  ];
  return { field: 'birth_day', text: texts[missing.length]!, target: missing[0] ?? 'birth_day' };
}
