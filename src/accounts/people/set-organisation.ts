import type { Actor } from '../../audit/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { updateOrganisation } from '../model/accounts-store.ts';
import { type AccountRef, changeAccount } from '../model/change-account.ts';
import {
  findOrMakeOrganisation,
  requireLibraryOrganisation,
} from '../model/organisations/account-organisation.ts';
import { requireTargetIsPerson } from '../model/problems.ts';
import { tellHolder, tellOtherOperators } from '../model/security-emails.ts';
import { reassignSystemsOf } from '../systems/owners.ts';
import type { NewAccount } from './create-account.ts';
import { refuseOwnAccount } from './operator-limits.ts';

/**
 * Moves an account to another organisation, which is made if it does not exist. What the account may see changes from the
 * next request on. The holder and the other operators are told.
 * @throws Problem `unprocessable`, `own-rights`, `no-such-account` or `not-for-systems`.
 */
export async function setOrganisation(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  to: NonNullable<NewAccount['organisation']>,
  reason?: string,
): Promise<void> {
  await changeAccount(deps, actor, ref, {
    action: 'account.organisation_changed',
    details: ({ organisation }) => ({ from: organisation?.name ?? null, to: to.name, reason }),
    async make(trx, account) {
      refuseOwnAccount(actor, account.id);
      requireTargetIsPerson(account);
      requireLibraryOrganisation(account.roles, { libraryOrganizationId: to.libraryOrganizationId ?? null });
      const organisation = await findOrMakeOrganisation(trx, to, deps.clock.now());
      if (organisation.id === account.organisation?.id) return { changed: false };
      await updateOrganisation(trx, account.id, organisation.id);
      await reassignSystemsOf(trx, deps, actor, account);
      await addJobs(trx, 'update-prompts', [{}]);
      const lines = [
        `Organisation before: ${account.organisation?.name ?? 'none'}`,
        `Organisation now: ${organisation.name}`,
      ];
      await tellHolder(trx, deps, account, 'Your account was moved to another organisation', {
        details: lines,
        ifWrong: `If you do not know why, ask ${contactOf(deps.settings)}.`,
      });
      const what = 'moved an account to another organisation';
      await tellOtherOperators(trx, deps, actor, account, { what, lines, reason });
      return { changed: true };
    },
  });
}
