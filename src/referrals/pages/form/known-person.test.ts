import { describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import { type Browser, type Form, referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { storedReferral } from '../../../../test/referrals/stored.ts';

const { site, place, browser, referrer, provider, aPerson, anOpenForm, aReferralPage, newestName } =
  await referralPagesFixture();

const idOf = (url: string) => url.split('/').at(-1)!;
const fieldOf = ({ page }: Awaited<ReturnType<Browser['open']>>, name: string) =>
  page.querySelector(`#${name}`)?.getAttribute('value') ?? undefined;
const fieldNamed = ({ page }: Awaited<ReturnType<Browser['open']>>, name: string) =>
  page.querySelector(`[name=${name}]`)?.getAttribute('value') ?? '';
const linkWith = ({ page }: Awaited<ReturnType<Browser['open']>>, part: string) =>
  page
    .querySelectorAll('a')
    .map((each) => each.getAttribute('href')!.replaceAll('&amp;', '&'))
    .find((href) => href.includes(part));
const reject = (url: string, given: Form = {}) =>
  provider.send(`${url}/reject`, {
    version: '2',
    reason_code: 'no-capacity',
    reason_text: 'Full.',
    ...given,
  });

describe('somebody who was referred before', () => {
  it('is chosen from one’s own referrals; fills in only the person', async () => {
    const url = await aReferralPage({ telephone: '01632 960001' });
    const list = await referrer.open(`/referrals/earlier?service=${place.serviceId}`);
    expect(list.text).toContain(newestName());
    const form = await referrer.open(linkWith(list, `person=${idOf(url)}`)!);
    expect(fieldOf(form, 'family_name')).toBe(newestName());
    expect(fieldOf(form, 'telephone')).toBe('01632 960001');
    expect(form.page.querySelector('#reasons')?.text).toBe('');
    expect(form.page.querySelector('[name=agreement_basis][checked]')).toBeNull();
  });

  it('folds optional parts, and says in a line what is in them', async () => {
    const url = await aReferralPage({
      address_line_2: 'Sarrowby',
      contact_channel: 'telephone',
      contact_voicemail: 'no',
      preferred_contact: 'In the morning',
      needs: 'benefits-debt',
      safety_notes: `A dog. ${'It barks. '.repeat(20)}`,
    });
    await reject(url);
    const { page } = await referrer.open(`/referrals/new?service=${place.serviceId}&reroutes=${idOf(url)}`);
    expect(page.querySelectorAll('#referral details[open]')).toEqual([]);
    const inside = page.querySelectorAll('.onward-fold__holds').map((each) => each.text);
    expect(inside).toEqual([
      ', filled in: Sarrowby',
      ', filled in: Telephone only · No voicemail · In the morning',
      ', filled in: Benefits or debt',
      expect.stringMatching(/, filled in: Safety notes: A dog\. It barks\. .{20,60}…$/),
    ]);
  });

  it('is not offered once their death was reported', async () => {
    const url = await aReferralPage();
    const ofSamePerson = { family_name: newestName() };
    await reject(url);
    const list = `/referrals/earlier?service=${place.serviceId}`;
    expect(linkWith(await referrer.open(list), `person=${idOf(url)}`)).toBeDefined();
    expect(linkWith(await referrer.open(url), 'again=')).toBeDefined();
    const other = await aReferralPage(ofSamePerson);
    await referrer.send(`${other}/died`, { told_by: 'Her daughter' });
    expect((await referrer.open(list)).text).not.toMatch(new RegExp(`${ofSamePerson.family_name}\\b`));
    expect(linkWith(await referrer.open(url), 'again=')).toBeUndefined();
  });

  it('is searched for by POST, which the audit counts as a look', async () => {
    const url = await aReferralPage();
    const action = `/referrals/earlier?service=${place.serviceId}`;
    const wrong = await referrer.send(action, { family_name: newestName() });
    expect(wrong.status).toBe(422);
    const birth = { birth_day: '9', birth_month: '3', birth_year: '1947' };
    const found = await referrer.send(action, { family_name: newestName(), ...birth });
    expect(linkWith(found, `person=${idOf(url)}`)).toBeDefined();
    const searches = await storedEntries(site.deps.db, { action: 'referral.searched' });
    expect(searches.at(-1)?.details).toEqual({ referrals: [idOf(url)] });
  });

  it('has nothing answered that must be asked each time', async () => {
    const url = await aReferralPage({
      urgency: 'urgent',
      carer_name: 'Ian',
      carer_share: 'yes',
      safety_notes: 'A dog.',
      safety_notes_for_practice: 'yes',
    });
    await reject(url);
    for (const name of ['again', 'person']) {
      const { page } = await referrer.open(`/referrals/new?service=${place.serviceId}&${name}=${idOf(url)}`);
      for (const asked of [
        'contact_safe',
        'urgency',
        'risk',
        'carer_share',
        'safety_notes_for_practice',
        'agreement_basis',
        'share_with_gp',
      ]) {
        const answers = page.querySelectorAll(`[name=${asked}]`);
        expect(answers.length, asked).toBeGreaterThan(0);
        expect(answers.filter((each) => each.hasAttribute('checked')).length, asked).toBe(0);
      }
      expect(page.querySelector('#newest'), 'it is the newest itself').toBeNull();
    }
  });

  it('is shown with a warning if a later referral may know more', async () => {
    const name = { family_name: 'Quillfeather' };
    const first = await aReferralPage(name);
    await reject(first);
    site.clock.moveOn(1000);
    const second = await aReferralPage({ ...name, contact_safe: 'no', contact_secret: 'her son' });
    for (const name of ['again', 'reroutes']) {
      const form = await referrer.open(`/referrals/new?service=${place.serviceId}&${name}=${idOf(first)}`);
      expect(form.page.querySelector('#newest a')?.getAttribute('href')).toBe(
        new URL(second, 'http://x').pathname,
      );
    }
  });

  it('is neither listed nor filled in by another organisation', async () => {
    const url = await aReferralPage();
    const stranger = await browser({ role: 'referrer', organisation: { name: 'Another surgery' } });
    const list = await stranger.open(`/referrals/earlier?service=${place.serviceId}`);
    expect(list.text).not.toContain(newestName());
    for (const name of ['person', 'again'])
      expect(
        (await stranger.open(`/referrals/new?service=${place.serviceId}&${name}=${idOf(url)}`)).status,
      ).toBe(404);
  });

  it('is referred again to the same service once that has ended', async () => {
    const url = await aReferralPage();
    expect(linkWith(await referrer.open(url), 'again=')).toBeUndefined();
    await reject(url);
    const form = await referrer.open(linkWith(await referrer.open(url), 'again=')!);
    expect(form.page.querySelector('#reasons')?.text).toBe('She is lonely.');
    expect(form.page.querySelector('[name=reroutes]')).toBeNull();
    expect(form.page.querySelector('[name=agreement_basis][checked]')).toBeNull();
  });
});

describe('the page to find another service', () => {
  it('keeps an unknown postcode, and says what it filtered by', async () => {
    const url = await aReferralPage({ postcode: 'ZZ99 3VZ' });
    await reject(url);
    const page = await referrer.open(`${url}/reroute`);
    expect(page.status).toBe(200);
    expect(fieldOf(page, 'postcode')).toBe('ZZ99 3VZ');
    expect(page.text).toContain('Services are filtered by the person’s age.');
    expect(page.text).toContain('This site does not know where ZZ99 3VZ is');
    const changed = await referrer.open(`${url}/reroute?asked=yes`);
    expect(changed.text).not.toContain('Services are filtered');
  });

  it('says which area it looks in, and takes another', async () => {
    const url = await aReferralPage();
    await provider.send(`${url}/reject`, { version: '2', reason_code: 'out-of-area' });
    const first = await referrer.open(`${url}/reroute?search=choir`);
    expect(first.text).toContain('services that cover ZT1 3GH, the postcode in');
    const form = first.page.querySelector('#area form')!;
    const sent = form
      .querySelectorAll('input')
      .map((each): [string, string] => [each.getAttribute('name')!, each.getAttribute('value') ?? '']);
    expect(Object.fromEntries(sent)).toMatchObject({ asked: 'yes', search: 'choir', postcode: 'ZT1 3GH' });
    const query = new URLSearchParams({ ...Object.fromEntries(sent), postcode: 'zt12ab' });
    const changed = await referrer.open(`${form.getAttribute('action')}?${query}`);
    expect(changed.text).toContain('We look for services that cover ZT1 2AB.');
    expect(changed.text).toContain('says ZT1 3GH: if the person has moved, correct the address');
    expect(fieldOf(changed, 'postcode')).toBe('zt12ab');
    const back = await referrer.open(changed.page.querySelector('#area a')!.getAttribute('href')!);
    expect(back.text).toContain('services that cover ZT1 3GH, the postcode in');
    const other = await aReferralPage();
    await reject(other);
    expect((await referrer.open(`${other}/reroute`)).page.querySelector('#area')).toBeNull();
  });
});

describe('a referral that replaces an unsuccessful one', () => {
  it('asks again whether contact is safe and the practice is told', async () => {
    const choir = await aService(site.deps, { serviceName: 'Lauds choir' });
    const url = await aReferralPage({ contact_safe: 'yes', contact_voicemail: 'yes', share_with_gp: 'yes' });
    await reject(url, { suggest_search: 'lauds', suggest_id: choir.serviceId });
    const chosenFor = async (serviceId: string) => {
      const { page } = await referrer.open(`/referrals/new?service=${serviceId}&reroutes=${idOf(url)}`);
      const [kept, askedAgain] = page.querySelectorAll('main li').map(({ text }) => text);
      const saysAskAgain = askedAgain!.includes('whether it is safe to contact the person');
      expect(kept!.includes('whether it is safe to contact them')).toBe(!saysAskAgain);
      return [
        saysAskAgain,
        ...['contact_safe', 'contact_voicemail', 'share_with_gp'].map((name) =>
          page.querySelector(`[name=${name}][checked]`)?.getAttribute('value'),
        ),
      ];
    };
    expect(await chosenFor(place.serviceId)).toEqual([true, undefined, undefined, undefined]);
    // The service that declined suggested this one, and the referrer asked the person about it.
    expect(await chosenFor(choir.serviceId)).toEqual([false, 'yes', 'yes', 'yes']);
    expect((await referrer.open(`${url}/reroute`)).text).toContain(
      'For Lauds choir, which the service suggests, whether contact is safe',
    );
  });

  it('shows what was said last time beside what it asks again', async () => {
    const url = await aReferralPage({ contact_safe: 'yes', share_with_gp: 'yes' });
    await reject(url);
    const hintsOn = async (address: string) => {
      const { page } = await referrer.open(address);
      return ['contact_safe', 'share_with_gp', 'risk'].map(
        (name) =>
          page.querySelector(`[id=${name}-hint]`)!.text.match(/Last time, on (\d+ \w+ \d{4}): (.+)$/m)?.[2],
      );
    };
    const address = `/referrals/new?service=${place.serviceId}`;
    expect(await hintsOn(`${address}&reroutes=${idOf(url)}`)).toEqual(['yes', 'yes, all of it', 'no']);
    expect(await hintsOn(address)).toEqual([undefined, undefined, undefined]);
    // An answer that is filled in needs no reminder.
    const codes = await aReferralPage({ contact_safe: 'no', share_with_gp: 'codes_only' });
    await reject(codes);
    expect(await hintsOn(`${address}&reroutes=${idOf(codes)}`)).toEqual([undefined, undefined, 'no']);
  });

  it('has the first one’s answers, except on risk and agreement', async () => {
    const choir = await aService(site.deps, { serviceName: 'Matins choir' });
    const url = await aReferralPage({
      urgency: 'urgent',
      contact_safe: 'only_at',
      contact_only_at: 'before three',
      share_with_gp: 'codes_only',
      carer_name: 'Ian',
      carer_share: 'yes',
      safety_notes: 'A dog.',
      safety_notes_for_practice: 'yes',
    });
    await reject(url, { suggest_search: 'matins', suggest_id: choir.serviceId });
    for (const { serviceId, serviceName } of [choir, place]) {
      const form = await referrer.open(`/referrals/new?service=${serviceId}&reroutes=${idOf(url)}`);
      const chosen = (name: string) =>
        form.page.querySelector(`[name=${name}][checked]`)?.getAttribute('value');
      const kept = ['contact_safe', 'urgency', 'share_with_gp'].map(chosen);
      expect(kept).toEqual(['only_at', 'urgent', 'codes_only']);
      expect([fieldOf(form, 'contact_only_at'), fieldOf(form, 'gp_ods_code')]).toEqual([
        'before three',
        'Z99001',
      ]);
      for (const asked of ['risk', 'agreement_basis', 'carer_share', 'safety_notes_for_practice'])
        expect(chosen(asked), asked).toBeUndefined();
      expect(form.text).toMatch(/Check with the person that (it is still so|they are still right)/);
      expect(form.text).toContain(`whether the person agrees to be referred to ${serviceName}`);
    }
  });
});

describe('a danger that was told after a referral was made', () => {
  it('is on the form of the next one, to be written again', async () => {
    const url = await aReferralPage();
    await provider.send(`${url}/messages`, { text: 'She said that she wants to die.' });
    await reject(url);
    const elsewhere = await aService(site.deps);
    const address = `/referrals/new?service=${elsewhere.serviceId}`;
    for (const from of [`reroutes=${idOf(url)}`, `person=${idOf(url)}`, `again=${idOf(url)}`]) {
      const { page } = await referrer.open(`${address}&${from}`);
      expect(page.querySelector('#told-since')?.text, from).toContain('She said that she wants to die.');
    }
    const form = { ...aPerson(), service: elsewhere.serviceId, reroutes: idOf(url) };
    const refused = await referrer.send(address, form);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Write what staff should know of the danger that was told about the earlier'),
    ]);
    const written = { ...form, safety_notes: 'She spoke of dying in May. Ring me first.' };
    expect((await referrer.send(address, written)).status).toBe(303);
  });
});

