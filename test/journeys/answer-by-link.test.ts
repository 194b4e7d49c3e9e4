import { afterAll, describe, expect, it } from 'vitest';
import { answerFixture, linkHolder, pathIn } from '../delivery/answer-fixture.ts';
import { setServiceAddress } from '../delivery/receivers.ts';
import { storedDeliveries } from '../delivery/stored.ts';
import { mailsTo } from '../network/mailbox.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';
import { storedNews } from '../referrals/stored.ts';

const { site, place, refer, email, charity } = await answerFixture();
afterAll(() => site.close());

describe('a charity without an account', () => {
  it('accepts from its email, and the referrer reads who did', async () => {
    const { id, reference } = await refer({ urgency: 'urgent' });
    const text = await email(id);
    expect(text).toMatch(/No account\? Confirm, accept or decline it here: http\S+\/answer\/[\w-]{43}\n/);
    expect(text).toContain('Do not forward this email');
    // Nobody there can sign in.
    expect(text.indexOf('No account?')).toBeLessThan(
      text.indexOf('With an account, read it and answer it here'),
    );
    expect(text).not.toContain('Margaret');
    const path = pathIn(text)!;

    const desk = linkHolder(site);
    const opened = await desk.open(path);
    expect(opened.page.querySelectorAll('main button')).toHaveLength(1);
    const sent = await desk.send(path, { answer: 'accept', name: 'Rosa Reed', role: 'Duty manager' });
    expect([sent.status, sent.headers.location]).toEqual([303, `${path}?done=accepted`]);
    const confirmation = (await desk.open(String(sent.headers.location))).text;
    expect(confirmation).toContain('You accepted the referral, and the referrer is told');

    const colleague = await signedInBrowser(site, {
      organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
    });
    const page = (await colleague.open(`/referrals/${id}`)).text;
    expect(page).toContain(reference);
    expect(page).toContain('Accepted');
    expect(page).toContain('Rosa Reed, Duty manager, by link');
    expect(page).not.toContain(charity);
    expect(await storedNews(site.deps.db, id)).toContain('accepted');
    expect(page).toContain(place.serviceName);
  });

  it('takes a referral from its email to completion by a code', async () => {
    const codes = 'office@footpath-friends.example.org';
    await setServiceAddress(site.deps.db, {
      serviceId: place.serviceId,
      channel: 'code_email',
      address: codes,
    });
    const { id } = await refer({ gp_practice: { ods_code: 'Z99001' } });
    const path = pathIn(await email(id))!;
    const who = { name: 'Rosa Reed', role: 'Duty manager' };
    const desk = linkHolder(site);
    await desk.send(path, { ...who, answer: 'accept' });
    await desk.send(path, { step: 'send-code' });
    const code = /^\d{6}/.exec((await mailsTo(site, codes))[0]!.text)![0];
    await desk.send(`${path}?do=code`, { ...who, code });
    await desk.send(`${path}?do=contact`, { ...who, contact_kind: 'telephone', reached: 'yes' });
    await desk.send(`${path}?do=start`, who);
    await desk.send(`${path}?do=message`, { ...who, text: 'She joined the Tuesday walk.' });
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She walks each week.', gp_needed: 'no' };
    const ended = await desk.send(`${path}?do=complete`, { ...who, ...outcome });
    expect(ended.status, ended.text).toBe(303);

    const colleague = await signedInBrowser(site, {
      organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
    });
    const { text, page } = await colleague.open(`/referrals/${id}`);
    for (const shown of [
      'She walks each week.',
      'She joined the Tuesday walk.',
      'We tell the GP practice on',
    ])
      expect(text).toContain(shown);
    const version = page.querySelector('input[name=version]')!.getAttribute('value')!;
    expect((await colleague.send(`/referrals/${id}/confirm-ending`, { version })).status).toBe(303);
    const letters = (await storedDeliveries(site.deps.db, id)).filter(
      ({ leg, purpose }) => leg === 'gp_practice' && purpose === 'outcome',
    );
    expect(letters).toMatchObject([{ held_by: null }]);
    expect(await storedNews(site.deps.db, id)).toEqual(
      expect.arrayContaining(['accepted', 'message', 'ended']),
    );
  });
});
