import { actorOf, type Caller, findAccountRoles } from '../../accounts/index.ts';
import {
  type AuditFilter,
  type HideEntries,
  hasDone,
  recordAudit,
  type StoredAuditEntry,
} from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { requireReason } from '../../platform/reason.ts';
import { findReferralsWithHiddenService, isSafeToName } from '../../referrals/index.ts';

// What staff of a sensitive service do with a referral tells which service the person uses. So an operator sees such entries only in a
// search for that referral, without name, IP address and time; or all of them, for an hour, once they have said why.

/** The audit action of opening these entries. It is on the Caldicott guardian’s weekly list. */
export const auditOpenedAction = 'audit.opened';
const openForMs = hourMs;

/** @throws Problem `unprocessable` for too short a reason. */
export async function openRevealingEntries(
  deps: Platform,
  caller: Caller,
  { reason: typed, ipAddress }: { reason: string; ipAddress: string },
): Promise<void> {
  const reason = requireReason(typed);
  const actor = actorOf(caller, ipAddress);
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, { at: deps.clock.now(), actor, action: auditOpenedAction, details: { reason } }),
  );
}

export function hasOpenedRevealingEntries(db: Db, { accountId }: Caller, now: Date): Promise<boolean> {
  return hasDone(db, { accountId, action: auditOpenedAction, since: new Date(now.getTime() - openForMs) });
}

/** An entry; if it is partly hidden, the page shows only its day. */
export type PartlyHiddenEntry = StoredAuditEntry & { isPartlyHidden?: true };

/** Hides from the entries that a filter finds what an operator may not see. */
export function hideFor(caller: Caller, filter: AuditFilter): HideEntries {
  // A filter by person or IP address would give away who made the entries that it finds.
  const shownFor = filter.actor || filter.ipAddress !== undefined ? undefined : filter.subjectId;
  return async (trx, entries) => {
    const revealsService = await loadRevealsService(trx, caller, entries);
    return entries.flatMap((entry): PartlyHiddenEntry[] => {
      const referralId = referralOf(entry);
      if (referralId === undefined || !revealsService(entry, referralId))
        return [withoutRevealingReferrals(entry, revealsService)];
      return referralId === shownFor ? [partlyHidden(entry)] : [];
    });
  };
}

type RevealsService = (entry: StoredAuditEntry, referralId: string) => boolean;

/**
 * Makes the check whether an entry reveals to which service a referral was sent, because it names somebody outside
 * the referrer’s organisation.
 */
async function loadRevealsService(
  trx: Trx,
  caller: Caller,
  entries: readonly StoredAuditEntry[],
): Promise<RevealsService> {
  const ids = entries.flatMap((entry) => [referralOf(entry) ?? [], listedIn(entry) ?? []].flat());
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
    // The site itself has no IP address; anybody else without an account does.
    if (actorId === null) return ipAddress !== null;
    const now = actors.get(actorId);
    if (!now || now.organisation !== organisation) return true;
    return !isSafeToName(referral, {
      accountId: actorId,
      organisationId: now.organisationId,
      roles: now.roles,
    });
  };
}

function referralOf({ subjectType, subjectId }: StoredAuditEntry): string | undefined {
  return subjectType === 'referral' && subjectId !== null ? subjectId : undefined;
}

/** The referrals that somebody saw in a list. */
function listedIn({ details }: StoredAuditEntry): string[] | undefined {
  return Array.isArray(details.referrals) ? (details.referrals as string[]) : undefined;
}

function withoutRevealingReferrals(
  entry: StoredAuditEntry,
  revealsService: RevealsService,
): StoredAuditEntry {
  const listed = listedIn(entry);
  if (!listed) return entry;
  return {
    ...entry,
    details: { ...entry.details, referrals: listed.filter((id) => !revealsService(entry, id)) },
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
