import { findReferralMarks, findServiceForReferral } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { isSecret } from '../../platform/secrets/index.ts';
import {
  findLaterTexts,
  hasServiceMoved,
  mayBeSent,
  mustBeReadFirst,
  openStatuses,
  type Referral,
} from '../../referrals/index.ts';
import { findLinkByHash, findOrInsertLink } from './answer-links-store.ts';
import { findReceiverAddress } from './receiver.ts';

/** `needs-account`: only somebody who signs in may answer. `off`: this referral cannot be answered by link, for example because it is over. */
export type LinkRule = { address: string } | 'needs-account' | 'off';

/**
 * Whether the referral may be answered by a link, and the email address whose holder may. Each use of a link checks it again. So a link
 * ends with the referral, with a safety note, a message that tells of a danger, a move of the service or a new address, and when the site
 * or the service switches links off.
 * It is among the channels, because the email makes the link; its page is in `answer/`.
 */
export async function linkRuleOf(
  { db, settings }: Pick<Platform, 'db' | 'settings'>,
  referral: Referral,
): Promise<LinkRule> {
  if (!settings.answerByLink || !openStatuses.includes(referral.status) || !mayBeSent(referral)) return 'off';
  const service = await findServiceForReferral(db, referral.service_id);
  if (!service || hasServiceMoved(service, referral)) return 'off';
  if (!service.answerByLink || !service.channels.includes('email')) return 'off';
  const mailbox = await findReceiverAddress(db, { leg: 'service', referral }, 'email');
  if (!mailbox) return 'off';
  return (await needsAccount(db, referral, settings.crisisPhrases))
    ? 'needs-account'
    : { address: mailbox.address };
}

/** Whether somebody could be hurt if the wrong person reads or answers the referral. */
async function needsAccount(
  db: Db,
  referral: Referral,
  crisisPhrases: readonly string[] | undefined,
): Promise<boolean> {
  const laterTexts = await findLaterTexts(db, referral);
  if (mustBeReadFirst(referral.content, laterTexts, crisisPhrases)) return true;
  return (await findReferralMarks(db)).isSensitiveOrConfidential(referral);
}

type LinkDeps = Pick<Platform, 'db' | 'settings' | 'secrets' | 'clock'>;

/** Makes the link for this address, once: it is the same in every email about the referral. Only a keyed hash of its secret is stored. */
export async function findOrMakeAnswerLink(
  deps: LinkDeps,
  { id: referralId }: Pick<Referral, 'id'>,
  address: string,
): Promise<string | undefined> {
  const at = deps.clock.now();
  const newLinkId = newId(at.getTime());
  const secretHash = hashOf(deps, secretOf(deps, newLinkId));
  const id = await findOrInsertLink(deps.db, { id: newLinkId, referralId, address, secretHash, at });
  return id && `${deps.settings.baseUrl}/answer/${secretOf(deps, id)}`;
}

/** The link of a secret; undefined if this site never made it. */
export function findAnswerLink(deps: Pick<Platform, 'secrets'> & { db: Db }, secret: string) {
  return isSecret(secret) ? findLinkByHash(deps.db, hashOf(deps, secret)) : undefined;
}

/** Both have one length each, as the site's keyed hash requires. */
const secretOf = ({ secrets }: Pick<Platform, 'secrets'>, linkId: string) =>
  secrets.hash('answer link', linkId).toString('base64url');
const hashOf = ({ secrets }: Pick<Platform, 'secrets'>, secret: string) =>
  secrets.hash('stored answer link', secret);
