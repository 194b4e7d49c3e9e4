import { actorOf, callerOf, findAccount } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { queueMail } from '../platform/mail/index.ts';
import { addressMail } from './address-mail.ts';
import { insertKeyAddress, isKnownAddress, type Sighting } from './key-addresses-store.ts';
import type { RefreshUse } from './refresh-tokens-store.ts';
import type { TokenDeps } from './token-desk.ts';

/** A client whose address changes all the time must not fill its holder's mailbox. The audit has every address. */
const mostMailsInDay = 10;

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
    if (first.newInDay > mostMailsInDay) return;
    const isLast = first.newInDay === mostMailsInDay;
    await queueMail(
      trx,
      deps,
      addressMail(deps.settings, holder, { ...sighting, address: use.address, isLast }),
    );
  });
}
