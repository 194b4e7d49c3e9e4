import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import type { ChannelName } from '../channels.ts';
import { type DeliveryAddresses, requireAddresses } from '../delivery-addresses.ts';
import { saveDeliveryAddresses } from '../delivery-addresses-store.ts';
import { findPractice, type KnownPractice, saveChannels } from './store.ts';

type NewChannels = {
  odsCode: string;
  channels: readonly ChannelName[];
  /** Left out, they stay as they are. */
  addresses?: DeliveryAddresses | undefined;
  /** Of whoever says so. */
  address: string;
};

/**
 * Says by which ways a practice is told of referrals, in the order in which they are tried.
 * @throws Problem `not-found`, `unprocessable`.
 */
export async function setChannels(
  deps: Pick<Platform, 'db' | 'clock' | 'settings'>,
  caller: Caller,
  { odsCode, channels, addresses, address }: NewChannels,
): Promise<KnownPractice> {
  const at = deps.clock.now();
  if (addresses) requireAddresses(addresses, deps.settings.mode);
  return inTransaction(deps.db, async (trx) => {
    const before = await findPractice(trx, odsCode);
    if (!before) throw new Problem(notFound, 'This site knows no practice with this code.');
    await saveChannels(trx, odsCode, channels, at);
    if (addresses) await saveDeliveryAddresses(trx, { odsCode }, addresses, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'practice.channels_changed',
      subject: { type: 'practice', id: odsCode },
      details: {
        before: before.channels,
        after: channels,
        ...(addresses && { addresses: Object.keys(addresses) }),
      },
    });
    return { ...before, channels: [...channels] };
  });
}
