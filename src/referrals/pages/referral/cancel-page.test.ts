import { describe, expect, it } from 'vitest';
import { pagesOfPdf } from '../../../../test/delivery/letters.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { storedReferral } from '../../../../test/referrals/stored.ts';

const { site, browser, referrer, provider, aReferralPage, filledCorrection } = await referralPagesFixture();

const stored = (path: string) => storedReferral(site.deps.db, path.split('/').at(-1)!);

const sideOf = async (path: string, who = referrer) =>
  (await who.open(path)).page.querySelector('.onward-case__side')!;

describe('the form to cancel a referral', () => {
  it('is one button away from the page, and the only way', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    const side = await sideOf(path);
    expect(side.querySelector(`.onward-second-actions a[href="${path}/withdraw"]`)!.text.trim()).toBe(
      'Cancel the referral',
    );
    const links = side.querySelectorAll('a').map((each) => each.getAttribute('href'));
    expect(links).not.toContain(`${path}/cancel`);
    expect(links).not.toContain(`${path}/withdraw-as-error`);
    expect((await sideOf(path, provider)).innerHTML).not.toContain('/withdraw');
  });

  it('cancels for a reason of the person, and tells the service', async () => {
    const path = await aReferralPage();
    const { page } = await referrer.open(`${path}/withdraw`);
    const legends = page.querySelectorAll('main legend').map(({ text }) => text.trim());
    expect(legends).toEqual(['The person no longer needs it', 'It should not have been sent']);
    const sent = await referrer.send(`${path}/withdraw`, {
      version: '2',
      reason_code: 'client-declined',
      declines: 'yes',
    });
    expect([sent.status, sent.location]).toEqual([303, `${path}?done=cancel`]);
    expect(await stored(path)).toMatchObject({
      status: 'cancelled',
      status_reason: { code: 'client-declined' },
      content: { declines_social_prescribing: true },
    });
  });

  it('withdraws as an error for any mistake, listed or not', async () => {
    const twice = await aReferralPage();
    const sent = await referrer.send(`${twice}/withdraw`, { version: '2', reason_code: 'sent-twice' });
    expect(sent.location).toBe(`${twice}?done=withdraw-as-error`);
    expect(await stored(twice)).toMatchObject({
      status: 'entered-in-error',
      status_reason: { code: 'sent-twice' },
    });
    const other = await aReferralPage();
    const mistake = { version: '2', reason_code: 'other-mistake', reason_text: 'It was a test.' };
    await referrer.send(`${other}/withdraw`, mistake);
    expect(await stored(other)).toMatchObject({
      status: 'entered-in-error',
      status_reason: { code: 'other', text: 'It was a test.' },
    });
  });

  it('hides from both sides how to contact the wrong person', async () => {
    const path = await aReferralPage({
      telephone: '01632 960555',
      email: 'not.her@example.org',
      carer_name: 'Her sister',
      preferred_contact: 'Ring twice',
    });
    const ways = ['4 Mill Lane', '01632 960555', '01632 960777', 'not.her@', 'Her sister', 'Ring twice'];
    const correction = await filledCorrection(referrer, path);
    await referrer.send(`${path}/correct`, { ...correction, telephone: '01632 960777' });
    expect((await provider.open(path)).text).toContain('01632 960777');
    const { version } = await stored(path);
    const sent = await referrer.send(`${path}/withdraw`, {
      version: String(version),
      reason_code: 'wrong-person',
    });
    for (const side of [referrer, provider]) {
      const { text } = await side.open(sent.location);
      expect(text).toContain('Do not contact this person: the referral was sent by mistake');
      expect(text).toContain('Details corrected');
      const copy = await site.app.inject({ url: `${path}/case.pdf`, headers: { cookie: side.cookie } });
      const printed = (await pagesOfPdf(copy.rawPayload)).join(' ').replaceAll(/\s+/g, ' ');
      expect(printed).toContain('their contact details are hidden');
      for (const way of ways)
        expect([way, text.includes(way), printed.includes(way)]).toEqual([way, false, false]);
    }
    const operator = await browser({ role: 'operator' });
    await operator.send(`${path}/open`, { reason: 'To have the copy removed' });
    expect((await operator.open(path)).text).toContain('01632 960777');
  });

  it('leaves them to the side that is asked about a danger', async () => {
    const path = await aReferralPage({ telephone: '01632 960555', reasons: 'She took an overdose.' });
    const { version } = await stored(path);
    await referrer.send(`${path}/withdraw`, { version: String(version), reason_code: 'wrong-person' });
    expect((await referrer.open(path)).text).toContain('01632 960555');
    expect((await provider.open(path)).text).not.toContain('01632 960555');
  });

  it('keeps what was chosen and typed if it is refused', async () => {
    const path = await aReferralPage();
    const none = await referrer.send(`${path}/withdraw`, { version: '2', reason_text: 'She moved.' });
    expect([none.status, none.text.includes('Select the reason')]).toEqual([422, true]);
    expect(none.page.querySelector('#reason_text')!.text.trim()).toBe('She moved.');
    const unexplained = await referrer.send(`${path}/withdraw`, {
      version: '2',
      reason_code: 'other-mistake',
    });
    expect(unexplained.text).toContain('Say what happened, in your own words');
    const chosen = unexplained.page
      .querySelectorAll('input[checked]')
      .map((each) => each.getAttribute('value'));
    expect(chosen).toEqual(['other-mistake']);
    await provider.send(`${path}/accept`, { version: '2' });
    const stale = await referrer.send(`${path}/withdraw`, { version: '2', reason_code: 'moved-away' });
    expect([stale.status, stale.text.includes('has changed since you opened it')]).toEqual([412, true]);
    expect((await stored(path)).status).toBe('accepted');
  });

  it('leads back once it has ended, and for the service', async () => {
    const path = await aReferralPage();
    expect((await provider.open(`${path}/withdraw`)).location).toBe(path);
    await provider.send(`${path}/reject`, { version: '2', reason_code: 'no-capacity' });
    expect((await referrer.open(`${path}/withdraw`)).location).toBe(path);
    const side = await sideOf(path);
    expect(side.querySelector(`a[href="${path}/withdraw-as-error"]`)!.text).toBe('Mark as sent by mistake');
    // What is said to do next is in view, and not under “More”.
    expect(side.querySelector('.onward-second-actions form')!.getAttribute('action')).toBe(`${path}/seen-to`);
  });
});
