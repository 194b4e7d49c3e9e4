import type { Actor } from '../audit/index.ts';
import { newId } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { changeAccount, type WhichAccount } from './change-account.ts';
import type { NewAccount } from './create-account.ts';
import { requireLibraryOrganisation } from './provider-rule.ts';
import { updateOrganisation, upsertOrganisation } from './store.ts';

/**
 * Moves an account to another organisation, which is made where it is not there yet. What it may see changes with it,
 * from the next request on.
 * @throws Problem `unprocessable` or `no-such-account`.
 */
export async function setOrganisation(
  deps: Platform,
  actor: Actor,
  which: WhichAccount,
  to: NonNullable<NewAccount['organisation']>,
): Promise<void> {
  const details: Record<string, unknown> = { to: to.name };
  await changeAccount(
    deps,
    actor,
    which,
    'account.organisation_changed',
    async (trx, account) => {
      details.from = account.organisation?.name ?? null;
      const libraryOrganizationId = to.libraryOrganizationId ?? null;
      requireLibraryOrganisation(account.roles, { libraryOrganizationId });
      const organisation = await upsertOrganisation(trx, {
        id: newId(),
        name: to.name,
        odsCode: to.odsCode ?? null,
        libraryOrganizationId,
        at: deps.clock.now(),
      });
      if (organisation.id === account.organisation?.id) return false;
      await updateOrganisation(trx, account.id, organisation.id);
      return true;
    },
    details,
  );
}
