import type { Db, Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';
import { isSecret, newSecret } from '../../platform/secrets/index.ts';
import { findAccount, lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import { deleteLink, findAccountOfLink, type LinkPurpose, replaceLink } from './links-store.ts';

export const linkEnded = defineProblem({
  type: 'link-ended',
  status: 404,
  title: 'This link does not work any more',
});

const hour = 60 * 60_000;
/** An invitation waits for somebody to come back from leave; a reset was asked for just now. */
const linkLastsMs: Readonly<Record<LinkPurpose, number>> = { invitation: 7 * 24 * hour, reset: hour };

const linkPaths: Readonly<Record<LinkPurpose, string>> = {
  invitation: '/invitation',
  reset: '/reset-password',
};

/** Makes a link that opens the account once, in place of an earlier one. @returns its address, for the email alone. */
export async function makeLink(
  trx: Trx,
  deps: Platform,
  accountId: string,
  purpose: LinkPurpose,
): Promise<string> {
  const secret = newSecret();
  const at = deps.clock.now();
  const expiresAt = new Date(at.getTime() + linkLastsMs[purpose]);
  await replaceLink(trx, { accountId, purpose, secretHash: hashOf(deps, secret), at, expiresAt });
  return `${deps.settings.baseUrl}${linkPaths[purpose]}/${secret}`;
}

/**
 * Whose link this is. Looking uses nothing up: the mail filters of many organisations open every link before its
 * receiver does. Undefined where it ran out, was used, or never was.
 */
export async function findLinkHolder(
  deps: Platform,
  purpose: LinkPurpose,
  secret: string,
): Promise<StoredAccount | undefined> {
  const id = await idOfLink(deps.db, deps, purpose, secret);
  return id === undefined ? undefined : findAccount(deps.db, id);
}

/**
 * Uses a link up. The account is held until the transaction ends, and returned as it is now: of several that come with
 * one link at once, one gets in.
 * @throws Problem `link-ended`.
 */
export async function useLink(
  trx: Trx,
  deps: Platform,
  purpose: LinkPurpose,
  secret: string,
): Promise<StoredAccount> {
  const id = await idOfLink(trx, deps, purpose, secret);
  const account = id === undefined ? undefined : await lockAccount(trx, id);
  // Asked once more, now that nobody else can use it: somebody who came at the same moment may have.
  if (!account || !(await idOfLink(trx, deps, purpose, secret))) throw new Problem(linkEnded);
  await deleteLink(trx, hashOf(deps, secret));
  return account;
}

async function idOfLink(
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
