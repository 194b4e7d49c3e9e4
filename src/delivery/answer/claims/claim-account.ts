import { type ActionOn, actorOf, inviteInTransaction, listOperators } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { findOrganisationForAccount } from '../../../library/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import { newId, requireById } from '../../../platform/ids/index.ts';
import { canonicalEmail, mailPeople } from '../../../platform/mail/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { actorByLink, type LinkHolder, type Referral } from '../../../referrals/index.ts';
import { countOpenClaimsOf, insertClaim, lockOpenClaim, setClaimAnswered } from './claims-store.ts';

/** A link that answers a referral; its visitor has opened it with a code. */
type LinkOfClaim = {
  link: { address: string };
  referral: Pick<Referral, 'service'>;
  visitor: { name: string } | undefined;
};

/** Claims of one organisation that wait at once. Somebody who got hold of its email must not fill the operators’ list. */
const maxOpenClaims = 10;

/**
 * Asks the operators for an account at the organisation of the service that got the link. Whether the address has an account already
 * changes nothing here, so that nobody finds that out.
 */
export async function claimAccount(
  deps: Platform,
  { link, referral, visitor }: LinkOfClaim,
  email: string,
  who: Omit<LinkHolder, 'address'>,
): Promise<void> {
  const { organization_id: organizationId, organization_name, name: serviceName } = referral.service;
  if (organizationId === null) return;
  const at = deps.clock.now();
  const claim = {
    id: newId(at.getTime()),
    organizationId,
    organizationName: organization_name ?? serviceName,
    name: who.name,
    role: who.role,
    email: canonicalEmail(email),
    linkAddress: link.address,
    hadCode: visitor !== undefined,
    madeAt: at,
  };
  await inTransaction(deps.db, async (trx) => {
    if ((await countOpenClaimsOf(trx, organizationId)) >= maxOpenClaims) return;
    if (!(await insertClaim(trx, claim))) return;
    await recordAudit(trx, {
      at,
      actor: actorByLink({ ...who, address: link.address }),
      action: 'account_claim.made',
      subject: { type: 'account_claim', id: claim.id },
    });
    const { siteName, baseUrl } = deps.settings;
    await mailPeople(
      trx,
      deps,
      'site',
      ...(await listOperators(trx)).map((operator) => ({
        to: [operator.email],
        subject: 'Somebody of a service asks for an account',
        paragraphs: [
          `Hello ${operator.name},`,
          `Somebody who answers referrals by the link in an email asks for an account at ${siteName}.`,
          `Look at it, and grant or decline it: ${baseUrl}/operator/account-claims`,
        ],
      })),
    );
  });
}

/**
 * Invites the person to an account of staff of that organisation.
 * @throws Problem `not-found` if it is answered already; `unprocessable`, `email-taken`, `no-mail-server`.
 */
export async function grantClaim(deps: Platform, act: ActionOn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { name, email, organizationId } = await requireById(act.id, (id) => lockOpenClaim(trx, id));
    const organisation = await findOrganisationForAccount(trx, ['provider'], organizationId);
    if (!organisation)
      throw new Problem(unprocessable, 'The organisation that the account was for has gone.');
    await inviteInTransaction(trx, deps, actorOf(act.caller, act.ipAddress), {
      ...{ name, email, organisation },
      roles: ['provider'],
      hasApiAccess: false,
    });
    await answerClaim(trx, deps, act, { granted: true });
  });
}

/**
 * Declines a claim. The person gets no email, because nobody has checked that the address is theirs.
 * @throws Problem `not-found` if it is answered already.
 */
export async function declineClaim(deps: Platform, act: ActionOn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await requireById(act.id, (id) => lockOpenClaim(trx, id));
    await answerClaim(trx, deps, act, { granted: false });
  });
}

async function answerClaim(
  trx: Trx,
  deps: Platform,
  { caller, id, ipAddress }: ActionOn,
  { granted }: { granted: boolean },
): Promise<void> {
  const at = deps.clock.now();
  await setClaimAnswered(trx, id, { granted, by: caller.name, at });
  await recordAudit(trx, {
    at,
    actor: actorOf(caller, ipAddress),
    action: granted ? 'account_claim.granted' : 'account_claim.declined',
    subject: { type: 'account_claim', id },
  });
}
