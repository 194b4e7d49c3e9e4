import { isDeepStrictEqual } from 'node:util';
import { findReferralMarks } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { FieldChange } from '../history-store.ts';
import { type Draft, openStatuses, type Referral } from '../referral.ts';
import type { Side } from '../status/state-machine.ts';
import { sidesOf, type View } from './sides.ts';

// Staff of a service correct how the person is reached. At a refuge, that is where she lives now. So a referral keeps what the
// referrer’s side had entered. ARCHITECTURE.md, “Who may see what”, says who reads which.

type Content = Referral['content'];

/** Keeps what the referrer’s side had entered in the fields that the service changes; what the referrer’s side changes is theirs. */
export function keepReferrersDetails(content: Content, changes: readonly FieldChange[], by: Side): Content {
  const { referrers_details: earlier, ...rest } = content;
  const details = new Map(Object.entries(earlier ?? {}));
  for (const { field, from, to } of changes) {
    if (by === 'provider' && !details.has(field)) details.set(field, from);
    else if (by !== 'provider' || isDeepStrictEqual(details.get(field), to)) details.delete(field);
  }
  return details.size === 0 ? rest : { ...rest, referrers_details: Object.fromEntries(details) };
}

/**
 * The referral as the referrer’s side entered it, without what staff of the service changed. If it is no longer safe to
 * contact the person, or staff replaced a way to reach them, it says that it is not safe, without the service’s words: nobody may
 * ring because they read an older answer.
 */
function asReferrerEntered<T extends Referral | Draft>(referral: T): T {
  const details = referral.content.referrers_details;
  if (!details) return referral;
  const entered = withEnteredFields(referral, Object.keys(details));
  const { contact } = referral.content;
  const hasAnswer = details.contact !== undefined;
  if ((!hasAnswer || contact?.safe === 'yes') && replacedWays(referral).length === 0) return entered;
  const safeContact = hideSafeContactDetails((hasAnswer ? details.contact : contact) as Content['contact']);
  return { ...entered, content: { ...entered.content, contact: safeContact } };
}

/** The referral with these fields, such as `patient.address`, as the referrer’s side entered them. */
function withEnteredFields<T extends Referral | Draft>(referral: T, fields: readonly string[]): T {
  const details = referral.content.referrers_details;
  if (!details) return referral;
  const content: Record<string, unknown> = { ...referral.content };
  const patient: Record<string, unknown> = { ...referral.content.patient };
  for (const field of fields) {
    const value = details[field];
    if (value === undefined) continue;
    const [whole, name] = field.startsWith('patient.')
      ? ([patient, field.slice('patient.'.length)] as const)
      : ([content, field] as const);
    if (value === null) delete whole[name];
    else whole[name] = value;
  }
  return { ...referral, content: { ...content, patient } };
}

/** How the person is reached. Somebody they fear may hold one that staff of the service replaced. */
export const waysToReach = ['address', 'telephone', 'email'] as const;
export type WayToReach = (typeof waysToReach)[number];

/** The ways to reach the person that the referrer’s side had entered and staff of the service replaced. */
export function replacedWays({ content }: Pick<Referral | Draft, 'content'>): WayToReach[] {
  const details = content.referrers_details;
  return waysToReach.filter((way) => (details?.[`patient.${way}`] ?? null) !== null);
}

/** The referral for a colleague from whom the service is hidden, and for copies that colleagues read. */
export function forColleague<T extends Referral | Draft>(referral: T): T {
  return withoutWays(asReferrerEntered(referral), replacedWays(referral));
}

function withoutWays<T extends Referral | Draft>(referral: T, ways: readonly WayToReach[]): T {
  if (ways.length === 0) return referral;
  const patient: Record<string, unknown> = { ...referral.content.patient };
  for (const way of ways) delete patient[way];
  return { ...referral, content: { ...referral.content, patient } };
}

export function waysInWords(ways: readonly WayToReach[]): string {
  const words = { address: 'address', telephone: 'telephone number', email: 'email address' };
  return new Intl.ListFormat('en-GB').format(ways.map((way) => words[way]));
}

/** What a person reads who must use none of these, before all else about contact. */
export function replacedWaysInWords(ways: readonly WayToReach[]): string | undefined {
  if (ways.length === 0) return undefined;
  return `The service has changed the person’s ${waysInWords(ways)}. Do not use an earlier one: ask the service, or who referred them.`;
}

