import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryStage } from '../../../test/delivery/stage.ts';
import { messageIdOf, setDeliveryStatus } from '../../../test/delivery/stored.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { DeliveryReport } from '../channels/channel.ts';
import type { ReceiverKind } from '../model/delivery.ts';
import { receiveReport } from './apply-report.ts';

let stage: Awaited<ReturnType<typeof deliveryStage>>;
beforeAll(async () => {
  stage = await deliveryStage();
});
afterAll(() => stage.close());

/** Hears this of a message that was confirmed before. @returns whether the site could make something of it. */
async function heardOfConfirmed(
  leg: ReceiverKind,
  status: DeliveryReport['status'],
): Promise<[boolean, string]> {
  const referral = await stage.made(stage.live);
  const { id } = await stage.deliveryTo(referral, leg);
  await setDeliveryStatus(stage.live.db, id, 'acknowledged', 'mesh');
  const report: DeliveryReport = {
    about: { messageId: await messageIdOf(stage.live.db, id) },
    status,
    detail: 'It is not theirs.',
  };
  const taken = await inTransaction(stage.live.db, (trx) =>
    receiveReport(trx, 'mesh', report, stage.clock.now()),
  );
  return [taken, (await stage.deliveryTo(referral, leg)).status];
}

describe('a report about a confirmed delivery', () => {
  it('that a practice refuses it changes nothing, and is reported as unmatched', async () => {
    expect(await heardOfConfirmed('gp_practice', 'failed')).toEqual([false, 'acknowledged']);
  });

  it('of any other kind changes nothing', async () => {
    expect(await heardOfConfirmed('gp_practice', 'received')).toEqual([true, 'acknowledged']);
    expect(await heardOfConfirmed('gp_practice', 'expired')).toEqual([true, 'acknowledged']);
    // It has answered the referral: that a message did not reach it harms nobody.
    expect(await heardOfConfirmed('service', 'failed')).toEqual([true, 'acknowledged']);
  });
});
