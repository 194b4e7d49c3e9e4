import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { checkNewAccount, type Role } from '../model/account.ts';
import { insertAccount } from '../model/accounts-store.ts';
import {
  type AccountOrganisation,
  findOrMakeOrganisation,
  requireLibraryOrganisation,
} from '../model/organisations/account-organisation.ts';
import { emailTaken } from '../model/problems.ts';
import { hashPassword } from '../passwords/password.ts';
import { checkNewPassword } from '../passwords/password-rules.ts';

/** The person whom an operator invites. */
export type Invitation = {
  email: string;
  name: string;
  roles: Role[];
  organisation?: AccountOrganisation | undefined;
  hasApiAccess: boolean;
};

export type NewAccount = Invitation & { password: string };

/**
 * Makes an account that can sign in at once.
 * @returns its id. @throws Problem `unprocessable` (which field, and why) or `email-taken`.
 */
export async function createAccount(deps: Platform, actor: Actor, input: NewAccount): Promise<string> {
  const { password, ...account } = input;
  const about = [account.email, account.name, deps.settings.siteName];
  const errors = [
    ...checkNewAccount(input),
    ...checkNewPassword(password, { hasSecondFactor: false, about }),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, 'The account was not made.', { errors });
  const passwordHash = await hashPassword(password);
  const at = deps.clock.now();
  return inTransaction(deps.db, (trx) => addAccount(trx, actor, { ...account, passwordHash, at }));
}

type AccountToAdd = Invitation & {
  /** The hash of the password; null until the holder chooses one. */
  passwordHash: string | null;
  at: Date;
};

/** Adds an account with its organisation. @returns its id. @throws Problem `unprocessable` or `email-taken`. */
export async function addAccount(trx: Trx, actor: Actor, account: AccountToAdd): Promise<string> {
  const { roles, hasApiAccess, passwordHash, at } = account;
  const id = newId();
  const organisation = account.organisation && (await findOrMakeOrganisation(trx, account.organisation, at));
  requireLibraryOrganisation(roles, organisation ?? null);
  const isNew = await insertAccount(trx, {
    id,
    email: canonicalEmail(account.email),
    name: account.name.trim(),
    roles,
    organisationId: organisation?.id ?? null,
    passwordHash,
    hasApiAccess,
    at,
  });
  if (!isNew) throw new Problem(emailTaken, 'Choose another address, or change the account that has it.');
  await recordAudit(trx, {
    at,
    actor,
    action: 'account.created',
    subject: { type: 'account', id },
    details: { role: roles.join(','), api_access: hasApiAccess },
  });
  return id;
}
