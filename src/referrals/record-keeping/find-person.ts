import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit, recordAudits, withRefusalAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { reasonErrors, requireReason } from '../../platform/reason.ts';
import { recordAccessBySearch } from '../model/access/looks.ts';
import { foundAuditEntries, requireAnonymousReason } from '../model/access/operator-reason.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { normaliseName } from '../model/person/identity/names.ts';
import { withCompactNumber } from '../model/person/identity/nhs-number.ts';
import { identityForDisplay, patientKeys } from '../model/person/identity/patient.ts';
import { type PresentedReferral, presentReferral } from '../model/presentation/present.ts';
import { loadOnlyWhatIsHidden } from '../model/presentation/referral-details.ts';
import { type Draft, openStatuses, type Referral } from '../model/referral.ts';
import { findReferralOrDraft } from '../model/referrals-store.ts';
import { retentionRule } from './erasure/decide-retention.ts';
import { type Erasure, findErasure } from './erasure/find-erasure.ts';
import { findDueRecord } from './erasure/retention-store.ts';
import { openItemsInWords } from './erasure/still-open.ts';
import { findOpenItems } from './erasure/still-open-store.ts';
import { findByPersonKeys, listBlocks, type StoredBlock } from './records-store.ts';
import { whyTellServiceFirst } from './tell-service-first.ts';

/** What identifies one person. */
export type PatientDetails = {
  nhs_number?: string | undefined;
  given_name?: string | undefined;
  family_name?: string | undefined;
  birth_date?: string | undefined;
};

const nameFields = ['given_name', 'family_name', 'birth_date'] as const;

/**
 * All referrals and drafts of one person, and of nobody else who was referred with the same NHS number. The last name and birth date are
 * not enough: they would find twins together, and give one of them the other’s record.
 * @throws Problem `unprocessable` that names what is missing, also where a number alone finds two people.
 */
export async function findReferralsOfOnePerson(
  trx: Trx,
  deps: Pick<ReferralDeps, 'secrets'>,
  person: PatientDetails,
): Promise<(Referral | Draft)[]> {
  const referrals = await findPossibleReferrals(trx, deps, person);
  if (person.given_name !== undefined) return filterByFirstNameAndBirthDate(person, referrals);
  if (differInAny(referrals, ['given_name', 'birth_date']))
    requireNoErrors(nameFields.map(requiredToTellApart));
  return referrals;
}

function requiredToTellApart(name: (typeof nameFields)[number]): FieldError {
  const message = 'is required: this NHS number was used with several first names or dates of birth';
  return { pointer: `/${name}`, message, code: 'several-people' };
}

/** The referrals with this first name and birth date. A draft in which one is missing matches. */
export function filterByFirstNameAndBirthDate<T extends Pick<Referral | Draft, 'content'>>(
  person: PatientDetails,
  referrals: readonly T[],
): T[] {
  const own = { content: { patient: person } };
  return referrals.filter((each) => !differInAny([own, each], ['given_name', 'birth_date']));
}

type WithPatient = { content: { patient?: PatientDetails | undefined } };

/** Whether these are about different people, because one of the fields has several values. An empty field fits any value. */
function differInAny(
  records: readonly WithPatient[],
  fields: readonly (typeof nameFields)[number][],
): boolean {
  return fields.some((field) => {
    const values = records.map(({ content }) => normaliseName(content.patient?.[field] ?? ''));
    return new Set(values.filter(Boolean)).size > 1;
  });
}

/** Everything with the NHS number or the name of a person, also of somebody else with the same number. */
function findPossibleReferrals(
  trx: Trx,
  deps: Pick<ReferralDeps, 'secrets'>,
  person: PatientDetails,
): Promise<(Referral | Draft)[]> {
  requireNoErrors(missingDetails(person));
  return findByPersonKeys(trx, patientKeys(deps.secrets, withCompactNumber(person)));
}