describe('looking for another service', () => {
  it('says why the first one declined, and what is asked again', async () => {
    const url = await aReferralPage();
    await reject(url);
    const { page, text } = await referrer.open(`${url}/reroute`);
    const declined = (await referrer.open(url)).page.querySelector('.onward-case__top, main')!.text;
    expect(page.querySelector('#declined')?.text).toContain(`Why ${place.organizationName} declined:`);
    expect(declined).toContain('Declined');
    const [top, belowResults] = text.split('When you choose a service');
    expect([top!.includes('asked again'), belowResults!.includes('Filled in for you')]).toEqual([true, true]);
    expect(text).toMatch(/Whether the person agrees: they agreed to/);
    expect(page.querySelector('#compare input[name=reroutes]')?.getAttribute('value')).toBe(idOf(url));
  });

  it('leaves no draft unless something was written', async () => {
    const choir = await aService(site.deps, { serviceName: 'Lauds choir' });
    const url = await aReferralPage();
    await reject(url);
    const { page } = await referrer.open(`/referrals/new?service=${choir.serviceId}&reroutes=${idOf(url)}`);
    const typed = page
      .querySelectorAll('#referral input:not([type=radio]):not([type=checkbox]), #referral textarea')
      .map((each) => [each.getAttribute('name'), each.getAttribute('value') ?? each.text]);
    const form: Form = { ...Object.fromEntries(typed), risk: 'no', autosave: 'yes' };
    expect((await referrer.send('/referrals/new', form)).status).toBe(204);
    const written = { ...form, reasons: 'She has moved, and is lonelier still.' };
    expect((await referrer.send('/referrals/new', written)).status).toBe(200);
  });
});

