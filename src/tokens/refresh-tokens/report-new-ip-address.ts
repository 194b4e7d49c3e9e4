import { type Account, actorOf, callerOf, findAccount, findAccountContact } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { momentInWords } from '../../platform/html/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { TokenDeps } from '../model/token-services.ts';
import {
  insertKeyNetwork,
  isKnownNetwork,
  type NetworkSighting,
  type NewNetwork,
} from './key-activity-store.ts';
import type { RefreshTokenUse } from './refresh-tokens-store.ts';

/** A client whose IP address changes all the time must not fill its holder's mailbox. The audit has every one. */
const maxMailsPerDay = 10;

/**
 * Audits the first use of a refresh token at an IP address (for IPv6: in its /64 network), or the first refusal there, and tells the
 * holder. A refresh token never changes, so this is how its theft shows. The very first use of a new token is reported too, since a
 * thief may be the first to use it.
 */
export async function reportNewIpAddress(
  deps: TokenDeps,
  use: RefreshTokenUse,
  sighting: NetworkSighting,
): Promise<void> {
  // Checked first without a transaction, because refused uses may come in a flood.
  if (await isKnownNetwork(deps.db, use, sighting)) return;
  await inTransaction(deps.db, async (trx) => {
    const newNetwork = await insertKeyNetwork(trx, use, sighting);
    if (!newNetwork) return;
    const { keyName, newInLastDay } = newNetwork;
    const holder = (await findAccount(trx, newNetwork.accountId))!;
    await recordAudit(trx, {
      at: sighting.at,
      actor: actorOf(callerOf(holder, 'token'), use.ipAddress),
      action: 'keys.new_address',
      subject: { type: 'account', id: holder.id },
      outcome: sighting.refused ? 'refused' : 'done',
      ...(keyName !== null && { details: { key: keyName } }),
    });
    if (newInLastDay > maxMailsPerDay) return;
    const recipient = await findAccountContact(trx, holder);
    if (!recipient) return;
    const isLast = newInLastDay === maxMailsPerDay;
    const newUse = { ...sighting, ...newNetwork, ipAddress: use.ipAddress, isLast };
    await mailPeople(trx, deps, 'site', newIpAddressMail(deps.settings, holder, recipient, newUse));
  });
}

type NewIpAddressUse = NetworkSighting &
  Pick<NewNetwork, 'keyId' | 'keyName'> & {
    readonly ipAddress: string;
    /** Whether no more such emails are sent today. */
    readonly isLast: boolean;
  };

/** Tells the holder of a refresh token, or the owner of a system’s, that it was used, or refused, at a new IP address. */
function newIpAddressMail(
  { siteName, baseUrl }: Settings,
  holder: Pick<Account, 'id' | 'name' | 'email' | 'isSystem'>,
  recipient: { name: string; email: string },
  { at, refused, ipAddress, keyId, keyName, isLast }: NewIpAddressUse,
): MailToPeople {
  const key = holder.isSystem ? `the key “${keyName}” of the system ${holder.name}` : `your key “${keyName}”`;
  const token = keyName === null ? 'Your refresh token' : `The refresh token of ${key}`;
  const subject = `${token} was ${refused ? 'refused at' : 'used from'} a new IP address`;
  const home = holder.isSystem ? `/system-accounts/${holder.id}` : '/apikeys';
  const keyPage = `${baseUrl}${home}${keyName === null ? '' : `/keys/${keyId}`}`;
  const paragraphs = [
    `Hello ${recipient.name},`,
    refused
      ? `${token} was tried from an IP address that you do not allow. Nothing was given.`
      : `${token} was used from an IP address that it has not been used from before.`,
    `Your account: ${recipient.email} at ${siteName} (${baseUrl})\nWhen: ${momentInWords(at)}\nIP address: ${ipAddress}`,
    refused
      ? `If this is your own system, add its IP address at ${keyPage}${keyName === null ? '/limits' : '/change'}.`
      : 'If you have just set up or moved your own system, there is nothing to do.',
    keyName === null
      ? `If not, somebody else may have your keys: sign in at ${keyPage} and choose “Make new keys”. The old ones then stop working at once.`
      : `If not, somebody else may have this key: sign in at ${keyPage} and revoke it. It then stops working at once.`,
  ];
  if (isLast)
    paragraphs.push(
      'There were several new IP addresses today. You will get no more of these emails until tomorrow.',
    );
  return { to: [recipient.email], subject, paragraphs };
}
