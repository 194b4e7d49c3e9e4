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
import { daysLater, localTime } from '../../../platform/clock/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { adjustmentItems } from '../../model/person/adjustments.ts';
import { ethnicCategoryItems } from '../../model/person/ethnic-category.ts';
import { methodItems, sourceItems } from '../../model/person/how-referred.ts';
import { needGroups } from '../../model/person/needs.ts';
import type { FormErrors } from '../form-errors.ts';
import { gpFields } from '../gp-actions-form.ts';
import type { ReferralField } from '../referral-fields.ts';
import type { ReferralForm } from './referral-form.ts';

/** What the fields of the forms offer, for their templates. */
export const choices = {
  needGroups,
  adjustments: adjustmentItems,
  ethnicCategories: ethnicCategoryItems,
  sources: sourceItems,
  methods: methodItems,
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
  carer: ['carer_name', 'carer_relationship', 'carer_telephone', 'carer_share'],
  gp: Object.keys(gpFields) as ReferralField[],
  needs: ['needs'],
  more: ['what_matters', 'safety_notes', 'safety_notes_for_practice', 'support_offered'],
  you: ['do_not_show_online', 'on_behalf_of', 'source', 'method', 'episode', 'made_at'],
} satisfies Record<string, readonly ReferralField[]>;

/** Which parts are open: those with something in them, or with a mistake. */
export function openFolds(form: ReferralForm, errors: Pick<FormErrors<ReferralField>, 'fields'> | undefined) {
  const isOpen = (fields: readonly ReferralField[]) =>
    fields.some((name) => form[name].trim() !== '' || errors?.fields[name] !== undefined);
  return Object.fromEntries(Object.entries(folds).map(([name, fields]) => [name, isOpen(fields)]));
}

/** What the page says of the service beside the form: whom it takes, when, and whether it covers the typed postcode. */
export async function serviceFacts(
  { db, clock }: Pick<WebPlatform, 'db' | 'clock'>,
  { id }: ServiceForReferral,
  postcode: string,
) {
  const place = postcode.trim() === '' ? undefined : await locatePlace(db, postcode);
  const document = await findServiceDocument(db, id, place);
  if (document === undefined) return undefined;
  const viewpoint = { now: localTime(clock.now()), place, postcode: readPostcodeText(postcode) };
  const view = serviceView(JSON.parse(document) as ListedService, viewpoint);
  return { ...view, path: servicePath(id) };
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
