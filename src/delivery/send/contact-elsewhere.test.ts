import { describe, expect, it } from 'vitest';
import { capturedMessages, storedDeliveries } from '../../../test/delivery/stored.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { deliver } from './deliver.ts';
import { deliverNew } from './deliver-new.ts';

const { site, elsewhere, makeReferral } = await referralLifeFixture();
const { db } = site.deps;

const gp_practice = { ods_code: 'Z99001' };
const unsafe = { safe: 'no', who_must_not_know: 'the man upstairs' };
const byTelephone = { safe: 'yes', channel: 'telephone' };

/** The letter to the practice, sent by the job of one delivery or by that of many. */
async function letterToPractice(id: string, sendsTogether: boolean): Promise<string> {
  const deliveries = await storedDeliveries(db, id);
  if (sendsTogether) await deliverNew(site.deps, { delivery_ids: deliveries.map((each) => each.id) });
  else for (const each of deliveries) await deliver(site.deps, { delivery_id: each.id });
  const { id: deliveryId } = deliveries.find(({ leg }) => leg === 'gp_practice')!;
  return JSON.stringify((await capturedMessages(db, deliveryId)).map(({ letter }) => letter));
}

describe('two referrals that say different things about contact', () => {
  it.each([
    ['alone', false],
    ['with others', true],
  ])('make the letter to the practice warn, sent %s', async (_, sendsTogether) => {
    const first = await makeReferral({ gp_practice, contact: unsafe });
    const second = await makeReferral({
      service_id: elsewhere.serviceId,
      gp_practice,
      contact: byTelephone,
      patient: first.patient,
    });
    const letter = await letterToPractice(second.id, sendsTogether);
    for (const warning of ['told different things about safe contact', 'before you contact the patient'])
      expect(letter).toContain(warning);
    for (const secret of [first.reference, 'man upstairs', 'nother referral', 'wo referrals'])
      expect(letter).not.toContain(secret);
  });
});
