import type { Caller } from '../../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../../platform/database/index.ts';
import { countUnread, hasReadVersion } from '../../conversation/messages-store.ts';
import { type ExpectedVersion, lockVersionForSides } from '../../model/access/access.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { mustBeReadFirst } from '../../model/person/risk.ts';
import { type Draft, isSent, type Referral } from '../../model/referral.ts';
import { sidesAllowed } from '../../model/state-machine.ts';
import { actOnLocked } from '../../progress/act.ts';

/** Why a referral is accepted on its own page alone, and not together with others. */
export type OpenFirst = 'never-opened' | 'safety' | 'unread-message';

/**
 * Accepts a referral that this person has read as it is now. People who accept many at once do not read them then, so one that they
 * have not opened, or that has a safety note or a risk, is left.
 * @returns why it was left; undefined if it was accepted
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `wrong-state`, `referral-restricted`, `referral-erased`
 */
export function acceptOpened(
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, ...expected }: ExpectedVersion & { ipAddress: string },
): Promise<OpenFirst | undefined> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockVersionForSides(trx, caller, expected, sidesAllowed('accept'));
    const left = await whyOpenFirst(deps, trx, caller, locked);
    if (left === undefined)
      await actOnLocked(deps, trx, caller, locked, { action: 'accept', body: {}, ipAddress, at });
    return left;
  });
}

async function whyOpenFirst(
  { settings }: ReferralDeps,
  trx: Trx,
  { accountId }: Caller,
  referral: Referral | Draft,
): Promise<OpenFirst | undefined> {
  // Whether it can be accepted at all is found when that is tried.
  if (!isSent(referral) || referral.status !== 'requested') return undefined;
  const { id, version, content } = referral;
  if (mustBeReadFirst(content, settings.crisisPhrases)) return 'safety';
  if (!(await hasReadVersion(trx, id, accountId, version))) return 'never-opened';
  return (await countUnread(trx, [id], accountId)).has(id) ? 'unread-message' : undefined;
}
