import type { Db, Trx } from '../../platform/database/index.ts';
import { dayMs, hourMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { isSecret, newSecret } from '../../platform/secrets/index.ts';
import { findAccount, lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import { linkEnded } from '../model/problems.ts';
import { deleteLink, findAccountOfLink, type LinkPurpose, replaceLink } from './links-store.ts';

/** An invited person may be on leave; a reset was asked for just now. The emails say it in words. */
const linkLifetimeMs: Readonly<Record<LinkPurpose, number>> = { invitation: 7 * dayMs, reset: hourMs };
export const linkLifetimeInWords: Readonly<Record<LinkPurpose, string>> = {
  invitation: 'within seven days',
  reset: 'within an hour',
};

const linkPaths: Readonly<Record<LinkPurpose, string>> = {
  invitation: '/invitation',
  reset: '/reset-password',
};

/** Makes a link that works once, in place of an earlier one. @returns its address, which only the email may contain. */
export async function makeLink(
  trx: Trx,
  deps: Platform,
  accountId: string,
  purpose: LinkPurpose,
): Promise<string> {
  const secret = newSecret();
  const at = deps.clock.now();
  const expiresAt = new Date(at.getTime() + linkLifetimeMs[purpose]);
  await replaceLink(trx, { accountId, purpose, secretHash: hashOf(deps, secret), at, expiresAt });
  return `${deps.settings.baseUrl}${linkPaths[purpose]}/${secret}`;
}

/**
 * Finds the account of a link without using it up, since many mail filters open every link first. @returns undefined if
 * the link expired, was used, or never existed.
 */
export async function findLinkHolder(
  deps: Platform,
  purpose: LinkPurpose,
  secret: string,
): Promise<StoredAccount | undefined> {
  const id = await findLinkAccountId(deps.db, deps, purpose, secret);
  return id === undefined ? undefined : findAccount(deps.db, id);
}

/**
 * Uses a link up, and locks its account until the transaction ends. If several people have the same link, one gets in.
 * @throws Problem `link-ended`.
 */
export async function useLink(
  trx: Trx,
  deps: Platform,
  purpose: LinkPurpose,
  secret: string,
): Promise<StoredAccount> {
  const id = await findLinkAccountId(trx, deps, purpose, secret);
  const account = id === undefined ? undefined : await lockAccount(trx, id);
  // Checked again under the lock: somebody else may have used the link at the same moment.
  if (!account || !(await findLinkAccountId(trx, deps, purpose, secret))) throw new Problem(linkEnded);
  await deleteLink(trx, hashOf(deps, secret));
  return account;
}

async function findLinkAccountId(
  db: Db,
  deps: Platform,
  purpose: LinkPurpose,
  secret: string,
): Promise<string | undefined> {
  if (!isSecret(secret)) return undefined;
  return findAccountOfLink(db, purpose, hashOf(deps, secret), deps.clock.now());
}

function hashOf({ secrets }: Platform, secret: string): Buffer {
  return secrets.hash('account link', secret);
}
