import type { Actor } from '../../audit/index.ts';
import { holdName, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';
import { countActiveOperators } from '../model/accounts-store.ts';

const lastOperator = defineProblem({
  type: 'last-operator',
  status: 409,
  title: 'Nobody could run the site any more',
});

/**
 * Makes a change after which an account may be an operator no longer. On a page, the last one who can sign in cannot be
 * taken away, not even by themselves. The command line may: whoever has it can make another operator, and must be able
 * to shut out one whose account was stolen. The account is locked before: in another order, two changes of one account
 * would wait for each other.
 * @param besides an account that does not count, since it may be left without a way to sign in.
 * @throws Problem `last-operator`.
 */
export async function keepAnOperator(
  trx: Trx,
  { settings }: Platform,
  actor: Actor,
  change: () => Promise<void>,
  besides?: string,
): Promise<void> {
  // One at a time: two who disable each other at once would leave none.
  await holdName(trx, 'operators');
  await change();
  if (actor.id === undefined || (await countActiveOperators(trx, settings.oidcIssuer, besides)) > 0) return;
  throw new Problem(lastOperator, 'Make somebody else an operator first, who can sign in.');
}

const ownRights = defineProblem({
  type: 'own-rights',
  status: 403,
  title: 'You cannot change your own roles or organisation',
});

/**
 * An operator who could make themselves a provider of any organisation would read what its services get. The command
 * line has no account. @throws Problem `own-rights`.
 */
export function requireSomebodyElse(actor: Pick<Actor, 'id'>, accountId: string): void {
  if (actor.id === accountId) throw new Problem(ownRights, 'Ask another operator to do it.');
}
