import type { Actor } from '../../audit/index.ts';
import { holdTaskLock, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { countOperatorsWhoCanSignIn } from '../model/accounts-store.ts';
import { lastOperator, ownRights } from '../model/problems.ts';

/**
 * Call it after a change that may leave the site without an operator. On a page nobody can remove the last one who can sign in, not
 * even themselves. The command line can (`account disable --leaves-no-operator`): its user can make another operator, and must be able
 * to shut out a stolen account.
 * @param exceptId an account that does not count, because it may be left without a way to sign in.
 * @throws Problem `last-operator`.
 */
export async function requireRemainingOperator(
  trx: Trx,
  { settings }: Platform,
  actor: Actor,
  {
    exceptId,
    mustLeaveOne = actor.id !== undefined,
  }: { exceptId?: string; mustLeaveOne?: boolean | undefined } = {},
): Promise<void> {
  // One at a time: if two operators disable each other at once, the second finds nobody left.
  await holdTaskLock(trx, 'operators');
  if (!mustLeaveOne || (await countOperatorsWhoCanSignIn(trx, settings.oidcIssuer, exceptId)) > 0) return;
  const first = 'Make somebody else an operator first, who can sign in.';
  const orElse = 'If nobody may sign in with this account, add --leaves-no-operator.';
  throw new Problem(lastOperator, actor.id === undefined ? `${first} ${orElse}` : first);
}

/**
 * An operator who made themselves a provider of an organisation could read its referrals. The command line has no account.
 * @throws Problem `own-rights`.
 */
export function refuseOwnAccount(actor: Pick<Actor, 'id'>, accountId: string): void {
  if (actor.id === accountId) throw new Problem(ownRights, 'Ask another operator to do it.');
}
