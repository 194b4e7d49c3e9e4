import { describe, expect, it } from 'vitest';
import { deliveriesFixture } from '../../../test/delivery/deliveries-fixture.ts';
import { messageIdOf, setDeliveryStatus } from '../../../test/delivery/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { findReferral } from '../../referrals/index.ts';
import { confirmationLink } from '../channels/confirmation-link.ts';

const { site, deliveriesByReceiver, aSilentService } = await deliveriesFixture();
const linkPath = async (id: string) =>
  new URL(confirmationLink(site.deps, await messageIdOf(site.deps.db, id))).pathname;

describe('the confirmation link of an email', () => {
  it('confirms when a person presses the button, not when opened', async () => {
    const { id, referral } = await aSilentService();
    await setDeliveryStatus(site.deps.db, id, 'sent', 'email');
    const url = await linkPath(id);
    const status = async () => (await deliveriesByReceiver(referral)).service!.status;
    const stranger = await signedInBrowser(site);
    const who = { name: 'Rosa Reed', role: 'Duty manager' };
    for (const forged of [
      `${url.slice(0, -2)}xx`,
      '/confirm/nonsense',
      '/confirm/%0D%0AX: y',
      '/confirm/%E2%82%AC',
    ]) {
      expect((await stranger.open(forged)).status).toBe(404);
      const pressed = await stranger.send(forged, who);
      expect([pressed.status, (await stranger.open(pressed.location!)).status]).toEqual([303, 404]);
    }
    const opened = await site.app.inject({ url });
    expect(opened.payload).toContain('I have read the message');
    expect(opened.payload).not.toContain(referral.content.patient.family_name);
    expect(await status()).toBe('sent');
    expect((await findReferral(site.deps.db, referral.id))!.seenAt).toBeNull();

    await setDeliveryStatus(site.deps.db, id, 'expired');
    const press = (form: Record<string, string>) => stranger.send(url, form);
    for (const half of [{ name: 'Rosa Reed' }, { name: ' ', role: 'Duty manager' }]) {
      const refused = await press(half);
      expect([refused.status, await status()]).toEqual([422, 'expired']);
      expect(refused.text).toMatch(/Enter your (name|role)/);
    }
    expect((await findReferral(site.deps.db, referral.id))!.seenAt).toBeNull();
    expect((await press(who)).status).toBe(303);
    expect(await status()).toBe('acknowledged');
    expect((await findReferral(site.deps.db, referral.id))!.seenAt).toEqual(site.clock.now());
    const { seenByName } = (await findReferral(site.deps.db, referral.id))!;
    expect(seenByName).toMatch(/^Rosa Reed, Duty manager, \w/);
    await press(who);
    expect((await deliveriesByReceiver(referral)).service!.attempts.map(({ outcome }) => outcome)).toEqual([
      'received',
      'acknowledged',
    ]);
    expect((await site.app.inject({ url })).payload).toContain('Thank you');
  });

  it('confirms without a name, and then nobody counts as a reader', async () => {
    const { id, referral } = await aSilentService();
    await setDeliveryStatus(site.deps.db, id, 'sent', 'email');
    const stranger = await signedInBrowser(site);
    const { location } = await stranger.send(await linkPath(id), {});
    expect((await stranger.open(location!)).text).toContain('Thank you');
    expect((await deliveriesByReceiver(referral)).service!.status).toBe('acknowledged');
    expect((await findReferral(site.deps.db, referral.id))!.seenAt).toBeNull();
  });

  it('ends after thirty days', async () => {
    const { id, referral } = await aSilentService();
    const url = await linkPath(id);
    site.clock.moveOn(31 * 86_400_000);
    const stranger = await signedInBrowser(site);
    await stranger.send(url, { name: 'Rosa Reed', role: 'Duty manager' });
    expect((await site.app.inject({ url })).payload).toContain('This link has ended');
    expect((await deliveriesByReceiver(referral)).service!.status).toBe('received');
  });
});
