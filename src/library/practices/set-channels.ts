import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import type { ChannelName } from '../channels.ts';
import { findPractice, type KnownPractice, saveChannels } from './store.ts';

/**
 * Says by which ways a practice is told of referrals, in the order in which they are tried.
 * @throws Problem `not-found`.
 */
export async function setChannels(
  deps: Pick<Platform, 'db' | 'clock'>,
  caller: Caller,
  { odsCode, channels, address }: { odsCode: string; channels: readonly ChannelName[]; address: string },
): Promise<KnownPractice> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const before = await findPractice(trx, odsCode);
    if (!before) throw new Problem(notFound, 'This site knows no practice with this code.');
    await saveChannels(trx, odsCode, channels, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'practice.channels_changed',
      subject: { type: 'practice', id: odsCode },
      details: { before: before.channels, after: channels },
    });
    return { ...before, channels: [...channels] };
  });
}
