import {
  type Connection,
  connections,
  findConnectionFailure,
  probeEveryMs,
} from '../../platform/connections/index.ts';
import { holdTaskLock, inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findReferral } from '../../referrals/index.ts';
import { findWantedChannels } from '../channels/receiver.ts';
import { queueDeliveries } from '../model/deliver-jobs.ts';
import { findDelivery } from '../model/deliveries-store.ts';
import { referralForReceiver } from '../model/delivery.ts';
import { isHeldByAddress } from '../model/held-by.ts';
import { countHeld, findNextHeld } from './held-store.ts';
import { releaseHeldBy } from './hold-delivery.ts';
import { releaseEndingLetters } from './hold-endings.ts';
import { tellOfDeclines, tellPeopleOfEndings } from './tell-of-final-endings.ts';

/**
 * The `release-held` job: sends the deliveries held by a connection that accepts this site again. To find that out, it
 * tries one of them every five minutes. It also tells people of endings by link, and of declines, that are final.
 */
export async function releaseHeld(deps: Platform): Promise<void> {
  const { db, clock } = deps;
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    await holdTaskLock(trx, 'release-held');
    for (const connection of connections) await releaseOrProbe(trx, connection, at);
    await releaseConfirmedAddresses(trx, at);
    await releaseEndingLetters(trx, at);
  });
  await tellPeopleOfEndings(deps);
  await tellOfDeclines(deps);
}

/** Releases deliveries whose receiver has a confirmed address again. */
async function releaseConfirmedAddresses(trx: Trx, at: Date): Promise<void> {
  for (const { heldBy } of await countHeld(trx)) {
    if (!isHeldByAddress(heldBy)) continue;
    const id = await findNextHeld(trx, heldBy);
    const delivery = id === undefined ? undefined : await findDelivery(trx, id);
    const about = delivery && (await findReferral(trx, delivery.referralId));
    const referral = about && (await referralForReceiver(trx, delivery, about));
    const receivers = delivery && referral ? [{ delivery, referral }] : [];
    const [found] = [...(await findWantedChannels(trx, receivers, at)).values()];
    // Without any address left to confirm, the delivery fails, and the worklist says so.
    if (!found || found.channels.length > 0 || found.unconfirmed.length === 0)
      await releaseHeldBy(trx, heldBy, at);
  }
}

async function releaseOrProbe(trx: Trx, connection: Connection, at: Date): Promise<void> {
  const failure = await findConnectionFailure(trx, connection);
  if (failure?.kind !== 'refuses') return releaseHeldBy(trx, connection, at);
  if (at.getTime() - failure.triedAt.getTime() < probeEveryMs) return;
  const id = await findNextHeld(trx, connection);
  if (id) await queueDeliveries(trx, [id]);
}
