import { describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';

const { site, browser, referrer, provider, aPerson, anOpenForm, withoutQuery, aReferralPage } =
  await referralPagesFixture();

describe('the form for a referral', () => {
  it('makes one referral when it is sent twice', async () => {
    const form = { ...(await anOpenForm()), ...aPerson() };
    const [one, two] = await Promise.all([
      referrer.send('/referrals/new', form),
      referrer.send('/referrals/new', form),
    ]);
    expect([one.status, two.status]).toEqual([303, 303]);
    expect(one.location).toMatch(/^\/referrals\/[0-9a-f-]{36}\?done=sent$/);
    expect((await referrer.open(one.location)).text).toContain('The referral was sent.');
    expect((await referrer.open(withoutQuery(one.location))).text).not.toContain('The referral was sent.');
    expect(two.location).toBe(one.location);
    const again = await referrer.send('/referrals/new', { ...form, reasons: 'Something else.' });
    expect(again.status).toBe(422);
    expect(again.text).toContain('You have sent this form before');
    expect(again.page.querySelector('[name=idempotency_key]')?.getAttribute('value')).not.toBe(
      form.idempotency_key,
    );
  });

  it('leads to one check page if it is sent twice', async () => {
    const form = { ...(await anOpenForm()), ...aPerson(), right_person: '' };
    const { location: check } = await referrer.send('/referrals/new', form);
    const { page } = await referrer.open(check);
    const version = page.querySelector('[name=version]')!.getAttribute('value')!;
    expect((await referrer.send('/referrals/new', form)).location).toBe(check);
    const { status, location } = await referrer.send(check, { version });
    expect([status, location]).toEqual([303, expect.stringMatching(/\?done=sent$/)]);
  });

  it('is saved as it was sent last, if sent twice at once', async () => {
    const form = { ...(await anOpenForm()), ...aPerson(), right_person: '' };
    const { location: check } = await referrer.send('/referrals/new', form);
    const wishes = ['To sing.', 'To walk.', 'To cook.', 'To paint.'];
    const answers = await Promise.all(
      wishes.map((what_matters) => referrer.send('/referrals/new', { ...form, what_matters })),
    );
    expect(answers.map(({ status, location }) => [status, location])).toEqual(wishes.map(() => [303, check]));
  });

  it('comes back as typed, with each error beside its field', async () => {
    const typed = {
      ...aPerson(),
      family_name: '',
      nhs_number: '9990000019',
      what_matters: '<b>"Singing" & tea</b>',
    };
    const { status, page } = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect(status).toBe(422);
    expect(page.querySelector('title')?.text).toMatch(/^Error: /);
    const summary = page.querySelectorAll('.nhsuk-error-summary a');
    expect(summary.map((link) => link.getAttribute('href'))).toEqual(['#family_name', '#nhs_number']);
    for (const link of summary) expect(page.querySelector(link.getAttribute('href')!)).not.toBeNull();
    expect(page.querySelector('#nhs_number')?.getAttribute('value')).toBe('9990000019');
    expect(page.querySelector('#what_matters')?.text).toBe(typed.what_matters);
    expect(page.querySelector('#agreement_basis')?.hasAttribute('checked')).toBe(true);
  });

  it('comes back with the errors that only the checks find', async () => {
    const typed = { ...aPerson(), gp_ods_code: 'X00000' };
    const { status, page } = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect(status).toBe(422);
    expect(page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#gp_ods_code');
  });

  it('asks about a second referral, and makes it when meant', async () => {
    const person = aPerson();
    await referrer.send('/referrals/new', { ...(await anOpenForm()), ...person });
    const form = { ...(await anOpenForm()), ...person };
    const { status, text, page } = await referrer.send('/referrals/new', form);
    expect(status).toBe(409);
    expect(text).toMatch(/[0-9A-Z]{5}-[0-9A-Z]{5}/);
    expect(page.querySelector('#allow_duplicate')).not.toBeNull();
    const meant = await referrer.send('/referrals/new', { ...form, allow_duplicate: 'yes' });
    expect(meant.status).toBe(303);
  });

  it('stops for a person who is said to have died, and asks why', async () => {
    const person = aPerson();
    const first = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...person });
    const page = withoutQuery(first.location);
    expect((await referrer.send(`${page}/died`, { told_by: 'Her daughter' })).status).toBe(303);
    const form = { ...(await anOpenForm()), ...person };
    const stopped = await referrer.send('/referrals/new', form);
    expect([stopped.status, stopped.text.includes('was told that this person has died')]).toEqual([
      409,
      true,
    ]);
    expect(stopped.page.querySelector(`a[href="${page}"]`)).not.toBeNull();
    expect(stopped.page.querySelector('#death_reason')).not.toBeNull();
    const death_reason = 'Her cousin, who has the same name.';
    const meant = await referrer.send('/referrals/new', { ...form, death_reason, allow_duplicate: 'yes' });
    expect((await provider.open(withoutQuery(meant.location))).text).toContain(death_reason);
  });

  it('ignores another organisation’s referral; the service sees it', async () => {
    const person = aPerson();
    await referrer.send('/referrals/new', { ...(await anOpenForm()), ...person });
    const stranger = await browser({ organisation: { name: 'Weir Lane Surgery' } });
    const form = { ...(await anOpenForm(stranger)), ...person };
    const sent = await stranger.send('/referrals/new', form);
    expect(sent.status).toBe(303);
    const url = withoutQuery(sent.location);
    expect((await stranger.open(url)).text).not.toContain('referred to you before');
    expect((await stranger.open('/referrals')).text).not.toContain('May be referred twice');
    expect((await provider.open(url)).text).toContain('referred to you before');
    expect((await provider.open('/referrals')).text).toContain('May be referred twice');
  });

  it('is not offered for a service that takes no referrals', async () => {
    expect((await referrer.open('/referrals/new?service=nowhere')).status).toBe(404);
    expect((await referrer.open('/referrals/new')).location).toBe('/services');
    const closed = await aService(site.deps, { status: 'inactive' });
    const { text } = await referrer.open(`/referrals/new?service=${closed.serviceId}`);
    expect(text).toContain('is not active at present');
  });
});

