import type { Caller } from '../../../accounts/index.ts';
import { listSensitiveServiceNames, sensitiveNamesFor } from '../../../library/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { lowerFirst } from '../../../platform/first-letter.ts';
import { forbidden, Problem } from '../../../platform/problem/index.ts';
import { type Draft, overrideFields, type Referral } from '../referral.ts';
import { findReferralsAndDrafts } from '../referrals-store.ts';
import { changeTextsAt, referralTexts } from '../text-rules.ts';
import { listSensitiveWithoutReason } from './hide-sensitive-services-store.ts';
import { forColleague } from './referrers-details.ts';
import { sidesOf, type View } from './sides.ts';

// Keeps sensitive services hidden from colleagues of the referrer, and from operators, until they give a reason to know them. These
// functions decide what such a reader is shown; those of what people wrote, and of the history, are in `hide-words.ts`:
//
// the referral itself                             | `presentReferral`, and `withoutHiddenContent` for what it says
// its history                                     | `hideDetails` if its service is hidden, else `hideEarlierServices`
// messages, files, changes, anything people wrote | `hideWords`
// one text that may name another service          | `findServicesNotToName` and `withoutNames`
// the name of somebody who worked with it         | `isSafeToName`
// a list of referrals                             | `listReferralsWithHiddenService`

/**
 * The ids of the referrals whose service these callers may not see. Who uses a sensitive service is known to the person who referred
 * them and to its staff; a colleague, or an operator, learns which service it is once they have given a reason to open the referral.
 * Drafts are no exception: they say where somebody is about to be referred.
 */
export async function listReferralsWithHiddenService(
  trx: Trx,
  views: readonly View[],
): Promise<ReadonlySet<string>> {
  const candidates = views.filter(
    ({ caller, referral }) =>
      referral.service_id !== null &&
      referral.referrerAccountId !== caller.accountId &&
      !sidesOf(caller, referral).includes('provider'),
  );
  const hidden = new Set<string>();
  for (const accountId of new Set(candidates.map(({ caller }) => caller.accountId))) {
    const theirs = candidates.filter(({ caller }) => caller.accountId === accountId);
    const ids = theirs.map(({ referral }) => referral.id);
    for (const id of await listSensitiveWithoutReason(trx, ids, accountId)) hidden.add(id);
  }
  return hidden;
}

/** Whether the caller may not see which service it is. */
export async function isServiceHidden(trx: Trx, view: View): Promise<boolean> {
  return (await listReferralsWithHiddenService(trx, [view])).size > 0;
}

/**
 * A colleague gives a reason before they act, so that each way to learn the service is on the list of openings.
 * @throws Problem `forbidden`
 */
export async function requireKnownService(trx: Trx, view: View): Promise<void> {
  if (await isServiceHidden(trx, view)) throw new Problem(forbidden, giveReasonFirst);
}

const giveReasonFirst =
  'Your colleague referred the person to a restricted service. Say first why you have to know which it is: POST /api/referrals/{id}/open, or “Open the referral” on its page.';

