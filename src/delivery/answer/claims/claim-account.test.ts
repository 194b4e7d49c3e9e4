import { afterAll, describe, expect, it } from 'vitest';
import { answerFixture, linkHolder } from '../../../../test/delivery/answer-fixture.ts';
import { linkIn, mailsTo } from '../../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';

const { site, place, operator, charity, refer, linkOf } = await answerFixture();
afterAll(() => site.close());

const rosa = { name: 'Rosa Reed', role: 'Duty manager', email: 'rosa@footpath-friends.example.org' };
const { id } = await refer();
const path = (await linkOf(id))!;
const claim = async (given: Partial<typeof rosa> = {}) => {
  const browser = linkHolder(site);
  const sent = await browser.send(`${path}?do=claim`, { ...rosa, ...given });
  const { text } = await browser.open(sent.status === 303 ? String(sent.headers.location) : path);
  return { status: sent.status, text: sent.status === 303 ? text : sent.text };
};
const admin = await signedInBrowser(site, { role: 'operator' });
const list = async () => (await admin.open('/operator/account-claims')).page;
const formOf = async (email: string, answer: 'grant' | 'decline') => {
  const section = (await list()).querySelectorAll('section').find(({ text }) => text.includes(email));
  const action = section!.querySelector('form')!.getAttribute('action')!;
  return action.replace(/grant$/, answer);
};

describe('a request for an account on the page of a link', () => {
  it('waits for an operator, whose one click invites the person', async () => {
    const { status, text } = await claim();
    expect([status, text.includes('We passed your request on')]).toEqual([303, true]);
    const [told] = await mailsTo(site, operator.email);
    expect(told!.subject).toMatch(/^Somebody of a service asks for an account/);
    for (const secret of [rosa.email, rosa.name]) expect(told!.text).not.toContain(secret);
    const page = (await list()).text;
    for (const shown of [place.organizationName, rosa.name, rosa.role, rosa.email, charity])
      expect(page).toContain(shown);
    expect((await admin.send(await formOf(rosa.email, 'grant'), {})).status).toBe(303);
    expect(linkIn((await mailsTo(site, rosa.email))[0])).toContain('/invitation/');
    expect((await list()).text).toContain('No request is waiting');
  });

  it('is granted once, of two operators who grant it at once', async () => {
    const email = 'at-once@footpath-friends.example.org';
    await claim({ email });
    const form = await formOf(email, 'grant');
    const sent = await Promise.all([admin.send(form, {}), admin.send(form, {})]);
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    expect(sent.filter(({ location }) => location?.includes('done='))).toHaveLength(1);
    expect(await mailsTo(site, email)).toHaveLength(1);
  });

  it('says the same whether or not the address has an account', async () => {
    const known = await claim({ email: admin.email });
    const unknown = await claim({ email: 'nobody@example.org' });
    expect(known).toEqual(unknown);
    const again = await claim({ email: 'NOBODY@example.org' });
    expect(again).toEqual(unknown);
    expect((await list()).text.split('nobody@example.org').length, 'once').toBe(2);
    // Only the operator learns it.
    const refused = await admin.send(await formOf(admin.email, 'grant'), {});
    expect(refused.status).toBe(409);
    expect((await admin.send(await formOf(admin.email, 'decline'), {})).status).toBe(303);
    expect(await mailsTo(site, 'nobody@example.org')).toEqual([]);
  });

  it('needs a name, a role and an address, and a link that works', async () => {
    for (const [wrong, words] of [
      [{ email: 'rosa' }, 'Enter your work email address'],
      [{ name: '' }, 'Enter your name'],
      [{ role: '' }, 'Enter your role'],
    ] as const) {
      const { status, text } = await claim(wrong);
      expect([status, text.includes(words)]).toEqual([422, true]);
    }
    const guessed = await linkHolder(site).send(`/answer/${'A'.repeat(43)}?do=claim`, rosa);
    expect(guessed.status).toBe(404);
  });

  it('is made at most ten times for an organisation', async () => {
    for (let count = 0; count < 12; count += 1) await claim({ email: `many${count}@example.org` });
    expect((await list()).querySelectorAll('section')).toHaveLength(10);
  });

  it('is answered by operators alone', async () => {
    const { status } = await (await signedInBrowser(site, { role: 'referrer' })).open(
      '/operator/account-claims',
    );
    expect(status).toBe(403);
  });
});
