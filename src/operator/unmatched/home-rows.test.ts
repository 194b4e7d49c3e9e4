import { describe, expect, it } from 'vitest';
import { storedEntries } from '../../../test/audit/stored.ts';
import { deliveriesFixture } from '../../../test/delivery/deliveries-fixture.ts';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { setServiceAddress } from '../../../test/delivery/receivers.ts';
import { deleteDeliveries } from '../../../test/delivery/stored.ts';
import { storeReferral, tellOfChange } from '../../../test/delivery/test-site.ts';
import { storeUnmatchedMessage } from '../../../test/delivery/unmatched-message.ts';
import { refuseByEmail } from '../../../test/delivery/worklist.ts';
import { markSensitive, setChannels } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { minuteMs } from '../../platform/durations.ts';
import { newId } from '../../platform/ids/index.ts';
import { collectUnmatched } from './collect.ts';

const { site, deliveriesByReceiver } = await deliveriesFixture();
const { db } = site.deps;

/** Nobody reaches this service by email. */
async function undelivered(serviceId: string, given: { urgency?: 'urgent' } = {}): Promise<void> {
  await setServiceAddress(db, { serviceId, channel: 'email', address: `wrong@${serviceId}.example.org` });
  await setChannels(db, serviceId, { channels: ['email'] });
  const consent = { ...exampleReferral().content.consent, share_with_gp: false };
  const referral = await storeReferral(site.database.pool, {
    service_id: serviceId,
    content: { consent },
    ...given,
  });
  await tellOfChange(site.deps, referral, null);
  await refuseByEmail(site.deps, (await deliveriesByReceiver(referral)).service!.id, 'No such address.');
}

describe('what an operator deals with first, on the home page', () => {
  it('has the urgent first, then the oldest, also unmatched items', async () => {
    await undelivered('cuppa');
    site.clock.moveOn(minuteMs);
    await storeUnmatchedMessage(db, { id: newId(), from: 'X26OT001', body: 'Hello' });
    await collectUnmatched(site.deps);
    site.clock.moveOn(minuteMs);
    await undelivered('choir');
    site.clock.moveOn(minuteMs);
    await undelivered('shed', { urgency: 'urgent' });
    const operator = await signedInBrowser(site, { role: 'operator' });
    const rows = (await operator.open('/')).page.querySelectorAll('main tbody tr');
    const links = rows.map((row) => row.querySelector('a')!.getAttribute('href')!);
    expect(rows.map((row) => row.structuredText.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringContaining('Urgent or at risk'),
      expect.stringMatching(/Undelivered message: .*No such address.*Check and retry/),
      expect.stringMatching(/Unmatched item.*X26OT001.*Find its place/),
      expect.stringMatching(/Undelivered message: .*No such address.*Check and retry/),
    ]);
    expect(links[2]).toBe('/operator/deliveries/unmatched');
    for (const [link, address] of [
      [links[0], 'shed'],
      [links[1], 'cuppa'],
      [links[3], 'choir'],
    ])
      expect((await operator.open(`${link}/address`)).page.toString()).toContain(`wrong@${address}`);
  });

  it('is one audit entry each time, which names the referrals', async () => {
    const operator = await signedInBrowser(site, { role: 'operator', name: 'Hope Home' });
    const written = async () =>
      (await storedEntries(db, { actorName: 'Hope Home' })).map(({ action }) => action);
    const before = (await written()).length;
    await operator.open('/');
    expect((await written()).slice(before)).toEqual(['home.viewed']);
    const audit = await operator.open('/operator/audit');
    expect(audit.text).toContain('Viewed home, with undelivered messages and referrals that need action');
  });

  it('has one row for equal messages, and eight rows at most', async () => {
    await deleteDeliveries(db);
    for (let each = 0; each < 2; each += 1) await undelivered('refuge');
    await markSensitive(db, 'refuge');
    site.clock.moveOn(minuteMs);
    for (let each = 0; each < 3; each += 1) await undelivered('cuppa');
    const operator = await signedInBrowser(site, { role: 'operator' });
    const rows = async () => (await operator.open('/')).page.querySelectorAll('main tbody tr');
    const [, restricted, cuppa] = await rows();
    expect(restricted!.structuredText).toContain('2 undelivered messages: Restricted services');
    expect(restricted!.structuredText).not.toContain('No such address');
    expect(restricted!.querySelector('a')!.getAttribute('href')).toBe('/operator/deliveries');
    expect(cuppa!.structuredText).toMatch(/3 undelivered messages: .*\s+No such address\./);

    for (let each = 0; each < 9; each += 1) await undelivered(`service-${each}`);
    expect(await rows()).toHaveLength(8);
  });
});
