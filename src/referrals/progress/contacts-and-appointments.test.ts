import { describe, expect, it } from 'vitest';
import { markSensitive } from '../../../test/library/stored.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';

const { site, place, referrer, provider, colleague, operator, stranger, get, post, later, makeReferral } =
  await referralLifeFixture();

const day = 86_400_000;
const call = { kind: 'telephone', reached: true };
const inDays = (days: number) => new Date(site.clock.now().getTime() + days * day).toISOString();

async function accepted(given: object = {}) {
  const { id } = await makeReferral(given);
  return (await post(provider, `/${id}/accept`, {}, 1)).body;
}

const pages = await referralPagesFixture();

describe('a contact with the person', () => {
  it('is the first once the person is reached, and ends that wait', async () => {
    const { id, next_date, version } = await accepted();
    const tried = await post(provider, `/${id}/contacts`, { ...call, reached: false });
    expect([tried.status, tried.body.first_contact_at, tried.body.next_date]).toEqual([200, null, next_date]);
    site.clock.moveOn(60_000);
    const at = site.clock.now().toISOString();
    const { body } = await post(provider, `/${id}/contacts`, { ...call, note: 'She said yes.' });
    expect(body).toMatchObject({ first_contact_at: at, version });
    expect(
      body.contacts.map(({ reached, by }: { reached: boolean; by: string }) => [reached, typeof by]),
    ).toEqual([
      [false, 'string'],
      [true, 'string'],
    ]);
    expect(body.next_date).toBe(inDays(90).slice(0, 10));
    await post(provider, `/${id}/messages`, { text: 'She comes on Thursday.' });
    expect((await get(referrer, `/${id}`)).body.next_date, 'a message starts no second wait').toBe(
      body.next_date,
    );
  });

  it('is never in the future, before the referral or after its end', async () => {
    const { id } = await accepted();
    for (const at of [inDays(1), inDays(-1)]) {
      const { status, body } = await post(provider, `/${id}/contacts`, { ...call, at });
      expect([status, body.errors[0].pointer]).toEqual([422, '/at']);
    }
    for (const wrong of [{ ...call, kind: 'pigeon' }, { kind: 'text' }, { ...call, at: 'noon' }])
      expect((await post(provider, `/${id}/contacts`, wrong)).status).toBe(400);
    await post(provider, `/${id}/complete`, { outcome: { code: 'other', text: 'Done.' } }, 2);
    expect((await post(provider, `/${id}/contacts`, call)).status).toBe(409);
  });

  it('counts once if it is sent twice, at once or later', async () => {
    const { id } = await accepted();
    const contact = { ...call, at: site.clock.now().toISOString() };
    await Promise.all([
      post(provider, `/${id}/contacts`, contact),
      post(provider, `/${id}/contacts`, contact),
    ]);
    const { body } = await post(provider, `/${id}/contacts`, contact);
    expect(body.contacts).toHaveLength(1);
  });

  it('is for staff of the service to log, and an event', async () => {
    const { id } = await accepted();
    for (const [who, status] of [
      [referrer, 403],
      [operator, 403],
      [stranger, 404],
    ] as const)
      expect((await post(who, `/${id}/contacts`, call)).status).toBe(status);
    await post(provider, `/${id}/contacts`, call);
    const url = '/api/events?type=referral.contact-logged&limit=200';
    const { items } = (await site.app.inject({ url, headers: referrer.headers })).json();
    expect(items.at(-1).resource.id).toBe(id);
  });

  it('is hidden from the referrer’s colleagues if sensitive', async () => {
    const { id } = await accepted();
    await post(provider, `/${id}/contacts`, { ...call, by: 'Wendy at the refuge', note: 'Safe house.' });
    await markSensitive(site.deps.db, place.serviceId);
    const { body } = await get(colleague, `/${id}`);
    expect(JSON.stringify(body)).not.toMatch(/Wendy|Safe house/);
    expect(body.contacts).toBeUndefined();
    expect((await get(referrer, `/${id}`)).body.contacts[0].note).toBe('Safe house.');
  });
});

