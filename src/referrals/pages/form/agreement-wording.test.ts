import { describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { storedReferral } from '../../../../test/referrals/stored.ts';

const { site, referrer, provider, aPerson, anOpenForm, aReferralPage } = await referralPagesFixture();

const contentAt = async (url: string) =>
  (await storedReferral(site.deps.db, url.split('?')[0]!.split('/').at(-1)!)).content as any;

describe('what the form asks about the agreement', () => {
  it('is kept with the referral as it was shown, with the answers', async () => {
    const form = await anOpenForm();
    const shown = await referrer.open(`/referrals/new?service=${form.service}`);
    const { location } = await referrer.send('/referrals/new', { ...form, ...aPerson() });
    const { wording } = (await contentAt(location)).consent;
    const lines = wording.split('\n');
    expect(lines).toHaveLength(2);
    // Each question and answer is read on the page.
    for (const part of lines.flatMap((line: string) => line.split(' – '))) expect(shown.text).toContain(part);
    expect(wording).toContain('May their GP practice be told? – A copy of the referral');
    const page = await provider.open(location);
    for (const line of lines) expect(page.text).toContain(line);
  });

  it('is the warning of a sensitive service where that was shown', async () => {
    const sensitive = await aService(site.deps);
    await markSensitive(site.deps.db, sensitive.serviceId);
    const form = { ...(await anOpenForm()), service: sensitive.serviceId };
    const { location } = await referrer.send('/referrals/new', { ...form, ...aPerson() });
    expect((await contentAt(location)).consent.wording).toContain('This is a sensitive service');
  });

  it('is that of the paper form where it was taken on paper', async () => {
    const paper = (await referrer.open('/paper-form')).text.replaceAll(/\s+/g, ' ');
    const taken = { ...aPerson(), made_at: '2026-11-20T10:30' };
    const { location } = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...taken });
    const { wording } = (await contentAt(location)).consent;
    const [heading, first] = wording.split('\n');
    expect(heading).toBe('On the paper form:');
    expect(first).toMatch(/^The person agrees to be referred/);
    expect(paper).toContain(first.split(' – ')[0]);
  });

  it('changes with what the person agrees to', async () => {
    const url = await aReferralPage();
    const question = (await provider.open(`${url}/agreement`)).text;
    await provider.send(`${url}/agreement`, { share_with_gp: 'codes_only' });
    const { wording } = (await contentAt(url)).consent;
    for (const part of wording.split(' – ')) expect(question).toContain(part);
    expect(wording).toContain('Coded entry only');
  });
});
