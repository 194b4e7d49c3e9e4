import type { HTMLElement } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { anAccount, aService, aTokenHolder } from '../../../../../test/app/builders.ts';
import { setDeliveryStatus, storedDeliveries } from '../../../../../test/delivery/stored.ts';
import { listAsFailed, unlist } from '../../../../../test/delivery/worklist.ts';
import { referralPagesFixture } from '../../../../../test/referrals/pages-fixture.ts';
import { disableAccount } from '../../../../accounts/index.ts';
import { siteActor } from '../../../../audit/index.ts';
import { dayMs } from '../../../../platform/durations.ts';
import { updatePrompts } from '../../../overdue/update-prompts.ts';

const fixture = await referralPagesFixture();
const numberOf = (home: string) => Number(/(\d+) Need action/.exec(home)![1]);
const { site, place, browser, referrer, provider, anOpenForm, aPerson, aReferralPage, withoutQuery } =
  fixture;

describe('a referral that nobody of its organisation can look after', () => {
  it('is on the home page of the operators, and in their list', async () => {
    const email = 'last@example.org';
    const last = await browser({ role: 'referrer', email, organisation: { name: 'The Old Mill' } });
    const operator = await browser({ role: 'operator' });
    const { location } = await last.send('/referrals/new', { ...(await anOpenForm(last)), ...aPerson() });
    await disableAccount(site.deps, siteActor, email);
    await updatePrompts(site.deps);
    expect((await operator.open('/')).text).toMatch(/1 Referrals that need action/);
    const list = await operator.open('/referrals?view=all&waiting=yes');
    expect(list.text).toContain('Waiting for you: the person who made the referral has left');
    expect((await operator.open(withoutQuery(location))).text).toContain(
      'the operators are responsible for this',
    );
  });
});

describe('a referral whose service has closed', () => {
  it('is on home, list and its page until dealt with', async () => {
    const path = await aReferralPage();
    expect((await referrer.open('/')).text).toContain('0 Need action');
    await aService(site.deps, { ...place, status: 'inactive' });
    await updatePrompts(site.deps);
    expect((await referrer.open('/')).text).toContain('1 Need action');
    const list = await referrer.open('/referrals?view=made&waiting=yes');
    expect(list.text).toContain('Waiting for you: the service has closed, or is closed for now');
    const { page, text } = await referrer.open(path);
    expect(text).toContain('Test Person is responsible for this');
    const form = page.querySelector('form[action$="/dismiss"]')!.getAttribute('action')!;
    const done = await referrer.send(form, {});
    expect((await referrer.open(done.location)).text).toContain('Nobody is reminded of it again');
    expect((await referrer.open('/')).text).toContain('0 Need action');
  });
});

describe('a prompt of a referral that has been restricted', () => {
  it('asks for nothing that the referrer can no longer do', async () => {
    await aService(site.deps, place);
    const path = await aReferralPage();
    await aService(site.deps, { ...place, status: 'inactive' });
    await updatePrompts(site.deps);
    const { headers } = await aTokenHolder(site.deps, { role: 'operator' });
    const payload = { reason: 'The person asked for it by letter' };
    const answer = await site.app.inject({ method: 'POST', url: `/api${path}/restrict`, headers, payload });
    expect(answer.statusCode).toBe(200);
    const { text, page } = await referrer.open(path);
    expect(text).toContain('neither side can act on this here');
    expect(text).not.toContain('has to act by');
    expect(page.querySelector('form[action$="/dismiss"]')).toBeNull();
  });
});

describe('a referral that nobody at the service can answer', () => {
  it('tells its referrer on three pages until it is dealt with', async () => {
    const other = await aService(site.deps);
    const organisation = { name: other.organizationName, libraryOrganizationId: other.organizationId };
    const staff = await anAccount(site.deps, { role: 'provider', organisation });
    const { page: form } = await referrer.open(`/referrals/new?service=${other.serviceId}`);
    const hidden = Object.fromEntries(
      form
        .querySelectorAll('main form input[type=hidden]')
        .map((each) => [each.getAttribute('name'), each.getAttribute('value')]),
    ) as Record<string, string>;
    const { location } = await referrer.send('/referrals/new', { ...hidden, ...aPerson() });
    await disableAccount(site.deps, siteActor, { id: staff.id });
    await updatePrompts(site.deps);
    const words = 'Waiting for the operators: nobody at the service can answer';
    expect((await referrer.open('/referrals?view=made&waiting=yes')).text).toContain(words);
    expect((await referrer.open('/')).text).toContain('1 Need action');
    const { text, page } = await referrer.open(withoutQuery(location));
    expect(text).toContain('The operators are responsible for this');
    expect(page.querySelector('form[action$="/dismiss"]')).toBeNull();
    const operator = await browser({ role: 'operator' });
    const button = (await operator.open(withoutQuery(location))).page.querySelector(
      'form[action$="/dismiss"]',
    )!;
    await operator.send(button.getAttribute('action')!, {});
    expect((await referrer.open('/')).text).toContain('0 Need action');
  });
});