describe('the page of a referral', () => {
  it('lets the service accept and complete, and names who did', async () => {
    const url = await aReferralPage();
    expect((await provider.open('/referrals')).text).toContain('Waiting for you to answer');
    const accepted = await provider.send(`${url}/accept`, { version: '2' });
    expect((await provider.open(accepted.location)).text).toMatch(
      /You accepted the referral.*Next: contact Margaret by .*Progress/s,
    );
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She joined the choir.', gp_needed: 'no' };
    const refused = await provider.send(`${url}/complete`, { version: '3', outcome_code: 'goals-met' });
    expect(refused.status).toBe(422);
    expect(refused.page.querySelector('#outcome_code option[selected]')?.getAttribute('value')).toBe(
      'goals-met',
    );
    expect(refused.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#outcome_text');
    expect(refused.page.querySelector('details[open]')).toBeNull();
    expect((await provider.send(`${url}/complete`, { version: '3', ...outcome })).status).toBe(303);
    const { text } = await referrer.open(url);
    expect(text).toContain('She joined the choir.');
    expect(text).toMatch(/Accepted\s+Today .* by Test Person/);
  });

  it('keeps the words of an answer that came too late', async () => {
    const url = await aReferralPage();
    const rejection = { version: '2', reason_code: 'no-capacity', reason_text: 'Full until January.' };
    await provider.send(`${url}/accept`, { version: '2' });
    for (const version of ['1', '3', '', 'x']) {
      const { status, text } = await provider.send(`${url}/reject`, { ...rejection, version });
      expect(status).toBe(version === '3' ? 409 : 412);
      expect(text).toContain('has changed since you opened it');
      expect(text).toContain('Full until January.');
      expect(text).toContain('Complete the referral');
    }
  });

  it('is not found by others, and shows operators no person', async () => {
    const url = await aReferralPage();
    await provider.send(`${url}/reject`, {
      version: '2',
      reason_code: 'other',
      reason_text: 'A private word.',
    });
    const stranger = await browser({
      role: 'provider',
      organisation: { libraryOrganizationId: (await aService(site.deps)).organizationId, name: 'Elsewhere' },
    });
    expect((await stranger.open(url)).status).toBe(404);
    expect((await stranger.send(`${url}/accept`, { version: '2' })).status).toBe(404);
    expect((await stranger.open('/referrals')).text).toContain('Nobody has referred a person');
    const empty = (await stranger.open('/referrals?view=received&tab=waiting')).page.querySelector('main')!;
    expect(empty.querySelectorAll('.onward-tabs, .onward-list-tools')).toEqual([]);
    expect(empty.querySelector('a.nhsuk-button')!.getAttribute('href')).toBe('/library');
    // A filter that finds nothing keeps what it is changed by.
    const { page } = await stranger.open('/referrals?view=received&urgent=yes');
    expect(page.querySelector('.onward-list-tools')).not.toBeNull();
    const operator = await browser({ role: 'operator' });
    for (const address of [url, '/referrals']) {
      const { text } = await operator.open(address);
      expect(text).toContain('Declined');
      expect(text).not.toMatch(/Margaret|Example|lonely|private word/);
    }
  });
});

describe('the list of referrals', () => {
  it('marks after the name whom to contact with care', async () => {
    const said = async (given: object) => {
      const person = { ...aPerson(), ...given };
      const made = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...person });
      expect(made.status, made.text).toBe(303);
      const rows = (await provider.open('/referrals')).page.querySelectorAll('tbody tr');
      const row = rows.find(({ text }) => text.includes(String(person.family_name)))!;
      // The name comes first.
      expect(row.querySelector('td:not(.onward-select) .onward-care ~ a')).toBeNull();
      const path = row.querySelector('td a')!.getAttribute('href')!;
      const mark = row.querySelector('td:not(.onward-select)')!.querySelector('strong')?.text;
      return { mark, page: (await provider.open(path)).text };
    };
    expect((await said({})).mark).toBeUndefined();
    const byEmail = await said({ contact_channel: 'email' });
    // Nobody rings from a list. Its page says so before the telephone number.
    expect(byEmail.mark).toBeUndefined();
    expect(byEmail.page).toContain('Email only. Do not ring.');
    const unsafe = await said({ contact_safe: 'no' });
    expect([unsafe.mark, unsafe.page]).toEqual([
      'Contact with care',
      expect.stringContaining('It is not safe to contact the person'),
    ]);
  });

  it('has 25 a page, each once, and narrows by status', async () => {
    const worker = await browser({ role: 'referrer', organisation: { name: 'Moor Surgery' } });
    const made: string[] = [];
    for (let count = 0; count < 26; count += 1) {
      const { location } = await worker.send('/referrals/new', {
        ...(await anOpenForm(worker)),
        ...aPerson(),
      });
      made.push(withoutQuery(location));
    }
    const listed = async (address: string) => {
      const { page } = await worker.open(address);
      const rows = page.querySelectorAll('tbody tr');
      return {
        paths: rows.map((row) => withoutQuery(row.querySelector('td a')!.getAttribute('href')!)),
        next: page.querySelector('a[rel=next]')?.getAttribute('href')?.replaceAll('&amp;', '&'),
      };
    };
    const first = await listed('/referrals');
    const second = await listed(first.next!);
    expect([first.paths.length, second.paths.length, second.next]).toEqual([25, 1, undefined]);
    expect([...first.paths, ...second.paths].toSorted()).toEqual(made.toSorted());
    await provider.send(`${made[0]}/accept`, { version: '2' });
    expect((await listed('/referrals?status=accepted')).paths).toEqual([made[0]]);
    expect((await worker.open('/referrals?status=completed')).text).toContain('No referrals match');
  });
});
