import { type Actor, recordAudit } from '../audit/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { canonicalEmail } from '../platform/mail/index.ts';
import { Problem } from '../platform/problem/index.ts';
import { emailTaken, type Organisation, type Role } from './account.ts';
import { requireLibraryOrganisation } from './provider-rule.ts';
import { insertAccount, upsertOrganisation } from './store.ts';

/** The organisation of a new account, which is made where it is not there yet. */
export type GivenOrganisation = {
  name: string;
  odsCode?: string | undefined;
  libraryOrganizationId?: string | undefined;
};

export type AddedAccount = {
  email: string;
  name: string;
  roles: Role[];
  organisation?: GivenOrganisation | undefined;
  apiAccess: boolean;
  /** Null until its holder chooses a password. */
  passwordHash: string | null;
  at: Date;
};

/** Adds an account with its organisation. @returns its id. @throws Problem `unprocessable` or `email-taken`. */
export async function addAccount(trx: Trx, actor: Actor, account: AddedAccount): Promise<string> {
  const { roles, apiAccess, passwordHash, at } = account;
  const id = newId();
  const organisation = account.organisation && (await findOrMake(trx, account.organisation, at));
  requireLibraryOrganisation(roles, organisation ?? null);
  const made = await insertAccount(trx, {
    id,
    email: canonicalEmail(account.email),
    name: account.name.trim(),
    roles,
    organisationId: organisation?.id ?? null,
    passwordHash,
    apiAccess,
    at,
  });
  if (!made) throw new Problem(emailTaken, 'Choose another address, or change the account that has it.');
  await recordAudit(trx, {
    at,
    actor,
    action: 'account.created',
    subject: { type: 'account', id },
    details: { role: roles.join(','), api_access: apiAccess },
  });
  return id;
}

function findOrMake(trx: Trx, given: GivenOrganisation, at: Date): Promise<Organisation> {
  return upsertOrganisation(trx, {
    id: newId(),
    name: given.name,
    odsCode: given.odsCode ?? null,
    libraryOrganizationId: given.libraryOrganizationId ?? null,
    at,
  });
}