describe('a service that is suggested by one that declines', () => {
  it('is offered to the referrer, whose form for it is filled in', async () => {
    const choir = await aService(site.deps, { serviceName: 'Evensong choir' });
    const url = await aReferralPage();
    const looked = await provider.send(`${url}/reject`, {
      version: '2',
      suggest_search: 'evensong',
      find_service: 'yes',
    });
    expect(looked.status).toBe(200);
    expect(looked.page.querySelector('[name=suggest_id]')?.getAttribute('value')).toBe(choir.serviceId);
    const unchosen = await reject(url, { suggest_search: 'evensong' });
    expect([unchosen.status, unchosen.text.includes('Select the service, or leave this blank')]).toEqual([
      422,
      true,
    ]);
    await reject(url, { suggest_search: 'evensong', suggest_id: choir.serviceId });
    const { content } = await storedReferral(site.deps.db, idOf(url));
    expect((content as any).suggested_service).toEqual({ id: choir.serviceId, name: choir.serviceName });
    const page = await referrer.open(url);
    expect(page.text).toContain('The service suggests Evensong choir');
    expect((await provider.open(url)).text).toContain('You suggested Evensong choir.');
    const form = await referrer.open(linkWith(page, `reroutes=${idOf(url)}`)!);
    expect(fieldOf(form, 'family_name')).toBe(newestName());
    const hidden = form.page.querySelectorAll('#referral input[type=hidden]');
    const kept = hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]);
    const { family_name: _, ...typed } = aPerson();
    const sent = { ...Object.fromEntries(kept), ...typed, family_name: fieldOf(form, 'family_name')! };
    const { location } = await referrer.send('/referrals/new', sent);
    expect((await referrer.open(url)).text).toContain('The referral that replaces it');
    expect((await referrer.open(location)).text).toContain('Evensong choir');
  });

  it('is told again who judged that a child may decide', async () => {
    const choir = await aService(site.deps, { serviceName: 'Vespers choir' });
    const url = await aReferralPage({
      birth_year: '2012',
      agreement_basis: 'competent_child',
      agreement_judged_by: 'Dr Hale',
      agreement_when: '2026-06-20T10:00',
    });
    await reject(url, { suggest_search: 'vespers', suggest_id: choir.serviceId });
    const form = await referrer.open(linkWith(await referrer.open(url), `reroutes=${idOf(url)}`)!);
    expect(form.page.querySelector('[name=agreement_basis][checked]')).toBeNull();
    expect(fieldOf(form, 'agreement_judged_by') ?? '').toBe('');
  });

  it('is another one, and those of the typed name come first', async () => {
    const looked = async (suggest_search: string, given: Form = {}) => {
      const { page } = await provider.send('/referrals/services', { suggest_search, ...given });
      return page.querySelectorAll('[name=suggest_id]').map((each) => each.getAttribute('value'));
    };
    const url = await aReferralPage();
    const form = await provider.open(`${url}/reject`);
    const also = form.page.querySelector('#suggest')!.getAttribute('data-also')!;
    expect(fieldOf(form, also)).toBe(place.serviceId);
    expect(await looked('walking')).toContain(place.serviceId);
    expect(await looked('walking', { [also]: place.serviceId })).not.toContain(place.serviceId);
    const quilts = await aService(site.deps, { serviceName: 'Patchwork afternoons' });
    await aService(site.deps, { organizationName: 'Patchwork', serviceName: 'A garden' });
    expect((await looked('patchwork'))[0]).toBe(quilts.serviceId);
  });

  it('says so where none is like what was typed', async () => {
    const none = await provider.send('/referrals/services', { suggest_search: 'zzzz' });
    expect(none.page.text).toContain('No service like that takes referrals here. Try other words.');
  });

  it('takes referrals, is another one, and is not sensitive', async () => {
    const refuge = await aService(site.deps, { serviceName: 'Meadow refuge' });
    await markSensitive(site.deps.db, refuge.serviceId);
    const url = await aReferralPage();
    for (const suggest_id of [refuge.serviceId, place.serviceId, 'nowhere']) {
      const refused = await reject(url, { suggest_id });
      expect([suggest_id, refused.status]).toEqual([suggest_id, 422]);
    }
    expect((await provider.send('/referrals/services', { suggest_search: 'meadow' })).text).not.toContain(
      'refuge',
    );
    expect((await referrer.open(url)).text).not.toContain('Meadow');
  });
});

