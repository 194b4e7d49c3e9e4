import { Readable } from 'node:stream';
import type { HTMLElement } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { untouchedFields } from '../../../../test/people/page-visitor.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { siteActor } from '../../../audit/index.ts';
import { importServices } from '../../../exchange/index.ts';
import { findStoredService } from '../edit-service-store.ts';

type Browser = Awaited<ReturnType<typeof signedInBrowser>>;

let site: TestApp;
let operator: Browser;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator' });
});
afterAll(() => site.close());

const staffOf = ({ organizationId, organizationName }: Awaited<ReturnType<typeof aService>>) =>
  signedInBrowser(site, {
    role: 'provider',
    organisation: { name: organizationName, libraryOrganizationId: organizationId },
  });

const formOf = (page: HTMLElement) => page.querySelector('main form[method=post]')!;

/** The fields of the page’s form, as yet unchanged. In no test are several boxes of one name ticked. */
const fieldsOf = (page: HTMLElement) => Object.fromEntries(untouchedFields(formOf(page)));

/** Sends the form of an open page, with some fields filled in. */
function submit(
  browser: Browser,
  { page }: { page: HTMLElement },
  changes: Record<string, string | string[]> = {},
) {
  return browser.send(formOf(page).getAttribute('action')!, { ...fieldsOf(page), ...changes });
}

describe('the form of a service', () => {
  it('folds its parts, and opens the one with an error', async () => {
    const place = await aService(site.deps);
    const path = `/services/${place.serviceId}/edit`;
    const provider = await staffOf(place);
    const filled = {
      minimum_age: '18',
      phone: '01632 960777',
      opens_TH_1: '18:00',
      closes_TH_1: '20:30',
    };
    expect((await submit(provider, await provider.open(path), filled)).status).toBe(303);
    const open = await provider.open(path);
    const parts = (page: HTMLElement) =>
      page
        .querySelectorAll('.onward-form-part')
        .map((part) => [
          part.querySelector('h2')!.text,
          part.querySelector('.onward-form-part__holds')!.text,
          part.hasAttribute('open'),
        ]);
    expect(parts(open.page)).toEqual([
      ['Who it is for', 'From age 18', false],
      ['How to join, and what it costs', 'Nothing entered', false],
      ['How to get in touch', '01632 960777', false],
      ['When it is open', 'Thu', false],
      ['Where it is', expect.any(String), false],
    ]);
    expect(open.page.querySelector('#name')!.closest('details')).toBeNull();
    const wrong = await submit(provider, open, { email: 'nobody' });
    expect(wrong.status).toBe(422);
    expect(parts(wrong.page).map(([, , isOpen]) => isOpen)).toEqual([false, false, true, false, false]);
  });
});

