import { describe, expect, it } from 'vitest';
import { capturedMessages, storedDeliveries } from '../../../test/delivery/stored.ts';
import { makeOrdinary, markSensitive } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { deliver } from './deliver.ts';

const {
  site,
  place,
  elsewhere,
  referrer,
  colleague,
  provider,
  operator,
  call,
  get,
  post,
  later,
  makeReferral,
} = await referralLifeFixture();
const { db } = site.deps;
await markSensitive(db, place.serviceId);

const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const gp_practice = { ods_code: 'Z99001' };
const house = { lines: ['SAFEHOUSE', '1 Quiet Road'], postcode: 'ZT1 9ZZ' };
const moved = {
  patient: { address: house, telephone: '01632 960305' },
  contact: { safe: 'only_at', only_at: 'SAFETIMES, through the house' },
};
const secret = /SAFEHOUSE|SAFETIMES|ZT1 ?9ZZ|960305/;

/** Staff of the service enter where the person lives now. */
async function movedIn(): Promise<{ id: string; reference: string; patient: any }> {
  const made = await makeReferral({ gp_practice, contact: { safe: 'yes' } });
  await deliverAll(made.id);
  await post(provider, `/${made.id}/accept`, {}, 1);
  const corrected = await call(provider, 'PATCH', `/${made.id}`, { body: moved, version: 2 });
  expect([corrected.status, corrected.body.patient.address]).toEqual([200, house]);
  return made;
}

async function markAs(marks: { sensitive: boolean; location_confidential: boolean }): Promise<void> {
  const url = `/api/library/services/${place.serviceId}/referral_settings`;
  const why = 'The service has changed hands.';
  const reasons = { sensitive_reason: why, location_reason: why };
  const payload = { accepts: true, channels: ['inbox'], ...reasons, ...marks };
  const { statusCode } = await site.app.inject({ method: 'PUT', url, headers: operator.headers, payload });
  expect(statusCode).toBe(200);
  // A mark that was taken off counts for the referrals from before.
  await later(1000);
}

/** Sends what waits, as the worker does within a second. */
async function deliverAll(id: string): Promise<void> {
  for (const each of await storedDeliveries(db, id))
    if (each.status === 'queued') await deliver(site.deps, { delivery_id: each.id });
}

async function lettersTo(leg: 'service' | 'gp_practice', id: string): Promise<string[]> {
  const deliveries = (await storedDeliveries(db, id)).filter((each) => each.leg === leg);
  const messages = await Promise.all(deliveries.map((each) => capturedMessages(db, each.id)));
  return messages.flat().map(({ letter }) => JSON.stringify(letter));
}

describe('the copy of a sensitive service', () => {
  it('is not to be shown in the patient’s online record', async () => {
    const hidden = '"hideOnline":true';
    const made = await makeReferral({ gp_practice, contact: { safe: 'yes' } });
    await deliverAll(made.id);
    expect((await lettersTo('gp_practice', made.id)).join()).toContain(hidden);
    expect((await get(referrer, `/${made.id}`)).body).not.toHaveProperty('do_not_show_online');
    const other = await makeReferral({
      service_id: elsewhere.serviceId,
      gp_practice,
      contact: { safe: 'yes' },
    });
    await deliverAll(other.id);
    expect((await lettersTo('gp_practice', other.id)).join()).not.toContain(hidden);
  });
});