describe('what somebody types into the form', () => {
  const odd = ['<script>alert(1)</script>', 'مرحبا بالعالم', '👩🏽‍🦽 Zoë', 'x'.repeat(5000)];

  it.each(odd)('is kept and shown as text, whatever it is (%#)', async (text) => {
    const names = Object.keys(aPerson()).filter((name) => !['right_person'].includes(name));
    const typed = Object.fromEntries(names.map((name) => [name, text]));
    const shown = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect(shown.status).toBe(422);
    expect(shown.page.querySelectorAll('main script')).toHaveLength(0);
    expect(shown.page.querySelector('#reasons')?.text).toBe(text);
    const saved = await referrer.send('/referrals/new', {
      ...(await anOpenForm()),
      ...typed,
      autosave: 'yes',
    });
    expect([200, 422]).toContain(saved.status);
  });

  it('is saved by itself once, however often the answer is lost', async () => {
    const form: Form = { ...(await anOpenForm()), autosave: 'yes', family_name: 'Once' };
    const save = async (given: Form) => {
      const answer = await site.app.inject({
        method: 'POST',
        url: '/referrals/new',
        headers: {
          cookie: referrer.cookie,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        payload: new URLSearchParams({ ...form, ...given }).toString(),
      });
      return answer.json();
    };
    const first = await save({ nhs_number: '12' });
    expect(first).toMatchObject({ version: 1, leftOut: ['NHS number'], crisis: false });
    const later = await save({ given_name: 'Later', reasons: 'She wants to die.' });
    expect(later, 'the form points to words of a crisis').toMatchObject({
      action: first.action,
      version: 2,
      crisis: true,
    });
    const draft = await referrer.open(first.action);
    expect([fieldOf(draft, 'given_name'), fieldOf(draft, 'family_name')]).toEqual(['Later', 'Once']);
  });

  it('leaves no draft behind, though the save’s answer was lost', async () => {
    // Later than all others: referrals of one instant are listed in any order, and this one must be on the first page.
    site.clock.moveOn(1000);
    const form: Form = { ...(await anOpenForm()), ...aPerson() };
    await referrer.send('/referrals/new', { ...form, autosave: 'yes' });
    const { location } = await referrer.send('/referrals/new', form);
    expect(location).toContain('sent');
    const twice = await referrer.send('/referrals/new', form);
    expect(twice.location).toBe(location);
    const { page } = await referrer.open('/referrals?view=made&sort=-made');
    const rows = page.querySelectorAll('tbody tr').filter(({ text }) => text.includes(newestName()));
    expect(rows.map(({ text }) => text.includes('Draft'))).toEqual([false]);
  });

  it('is sent for the next person after the Back button', async () => {
    const form: Form = { ...(await anOpenForm()), ...aPerson() };
    await referrer.send('/referrals/new', { ...form, autosave: 'yes' });
    await referrer.send('/referrals/new', form);
    const next = { ...form, ...aPerson(), family_name: 'Nextperson' };
    const refused = await referrer.send('/referrals/new', next);
    expect([refused.status, refused.location]).not.toEqual([303, expect.stringContaining('sent')]);
    const key = fieldNamed(refused, 'idempotency_key');
    expect(key).not.toBe(form.idempotency_key);
    expect(fieldOf(refused, 'family_name')).toBe('Nextperson');
    const { location } = await referrer.send('/referrals/new', { ...next, idempotency_key: key });
    expect((await referrer.open(location)).text).toContain('Nextperson');
  });
});
