import { actorOf, type Caller } from '../../accounts/index.ts';
import {
  reasonErrors,
  recordAudit,
  recordAudits,
  requireReason,
  withRefusalAudit,
} from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { type FieldError, notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { listReferralsWithHiddenService } from '../model/access/hidden-services.ts';
import { noteSearch } from '../model/access/looks.ts';
import { foundAuditEntries, requireAnonymousReason } from '../model/access/operator-reason.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { patientKeys, withCompactNumber } from '../model/person/patient.ts';
import { type PresentedReferral, presentReferral } from '../model/present.ts';
import { type Draft, openStatuses, type Referral } from '../model/referral.ts';
import { findReferralOrDraft } from '../model/store.ts';
import { retentionRule } from './decide-retention.ts';
import { findByPerson, listBlocks, type StoredBlock } from './records-store.ts';
import { findDue } from './retention-store.ts';

/** What identifies one person. */
export type Person = {
  nhs_number?: string | undefined;
  given_name?: string | undefined;
  family_name?: string | undefined;
  birth_date?: string | undefined;
};

const nameFields = ['given_name', 'family_name', 'birth_date'] as const;

/**
 * All referrals and drafts of one person. The last name and birth date are not enough: they would find twins
 * together, and give one of them the other’s record.
 * @throws Problem `unprocessable` that names what is missing.
 */
export function findReferralsOfPerson(
  deps: Pick<ReferralDeps, 'secrets'>,
  trx: Trx,
  person: Person,
): Promise<(Referral | Draft)[]> {
  requireNoErrors(missingDetails(person));
  return findByPerson(trx, patientKeys(deps.secrets, withCompactNumber(person)));
}

/** The details that are missing to identify a person. */
export function missingDetails(person: Person): FieldError[] {
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

/**
 * The status of each referral of a person, without what it says. The audit keeps what was found, and not who was
 * searched for.
 * @throws Problem `unprocessable` for too few details, and for a reason that names the person.
 */
export async function findPerson(
  deps: ReferralDeps,
  caller: Caller,
  { person, ipAddress, reason: givenReason }: { person: Person; ipAddress: string; reason: string },
): Promise<PresentedReferral[]> {
  const now = deps.clock.now();
  const actor = actorOf(caller, ipAddress);
  // A refusal is audited too: the refusal of a reason tells an operator that somebody of that name is known.
  return withRefusalAudit(deps, { actor, action: 'patient.searched' }, () =>
    inTransaction(deps.db, async (trx) => {
      requireNoErrors([...missingDetails(person), ...reasonErrors(givenReason)]);
      const reason = requireReason(givenReason);
      requireAnonymousReason(reason, { patient: person });
      const found = await findReferralsOfPerson(deps, trx, person);
      for (const { content } of found) requireAnonymousReason(reason, content);
      await recordAudit(trx, {
        at: now,
        actor,
        action: 'patient.searched',
        details: { referrals: found.map(({ id }) => id), reason },
      });
      await recordAudits(trx, foundAuditEntries(found, { at: now, actor, reason }));
      await noteSearch(deps, trx, caller, { person, found, at: now });
      const views = found.map((referral) => ({ caller, referral }));
      const hiddenServices = await listReferralsWithHiddenService(trx, views);
      return found.map((referral) => presentReferral(caller, referral, { now, hiddenServices }));
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
    const referral = isUuid(id) ? await findReferralOrDraft(trx, id) : undefined;
    if (!referral) throw new Problem(notFound);
    const subject = { type: 'referral', id: referral.id };
    await recordAudit(trx, { at: now, actor: actorOf(caller, ipAddress), action: 'referral.read', subject });
    return {
      referral: presentReferral(caller, referral, {
        now,
        hiddenServices: await listReferralsWithHiddenService(trx, [{ caller, referral }]),
      }),
      restrictions: await listBlocks(trx, 'restriction', referral.id),
      holds: await listBlocks(trx, 'hold', referral.id),
      isDue: (await findDue(trx, retentionRule(deps), referral.id)) !== undefined,
      isOpen: openStatuses.includes(referral.status),
    };
  });
}