describe('an appointment', () => {
  it('is the next date until first contact, if not cancelled', async () => {
    const { id, next_date } = await accepted();
    const booked = await post(provider, `/${id}/appointments`, { at: inDays(23), kind: 'in-person' });
    expect([booked.status, booked.body.next_date]).toEqual([200, inDays(23).slice(0, 10)]);
    await later(2 * day);
    const [{ id: appointmentId }] = booked.body.appointments;
    const path = `/${id}/appointments/${appointmentId}/cancel`;
    const cancelled = await post(provider, path);
    expect([cancelled.body.appointments[0].cancelled, cancelled.body.next_date]).toEqual([true, next_date]);
    expect((await post(provider, path)).status, 'again').toBe(200);
    expect((await post(provider, `/${id}/appointments/none/cancel`)).status).toBe(404);
  });

  it('does not put off the check that it is still safe to wait', async () => {
    const { id } = await accepted();
    const { body } = await post(provider, `/${id}/appointments`, { at: inDays(60), kind: 'in-person' });
    expect(body.next_date <= inDays(28).slice(0, 10)).toBe(true);
  });

  it('does not put off an urgent referral, and is within a year', async () => {
    const { id, next_date } = await accepted({ urgency: 'urgent' });
    const { body } = await post(provider, `/${id}/appointments`, { at: inDays(30), kind: 'video' });
    expect(body.next_date).toBe(next_date);
    for (const at of [inDays(400), inDays(-30)])
      expect((await post(provider, `/${id}/appointments`, { at, kind: 'video' })).status).toBe(422);
  });
});

describe('contacts on the page of a referral', () => {
  it('logs a contact with one button, and shows it to the referrer', async () => {
    const path = await pages.aReferralPage();
    await pages.provider.send(`${path}/accept`, { version: '2' });
    const { location } = await pages.provider.send(`${path}/contacts`, {
      contact_kind: 'telephone',
      contact_reached: 'yes',
      contact_note: 'Thursday suits her.',
    });
    expect((await pages.provider.open(location)).text).toContain('The contact was logged.');
    const { text } = await pages.referrer.open(path);
    expect(text).toContain('Reached the person: by telephone');
    expect(text).toContain('Thursday suits her.');
    expect(text).toContain('Person reached (by telephone)');
    expect(text).not.toContain('Log a contact');
  });

  it('keeps what was typed beside what is wrong with it', async () => {
    const path = await pages.aReferralPage();
    const { status, text, page } = await pages.provider.send(`${path}/contacts`, {
      contact_kind: 'letter',
      contact_reached: 'no',
      contact_at: '2099-01-01T10:00',
      contact_note: 'Sent twice.',
    });
    expect([status, text]).toEqual([422, expect.stringContaining('When it was must not be in the future')]);
    expect(page.querySelector('#contact_note')?.text).toBe('Sent twice.');
    const empty = await pages.provider.send(`${path}/appointments`, { appointment_kind: 'video' });
    expect(empty.text).toContain('Enter when the appointment is');
  });

  it('books and cancels an appointment', async () => {
    const path = await pages.aReferralPage();
    const at = new Date(pages.site.clock.now().getTime() + 5 * day).toISOString().slice(0, 16);
    await pages.provider.send(`${path}/appointments`, {
      appointment_at: at,
      appointment_kind: 'in-person',
      appointment_place: 'The Weir House',
    });
    const { page, text } = await pages.provider.open(path);
    expect(text).toContain('In person, The Weir House');
    const form = page
      .querySelectorAll('form')
      .find((each) => each.getAttribute('action')?.includes('cancel'));
    await pages.provider.send(form!.getAttribute('action')!, {});
    expect((await pages.referrer.open(path)).text).toContain('(cancelled)');
  });
});
