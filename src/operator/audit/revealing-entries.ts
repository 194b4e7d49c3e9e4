import { actorOf, type Caller, findAccountRoles } from '../../accounts/index.ts';
import {
  type AuditFilter,
  type HideEntries,
  hasDoneSince,
  recordAudit,
  type StoredAuditEntry,
} from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { requireReason } from '../../platform/reason.ts';
import { findReferralsWithHiddenService, isSafeToName } from '../../referrals/index.ts';

// What staff of a sensitive service do with a referral reveals which service the person uses. So an operator sees such entries only in a
// search for that referral, without name, IP address and time. Once they have given a reason, they see all of them for an hour.

/** The audit action of opening these entries. It is on the Caldicott guardian’s weekly list. */
export const auditOpenedAction = 'audit.opened';
const openForMs = hourMs;

/** Opens these entries to an operator for an hour, and audits the reason. @throws Problem `unprocessable` for too short a reason. */
export async function openRevealingEntries(
  deps: Platform,
  caller: Caller,
  { reason: reasonText, ipAddress }: { reason: string; ipAddress: string },
): Promise<void> {
  const reason = requireReason(reasonText);
  const actor = actorOf(caller, ipAddress);
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, { at: deps.clock.now(), actor, action: auditOpenedAction, details: { reason } }),
  );
}

export function hasOpenedRevealingEntries(
  db: Db,
  { accountId }: Pick<Caller, 'accountId'>,
  now: Date,
): Promise<boolean> {
  return hasDoneSince(db, {
    accountId,
    action: auditOpenedAction,
    since: new Date(now.getTime() - openForMs),
  });
}

/** An entry; if it is partly hidden, the page shows only its day. */
export type PartlyHiddenEntry = StoredAuditEntry & { isPartlyHidden?: true };

/** Makes the function that hides what an operator may not see, from the entries that a filter finds. */
export function hideFor(caller: Caller, filter: AuditFilter): HideEntries {
  // A filter by person or IP address would reveal who made the entries that it finds.
  const openReferralId = filter.actor || filter.ipAddress !== undefined ? undefined : filter.subjectId;
  return async (trx, entries) => {
    const revealsService = await loadServiceCheck(trx, caller, entries);
    return entries.flatMap((entry): PartlyHiddenEntry[] => {
      const referralId = referralOf(entry);
      if (referralId === undefined || !revealsService(entry, referralId))
        return [withoutRevealingReferrals(entry, revealsService)];
      return referralId === openReferralId ? [partlyHidden(entry)] : [];
    });
  };
}

type RevealsService = (entry: StoredAuditEntry, referralId: string) => boolean;

/**
 * Loads what is needed to say whether an entry reveals the service of a referral: it does if it names somebody outside the referrer’s
 * organisation.
 */
async function loadServiceCheck(
  trx: Trx,
  caller: Caller,
  entries: readonly StoredAuditEntry[],
): Promise<RevealsService> {
  const ids = entries.flatMap((entry) => [referralOf(entry) ?? [], listedReferralsOf(entry) ?? []].flat());
  const withHiddenService = await findReferralsWithHiddenService(trx, caller, [
    ...new Set(ids.filter(isUuid)),
  ]);
  if (withHiddenService.size === 0) return () => false;
  const actors = await findAccountRoles(
    trx,
    entries.flatMap(({ actorId }) => actorId ?? []),
  );
  return ({ actorId, organisation, ipAddress }, referralId) => {
    const referral = withHiddenService.get(referralId);
    if (!referral || actorId === caller.accountId) return false;
    // Without an account or IP address it is the site itself, which reveals nothing.
    if (actorId === null) return ipAddress !== null;
    const actor = actors.get(actorId);
    // They have moved to another organisation since.
    if (!actor || actor.organisation !== organisation) return true;
    const { organisationId, roles } = actor;
    return !isSafeToName(referral, { accountId: actorId, organisationId, roles });
  };
}

function referralOf({ subjectType, subjectId }: StoredAuditEntry): string | undefined {
  return subjectType === 'referral' && subjectId !== null ? subjectId : undefined;
}

/** The ids of the referrals that somebody saw in a list. */
function listedReferralsOf({ details }: StoredAuditEntry): string[] | undefined {
  return Array.isArray(details.referrals) ? (details.referrals as string[]) : undefined;
}

function withoutRevealingReferrals(
  entry: StoredAuditEntry,
  revealsService: RevealsService,
): StoredAuditEntry {
  const ids = listedReferralsOf(entry);
  if (!ids) return entry;
  return {
    ...entry,
    details: { ...entry.details, referrals: ids.filter((id) => !revealsService(entry, id)) },
  };
}

function partlyHidden(entry: StoredAuditEntry): PartlyHiddenEntry {
  const nobody = {
    actorId: null,
    actorName: 'Not shown',
    actorRole: null,
    organisation: null,
    ipAddress: null,
  } satisfies Partial<StoredAuditEntry>;
  return { ...entry, ...nobody, details: {}, position: null, isPartlyHidden: true };
}
