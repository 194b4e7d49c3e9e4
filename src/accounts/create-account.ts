import { type Actor, recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { canonicalEmail, checkNewAccount, emailTaken, type Role } from './account.ts';
import { hashPassword } from './password.ts';
import { insertAccount, upsertOrganisation } from './store.ts';

export type NewAccount = {
  email: string;
  name: string;
  role: Role;
  /** Its organisation, which is made where it is not there yet. */
  organisation?:
    | { name: string; odsCode?: string | undefined; libraryOrganizationId?: string | undefined }
    | undefined;
  apiAccess: boolean;
  password: string;
};

/**
 * Makes an account that can sign in at once.
 * @returns its id. @throws Problem `unprocessable` (which field, and why) or `email-taken`.
 */
export async function createAccount(deps: Platform, actor: Actor, input: NewAccount): Promise<string> {
  checkNewAccount(input);
  const passwordHash = await hashPassword(input.password);
  const at = deps.clock.now();
  const id = newId();
  await inTransaction(deps.db, async (trx) => {
    const { organisation: given } = input;
    const organisation =
      given &&
      (await upsertOrganisation(trx, {
        id: newId(),
        name: given.name,
        odsCode: given.odsCode ?? null,
        libraryOrganizationId: given.libraryOrganizationId ?? null,
        at,
      }));
    const { name, role, apiAccess } = input;
    const email = canonicalEmail(input.email);
    const organisationId = organisation?.id ?? null;
    const made = await insertAccount(trx, {
      id,
      email,
      name: name.trim(),
      roles: [role],
      organisationId,
      passwordHash,
      apiAccess,
      at,
    });
    if (!made) throw new Problem(emailTaken, 'Choose another address, or change the account that has it.');
    const details = { role, api_access: apiAccess };
    await recordAudit(trx, {
      at,
      actor,
      action: 'account.created',
      subject: { type: 'account', id },
      details,
    });
  });
  return id;
}