/** Of the referrals with these ids, those whose service the caller may not see. */
export async function findReferralsWithHiddenService(
  trx: Trx,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Referral | Draft>> {
  const candidates = await listSensitiveWithoutReason(trx, ids, caller.accountId);
  const referrals = await findReferralsAndDrafts(trx, candidates);
  const hidden = await listReferralsWithHiddenService(
    trx,
    referrals.map((referral) => ({ caller, referral })),
  );
  return new Map(referrals.filter(({ id }) => hidden.has(id)).map((referral) => [referral.id, referral]));
}

/** Sensitive services that a referral names and that its reader must not know. */
export type ServicesNotToName = { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> };

/** The person who made a referral and staff of its service know each service that it names: the one before, or one that was suggested. */
export function mayReadServiceNames({ caller, referral }: View): boolean {
  return referral.referrerAccountId === caller.accountId || sidesOf(caller, referral).includes('provider');
}

/**
 * The sensitive services that are not named to other readers of a referral. One may have become sensitive after it was suggested, or after
 * the referral was transferred from it.
 */
export async function findServicesNotToName(trx: Trx, view: View): Promise<ServicesNotToName> {
  const services = mayReadServiceNames(view) ? [] : await listSensitiveServiceNames(trx);
  const sensitive = sensitiveNamesFor(services, view.referral);
  const others = sensitive.filter(({ id }) => id !== view.referral.service_id);
  return { ids: new Set(others.map(({ id }) => id)), names: new Set(others.map(({ name }) => name)) };
}

/** Somebody wrote the name of such a service: it is taken out, and the rest of the words is left. */
export function withoutNames(names: ReadonlySet<string>, text: string): string {
  let left = text;
  for (const name of names) {
    const pattern = name.trim().split(/\s+/).map(RegExp.escape).join('\\s+');
    left = left.replaceAll(
      new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'),
      unnamedService,
    );
  }
  return left;
}

/** In the place of a sensitive service, for those who need not know which it is. */
export const hiddenServiceName = 'A restricted service';

const unnamedService = lowerFirst(hiddenServiceName);

/** Somebody who did or saw something, as they are now. */
export type Participant = {
  accountId: string | null;
  organisationId: string | null;
  roles: readonly string[] | null;
};

/**
 * Whether we may show the name of somebody who worked with a referral without revealing which service it is to. If we
 * cannot tell, we do not show it.
 */
export function isSafeToName(
  {
    referrerAccountId,
    referrerOrganisationId,
  }: Pick<Referral, 'referrerAccountId' | 'referrerOrganisationId'>,
  { accountId, organisationId, roles }: Participant,
): boolean {
  if (accountId !== null && accountId === referrerAccountId) return true;
  if (organisationId !== null) return organisationId === referrerOrganisationId;
  return roles?.includes('operator') === true && !roles.includes('provider');
}

/** Shown instead of a service that the reader may not see. */
export const hiddenService = {
  service_id: null,
  service: { name: hiddenServiceName, organization_id: null, organization_name: null },
} as const;

/** Shown instead of a name that would reveal the service, and instead of what that person wrote. */
export const staffOfService = 'Staff of the service';
export const somebodyUnnamed = 'Somebody who is not named here';
export const notShown = 'Not shown, because the service is restricted. Give a reason to see it.';

/** Shown instead of a text where giving a reason does not help. */
export const notShownHere = 'Not shown, because a service is restricted.';

/** The fields of a referral that are left out whole, because they tell the kind of service even without their texts. */
const revealingFields: ReadonlySet<string> = new Set([
  'reasons',
  'needs',
  'goals',
  'what_matters',
  'safety_notes',
  'support_offered',
  'contacts',
  'appointments',
  'measures',
  ...overrideFields,
]);

/** Always “not safe”, whatever the person said, so that the answer does not tell what kind of service it is. */
const contactWhileHidden = { safe: 'no' } as const;

/** What the reader sees on pages instead of the answer about safe contact. */
export const contactWhileHiddenInWords =
  'Do not contact this person before you have asked who referred them.';

/** Whether the service of a presented referral is hidden from its reader. */
export function hasHiddenService({
  service_id,
  service,
}: {
  service_id: string | null;
  service: { name: string } | null;
}): boolean {
  return service_id === null && service?.name === hiddenServiceName;
}

const wordsInstead = {
  'left out': undefined,
  'not shown': notShown,
  staff: staffOfService,
  somebody: somebodyUnnamed,
} as const;

/**
 * The referral for somebody from whom its service is hidden: who the person is and how far it has come, but not why they were referred
 * nor what was done. Why somebody needs a refuge, or that her husband must not know, tells as much as its name. What becomes of each
 * text stands in `text-rules.ts`.
 */
export function withoutHiddenContent<T extends Referral | Draft>(referral: T): T {
  const entered = forColleague(referral);
  const harmlessFields = Object.entries(entered.content).filter(([field]) => !revealingFields.has(field));
  const { measures: _measures, ...outcome } = entered.outcome ?? {};
  const content = Object.entries(referralTexts).reduce((rest, [path, { forOthers }]) => {
    if (forOthers === 'shown' || forOthers === 'by name') return rest;
    return changeTextsAt(rest, path, () => wordsInstead[forOthers]);
  }, Object.fromEntries(harmlessFields));
  return {
    ...entered,
    content: { ...content, contact: contactWhileHidden },
    outcome: entered.outcome && { ...outcome, text: notShown },
  };
}

/** Whether a change of this field, such as `consent.said_by`, would reveal which service it is. */
export function revealsService(field: string): boolean {
  if (['service', 'reason'].includes(field) || revealingFields.has(field)) return true;
  return Object.entries(referralTexts).some(
    ([path, { forOthers }]) =>
      forOthers !== 'shown' &&
      (path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)),
  );
}
