import { describe, expect, it } from 'vitest';
import { pagesOfPdf } from '../../../test/delivery/letters.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';
import { dayMs } from '../../platform/durations.ts';

const { site, browser, referrer, provider, aReferralPage } = await referralPagesFixture();

async function copyFor(who: { cookie: string }, path: string) {
  const { statusCode, rawPayload, headers } = await site.app.inject({
    url: `${path}/case.pdf`,
    headers: { cookie: who.cookie },
  });
  return { statusCode, headers, rawPayload };
}

async function textFor(who: { cookie: string }, path: string): Promise<string> {
  const { rawPayload } = await copyFor(who, path);
  return (await pagesOfPdf(rawPayload)).join(' ');
}

describe('the PDF of a referral', () => {
  it('has what the page has, and nothing private', async () => {
    const path = await aReferralPage({ contact_safe: 'no', interpreter: 'Welsh' });
    await provider.send(`${path}/notes`, { note: 'Between ourselves.' });
    await referrer.send(`${path}/messages`, { text: 'She prefers mornings.' });
    await provider.send(`${path}/accept`, { version: '2' });
    const text = await textFor(provider, path);
    for (const part of [
      'not safe to contact',
      '79 years old',
      'She is lonely.',
      'She prefers mornings.',
      'Welsh',
      'Accepted',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Between ourselves');
    expect(text).not.toMatch(/To:? Copy for|Done, |Now, \d|Not yet, /);
    expect(text).toMatch(/Started:? Not yet/);
  });

  it('has contacts, appointments and worrying scores', async () => {
    const path = await aReferralPage();
    await provider.send(`${path}/accept`, { version: '2' });
    const contact = {
      contact_kind: 'telephone',
      contact_reached: 'yes',
      contact_note: 'Thursday suits her.',
    };
    await provider.send(`${path}/contacts`, contact);
    const at = new Date(site.clock.now().getTime() + 5 * dayMs).toISOString().slice(0, 16);
    const appointment = {
      appointment_at: at,
      appointment_kind: 'in-person',
      appointment_place: 'The Old Mill',
    };
    await provider.send(`${path}/appointments`, appointment);
    const measure = { measure_code: 'ons4-happiness', measure_stage: 'start', measure_by: 'person' };
    await provider.send(`${path}/measures`, { ...measure, measure_value: '1' });
    const text = await textFor(provider, path);
    for (const part of [
      'Thursday suits her.',
      'In person, The Old Mill',
      'A score needs somebody to look into it',
    ])
      expect(text).toContain(part);
  });

  it('says of each file whether it was not scanned for viruses', async () => {
    const path = await aReferralPage();
    const payload =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="plan.pdf"\r\n\r\n%PDF-1.7 a\r\n--x--\r\n';
    const headers = {
      cookie: referrer.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=x',
    };
    const sent = await site.app.inject({ method: 'POST', url: `${path}/attachments`, headers, payload });
    expect(sent.statusCode).toBe(303);
    expect(await textFor(provider, path)).toMatch(/plan\.pdf, from .*Not scanned for viruses/);
  });

  it('prints mixed scripts, or says that it cannot', async () => {
    const path = await aReferralPage({
      given_name: 'Zażółć',
      nhs_number: '9990000018',
      reasons: 'Łódź, 王芳 and 👩‍👩‍👧‍👦.',
    });
    const text = await textFor(provider, path);
    for (const part of ['Zażółć', '999 000 0018', 'Łódź, \uFFFD and \uFFFD.']) expect(text).toContain(part);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('has \uFFFD, it cannot print what was written. See');
    const made = /Made on:? (\d{1,2} \w+ \d{4} at [\d:]+[ap]m)/.exec(text)![1]!;
    expect((await provider.open(path)).text).toContain(made);
  });

  it('names no field by its raw name in what was changed', async () => {
    const path = await aReferralPage({ share_with_gp: 'codes_only' });
    await referrer.send(`${path}/agreement`, { share_with_gp: 'yes', agreement_basis: 'person' });
    const text = await textFor(provider, path);
    expect(text).toContain('What the GP practice may have: A copy (before: Coded entry only)');
    expect(text).not.toMatch(/\b[a-z]+_[a-z_]+\b/);
    expect((await provider.open(path)).text).not.toMatch(/\b[a-z]+_[a-z_]+\b/);
  });

  it('shows an operator no person, and strangers nothing', async () => {
    const path = await aReferralPage();
    const text = await textFor(await browser({ role: 'operator' }), path);
    expect(text).toContain('Progress');
    expect(text).not.toMatch(/Margaret|lonely|Mill Lane|1947/);
    const stranger = await browser({ role: 'referrer', organisation: { name: 'Elsewhere Surgery' } });
    expect((await copyFor(stranger, path)).statusCode).toBe(404);
  });
});
