import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryFixture } from '../../../test/delivery/fixture.ts';
import { messageIdOf, setDeliveryStatus } from '../../../test/delivery/stored.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { DeliveryLeg } from '../../referrals/index.ts';
import type { DeliveryReport } from '../channels/channel.ts';
import { receiveReport } from './apply-report.ts';

let fixture: Awaited<ReturnType<typeof deliveryFixture>>;
beforeAll(async () => {
  fixture = await deliveryFixture();
});
afterAll(() => fixture.close());

/** Applies this report to a message that was confirmed before. @returns whether it matched, and the status afterwards. */
async function applyToConfirmed(
  leg: DeliveryLeg,
  status: DeliveryReport['status'],
): Promise<[boolean, string]> {
  const referral = await fixture.made(fixture.live);
  const { id } = await fixture.deliveryTo(referral, leg);
  await setDeliveryStatus(fixture.live.db, id, 'acknowledged', 'mesh');
  const report: DeliveryReport = {
    about: { messageId: await messageIdOf(fixture.live.db, id) },
    status,
    detail: 'It is not theirs.',
  };
  const taken = await inTransaction(fixture.live.db, (trx) =>
    receiveReport(trx, 'mesh', report, fixture.clock.now()),
  );
  return [taken, (await fixture.deliveryTo(referral, leg)).status];
}

describe('a report about a confirmed delivery', () => {
  it('is left to an operator if the practice refuses its letter', async () => {
    expect(await applyToConfirmed('gp_practice', 'failed')).toEqual([false, 'acknowledged']);
  });

  it('changes nothing if it is of any other kind', async () => {
    expect(await applyToConfirmed('gp_practice', 'received')).toEqual([true, 'acknowledged']);
    expect(await applyToConfirmed('gp_practice', 'expired')).toEqual([true, 'acknowledged']);
    // The service has answered the referral, so a message that did not reach it does no harm.
    expect(await applyToConfirmed('service', 'failed')).toEqual([true, 'acknowledged']);
  });
});
