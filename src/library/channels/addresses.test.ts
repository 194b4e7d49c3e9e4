import { afterAll, describe, expect, it } from 'vitest';
import { aPractice, aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { storedDeliveries, storedUndeliveredRow } from '../../../test/delivery/stored.ts';
import {
  damageAddressHistory,
  expirePendingAddresses,
  markSensitive,
  setPrivacy,
} from '../../../test/library/stored.ts';
import { linkIn, mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { jobHandlers } from '../../worker.ts';
import { findDeliveryAddress } from './addresses-store.ts';

const site = await makeApp();
afterAll(() => site.close());
const place = await aService(site.deps);
const { serviceId } = place;
const organisation = { name: place.organizationName, libraryOrganizationId: place.organizationId };
const provider = await aTokenHolder(site.deps, { role: 'provider', organisation });
const colleague = await aTokenHolder(site.deps, { role: 'provider', organisation });
const operator = await signedInBrowser(site, { role: 'operator' });
const operatorToken = await aTokenHolder(site.deps, { role: 'operator' });
const referrer = await aTokenHolder(site.deps);

const url = `/api/library/services/${serviceId}/referral_settings`;
const put = (addresses: object, channels = ['email', 'inbox'], who = provider, more: object = {}) =>
  site.app.inject({
    method: 'PUT',
    url,
    headers: who.headers,
    payload: { accepts: true, channels, addresses, ...more },
  });
const inUse = async (channel = 'email') =>
  (await findDeliveryAddress(site.deps.db, { serviceId }, channel))?.address;
const newest = async (address: string, subject: RegExp) =>
  (await mailsTo(site, address)).find((mail) => subject.test(mail.subject));
const told = /^Where letters about referrals go has changed/;
const asks = /^Confirm where letters about referrals go/;
const linkTo = async (address: string) => linkIn(await newest(address, asks));
const open = (path: string) => site.app.inject({ url: path });
const press = (path: string) =>
  site.app.inject({ method: 'POST', url: path, headers: { 'sec-fetch-site': 'same-origin' } });
async function setAndConfirm(addresses: { email: string }, channels?: string[]) {
  await put(addresses, channels);
  if ((await inUse()) !== addresses.email) await press(await linkTo(addresses.email));
}

describe('a new email address of a service', () => {
  it('is used once it is confirmed, and everybody involved is told', async () => {
    await setAndConfirm({ email: 'old@example.org' });
    const answer = await put({ email: 'new@example.org' });
    expect(answer.json()).toMatchObject({
      addresses: { email: 'new@example.org' },
      unconfirmed_addresses: [{ name: 'email', address: 'new@example.org', in_use: 'old@example.org' }],
    });
    for (const who of ['old@example.org', provider.email, colleague.email, operatorToken.email])
      expect((await newest(who, told))?.text, who).toContain('new@example.org');
    const link = await linkTo('new@example.org');
    // Mail filters open every link. That changes nothing.
    const page = await open(link);
    expect([page.statusCode, await inUse()]).toEqual([200, 'old@example.org']);
    expect(page.body).toContain('new@example.org');
    const presses = await Promise.all([press(link), press(link)]);
    expect(presses.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404]);
    expect(await inUse()).toBe('new@example.org');
    expect((await newest('old@example.org', told))?.text).toContain('is confirmed');
    expect((await open(link)).statusCode).toBe(404);
    const history = await operator.open(`/services/${serviceId}/history`);
    expect(history.text).toMatch(/old@example\.org.*new@example\.org/s);
    expect(await textOfTable(site.deps.db, 'delivery_address_history')).not.toContain('example.org');
  });

  it('is announced without the name of a sensitive service', async () => {
    await put({ email: 'open@example.org' });
    expect((await newest('open@example.org', asks))?.subject).toContain(':');
    await put({ email: 'hidden@example.org' }, undefined, provider, { sensitive: true });
    expect((await newest('hidden@example.org', asks))?.subject).toBe(
      'Confirm where letters about referrals go – Onward test site',
    );
    expect((await newest(operatorToken.email, told))?.subject).toBe(
      'Where letters about referrals go has changed – Onward test site',
    );
    await put({}, undefined, provider, { sensitive: false });
  });

  it('loses its link when replaced, taken back or removed', async () => {
    await setAndConfirm({ email: 'stays@example.org' });
    await put({ email: 'first@example.org' });
    const first = await linkTo('first@example.org');
    await put({ email: 'second@example.org' });
    const second = await linkTo('second@example.org');
    expect((await press(first)).statusCode).toBe(404);
    await put({ email: 'stays@example.org' });
    expect((await press(second)).statusCode).toBe(404);
    await put({ email: 'third@example.org' });
    const third = await linkTo('third@example.org');
    expect(await inUse()).toBe('stays@example.org');
    await put({});
    expect((await press(third)).statusCode).toBe(404);
    expect(await inUse()).toBeUndefined();
    expect((await newest('stays@example.org', told))?.text).toContain('was removed');
  });

  it('gets one email, and another after the link has expired', async () => {
    await put({ email: 'late@example.org' });
    await put({ email: 'late@example.org' });
    const asked = async () =>
      (await mailsTo(site, 'late@example.org')).filter(({ subject }) => asks.test(subject)).length;
    expect(await asked()).toBe(1);
    const link = await linkTo('late@example.org');
    expect([await expirePendingAddresses(site.deps.db), (await press(link)).statusCode]).toEqual([1, 404]);
    for (const page of [await open(link), await press(link)])
      expect(page.body).toContain('ask for a new link');
    const settings = await operator.open(`/services/${serviceId}/referral-settings`);
    expect(settings.text).toContain('Save to send a new one');
    await put({ email: 'late@example.org' });
    expect(await asked()).toBe(2);
    expect((await press(await linkTo('late@example.org'))).statusCode).toBe(303);
  });

  it('is also confirmed if it is that of the people who answer', async () => {
    await put({}, ['email', 'inbox'], provider, { answered_by: { email: 'desk@example.org' } });
    expect(await inUse()).toBeUndefined();
    await press(await linkTo('desk@example.org'));
    expect(await inUse()).toBe('desk@example.org');
    await put({}, ['email', 'inbox'], provider, { answered_by: { email: 'thief@example.org' } });
    expect(await inUse()).toBe('desk@example.org');
    await put({}, ['email', 'inbox']);
    expect(await inUse()).toBeUndefined();
  });
});

describe('an address that is not a mailbox', () => {
  it('is confirmed by another person than changed it', async () => {
    const webhook = 'http://127.0.0.1:9/told';
    await setAndConfirm({ email: 'stays-here@example.org' });
    const both = { email: 'stays-here@example.org', webhook };
    expect((await put(both, ['webhook', 'inbox'])).statusCode).toBe(200);
    const made = await site.app.inject({
      method: 'POST',
      url: `${url}/webhook_secret`,
      headers: provider.headers,
    });
    expect([made.statusCode, await inUse('webhook')]).toEqual([200, undefined]);
    expect(await newest(provider.email, asks)).toBeUndefined();
    const link = await linkTo(colleague.email);
    expect(link).toBe(await linkTo(operatorToken.email));
    // The person who made the change may also have set the service's mailbox, and could read it.
    const read = (await mailsTo(site, 'stays-here@example.org')).map(({ text }) => text);
    expect(read.join()).not.toContain(link);
    expect(read.join()).toContain(webhook);
    expect((await press(link)).statusCode).toBe(303);
    const found = await findDeliveryAddress(site.deps.db, { serviceId }, 'webhook');
    expect([found?.address, found?.secret instanceof Buffer]).toEqual([webhook, true]);
  });
});

describe('the order of the channels', () => {
  it('is reported to everybody involved when it changes', async () => {
    await setAndConfirm({ email: 'ways@example.org' }, ['inbox', 'email']);
    await put({ email: 'ways@example.org' }, ['email', 'inbox']);
    for (const who of ['ways@example.org', colleague.email])
      expect((await newest(who, told))?.text).toContain('email, inbox (before: inbox, email)');
    const page = await operator.open(`/services/${serviceId}/history`);
    expect(page.text).toMatch(
      /order in which they are tried: changed.*An email with the letter, then The list of referrals on this site/s,
    );
  });

  it('is in the API’s history, for people who may change it', async () => {
    const historyOf = async (who: { headers: Record<string, string> }) => {
      const answer = await site.app.inject({
        url: `/api/library/services/${serviceId}/history`,
        headers: who.headers,
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    const { body } = await historyOf(provider);
    const { address_changes: changes } = body;
    expect(changes).toContainEqual({
      id: expect.any(String),
      at: expect.any(String),
      name: 'channels',
      action: 'reordered',
      previous_value: 'inbox, email',
      replacement_value: 'email, inbox',
      changed_by: expect.any(String),
    });
    expect(changes).toContainEqual(
      expect.objectContaining({
        name: 'email',
        action: 'confirmed',
        replacement_value: 'ways@example.org',
      }),
    );
    expect((await historyOf(referrer)).status).toBe(403);
    const stored = await textOfTable(site.deps.db, 'delivery_address_history');
    expect(stored).not.toMatch(/example\.org|inbox, email/);
    await damageAddressHistory(site.deps.db);
    const { status, body: unreadable } = await historyOf(provider);
    expect([status, unreadable.address_changes.length]).toEqual([200, changes.length]);
    expect(unreadable.address_changes[0]).toMatchObject({ previous_value: null, replacement_value: null });
  });
});

describe('a letter whose only address is not confirmed', () => {
  const handlers = jobHandlers(site.deps) as unknown as Record<string, (payload: object) => Promise<void>>;
  /** Runs the jobs of a referral's deliveries. @returns the delivery to one receiver, and its row on the worklist. */
  const deliver = async (referralId: string, leg: 'service' | 'gp_practice') => {
    const { db } = site.deps;
    for (const { id } of await storedDeliveries(db, referralId)) await handlers.deliver!({ delivery_id: id });
    const delivery = (await storedDeliveries(db, referralId)).find((each) => each.leg === leg)!;
    return { ...delivery, listed: await storedUndeliveredRow(db, delivery.id) };
  };

  it('is held for operators to see, and sent after confirmation', async () => {
    const code = await aPractice(site.deps, 'Z99077', 'Harbour Practice');
    const set = await site.app.inject({
      method: 'PUT',
      url: `/api/practices/${code}/channels`,
      headers: operatorToken.headers,
      payload: { channels: ['email'], addresses: { email: 'harbour@example.org' } },
    });
    expect(set.statusCode).toBe(200);
    const body = aReferral(serviceId, { gp_practice: { ods_code: code } });
    const made = await site.app.inject({
      method: 'POST',
      url: '/api/referrals',
      headers: referrer.headers,
      payload: body,
    });
    const { id } = made.json();
    const held = { status: 'queued', listed: { kind: 'held', closed_as: null } };
    expect(await deliver(id, 'gp_practice')).toMatchObject(held);
    const list = await operator.open('/operator/deliveries');
    expect(list.text).toContain('is not confirmed');
    await handlers['release-held']!({});
    expect(await deliver(id, 'gp_practice')).toMatchObject(held);

    await press(await linkTo('harbour@example.org'));
    await handlers['release-held']!({});
    expect(await deliver(id, 'gp_practice')).toMatchObject({
      status: 'sent',
      held_by: null,
      listed: { closed_as: 'resolved' },
    });
    const page = await operator.open(`/operator/practices/${code}`);
    expect(page.text).toContain('harbour@example.org');
  });

  it('is held for a service too; the referral is accepted', async () => {
    const { serviceId: quay } = await aService(site.deps);
    const set = await site.app.inject({
      method: 'PUT',
      url: `/api/library/services/${quay}/referral_settings`,
      headers: operatorToken.headers,
      payload: { accepts: true, channels: ['email'], answered_by: { email: 'quay@example.org' } },
    });
    expect(set.statusCode).toBe(200);
    const made = await site.app.inject({
      method: 'POST',
      url: '/api/referrals',
      headers: referrer.headers,
      payload: aReferral(quay),
    });
    expect(made.statusCode).toBe(201);
    const { id } = made.json();
    expect(await deliver(id, 'service')).toMatchObject({ status: 'queued', listed: { kind: 'held' } });
    await press(await linkTo('quay@example.org'));
    await handlers['release-held']!({});
    expect(await deliver(id, 'service')).toMatchObject({
      status: 'sent',
      listed: { closed_as: 'resolved' },
    });
  });
});

describe('a second mailbox of a service, for codes', () => {
  const inUseForCodes = () => inUse('code_email');
  const setCodes = (code_email: string | null, more: object = {}) =>
    put({ email: 'old@example.org' }, undefined, provider, { code_email, ...more });

  it('is used once it is confirmed, and stays when it is left out', async () => {
    const answer = await setCodes('codes@example.org');
    expect(answer.json()).toMatchObject({ code_email: 'codes@example.org' });
    expect(answer.json().addresses).not.toHaveProperty('code_email');
    expect(await inUseForCodes()).toBeUndefined();
    const mail = await newest('codes@example.org', /^Confirm where codes go/);
    expect((await open(linkIn(mail))).body).toContain('Confirm where codes go');
    await press(linkIn(mail));
    expect(await inUseForCodes()).toBe('codes@example.org');
    await put({ email: 'old@example.org' });
    expect(await inUseForCodes()).toBe('codes@example.org');
    await setCodes(null);
    expect(await inUseForCodes()).toBeUndefined();
    expect((await newest('codes@example.org', told))?.text).toContain('was removed');
  });

  it('is never the mailbox of letters or emails about referrals', async () => {
    const answered_by = { email: 'answers+team@example.org' };
    for (const same of ['OLD@example.org', 'answers@example.org', 'OLD+codes@example.org']) {
      const refused = await setCodes(same, { answered_by });
      expect([refused.statusCode, refused.json().errors]).toMatchObject([422, [{ pointer: '/code_email' }]]);
    }
  });

  it('does not become the mailbox for letters later', async () => {
    expect((await setCodes('codes@example.org')).statusCode).toBe(200);
    const refused = await put({ email: 'codes+letters@example.org' });
    expect([refused.statusCode, refused.json().errors]).toMatchObject([422, [{ pointer: '/code_email' }]]);
    await setCodes(null);
  });

  it('is set on the page', async () => {
    const path = `/services/${serviceId}/referral-settings`;
    const { page } = await operator.open(path);
    expect(page.querySelector('#code_email')).not.toBeNull();
    const form = { accepts: 'yes', sensitive: 'yes', channel_1: 'email', delivery_email: 'old@example.org' };
    const refused = await operator.send(path, { ...form, code_email: 'old@example.org' });
    expect([refused.status, refused.text.includes('Enter another mailbox')]).toEqual([422, true]);
    expect((await operator.send(path, { ...form, code_email: 'page@example.org' })).status).toBe(303);
    expect((await operator.open(path)).text).toContain('page@example.org');
  });
});

describe('a mobile number of a service, for codes', () => {
  const mobile = '07700 900123';
  const inUseForCodes = () => inUse('code_telephone');
  const set = (code_telephone: string | null) =>
    put({}, ['inbox'], provider, { code_telephone, code_email: null });

  it('works once a texted link confirms it, which names no service', async () => {
    const answer = await set('+44 (0)7700-900123');
    expect(answer.json()).toMatchObject({
      code_telephone: mobile,
      unconfirmed_addresses: [{ name: 'code_telephone', address: mobile, in_use: null }],
    });
    expect(answer.json().addresses).not.toHaveProperty('code_telephone');
    const [text] = await mailsTo(site, mobile);
    expect(text!.isText).toBe(true);
    expect(text!.text).not.toContain(place.serviceName);
    const page = await open(linkIn(text));
    expect(page.body).toContain('Confirm where codes go');
    expect(page.body).toContain('everybody who reads the texts on that telephone');
    expect([page.body.includes('ends in 123'), page.body.includes('900123')]).toEqual([true, false]);
    await markSensitive(site.deps.db, serviceId);
    expect((await open(linkIn(text))).body).not.toContain(place.serviceName);
    await setPrivacy(site.deps.db, serviceId, { sensitive: false });
    expect(await inUseForCodes()).toBeUndefined();
    await press(linkIn(text));
    expect(await inUseForCodes()).toBe(mobile);
    expect((await newest(operatorToken.email, told))?.text).toContain('Somebody with the link in the text');
    await put({}, ['inbox']);
    expect(await inUseForCodes(), 'left out, it stays').toBe(mobile);
  });

  it('is told when another replaces it, and when it is removed', async () => {
    await set('07700 900456');
    expect(await inUseForCodes()).toBe(mobile);
    await press(linkIn((await mailsTo(site, '07700 900456'))[0]));
    expect(await inUseForCodes()).toBe('07700 900456');
    await set(null);
    expect(await inUseForCodes()).toBeUndefined();
    await set('07700 900789');
    await set(null);
    expect(await mailsTo(site, '07700 900789'), 'one that nobody confirmed').toHaveLength(1);
    for (const former of [mobile, '07700 900456'])
      expect((await mailsTo(site, former))[0]!.text).toContain('no longer come to this number');
  });

  it('is refused if no text can go there', async () => {
    for (const wrong of ['01632 960123', '+33 6 12 34 56 78', 'the desk']) {
      const refused = await set(wrong);
      expect([refused.statusCode, refused.json().errors]).toEqual([
        422,
        [{ pointer: '/code_telephone', message: expect.stringContaining('a landline gets no text') }],
      ]);
    }
  });

  it('is set on the page', async () => {
    const path = `/services/${serviceId}/referral-settings`;
    const form = { accepts: 'yes', sensitive: 'yes', channel_1: 'inbox', code_telephone: '01632 960123' };
    const refused = await operator.send(path, form);
    expect([refused.status, refused.text.includes('a landline gets no text')]).toEqual([422, true]);
    const saved = await operator.send(path, { ...form, code_telephone: '07700900321' });
    expect(saved.status, saved.text).toBe(303);
    expect((await operator.open(path)).text).toContain('07700 900321. Nothing goes there until');
  });
});

describe('a live site without a mail server', () => {
  it('refuses a new address, as nobody would get the link', async () => {
    const live = await makeApp({ env: liveEnv });
    const { serviceId } = await aService(live.deps);
    await aPractice(live.deps, 'Z99001', 'Infirmary Lane Surgery');
    const { headers } = await aTokenHolder(live.deps, { role: 'operator' });
    const settingsUrl = `/api/library/services/${serviceId}/referral_settings`;
    const set = (url: string, payload: object) => live.app.inject({ method: 'PUT', url, headers, payload });
    const mesh = { channels: ['mesh'], addresses: { mesh: 'A81001GP' } };
    for (const answer of [
      await set(settingsUrl, { accepts: true, ...mesh }),
      await set('/api/practices/Z99001/channels', mesh),
    ]) {
      expect([answer.statusCode, answer.json().type]).toEqual([
        409,
        expect.stringMatching(/no-mail-server$/),
      ]);
      expect(answer.json().detail).toContain('ONWARD_SMTP_URL');
    }
    const { addresses, unconfirmed_addresses } = (
      await live.app.inject({ url: settingsUrl, headers })
    ).json();
    expect([addresses, unconfirmed_addresses]).toEqual([{}, []]);
    const mobile = { accepts: true, channels: ['inbox'], code_telephone: '07700 900123' };
    expect((await set(settingsUrl, mobile)).json().errors).toMatchObject([
      { pointer: '/code_telephone', message: expect.stringContaining('sends no text messages') },
    ]);
    // Settings that need no link can still be changed.
    const answered = { accepts: true, channels: ['inbox'], answered_by: { telephone: '01632 960960' } };
    expect((await set(settingsUrl, answered)).statusCode).toBe(200);
    await live.close();
  });
});

describe('the texts that confirm numbers', () => {
  it('are five an hour to one number', async () => {
    const set = (code_telephone: string | null) =>
      put({}, ['inbox'], provider, { code_telephone, code_email: null });
    const answers = [];
    for (let count = 0; count < 6; count += 1) {
      answers.push(await set('07700 900777'));
      await set(null);
    }
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 422]);
    expect(answers.at(-1)!.json().errors).toEqual([
      { pointer: '/code_telephone', message: expect.stringContaining('too many went to this number') },
    ]);
    expect(await mailsTo(site, '07700 900777')).toHaveLength(5);
  });
});
