import { describe, expect, it } from 'vitest';
import { referralPagesFixture } from '../../../../../test/referrals/pages-fixture.ts';

// The page says whether a person has seen what was delivered, and what comes next.

const { site, referrer, provider, browser, place, aReferralPage, filledCorrection } =
  await referralPagesFixture();
const seenLine = async (who: typeof referrer, path: string) =>
  /^.*(Seen by|has opened it yet|Delivered on).*$/m.exec((await who.open(path)).text)?.[0];

describe('the page of a referral', () => {
  it('tells delivered from seen by a person', async () => {
    const path = await aReferralPage();
    expect(await seenLine(referrer, path)).toMatch(/Nobody at the service has opened it yet\.$/);
    await provider.open('/referrals?view=received');
    expect(await seenLine(referrer, path)).toMatch(/Nobody at the service has opened it yet\.$/);
    await provider.open(path);
    const seen = 'Seen by Test Person on 21 November 2026 at 9:30am.';
    expect([await seenLine(referrer, path), await seenLine(provider, path)]).toEqual([seen, seen]);
  });

  it('says what changed since this person last looked, as lists do', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    const isMarked = async (who: typeof referrer) => {
      const { page } = await who.open('/referrals');
      const row = page.querySelectorAll('tr').find((each) => each.querySelector(`a[href^="${path}"]`));
      return row!.structuredText.includes('Changed');
    };
    expect(await isMarked(provider)).toBe(false);
    const form = { ...(await filledCorrection(referrer, path)), urgency: 'urgent' };
    const corrected = await referrer.send(`${path}/correct`, { ...form, contact_safe: 'no' });
    expect(corrected.status).toBe(303);
    expect([await isMarked(provider), await isMarked(referrer)]).toEqual([true, false]);
    await provider.open(`${path}/correct`);
    const changed = 'Changed since you last looked: safe contact, urgency.';
    expect((await provider.open(path)).text).toContain(changed);
    expect((await provider.open(path)).text).not.toContain('Changed since');
    expect(await isMarked(provider)).toBe(false);
    expect((await referrer.open(path)).text).not.toContain('Changed since');
  });

  it('has no change for somebody who saw it in their own system', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    const form = { ...(await filledCorrection(referrer, path)), urgency: 'urgent', contact_safe: 'no' };
    expect((await referrer.send(`${path}/correct`, form)).status).toBe(303);
    const [token] = (await provider.open('/apikeys')).page.toString().match(/ona_\w+/)!;
    const read = async (shownTo: object) => {
      const headers = { authorization: `Bearer ${token}`, ...shownTo };
      expect((await site.app.inject({ url: `/api${path}`, headers })).statusCode).toBe(200);
      const { page } = await provider.open('/referrals');
      const row = page.querySelectorAll('tr').find((each) => each.querySelector(`a[href^="${path}"]`));
      return row!.structuredText.includes('Changed');
    };
    expect(await read({}), 'a program read it').toBe(true);
    expect(await read({ 'onward-shown-to': 'person' })).toBe(false);
  });

  it('says not to contact the practice once sharing is withdrawn', async () => {
    const path = await aReferralPage();
    expect((await provider.open(path)).text).not.toContain('Do not contact');
    await referrer.send(`${path}/agreement`, { share_with_gp: 'no' });
    const { text } = await provider.open(path);
    expect(text).toContain('Changed since you last looked: what the GP practice may have');
    expect(text).toContain('no longer agrees that their GP practice is told');
    expect(text).toMatch(
      /may have: Nothing\. Do not contact the practice about this person \(before: A copy\)/,
    );
  });

  it('says what comes next, and how its date moves on', async () => {
    const path = await aReferralPage();
    await provider.send(`${path}/accept`, { version: '2' });
    const next = 'The first contact with the person is due by 4 December 2026. In 13 days.';
    const turnFor = async (who: typeof referrer) => {
      const { page } = await who.open(path);
      return page.querySelector('.onward-turn')!.text;
    };
    expect(await turnFor(referrer)).toBe(`Waiting for ${place.organizationName} to contact the person.`);
    expect((await referrer.open(path)).text).toContain(next);
    expect(await turnFor(provider)).toBe('Next: contact Margaret by 4 December 2026.');
    const { page } = await provider.open(path);
    expect(page.querySelector('.onward-case__side .onward-more')!.text).toContain(
      'The date moves on when you change',
    );
  });

  it('lists overdue referrals on the first page', async () => {
    const path = await aReferralPage();
    await provider.send(`${path}/accept`, { version: '2' });
    site.clock.moveOn(40 * 86_400_000);
    const later = await browser({
      role: 'provider',
      organisation: { libraryOrganizationId: place.organizationId, name: place.organizationName },
    });
    const home = await later.open('/');
    expect(home.text).toMatch(/[1-9] Overdue/);
    const overdue = await later.open('/referrals?view=received&overdue=yes');
    expect(overdue.page.querySelector('#overdue')!.hasAttribute('checked')).toBe(true);
    expect(overdue.page.querySelector(`a[href^="${path}"]`)).not.toBeNull();
    expect((await later.open(path)).text).toContain('was due by 4 December 2026');
  });
});