describe('where a sensitive service has a person live', () => {
  it('is read by her referrer, and by colleagues with a reason', async () => {
    const { id, patient } = await movedIn();
    expect(JSON.stringify((await get(referrer, `/${id}`)).body)).toMatch(secret);
    const person = { family_name: patient.family_name, birth_date: patient.birth_date };
    const browser = await signedInBrowser(site, { organisation: surgery });
    const seen = async () => [
      (await get(colleague, `/${id}`)).body,
      (await get(colleague, `/${id}/history`)).body,
      (await get(colleague, '')).body,
      (await post(colleague, '/search', person)).body,
      (await browser.open(`/referrals/${id}`)).text,
      (await browser.open(`/referrals/new?service=${elsewhere.serviceId}&reroutes=${id}`)).page.toString(),
    ];
    for (const each of await seen()) expect(JSON.stringify(each)).not.toMatch(secret);
    // Nor is what the service replaced shown as valid.
    const theirs = (await get(colleague, `/${id}`)).body;
    expect(theirs).toMatchObject({ contact: { safe: 'no' }, changed_by_service: ['address', 'telephone'] });
    expect(theirs.patient).not.toHaveProperty('address');
    expect(theirs.patient).not.toHaveProperty('telephone');
    // Nor can it be guessed.
    const withPostcode = async (who: typeof colleague, postcode: string) =>
      (await post(who, '/search', { ...person, postcode })).body.items.length;
    expect(await withPostcode(colleague, house.postcode)).toBe(0);
    expect(await withPostcode(colleague, patient.address.postcode)).toBe(1);
    expect(await withPostcode(provider, house.postcode)).toBe(1);
    // What the referrer’s side enters later is theirs; the value before it stays hidden.
    const telephone = '01632 960111';
    await call(referrer, 'PATCH', `/${id}`, { body: { patient: { telephone } }, version: 3 });
    const later = (await get(colleague, `/${id}`)).body;
    expect([later.patient.telephone, later.patient.address]).toEqual([telephone, undefined]);
    expect(later.changed_by_service).toEqual(['address']);
    expect(JSON.stringify((await get(colleague, `/${id}/history`)).body)).not.toMatch(secret);
    // The letter that replaces the practice’s says what changed without the old values.
    await deliverAll(id);
    const letters = await lettersTo('gp_practice', id);
    expect(letters.at(-1)).toContain('What has changed');
    for (const letter of letters) expect(letter).not.toMatch(secret);
    await post(colleague, `/${id}/open`, { reason: 'I cover for a colleague this week.' });
    const opened = (await get(colleague, `/${id}`)).body;
    expect([opened.patient.telephone, opened.patient.address]).toEqual([telephone, undefined]);
    await post(operator, `/${id}/open`, { reason: 'The service asked for help; ticket 12.' });
    expect((await get(operator, `/${id}`)).body.patient.address).toEqual(house);
  });

  it('shows no earlier number as valid, though contact was safe', async () => {
    const made = await makeReferral({ gp_practice, contact: { safe: 'yes', channel: 'telephone' } });
    const { telephone, family_name, birth_date } = made.patient;
    const body = { patient: { telephone: '01632 960305' }, reason: 'He has her old phone' };
    expect((await call(provider, 'PATCH', `/${made.id}`, { body, version: 1 })).status).toBe(200);
    const seen = [
      (await get(colleague, `/${made.id}`)).body,
      (await post(colleague, '/search', { family_name, birth_date })).body.items.find(
        ({ id }: { id: string }) => id === made.id,
      ),
    ];
    for (const each of seen) {
      expect(each).toMatchObject({ contact: { safe: 'no' }, changed_by_service: ['telephone'] });
      expect(JSON.stringify(each.patient)).not.toContain(telephone);
    }
    const history = JSON.stringify((await get(colleague, `/${made.id}/history`)).body);
    expect(history).toContain('patient.telephone');
    expect(history, 'as it was before').not.toContain(telephone);
    const browser = await signedInBrowser(site, { organisation: surgery });
    const { text } = await browser.open(`/referrals/${made.id}`);
    expect(text).toContain('The service has changed the person’s telephone number. Do not use an earlier');
    expect(text).not.toContain('Telephone only');
    expect((await browser.open('/referrals')).text).toContain('Contact with care');
    const mine = (await get(referrer, `/${made.id}`)).body;
    expect([mine.patient.telephone, mine.contact.safe]).toEqual(['01632 960305', 'yes']);
    expect(mine).not.toHaveProperty('changed_by_service');
  });

  it.each([
    ['sensitive'],
    ['location_confidential'],
  ])('is kept from the referrer who corrects something, %s', async (mark) => {
    await markAs({ sensitive: mark === 'sensitive', location_confidential: mark !== 'sensitive' });
    const { id } = await movedIn();
    const where = /SAFEHOUSE|ZT1 ?9ZZ/;
    const body = { patient: { email: 'margaret@example.org' } };
    const corrected = await call(referrer, 'PATCH', `/${id}`, { body, version: 3 });
    expect([corrected.status, corrected.body.patient.address]).toEqual([200, undefined]);
    expect(corrected.body.address_notice).toBe('service-has-its-own');
    const mine = async () => [
      (await get(referrer, `/${id}`)).body,
      (await get(referrer, `/${id}/history`)).body,
      (await get(referrer, '')).body,
    ];
    for (const each of await mine()) expect(JSON.stringify(each)).not.toMatch(where);
    expect((await get(provider, `/${id}`)).body.patient.address).toEqual(house);

    const browser = await signedInBrowser(site, { organisation: surgery });
    await browser.send(`/referrals/${id}/open`, { reason: 'I cover for a colleague this week.' });
    const form = await browser.open(`/referrals/${id}/correct`);
    expect(form.page.toString()).not.toMatch(where);
    expect(form.text).toContain('The service keeps the present address. Enter one only if you learned it');
    const shownIn = (name: string) => form.page.querySelector(`[name=${name}]`)?.getAttribute('value') ?? '';
    expect([shownIn('address_line_1'), shownIn('postcode')]).toEqual(['', '']);
    const sent = { version: '4', before: shownIn('before').replaceAll('&quot;', '"'), urgency: 'routine' };
    const saved = await browser.send(`/referrals/${id}/correct`, {
      ...sent,
      contact_safe: 'only_at',
      contact_only_at: 'weekdays',
      correction_reason: 'She asked for it by telephone.',
      telephone: '01632 960111',
    });
    expect(saved.status).toBe(303);
    const { patient: now } = (await get(provider, `/${id}`)).body;
    expect([now.address, now.telephone]).toEqual([house, '01632 960111']);

    const learned = { lines: ['9 New Street'], postcode: 'ZT1 2AB' };
    const entered = { patient: { address: learned } };
    const last = await call(referrer, 'PATCH', `/${id}`, { body: entered, version: 5 });
    expect([last.status, last.body.patient.address]).toEqual([200, learned]);
    for (const each of await mine()) expect(JSON.stringify(each)).not.toMatch(where);
    expect((await get(provider, `/${id}`)).body.patient.address).toEqual(learned);
    await markAs({ sensitive: true, location_confidential: false });
  });

  it('is not to be entered by the referrer, who is warned before', async () => {
    await markAs({ sensitive: false, location_confidential: true });
    const { id } = await makeReferral({ gp_practice, contact: { safe: 'yes' } });
    const noticeFor = async (who: Parameters<typeof get>[0]) =>
      (await get(who, `/${id}`)).body.address_notice;
    expect([await noticeFor(referrer), await noticeFor(provider)]).toEqual(['confidential-place', undefined]);
    const browser = await signedInBrowser(site, { organisation: surgery });
    const warned = async () => (await browser.open(`/referrals/${id}/correct`)).text;
    expect(await warned()).toMatch(
      /The location of this service is confidential\..*Do not enter a confidential place/s,
    );
    const body = { patient: { email: 'margaret@example.org' } };
    const corrected = await call(referrer, 'PATCH', `/${id}`, { body, version: 1 });
    expect(corrected.body.address_notice).toBe('confidential-place');
    await markAs({ sensitive: true, location_confidential: false });
    // A colleague may not know where she was referred, nor that it has a confidential place.
    expect(await noticeFor(colleague)).toBeUndefined();
    const other = await makeReferral({ service_id: elsewhere.serviceId, gp_practice });
    expect((await get(referrer, `/${other.id}`)).body).not.toHaveProperty('address_notice');
  });

  it('is in no letter to the practice, and makes none necessary', async () => {
    const { id, patient } = await movedIn();
    await deliverAll(id);
    expect(await lettersTo('gp_practice', id)).toHaveLength(1);
    const outcome = { outcome: { code: 'goals-met', text: 'Done.' }, gp_actions: [] };
    expect((await post(provider, `/${id}/complete`, outcome, 3)).status).toBe(200);
    await deliverAll(id);
    const letters = await lettersTo('gp_practice', id);
    expect(letters).toHaveLength(2);
    for (const each of letters) expect(each).not.toMatch(secret);
    // Nobody of the practice rings because of an older answer, or at an older number.
    expect(letters.at(-1)).toContain('it is not safe to contact the patient in any way');
    expect(letters.at(-1)).toContain(
      'Today: stop everything that goes to the address and telephone number in your record, reminders and results too.',
    );
    for (const old of [patient.telephone, patient.address.postcode])
      expect(letters.at(-1)).not.toContain(old);
  });

  it('does not go to another service, which asks again', async () => {
    const { id } = await movedIn();
    const ended = { status_reason: { code: 'moved-away', text: 'She moves on.' } };
    expect((await post(provider, `/${id}/fail`, ended, 3)).status).toBe(200);
    const agreed = { service_id: elsewhere.serviceId, consent: { referral: true, share_with_gp: true } };
    const { status, body } = await post(referrer, `/${id}/reroute`, { ...agreed, risk: 'no' });
    expect([status, body.type.split('/').at(-1)]).toEqual([422, 'cannot-refer']);
    expect(body.errors.map((each: { pointer: string }) => each.pointer).sort()).toEqual([
      '/contact',
      '/patient/address',
      '/patient/telephone',
    ]);
    expect(JSON.stringify(body)).not.toMatch(secret);
    const browser = await signedInBrowser(site, { organisation: surgery });
    await browser.send(`/referrals/${id}/open`, { reason: 'I cover for a colleague this week.' });
    const form = await browser.open(`/referrals/new?service=${elsewhere.serviceId}&reroutes=${id}`);
    expect(form.text).toContain('Ask again how to reach the person');
    expect(form.page.querySelector('#postcode')!.getAttribute('value') ?? '').toBe('');
    expect(form.page.querySelectorAll('input[name="contact_safe"][checked]')).toEqual([]);
    expect(form.page.toString()).not.toMatch(secret);
  });

  it('counts as any correction where the service is not sensitive', async () => {
    // People who were referred while it was sensitive stay hidden, so this is about somebody later.
    site.clock.moveOn(1000);
    await makeOrdinary(db, place.serviceId);
    const { id } = await movedIn();
    await deliverAll(id);
    await markSensitive(db, place.serviceId);
    expect((await lettersTo('gp_practice', id)).at(-1)).toMatch(secret);
  });
});

