import { type Account, actorOf, callerOf, findAccount } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type Mail, queueMail } from '../../platform/mail/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { TokenDeps } from '../model/token-desk.ts';
import { insertKeyAddress, isKnownAddress, type Sighting } from './key-uses-store.ts';
import type { RefreshUse } from './refresh-tokens-store.ts';

/** A client whose address changes all the time must not fill its holder's mailbox. The audit has every address. */
const maxMailsPerDay = 10;

/**
 * The first use of a refresh token at an address, or the first that was refused there, is audited and its holder told:
 * that is how the theft of a token shows that never changes. The very first use of a new token is no exception, since a
 * holder who never used it would otherwise not hear of the thief who does; it is one email for each token.
 */
export async function noteAddress(deps: TokenDeps, use: RefreshUse, sighting: Sighting): Promise<void> {
  // A flood of refused uses opens no transactions.
  if (await isKnownAddress(deps.db, use, sighting.refused)) return;
  await inTransaction(deps.db, async (trx) => {
    const first = await insertKeyAddress(trx, use, sighting);
    if (!first) return;
    const holder = (await findAccount(trx, first.accountId))!;
    await recordAudit(trx, {
      at: sighting.at,
      actor: actorOf(callerOf(holder, 'token'), use.address),
      action: 'keys.new_address',
      subject: { type: 'account', id: holder.id },
      outcome: sighting.refused ? 'refused' : 'done',
    });
    if (first.newInDay > maxMailsPerDay) return;
    const isLast = first.newInDay === maxMailsPerDay;
    await queueMail(
      trx,
      deps,
      addressMail(deps.settings, holder, { ...sighting, address: use.address, isLast }),
    );
  });
}

type Told = Sighting & {
  readonly address: string;
  /** Whether no more such emails are sent today. */
  readonly isLast: boolean;
};

/** Tells the holder of a refresh token that it was used, or refused, at an address where it was not before. */
function addressMail(
  { siteName, baseUrl }: Settings,
  holder: Pick<Account, 'name' | 'email'>,
  { at, refused, address, isLast }: Told,
): Mail {
  const what = refused
    ? 'Your refresh token was refused at a new address'
    : 'Your refresh token was used from a new address';
  const lines = [
    `Hello ${holder.name},`,
    refused
      ? 'Somebody tried to use your refresh token from an address that you do not allow. They were given nothing.'
      : 'Your refresh token was used from an address from where it was not used before.',
    `Your account: ${holder.email} at ${siteName} (${baseUrl})\nWhen: ${at.toUTCString()}\nFrom the address: ${address}`,
    refused
      ? `If this is your own system, add its address at ${baseUrl}/apikeys/guards.`
      : 'If you have just set up or moved your own system, there is nothing to do.',
    `If not, somebody else may have your keys: sign in at ${baseUrl}/apikeys and choose “Make new keys”. The old ones ` +
      'then stop working at once.',
  ];
  if (isLast)
    lines.push(
      'There were several new addresses today. You will get no more of these emails until tomorrow.',
    );
  return { to: holder.email, subject: `${what} – ${siteName}`, text: lines.join('\n\n') };
}