describe('editing by pages', () => {
  it('keeps what the form does not show', async () => {
    const place = await aService(site.deps);
    const odd = {
      id: place.serviceId,
      name: 'Kiln evenings',
      status: 'active',
      description: 'Clay & <b>glaze</b>.\nBring an apron.',
      organization: { id: place.organizationId, name: place.organizationName, x_ours: 1 },
      attributes: [{ id: 'a1', taxonomy_term: { id: 'craft', name: 'Craft' } }],
      schedules: [{ id: 's', freq: 'MONTHLY', byday: '1SA', opens_at: '10:00' }],
      x_ours: [{ deep: { kept: true } }],
    };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(odd))]));
    const path = `/services/${place.serviceId}`;
    const provider = await staffOf(place);
    const open = await provider.open(`${path}/edit`);
    expect((await submit(provider, open)).location).toBe(`${path}?done=saved`);
    const { last_modified: _, ...same } = (await findStoredService(site.deps.db, place.serviceId))!;
    expect(same).toEqual(odd);

    const changed = {
      name: 'Pottery evenings',
      phone: '01632 960777',
      terms: [],
      opens_TH_1: '18:00',
      closes_TH_1: '20:30',
    };
    expect((await submit(provider, open, changed)).status).toBe(303);
    const { attributes, schedules, phones, ...edited } = (await findStoredService(
      site.deps.db,
      place.serviceId,
    ))!;
    expect(edited).toMatchObject({
      name: 'Pottery evenings',
      description: odd.description,
      x_ours: odd.x_ours,
      organization: odd.organization,
    });
    expect([attributes, phones, schedules]).toMatchObject([
      undefined,
      [{ number: '01632 960777' }],
      [odd.schedules[0], { byday: 'TH', opens_at: '18:00', closes_at: '20:30' }],
    ]);
    expect((await operator.open('/services?search=pottery')).text).toContain('Pottery evenings');
    const { text } = await provider.open(`${path}/history`);
    expect(text).toContain('Kiln evenings');
    expect(text).toContain('01632 960777');
    expect(text).not.toContain('[{');
    expect(text).toContain(`Test Person, ${place.organizationName}`);
  });

  it('asks for one wait only, and shows no older one beside it', async () => {
    const place = await aService(site.deps);
    const path = `/services/${place.serviceId}`;
    const provider = await staffOf(place);
    await submit(provider, await provider.open(`${path}/edit`), { wait_time: 'about six weeks' });
    expect((await provider.open(path)).text).toContain('Waiting time: about six weeks');
    await provider.send(`${path}/capacity`, { status: 'waitlist', waiting_time: 'about five weeks' });
    const { text } = await provider.open(path);
    expect([text.includes('six weeks'), text.includes('five weeks')]).toEqual([false, true]);
    const edit = await provider.open(`${path}/edit`);
    expect(edit.page.querySelector('[name=wait_time]')!.getAttribute('type')).toBe('hidden');
    expect(edit.text).toContain('Has a waiting list, about five weeks');
    expect((await submit(provider, edit, { name: 'Tuesday choir' })).status).toBe(303);
    expect(await findStoredService(site.deps.db, place.serviceId)).toMatchObject({
      wait_time: 'about six weeks',
    });
    await provider.send(`${path}/capacity`, { status: 'capacity' });
    expect((await provider.open(path)).text).not.toContain('weeks');
  });

  it('shows a field named `constructor` in the history', async () => {
    const { serviceId } = await aService(site.deps);
    for (const builder of ['Wimpey', 'Barratt']) {
      const line = JSON.stringify({
        ...{ id: serviceId, name: 'Self-build', status: 'active' },
        constructor: builder,
      });
      await importServices(site.deps, siteActor, Readable.from([Buffer.from(line)]));
    }
    const { text } = await operator.open(`/services/${serviceId}/history`);
    expect(text).toContain('Barratt');
    expect(text).toContain('constructor');
    expect(text).not.toContain('function');
  });

  it('merges simultaneous edits and names fields that both changed', async () => {
    const { serviceId } = await aService(site.deps);
    const path = `/services/${serviceId}/edit`;
    const mine = fieldsOf((await operator.open(path)).page);
    const theirs = { ...mine };
    expect(
      (await operator.send(path, { ...theirs, wait_time: 'A week', alert: 'Their notice' })).status,
    ).toBe(303);
    // Different fields: both changes stay.
    expect((await operator.send(path, { ...mine, fees_description: 'Free' })).status).toBe(303);
    expect(await findStoredService(site.deps.db, serviceId)).toMatchObject({
      wait_time: 'A week',
      fees_description: 'Free',
    });
    // The same field.
    const refused = await operator.send(path, { ...mine, alert: 'My notice', email: 'me@example.org' });
    expect(refused.status).toBe(412);
    expect(refused.page.querySelector('#alert-error')?.text).toContain('It says “Their notice” now');
    const again = fieldsOf(refused.page);
    expect(again).toMatchObject({ alert: 'My notice', email: 'me@example.org', wait_time: 'A week' });
    expect((await operator.send(path, again)).status).toBe(303);
    expect(await findStoredService(site.deps.db, serviceId)).toMatchObject({
      alert: 'My notice',
      email: 'me@example.org',
      wait_time: 'A week',
    });
  });

  it('shows a mistake beside its field and keeps all typed text', async () => {
    const { serviceId } = await aService(site.deps);
    const path = `/services/${serviceId}/edit`;
    const form = {
      ...fieldsOf((await operator.open(path)).page),
      name: ' ',
      email: 'nobody',
      description: 'Kept "so"',
      closes_MO_1: '12:00',
    };
    const { status, page } = await operator.send(path, form);
    expect(status).toBe(422);
    const links = page.querySelectorAll('.nhsuk-error-summary a').map((link) => link.getAttribute('href'));
    expect(links).toEqual(['#name', '#email', '#opens_MO_1']);
    for (const link of links) expect(page.querySelector(link!)).not.toBeNull();
    expect(fieldsOf(page)).toMatchObject({ email: 'nobody', description: 'Kept "so"', closes_MO_1: '12:00' });
    expect((await operator.send(path, { name: 'x' })).status).toBe(400);
  });

  it('adds a provider’s service, or one an operator assigns', async () => {
    const place = await aService(site.deps);
    const provider = await staffOf(place);
    const form = await provider.open('/services/new');
    const press = () => submit(provider, form, { name: 'Bulb planting', city: 'Sarrowby' });
    const [made, again] = await Promise.all([press(), press()]);
    expect((await provider.open(made.location!)).text).toContain(place.organizationName);
    expect([again.status, again.location]).toEqual([303, made.location]);
    // Somebody who went back and typed another service did not just press the button twice.
    const another = await submit(provider, form, { name: 'Leaf raking' });
    expect([another.status, another.text]).toEqual([
      409,
      expect.stringContaining('added “Bulb planting” already'),
    ]);
    expect((await submit(provider, another)).status).toBe(303);
    const asked = fieldsOf((await operator.open('/services/new')).page);
    const refused = await operator.send('/services/new', {
      ...asked,
      name: 'Seed swap',
      organisation: 'Nobody',
    });
    expect([refused.status, refused.page.querySelector('#name')?.getAttribute('value')]).toEqual([
      422,
      'Seed swap',
    ]);
    const whole = { ...fieldsOf(refused.page), organisation: place.organizationName };
    expect((await operator.send('/services/new', whole)).status).toBe(303);
    const { text } = await provider.open('/library');
    expect(text).toContain('Bulb planting');
    expect(text).toContain('Seed swap');
  });

  it('sets the availability in the list and on the home page', async () => {
    const place = await aService(site.deps);
    const provider = await staffOf(place);
    for (const from of ['/library', '/']) {
      const { page } = await provider.open(from);
      const form = page.querySelector(`form[action="/services/${place.serviceId}/capacity"]`)!;
      expect(form.querySelectorAll('option').map((each) => each.getAttribute('value'))).toContain(
        'no-capacity',
      );
      if (from === '/library') expect(form.querySelector('option[value=""]')!.text).toBe('Not known');
      const sent = {
        from: form.querySelector('[name=from]')!.getAttribute('value')!,
        status: 'waitlist',
        waiting_time: `two weeks`,
      };
      const { location } = await provider.send(form.getAttribute('action')!, sent);
      expect(location).toBe(`${from}?done=availability`);
      const { page: saved, text } = await provider.open(location!);
      expect(text).toContain('The availability was saved.');
      const shown = saved.querySelector(`form[action="/services/${place.serviceId}/capacity"]`)!;
      expect(shown.querySelector('option[selected]')?.text).toBe('Has a waiting list');
      expect(shown.querySelector('[name=waiting_time]')?.getAttribute('value')).toBe('two weeks');
    }
  });

  it('sets availability and checks with one button each', async () => {
    const place = await aService(site.deps);
    const path = `/services/${place.serviceId}`;
    const provider = await staffOf(place);
    expect(
      (await provider.send(`${path}/capacity`, { status: 'waitlist', waiting_time: 'six weeks' })).location,
    ).toBe(`${path}?done=availability`);
    const { page } = await provider.open(path);
    const pressed = page
      .querySelectorAll('.onward-choices button')
      .filter(({ text }) => text.includes('said last'));
    expect(pressed.map((button) => button.getAttribute('value'))).toEqual(['waitlist']);
    // The Enter key in the waiting time field presses the first button.
    expect(page.querySelector('form:has(#waiting_time) button')?.getAttribute('value')).toBe('waitlist');
    const waitFold = async () =>
      (await provider.open(path)).page.querySelector('details:has(#waiting_time)')!;
    expect((await waitFold()).hasAttribute('open')).toBe(true);
    expect((await provider.send(`${path}/checked`, { from: 'https://evil.example' })).location).toBe(
      `${path}?done=checked`,
    );
    expect((await provider.open(path)).text).toContain('last checked on 21 November 2026');
    const settings = {
      accepts: 'no',
      channel_1: 'document',
      channel_2: 'document',
      name: '',
      email: '',
      telephone: '',
    };
    expect(
      (await submit(provider, await provider.open(`${path}/referral-settings`), settings)).location,
    ).toBe(`${path}?done=settings`);
    const said = await provider.send(`${path}/capacity`, { status: 'capacity', waiting_time: 'six weeks' });
    expect((await provider.open(said.location!)).text).toContain('without the waiting time');
    expect((await waitFold()).hasAttribute('open')).toBe(false);
    expect((await provider.open(path)).text).toContain('does not take referrals through this site');
    expect((await provider.send(`${path}/referral-settings`, { accepts: 'yes' })).status).toBe(422);

    const stranger = await staffOf(await aService(site.deps));
    expect((await stranger.open(path)).page.querySelector('.onward-manage')).toBeNull();
    for (const each of ['edit', 'history', 'referral-settings']) {
      expect((await stranger.open(`${path}/${each}`)).status).toBe(403);
    }
    expect((await stranger.send(`${path}/checked`, {})).status).toBe(403);
  });
});