/** The details that are missing to identify a person. */
export function missingDetails(person: PatientDetails): FieldError[] {
  const missing = nameFields.filter((name) => person[name] === undefined);
  if (missing.length === nameFields.length)
    return person.nhs_number === undefined
      ? [
          {
            pointer: '/nhs_number',
            message: 'is required where the names and birth_date are not given',
            code: 'required',
          },
        ]
      : [];
  return missing.map((name) => ({
    pointer: `/${name}`,
    message: 'is required with the other two',
    code: 'required',
  }));
}

/** A referral that a search found. `named` says who it is about, if the search found several names or birth dates. */
export type FoundReferral = PresentedReferral & { named?: ReturnType<typeof identityForDisplay> };

/**
 * The status of each referral of a person, without what it says. The audit keeps what was found, and not who was
 * searched for.
 * @throws Problem `unprocessable` for too few details, and for a reason that names the person.
 */
export async function findPerson(
  deps: ReferralDeps,
  caller: Caller,
  { person, ipAddress, reason: givenReason }: { person: PatientDetails; ipAddress: string; reason: string },
): Promise<FoundReferral[]> {
  const now = deps.clock.now();
  const actor = actorOf(caller, ipAddress);
  // A refusal is audited too: the refusal of a reason tells an operator that somebody of that name is known.
  return withRefusalAudit(deps, { actor, action: 'patient.searched' }, () =>
    inTransaction(deps.db, async (trx) => {
      requireNoErrors([...missingDetails(person), ...reasonErrors(givenReason)]);
      const reason = requireReason(givenReason);
      requireAnonymousReason(reason, { patient: person });
      const referrals = await findPossibleReferrals(trx, deps, person);
      for (const { content } of referrals) requireAnonymousReason(reason, content);
      await recordAudit(trx, {
        at: now,
        actor,
        action: 'patient.searched',
        details: { referrals: referrals.map(({ id }) => id), reason },
      });
      await recordAudits(trx, foundAuditEntries(referrals, { at: now, actor, reason }));
      await recordAccessBySearch(trx, deps, caller, { person, referrals, at: now });
      const views = referrals.map((referral) => ({ caller, referral }));
      const details = await loadOnlyWhatIsHidden(trx, views, now);
      const mustName = differInAny(referrals, nameFields);
      return referrals.map((referral) => ({
        ...presentReferral(caller, referral, details),
        ...(mustName && { named: identityForDisplay(referral.content) }),
      }));
    }),
  );
}

function requireNoErrors(errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw new Problem(unprocessable, 'See `errors` for what is missing.', { errors: [...errors] });
}

export type RecordState = {
  referral: PresentedReferral;
  restrictions: StoredBlock[];
  holds: StoredBlock[];
  isDue: boolean;
  isOpen: boolean;
  /** Why a person at the service has to be told before it is restricted. */
  tellServiceFirst: string[];
  /** What somebody is still owed of a referral that has ended, in words. */
  stillOpen: string[];
  erasure: Erasure | undefined;
};

/**
 * The status and restrictions of a referral, without what it says, for an operator. @throws Problem `not-found`.
 */
export async function readRecordState(
  deps: ReferralDeps,
  caller: Caller,
  { id, ipAddress }: { id: string; ipAddress: string },
): Promise<RecordState> {
  const now = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const referral = await requireById(id, (id) => findReferralOrDraft(trx, id));
    const subject = { type: 'referral', id: referral.id };
    await recordAudit(trx, { at: now, actor: actorOf(caller, ipAddress), action: 'referral.read', subject });
    return {
      referral: presentReferral(
        caller,
        referral,
        await loadOnlyWhatIsHidden(trx, [{ caller, referral }], now),
      ),
      restrictions: await listBlocks(trx, 'restriction', referral.id),
      holds: await listBlocks(trx, 'hold', referral.id),
      isDue: (await findDueRecord(trx, retentionRule(deps), referral.id)) !== undefined,
      isOpen: openStatuses.includes(referral.status),
      tellServiceFirst: whyTellServiceFirst(deps.settings, referral),
      stillOpen: openItemsInWords(await findOpenItems(trx, referral.id)),
      erasure:
        referral.erasedAt === null ? undefined : await findErasure(trx, referral.id, { isOperator: true }),
    };
  });
}
