import { agreementWarnDays, findAgreementEnd } from '../../../accounts/index.ts';
import {
  findServiceDocument,
  type ListedService,
  locatePlace,
  readPostcodeText,
  type ServiceForReferral,
  servicePath,
  serviceView,
} from '../../../library/index.ts';
import { daysLater, isCalendarDay, localTime } from '../../../platform/clock/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { adjustmentItems } from '../../model/person/adjustments.ts';
import { ageInWords } from '../../model/person/age.ts';
import { ethnicCategoryItems } from '../../model/person/ethnic-category.ts';
import { ageErrors } from '../../model/person/fit.ts';
import { methodItems, sourceItems } from '../../model/person/how-referred.ts';
import { needGroups } from '../../model/person/needs.ts';
import type { FormErrors } from '../form-errors.ts';
import { gpFields } from '../gp-actions-form.ts';
import { personFromForm, type ReferralField } from '../referral-fields.ts';
import type { ReferralForm } from './referral-form.ts';

const genderItems = [
  { value: 'female', text: 'Female' },
  { value: 'male', text: 'Male' },
  { value: 'other', text: 'Other' },
  { value: 'unknown', text: 'Not known' },
];

const channelItems = [
  { value: 'telephone', text: 'Telephone only' },
  { value: 'text', text: 'Text message only' },
  { value: 'email', text: 'Email only' },
  { value: 'letter', text: 'Letter only' },
  { value: 'in person', text: 'In person only' },
];

/** What the fields of the forms offer, for their templates. */
export const choices = {
  needGroups,
  adjustments: adjustmentItems,
  ethnicCategories: ethnicCategoryItems,
  sources: sourceItems,
  methods: methodItems,
  genders: genderItems,
  channels: channelItems,
};

/** The optional parts, which are folded away while nothing is in them. */
const folds = {
  person: ['title', 'address_line_2', 'address_town', 'gender', 'ethnic_category', 'ethnicity'],
  contact: [
    'email',
    'contact_channel',
    'contact_voicemail',
    'contact_secret',
    'person_page',
    'preferred_contact',
    'interpreter',
    'format',
  ],
  adjustments: ['reasonable_adjustments'],
  /** On the form that corrects, these parts are smaller. */
  ways: ['contact_channel', 'contact_voicemail', 'contact_secret'],
  preferences: ['preferred_contact', 'interpreter', 'format'],
  safety: ['safety_notes', 'safety_notes_for_practice', 'do_not_show_online'],
  /** Apart from the person, on the form that corrects. */
  ethnic: ['ethnic_category'],
  carer: ['carer_name', 'carer_relationship', 'carer_telephone', 'carer_share'],
  gp: Object.keys(gpFields) as ReferralField[],
  needs: ['needs'],
  more: ['what_matters', 'safety_notes', 'safety_notes_for_practice', 'support_offered'],
  you: ['do_not_show_online', 'on_behalf_of', 'source', 'method', 'episode', 'made_at'],
} satisfies Record<string, readonly ReferralField[]>;

/** Which parts are open: those with a mistake. What is in a closed one stands below its name. */
export function openFolds(errors: Pick<FormErrors<ReferralField>, 'fields'> | undefined) {
  const isOpen = (fields: readonly ReferralField[]) =>
    fields.some((name) => errors?.fields[name] !== undefined);
  return Object.fromEntries(Object.entries(folds).map(([name, fields]) => [name, isOpen(fields)]));
}

/** What is in each of the optional parts, in a line: “Telephone only · No voicemail · In the morning”. */
export function foldContents(form: ReferralForm): Record<string, string> {
  return Object.fromEntries(
    Object.entries(folds).map(([name, fields]) => [
      name,
      fields
        .flatMap((field) => (form[field].trim() === '' ? [] : answerInWords(field, form[field].trim())))
        .join(' · '),
    ]),
  );
}

/** A longer text is cut: the line says what is there, and the part has all of it. */
const maxAnswerLength = 60;

function answerInWords(field: ReferralField, answer: string): string {
  const text = wordsOfChoice(field, answer) ?? [prefixes[field], answer].filter(Boolean).join(': ');
  return text.length > maxAnswerLength ? `${text.slice(0, maxAnswerLength).trimEnd()}…` : text;
}