describe('the outbox of a test site', () => {
  it('shows it only to those who may know the sensitive service', async () => {
    const { id, reference } = await movedIn();
    await deliverAll(id);
    const theirs = async (leg: string) => {
      const delivery = (await storedDeliveries(db, id)).find((each) => each.leg === leg)!;
      return (await capturedMessages(db, delivery.id))[0]!.id;
    };
    const messages = [await theirs('service'), await theirs('gp_practice')];
    const browsers = [
      await signedInBrowser(site, { organisation: surgery }),
      await signedInBrowser(site, { role: 'operator' }),
    ];
    for (const browser of browsers) {
      const outbox = await browser.open('/outbox');
      expect(outbox.text).toContain(reference);
      expect(outbox.text).not.toContain(place.serviceName);
      for (const each of messages)
        for (const path of [`/outbox/${each}`, `/outbox/${each}/letter.pdf`]) {
          const { status, text } = await browser.open(path);
          expect([status, text]).toEqual([403, expect.stringContaining('Give a reason')]);
          expect(text).not.toContain(place.serviceName);
        }
      await browser.send(`/referrals/${id}/open`, { reason: 'I show it at a training today.' });
      for (const each of messages) expect((await browser.open(`/outbox/${each}`)).status).toBe(200);
    }
  });
});