describe('a referral of somebody who may come to harm', () => {
  it('gives the telephone number that the referrer should ring', async () => {
    await aService(site.deps, { ...place, telephone: '01432 000 001' });
    const path = await aReferralPage({ reasons: 'She took an overdose last week.' });
    await updatePrompts(site.deps);
    const { page, text } = await referrer.open(path);
    expect(text).toContain('Ring the service');
    expect(page.querySelector('a[href="tel:01432000001"]')).not.toBeNull();
  });

  it('leads to the field “Who has acted” until somebody says so', async () => {
    const path = await aReferralPage({ reasons: 'She took an overdose last week.' });
    await updatePrompts(site.deps);
    const { page } = await referrer.open(path);
    const button = page.querySelector('.onward-case__side a.nhsuk-button')!;
    expect(button.text.trim()).toBe('Say who has acted');
    const field = page.querySelector(button.getAttribute('href')!)!;
    expect([field.tagName, field.getAttribute('name')]).toEqual(['TEXTAREA', 'reason']);
    const form = page.querySelector('form[action$="/dismiss"]')!.getAttribute('action')!;
    await referrer.send(form, { reason: 'Rang the crisis team, which visits her at noon.' });
    expect((await referrer.open(path)).text).not.toContain('Say who has acted');
  });

  it('keeps the tag “Risk” once accepted, on page and lists', async () => {
    const path = await aReferralPage({ reasons: 'She took an overdose last week.' });
    await updatePrompts(site.deps);
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    const operator = await browser({ role: 'operator' });
    const tagsIn = (part: HTMLElement) => part.querySelectorAll('.nhsuk-tag').map((each) => each.text);
    for (const [who, view] of [
      [referrer, 'made'],
      [provider, 'received'],
      [operator, 'all'],
    ] as const) {
      const { page } = await who.open(`/referrals?view=${view}`);
      const row = page.querySelectorAll('tbody tr').find((each) => each.innerHTML.includes(path))!;
      expect(tagsIn(row)).toEqual(expect.arrayContaining(['Accepted', 'Risk']));
      expect(tagsIn((await who.open(path)).page.querySelector('.onward-case__top')!)).toContain('Risk');
    }
  });

  it('needs somebody although it was sent by mistake', async () => {
    const path = await aReferralPage({ reasons: 'She took an overdose last week.' });
    await updatePrompts(site.deps);
    const { page: form, text: asked } = await referrer.open(`${path}/withdraw-as-error`);
    expect(asked).toContain('We will ask you until you say who has acted on the risk');
    const version = form.querySelector('input[name=version]')!.getAttribute('value')!;
    const before = numberOf((await referrer.open('/')).text);
    const sent = await referrer.send(`${path}/withdraw-as-error`, { version, reason_code: 'wrong-person' });
    expect(sent.status).toBe(303);
    await updatePrompts(site.deps);
    expect(numberOf((await referrer.open('/')).text)).toBe(before);
    const { page, text } = await referrer.open(path);
    expect(text).toContain('The referral was sent by mistake, so no service acts on it');
    const dismiss = page.querySelector('form[action$="/dismiss"]')!.getAttribute('action')!;
    await referrer.send(dismiss, { reason: 'Rang the person who was meant: she is safe.' });
    expect(numberOf((await referrer.open('/')).text)).toBe(before - 1);
  });

  it('asks who has acted before the question goes, and shows it', async () => {
    const path = await aReferralPage({ reasons: 'She took an overdose last week.' });
    await updatePrompts(site.deps);
    const { page } = await referrer.open(path);
    const form = page.querySelector('form[action$="/dismiss"]')!.getAttribute('action')!;
    const refused = await referrer.send(form, { reason: 'ok' });
    expect([refused.status, refused.text.includes('Say what was done in a few words')]).toEqual([422, true]);
    const reason = 'Rang the crisis team, which visits her at noon.';
    const { location } = await referrer.send(form, { reason });
    const { text } = await referrer.open(location);
    expect(text).toContain('Somebody confirmed what was done about the risk');
    expect(text).toContain(`What was done: ${reason}`);
  });
});

describe('a referral whose message could not be delivered to the service', () => {
  it('counts for its referrer, who rings, until it is told', async () => {
    const countFor = async () => numberOf((await referrer.open('/')).text);
    await aService(site.deps, { ...place, telephone: '01432 000 001' });
    const path = await aReferralPage();
    const before = await countFor();
    const [toService] = await storedDeliveries(site.deps.db, path.split('/').at(-1)!);
    await setDeliveryStatus(site.deps.db, toService!.id, 'failed', 'email');
    await listAsFailed(site.deps, toService!.id);
    await updatePrompts(site.deps);
    expect(await countFor()).toBe(before + 1);
    const list = await referrer.open('/referrals?view=made&waiting=yes');
    expect(list.text).toContain('Waiting for you: our message could not be delivered to the service');
    const { page, text } = await referrer.open(path);
    const main = page.querySelectorAll('.onward-main-action');
    expect(main.map((each) => [each.text.trim(), each.getAttribute('href')])).toEqual([
      ['Ring the service: 01432 000 001', 'tel:01432000001'],
    ]);
    expect(text).toContain('Not delivered yet');
    expect(page.querySelector(`form[action^="${path}/prompts/"]`)!.text).toContain('I have dealt with this');
    await unlist(site.deps, toService!.id);
    await updatePrompts(site.deps);
    expect(await countFor()).toBe(before);
  });
});

describe('an overdue referral that nobody of the service has opened', () => {
  it('has the service’s number beside its action for the referrer', async () => {
    await aService(site.deps, { ...place, telephone: '01432 000 001' });
    const path = await aReferralPage();
    const telephone = (page: HTMLElement) =>
      page.querySelector('.onward-case__side a[href^="tel:"]')?.text.trim();
    expect(telephone((await referrer.open(path)).page)).toBeUndefined();
    site.clock.moveOn(30 * dayMs);
    const organisation = { name: 'Infirmary Lane Surgery' };
    const later = await browser({ role: 'referrer', email: 'later@example.org', organisation });
    const { page } = await later.open(path);
    expect(telephone(page)).toBe('Ring the service: 01432 000 001');
    const { organizationId: libraryOrganizationId, organizationName: name } = place;
    const staff = await browser({ role: 'provider', organisation: { libraryOrganizationId, name } });
    expect(telephone((await staff.open(path)).page)).toBeUndefined();
    expect(telephone((await later.open(path)).page)).toBeUndefined();
  });
});