/** For answers that do not say by themselves what they answer. */
const prefixes: { readonly [Field in ReferralField]?: string } = {
  contact_secret: 'Must not know',
  interpreter: 'Interpreter',
  format: 'Format',
  carer_telephone: 'Telephone',
  what_matters: 'What matters',
  safety_notes: 'Safety notes',
  support_offered: 'Support so far',
  on_behalf_of: 'For',
};

const offered: { readonly [Field in ReferralField]?: readonly { value: string; text: string }[] } = {
  gender: genderItems,
  ethnic_category: choices.ethnicCategories,
  contact_channel: channelItems,
  contact_voicemail: [
    { value: 'yes', text: 'Voicemail may be left' },
    { value: 'no', text: 'No voicemail' },
  ],
  person_page: [{ value: 'yes', text: 'Page for the person' }],
  carer_share: [{ value: 'yes', text: 'The practice may be told who the carer is' }],
  safety_notes_for_practice: [{ value: 'yes', text: 'Safety notes for the practice too' }],
  do_not_show_online: [{ value: 'yes', text: 'Not in the online record' }],
  reasonable_adjustments: choices.adjustments,
  needs: choices.needGroups.flatMap(({ items }) => items),
  source: choices.sources,
  method: choices.methods,
  episode: [
    { value: 'first', text: 'Referred for the first time' },
    { value: 'continuing', text: 'Goes on from an earlier referral' },
  ],
};

/** The words of what was chosen; undefined for a field that is typed. A code that is not offered is shown as it is. */
function wordsOfChoice(field: ReferralField, answer: string): string | undefined {
  if (field === 'made_at') return 'Taken on paper';
  return (
    offered[field] &&
    answer
      .split(',')
      .map((code) => offered[field]?.find(({ value }) => value === code)?.text ?? code)
      .join(', ')
  );
}

/** What the page says of the service beside the form: whom it takes, when, and whether it covers the typed postcode. */
export async function serviceFacts(
  { db, clock }: Pick<WebPlatform, 'db' | 'clock'>,
  service: ServiceForReferral,
  form: ReferralForm,
) {
  const { id } = service;
  const { postcode } = form;
  const place = postcode.trim() === '' ? undefined : await locatePlace(db, postcode);
  const document = await findServiceDocument(db, id, place);
  if (document === undefined) return undefined;
  const viewpoint = { now: localTime(clock.now()), place, postcode: readPostcodeText(postcode) };
  const view = serviceView(JSON.parse(document) as ListedService, viewpoint);
  return { ...view, path: servicePath(id), age: ageFact(service, form, localTime(clock.now()).day.date) };
}

/** Whether the service takes the person’s age; undefined while that is not known, or for a service that takes all. */
function ageFact(
  service: ServiceForReferral,
  form: ReferralForm,
  today: string,
): { text: string; covers: boolean } | undefined {
  const { birth_date } = personFromForm(form);
  const isReal = birth_date !== undefined && isCalendarDay(birth_date) && birth_date <= today;
  if (!isReal || (service.minimumAge === null && service.maximumAge === null)) return undefined;
  const covers = ageErrors(service, birth_date, today).length === 0;
  return { text: covers ? 'Takes this age' : `Outside its ages: ${ageInWords(birth_date, today)}`, covers };
}

/**
 * Until when the sharing agreement with the service's organisation lasts, if it has ended or will soon: referrers should know before they
 * pass details on. The site does not refuse them, because an operator may be late with a new date.
 */
export async function agreementEnd(
  { db, clock }: Pick<WebPlatform, 'db' | 'clock'>,
  { organization }: Pick<ServiceForReferral, 'organization'>,
): Promise<{ until: string; hasEnded: boolean } | undefined> {
  if (!organization) return undefined;
  const { day: today } = localTime(clock.now());
  const until = await findAgreementEnd(db, organization.id, daysLater(today, agreementWarnDays).date);
  return until === undefined ? undefined : { until, hasEnded: until < today.date };
}

/** An age that was searched for leaves two years of birth. */
export function searchedAgeInWords(age: string | undefined, now: Date): string | undefined {
  if (age === undefined || !/^\d{1,3}$/.test(age)) return undefined;
  const latest = Number(localTime(now).day.date.slice(0, 4)) - Number(age);
  return `Born in ${latest - 1} or ${latest}`;
}
