import { describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { changeService, markSensitive, setAccepts } from '../../../test/library/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';

const fixture = await referralLifeFixture();
const { site, place, elsewhere, referrer, colleague, provider, operator, stranger } = fixture;
const { get, post, makeReferral, deliveriesOf } = fixture;

const { organizationId, organizationName } = place;
const sibling = (serviceName: string) =>
  aService(site.deps, { serviceName, organizationId, organizationName });
const choir = await sibling('Wednesday choir');
const refuge = await sibling('The safe house');
await markSensitive(site.deps.db, refuge.serviceId);

const reason = 'She would rather sing on Wednesdays.';
const transfer = (id: string, service_id: string, version = 1, who = provider, more: object = {}) =>
  post(who, `/${id}/transfer`, { service_id, reason, ...more }, version);

describe('a transfer', () => {
  it('keeps the referral, its status and its due date', async () => {
    const made = await makeReferral();
    const { status, body } = await transfer(made.id, choir.serviceId);
    expect([status, body.service_id, body.service.name]).toEqual([200, choir.serviceId, 'Wednesday choir']);
    const { id, reference, due_at } = made;
    expect(body).toMatchObject({ id, reference, due_at, version: 2, status: 'requested' });
    const { items } = (await get(referrer, `/${id}/history`)).body;
    expect(items.at(-1)).toMatchObject({
      kind: 'transfer',
      from: 'requested',
      to: 'requested',
      reason: { text: reason },
      changes: [{ field: 'service', from: place.serviceName, to: 'Wednesday choir' }],
    });
  });

  it('tells the referrer, the new service and the practice at once', async () => {
    const { id, reference } = await makeReferral();
    await transfer(id, choir.serviceId);
    const legs = (await deliveriesOf(id)).map(({ leg }: { leg: string }) => leg);
    // The practice's letter had not left yet, and says where the referral is when it leaves.
    expect(legs).toEqual(['service', 'gp_practice', 'service']);
    const url = '/api/events?type=referral.transferred&limit=200';
    const { items } = (await site.app.inject({ url, headers: referrer.headers })).json();
    expect(items.at(-1).resource.id).toBe(id);
    await sendNotifications(site.deps);
    const mails = await mailsTo(site, referrer.email);
    const mail = mails.find(({ text }) => text.includes(reference))!;
    expect(mail.subject + mail.text).not.toContain('choir');
  });

  it('is refused to everybody else, and for an old version', async () => {
    const { id } = await makeReferral();
    for (const [who, status] of [
      [referrer, 403],
      [operator, 403],
      [stranger, 404],
    ] as const)
      expect((await transfer(id, choir.serviceId, 1, who)).status).toBe(status);
    const both = await Promise.all([transfer(id, choir.serviceId), transfer(id, choir.serviceId)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('goes only to a service of the same organisation that is open', async () => {
    const { id } = await makeReferral();
    const closed = await sibling('A closed group');
    await setAccepts(site.deps.db, closed.serviceId, false);
    const refused = [elsewhere.serviceId, place.serviceId, closed.serviceId, 'none'];
    const codes: string[] = [];
    for (const serviceId of refused) {
      const { status, body } = await transfer(id, serviceId);
      codes.push(`${status} ${body.errors[0].message}`);
    }
    const notYours = '422 is not a service of the organisation that received the referral';
    expect(codes).toEqual([
      notYours,
      '422 is the service that has it already',
      '422 is a service that does not take referrals through this site',
      notYours,
    ]);
    expect((await get(provider, `/${id}`)).body.version).toBe(1);
  });

  it('ends with the referral', async () => {
    const { id } = await makeReferral();
    await post(referrer, `/${id}/cancel`, { status_reason: { code: 'other', text: 'She moved.' } }, 1);
    expect((await transfer(id, choir.serviceId, 2)).status).toBe(409);
  });
});

describe('a transfer to a sensitive service', () => {
  it('names it to no outsider and stops the copy for the practice', async () => {
    const { id } = await makeReferral();
    const { body } = await transfer(id, refuge.serviceId);
    expect(body.consent.share_with_gp).toBe(false);
    const waiting = (await deliveriesOf(id)).filter(({ leg }: { leg: string }) => leg === 'gp_practice');
    expect(waiting.map(({ status }: { status: string }) => status)).toEqual(['suppressed']);
    expect((await get(referrer, `/${id}`)).body.service.name).toBe('The safe house');
    for (const who of [colleague, operator])
      for (const path of ['', `/${id}`, `/${id}/history`]) {
        const text = JSON.stringify((await get(who, path)).body);
        expect(text, path).not.toMatch(new RegExp(`safe house|${refuge.serviceId}`));
      }
    const seen = JSON.stringify((await get(colleague, `/${id}/history`)).body);
    expect(seen).not.toMatch(new RegExp(`${place.serviceName}|Wednesdays|${organizationName}`));
  });

  it('cannot be undone by one to an ordinary service', async () => {
    const { id } = await makeReferral();
    await transfer(id, refuge.serviceId);
    const { status, body } = await transfer(id, choir.serviceId, 2);
    expect([status, body.errors[0].message]).toEqual([422, expect.stringMatching(/^is less confidential/)]);
  });
});

describe('the page of a transfer', () => {
  it('lists the other services, and moves the referral', async () => {
    const { id } = await makeReferral();
    const organisation = { name: organizationName, libraryOrganizationId: organizationId };
    const browser = await signedInBrowser(site, { role: 'provider', organisation });
    const more = 'Transfer to another of your services';
    expect((await browser.open(`/referrals/${id}`)).text).toContain(more);
    const path = `/referrals/${id}/transfer`;
    const { text } = await browser.open(path);
    expect(text).toContain('Wednesday choir');
    expect(text).not.toContain('Thursday choir');
    const empty = await browser.send(path, { version: '1', service_id: '', reason: '' });
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('Select a service')]);
    const sent = { version: '1', service_id: choir.serviceId, reason };
    const { status, location } = await browser.send(path, sent);
    expect([status, (await browser.open(location!)).text]).toEqual([
      303,
      expect.stringContaining('Transferred to another service'),
    ]);
    expect((await browser.send(path, sent)).status).toBe(412);
  });

  it('asks why if the person is outside the other service’s ages', async () => {
    const { id } = await makeReferral();
    await changeService(site.deps.db, choir.serviceId, { maximum_age: 30 });
    expect((await transfer(id, choir.serviceId)).body.type).toContain('does-not-fit');
    const fit_override = { reason: 'Her grandson sings there, and comes with her.' };
    const { status, body } = await transfer(id, choir.serviceId, 1, provider, { fit_override });
    expect([status, body.fit_override]).toEqual([200, fit_override]);
  });
});
