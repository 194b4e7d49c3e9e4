import { describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { pagesOfPdf } from '../../../test/delivery/letters.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { personPageFixture } from '../../../test/referrals/person-page-fixture.ts';

const fixture = await personPageFixture();
const { site, place, referrer, provider, operator, stranger, get, post } = fixture;
const { ticked, referWithPage, openedBy, telephone } = fixture;

/** The words of the leaflet, and how many pages it has. */
async function leafletOf(id: string, query = '') {
  const url = `/api/referrals/${id}/leaflet.pdf${query}`;
  const { statusCode, rawPayload, headers } = await site.app.inject({ url, headers: referrer.headers });
  expect(statusCode).toBe(200);
  const pages = await pagesOfPdf(rawPayload);
  return { text: pages.join(' ').replaceAll(/\s+/g, ' '), pages: pages.length, headers, rawPayload };
}

describe('the leaflet for the person', () => {
  it('says where, when, what next and whom to ring, but not who', async () => {
    const { id, reference, email } = await referWithPage();
    const { version } = (await get(provider, `/${id}`)).body;
    await post(provider, `/${id}/accept`, {}, version);
    const at = new Date(site.clock.now().getTime() + 432_000_000).toISOString();
    await post(provider, `/${id}/appointments`, { at, kind: 'in-person', place: 'Room 4' });
    const { text, headers } = await leafletOf(id);
    for (const words of [place.serviceName, place.organizationName, 'Your appointment:', 'Room 4', reference])
      expect(text).toContain(words);
    for (const words of [
      'Keep your appointment. If you cannot, ring',
      'What happens next',
      'Who to call',
      '01632',
      '999',
      'said yes',
    ])
      expect(text).toContain(words);
    for (const secret of ['Person 1', email, 'Mill Lane', '1947']) expect(text).not.toContain(secret);
    expect(headers['content-disposition']).toBe('inline; filename="leaflet.pdf"');
  });

  it('has a code for the camera only while the person has a page', async () => {
    const { id } = await referWithPage();
    const withCode = await leafletOf(id);
    expect(withCode.text).toContain('See how your referral is going');
    await post(referrer, `/${id}/person-page/end`);
    const without = await leafletOf(id);
    expect(without.text).not.toContain('See how your referral is going');
    const plain = (await post(referrer, '', ticked({ person_page: { send: false } }))).body;
    expect((await leafletOf(plain.id)).text).not.toContain('camera');
  });

  it('has the same words in large print', async () => {
    const { id } = await referWithPage();
    const [normal, large] = [await leafletOf(id), await leafletOf(id, '?print=large')];
    expect(large.text).toBe(normal.text);
    expect(large.rawPayload.equals(normal.rawPayload)).toBe(false);
    const url = `/api/referrals/${id}/leaflet.pdf?print=huge`;
    expect((await site.app.inject({ url, headers: referrer.headers })).statusCode).toBe(400);
  });

  it('is not there for somebody who is said to have died', async () => {
    const { id } = await referWithPage();
    const status = async () => {
      const url = `/api/referrals/${id}/leaflet.pdf`;
      return (await site.app.inject({ url, headers: referrer.headers })).statusCode;
    };
    const person = await signedInBrowser(site, {
      organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
    });
    const links = async () => {
      const { page } = await person.open(`/referrals/${id}`);
      return page.querySelectorAll(`a[href^="/referrals/${id}/leaflet.pdf"]`).length;
    };
    expect([await status(), await links()]).toEqual([200, 2]);
    await post(referrer, `/${id}/died`, { told_by: 'Her son' });
    expect([await status(), await links()]).toEqual([409, 0]);
    await post(referrer, `/${id}/died/confirm`);
    expect([await status(), await links()]).toEqual([409, 0]);
    await post(referrer, `/${id}/died/undo`);
    expect([await status(), await links()]).toEqual([200, 2]);
  });

  it('is for the two sides alone', async () => {
    const { id } = await referWithPage();
    for (const [who, status] of [
      [provider, 200],
      [operator, 403],
      [stranger, 404],
    ] as const) {
      const url = `/api/referrals/${id}/leaflet.pdf`;
      expect((await site.app.inject({ url, headers: who.headers })).statusCode).toBe(status);
    }
  });

  it('does not name a referring organisation of sensitive services', async () => {
    const organizationName = 'Infirmary Lane Surgery';
    const refuge = await aService(site.deps, { organizationName, serviceName: 'Quiet hours' });
    const { id, path, email } = await referWithPage();
    const named = await leafletOf(id);
    expect(named.text).toContain(organizationName);
    await markSensitive(site.deps.db, refuge.serviceId);
    const { text } = await leafletOf(id);
    const opened = await openedBy(telephone(), { path, email });
    for (const words of [text, opened.text]) {
      expect(words).toContain('You were referred to');
      expect(words).toMatch(/The people who referred you: ?\S*01632/);
      expect(words).not.toContain(organizationName);
    }
    const { organizationId } = refuge;
    for (const serviceName of ['Debt advice', 'Lunch club'])
      await aService(site.deps, { organizationId, organizationName, serviceName });
    expect((await leafletOf(id)).text, 'most of its services are open to all').toContain(organizationName);
  });

  const dangers: [string, object][] = [
    ['contact is not safe', { contact: { safe: 'no' } }],
    ['contact is safe only at times', { contact: { safe: 'only_at', only_at: 'mornings' } }],
    ['somebody must not know', { contact: { safe: 'yes', who_must_not_know: 'her son' } }],
    ['a need is abuse by a partner', { needs: ['intimate-partner-violence'] }],
    ['the words tell of abuse', { what_matters: 'Her partner checks her phone.' }],
  ];
  it('leaves out the service once a message tells of abuse', async () => {
    const { id } = (await post(referrer, '', ticked({ person_page: undefined }))).body;
    expect((await leafletOf(id)).text).toContain(place.serviceName);
    await post(referrer, `/${id}/messages`, { text: 'Her partner checks her phone.' });
    expect((await leafletOf(id)).text).not.toContain(place.serviceName);
  });

  it.each(dangers)('leaves out service, place and surgery where %s', async (_, given) => {
    const body = ticked({ person_page: undefined, ...given });
    const { id } = (await post(referrer, '', JSON.parse(JSON.stringify(body)))).body;
    await post(provider, `/${id}/accept`, {}, 1);
    const at = new Date(site.clock.now().getTime() + 432_000_000).toISOString();
    await post(provider, `/${id}/appointments`, { at, kind: 'in-person', place: 'Room 4' });
    const { text } = await leafletOf(id);
    for (const words of ['The service that you agreed to said yes', 'The people who referred you: 01632'])
      expect(text).toContain(words);
    expect(text).toContain('Your appointment:');
    for (const secret of [place.serviceName, place.organizationName, 'Infirmary', 'Where', 'Room 4'])
      expect(text).not.toContain(secret);
  });

  it('comes with a warning on the page where somebody may find it', async () => {
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const browser = await signedInBrowser(site, { organisation });
    const warning = 'ask the person alone whether it is safe to take home';
    const plain = await referWithPage();
    expect((await browser.open(`/referrals/${plain.id}`)).text).not.toContain(warning);
    const body = ticked({ person_page: undefined, needs: ['intimate-partner-violence'] });
    const { id } = (await post(referrer, '', JSON.parse(JSON.stringify(body)))).body;
    expect((await browser.open(`/referrals/${id}`)).text).toContain(warning);
  });

  it('names no sensitive service, nor where it is', async () => {
    const { id } = await referWithPage();
    await markSensitive(site.deps.db, place.serviceId);
    const { text } = await leafletOf(id);
    expect(text).toContain('the service that you agreed to');
    for (const secret of [place.serviceName, place.organizationName, 'Where', 'camera'])
      expect(text).not.toContain(secret);
  });
});