function hideSafeContactDetails(entered: Content['contact'] | null): Content['contact'] {
  const { who_must_not_know } = entered ?? {};
  return { safe: 'no', ...(who_must_not_know !== undefined && { who_must_not_know }) };
}

/**
 * The fields, such as `patient.address`, in which staff of a sensitive service, or of one whose place is confidential, changed what
 * the referrer’s side had entered.
 */
export async function listConfidentialChanges(db: Db, referral: Referral | Draft): Promise<string[]> {
  const fields = Object.keys(referral.content.referrers_details ?? {});
  if (fields.length === 0 || referral.service_id === null) return [];
  const { isSensitiveOrConfidential } = await findReferralMarks(db);
  return isSensitiveOrConfidential(referral) ? fields : [];
}

/**
 * The referral for the GP practice, which need not know where a sensitive service has the person live. It lacks the ways to reach them
 * that the service replaced: somebody they fear may hold the old telephone, so nobody may take its number for theirs.
 */
export async function forPractice<T extends Referral | Draft>(db: Db, referral: T): Promise<T> {
  if ((await listConfidentialChanges(db, referral)).length === 0) return referral;
  const seenByColleague = forColleague(referral);
  const patient = {
    ...seenByColleague.content.patient,
    address: seenByColleague.content.patient?.address ?? noAddress,
  };
  return { ...seenByColleague, content: { ...seenByColleague.content, patient } };
}

const noAddress = { lines: [], postcode: '' };

/** The ways to reach the person that `forPractice` left out. */
export function waysLeftOut({ content }: Referral): WayToReach[] {
  const { address, telephone, email } = content.patient;
  const has = {
    address: address.lines.length > 0 || address.postcode !== '',
    telephone: telephone !== undefined,
    email: email !== undefined,
  };
  return replacedWays({ content }).filter((way) => !has[way]);
}

/** The patient’s address, which a confidential service may have replaced. */
export const confidentialAddressField = 'patient.address';

/** Whether staff of the service entered another address than the referrer’s side had. */
export function hasStaffAddress(referral: Referral | Draft): boolean {
  return referral.content.referrers_details?.[confidentialAddressField] !== undefined;
}

function namesPlace({ content }: Referral | Draft): boolean {
  return content.appointments?.some(({ place }) => place !== undefined) === true;
}

/**
 * The referrals whose address, or places of appointments, as a confidential service entered them, are not for these callers of the
 * referrer’s side, by their ids.
 */
export async function listReferralsWithHiddenAddress(
  db: Db,
  views: readonly View[],
): Promise<ReadonlySet<string>> {
  const changed = views.filter(({ caller, referral }) => {
    const sides = sidesOf(caller, referral);
    return (
      (hasStaffAddress(referral) || namesPlace(referral)) &&
      sides.includes('referrer') &&
      !sides.includes('provider')
    );
  });
  if (changed.length === 0) return new Set();
  const { isSensitiveOrConfidential } = await findReferralMarks(db);
  const hidden = changed.filter(({ referral }) => isSensitiveOrConfidential(referral));
  return new Set(hidden.map(({ referral }) => referral.id));
}

/** Of these, the open referrals to services whose place is confidential, where the caller is only of the referrer’s side; by their ids. */
export async function listAtConfidentialPlaces(db: Db, views: readonly View[]): Promise<ReadonlySet<string>> {
  const open = views.filter(
    ({ caller, referral }) =>
      openStatuses.includes(referral.status) &&
      sidesOf(caller, referral).includes('referrer') &&
      !sidesOf(caller, referral).includes('provider'),
  );
  if (open.length === 0) return new Set();
  const { hasConfidentialPlace } = await findReferralMarks(db);
  return new Set(
    open.filter(({ referral }) => hasConfidentialPlace(referral)).map(({ referral }) => referral.id),
  );
}

/** The referral for the referrer’s side: without an address, once staff of a confidential service have entered or replaced one. */
export function forReferrer<T extends Referral | Draft>(referral: T): T {
  const ways = replacedWays(referral).filter((way) => way === 'address');
  return withoutWays(withReferrersAddress(referral), ways);
}

/** The referral with the address as the referrer’s side entered it, and without the places of its appointments. */
export function withReferrersAddress<T extends Referral | Draft>(referral: T): T {
  const entered = withEnteredFields(referral, [confidentialAddressField]);
  if (!namesPlace(entered)) return entered;
  const appointments = entered.content.appointments?.map(({ place: _place, ...each }) => each);
  return { ...entered, content: { ...entered.content, appointments } };
}
