import { afterAll, describe, expect, it } from 'vitest';
import { answerFixture, linkHolder, pathIn } from '../delivery/answer-fixture.ts';
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
    expect(text).not.toContain('Margaret');
    const path = pathIn(text)!;

    const desk = linkHolder(site);
    const opened = await desk.open(path);
    expect(opened.page.querySelectorAll('main button')).toHaveLength(1);
    const sent = await desk.send(path, { answer: 'accept', name: 'Rosa Reed', role: 'Duty manager' });
    expect([sent.status, sent.headers.location]).toEqual([303, path]);
    expect((await desk.open(path)).text).toContain('The referrer has been told that you accepted');

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
});
