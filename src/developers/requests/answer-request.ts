import {
  type ActionOn,
  actorOf,
  type Caller,
  findAccount,
  inviteInTransaction,
  renewInvitationLink,
} from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findOrganisationForAccount } from '../../library/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { isRegisteredReturnAddress, registerReturnAddress } from '../../tokens/index.ts';
import type { DeveloperRequest, RequestedAccount } from './developer-request.ts';
import { listRequestsOf, lockOpenRequest, setAnswered } from './requests-store.ts';

/**
 * Does what a developer asked for, and tells them.
 * @throws Problem `not-found` if it is answered already; `unprocessable`, `email-taken`, `no-mail-server`.
 */
export async function grantRequest(deps: Platform, { caller, id, ipAddress }: ActionOn): Promise<void> {
  const actor = actorOf(caller, ipAddress);
  await inTransaction(deps.db, async (trx) => {
    const request = await requireOpen(trx, id);
    let accountId: string | null = null;
    if (request.kind === 'test-account')
      accountId = await inviteInTransaction(trx, deps, actor, await invitationOf(trx, request));
    // Registering has a transaction of its own. If the process dies before this one ends, the request is open, and can be granted again.
    else if (!(await isRegisteredReturnAddress(trx, request.address)))
      await registerReturnAddress(deps, actor, request.address);
    await answer(trx, deps, { caller, ipAddress }, request, { granted: true, accountId });
  });
}

/** @throws Problem `not-found` if it is answered already. */
export async function declineRequest(deps: Platform, { caller, id, ipAddress }: ActionOn): Promise<void> {
  await inTransaction(deps.db, async (trx) =>
    answer(trx, deps, { caller, ipAddress }, await requireOpen(trx, id), { granted: false, accountId: null }),
  );
}

async function requireOpen(trx: Trx, id: string): Promise<DeveloperRequest> {
  return requireById(id, (id) => lockOpenRequest(trx, id));
}

async function invitationOf(trx: Trx, request: DeveloperRequest & RequestedAccount) {
  const { name, email, role, organizationId } = request;
  const organisation =
    organizationId === null
      ? (await findAccount(trx, request.accountId))?.organisation
      : await findOrganisationForAccount(trx, [role], organizationId);
  if (!organisation) throw new Problem(unprocessable, 'The organisation that the account was for has gone.');
  const { name: organisationName, odsCode, libraryOrganizationId } = organisation;
  return {
    name,
    email,
    roles: [role],
    hasApiAccess: true,
    organisation: {
      name: organisationName,
      odsCode: odsCode ?? undefined,
      libraryOrganizationId: libraryOrganizationId ?? undefined,
    },
  };
}

async function answer(
  trx: Trx,
  deps: Platform,
  { caller, ipAddress }: { caller: Caller; ipAddress: string },
  request: DeveloperRequest,
  { granted, accountId }: { granted: boolean; accountId: string | null },
): Promise<void> {
  const at = deps.clock.now();
  await setAnswered(trx, request.id, { granted, accountId, by: caller.name, at });
  await recordAudit(trx, {
    at,
    actor: actorOf(caller, ipAddress),
    action: granted ? 'developer_request.granted' : 'developer_request.declined',
    subject: { type: 'developer_request', id: request.id },
    details: { kind: request.kind, account: request.accountId },
  });
  const { siteName, baseUrl } = deps.settings;
  const paragraphs = [
    `Hello ${request.accountName},`,
    `${caller.name} has ${granted ? 'granted' : 'declined'} what you asked for at ${siteName}. See your requests: ${baseUrl}/apikeys/requests`,
  ];
  await mailPeople(trx, deps, 'site', {
    to: [request.accountEmail],
    subject: `Your request was ${granted ? 'granted' : 'declined'}`,
    paragraphs,
  });
}

/**
 * A link to choose the password of a second account that the caller was granted. Nobody reads the emails of a test site, so the
 * developer gets the link here.
 * @throws Problem `not-found`; `not-to-be-invited` once it has a password.
 */
export async function makeLinkForGrantedAccount(
  deps: Platform,
  { caller, id, ipAddress }: ActionOn,
): Promise<string> {
  const own = await listRequestsOf(deps.db, caller.accountId);
  const accountId = own.find((request) => request.id === id)?.grantedAccountId;
  if (!accountId || deps.settings.mode !== 'test') throw new Problem(notFound);
  return renewInvitationLink(deps, actorOf(caller, ipAddress), accountId);
}
