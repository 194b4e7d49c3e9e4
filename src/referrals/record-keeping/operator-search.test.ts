import { describe, expect, it } from 'vitest';
import { aReferral } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { recordsFixture } from '../../../test/records/fixture.ts';

// An operator may look for anybody, so they say why, and learn no more than where a referral stands.

const { site, place, referrer, operator, browser, call, get, post, why, makeReferral, packedCopy } =
  await recordsFixture();

/** The newest first. */
const entriesOf = async (action: string) =>
  (await storedEntries(site.deps.db, { action }))
    .map(({ subject_id: subject, details }) => ({ subject, details }))
    .reverse();
const pointersOf = (answer: any) => answer.body.errors?.map((each: { pointer: string }) => each.pointer);

describe('an operator who searches for a person', () => {
  it('needs a reason that says something, or finds nothing', async () => {
    const { patient } = await makeReferral();
    const search = { nhs_number: patient.nhs_number };
    for (const reason of [undefined, 'x', 'Complaint!', 'a b', '? ? ? ? ? ?']) {
      const refused = await post(operator, '/search', { ...search, reason });
      expect([refused.status, pointersOf(refused)], reason).toEqual([422, ['/reason']]);
    }
    expect((await post(operator, '/search', { ...search, ...why })).body.items).toHaveLength(1);
    expect((await post(referrer, '/search', search)).body.items).toHaveLength(1);
  });

  it('is noted with the reason beside each referral', async () => {
    const { id, patient } = await makeReferral();
    await post(operator, '/search', { nhs_number: patient.nhs_number, ...why });
    expect((await entriesOf('referral.searched'))[0]!.details).toEqual({ referrals: [id], ...why });
    expect((await entriesOf('referral.found'))[0]).toEqual({ subject: id, details: why });
  });

  it('is noted where nobody was found', async () => {
    await post(operator, '/search', { family_name: 'Nobodyatall', birth_date: '1931-01-01', ...why });
    expect((await entriesOf('referral.searched'))[0]!.details).toEqual({ referrals: [], ...why });
  });

  it('does not name the person in the reason', async () => {
    const { patient } = await makeReferral();
    const { given_name, family_name, birth_date, nhs_number } = patient;
    const grouped = `${nhs_number.slice(0, 3)} ${nhs_number.slice(3)}`;
    for (const [search, reason] of [
      [{ family_name, birth_date }, `Because ${family_name.toUpperCase()} rang us`],
      [{ nhs_number }, `Somebody rang about ${grouped}`],
      // That it is refused says that this is the name, so the audit keeps that somebody tried.
      [{ nhs_number }, `Somebody called ${given_name} rang`],
      [{ nhs_number }, `Somebody called ${[...given_name].join('\u200b')} rang`],
      [{ nhs_number }, `Somebody called ${given_name.replace('a', 'a\u0301')} rang`],
      [
        { nhs_number },
        `Rang about ${[...nhs_number].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')} today`,
      ],
    ] as const) {
      const refused = await post(operator, '/search', { ...search, reason });
      expect([refused.status, pointersOf(refused)]).toEqual([422, ['/reason']]);
      expect((await entriesOf('referral.searched'))[0]!.details.reason).toContain('must not name');
    }
  });

  it('cannot give a reason in invisible characters', async () => {
    const { patient } = await makeReferral();
    const search = { nhs_number: patient.nhs_number, reason: `${'\u3164'.repeat(6)} ${'\u115f'.repeat(6)}` };
    expect((await post(operator, '/search', search)).status).toBe(422);
  });

  it('cannot learn a postcode by trying several', async () => {
    const { patient } = await makeReferral();
    const search = { nhs_number: patient.nhs_number, postcode: patient.address.postcode };
    const refused = await post(operator, '/search', { ...search, ...why });
    expect([refused.status, pointersOf(refused)]).toEqual([422, ['/postcode']]);
    expect((await post(referrer, '/search', search)).body.items).toHaveLength(1);
    const { page } = await browser.open('/referrals/search');
    expect([page.querySelector('#postcode'), page.querySelector('#reason')?.tagName]).toEqual([
      null,
      'TEXTAREA',
    ]);
  });

  it('cannot do so on the page either', async () => {
    const { id, patient } = await makeReferral();
    const form = { nhs_number: patient.nhs_number, cursor: '' };
    const refused = await browser.send('/referrals/search', { ...form, reason: '' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Say why you are looking')]);
    expect(refused.page.querySelector('table')).toBeNull();
    const found = await browser.send('/referrals/search', { ...form, ...why });
    expect(found.page.querySelector(`a[href="/referrals/${id}"]`)).not.toBeNull();
    expect((await entriesOf('referral.found'))[0]).toEqual({ subject: id, details: why });
  });
});

describe('a restricted referral', () => {
  it('is found only among patients’ records', async () => {
    const { id, patient } = await makeReferral();
    const search = { nhs_number: patient.nhs_number };
    await post(operator, `/${id}/restrict`, why);
    for (const who of [operator, referrer])
      expect((await post(who, '/search', { ...search, ...why })).body.items).toEqual([]);
    const found = await browser.send('/operator/patients', { ...search, ...why });
    expect(found.page.querySelector(`a[href="/operator/patients/referrals/${id}"]`)).not.toBeNull();
    await post(operator, `/${id}/unrestrict`, why);
    expect((await post(operator, '/search', { ...search, ...why })).body.items).toHaveLength(1);
  });
});

describe('the page of patients’ records', () => {
  it('asks why before it finds anything', async () => {
    const { id, patient } = await makeReferral();
    const form = { nhs_number: patient.nhs_number };
    for (const reason of ['', 'x']) {
      const refused = await browser.send('/operator/patients', { ...form, reason });
      expect([refused.status, refused.page.toString().includes(id)]).toEqual([422, false]);
    }
    const found = await browser.send('/operator/patients', { ...form, ...why });
    expect(found.page.toString()).toContain(id);
    expect((await entriesOf('patient.searched'))[0]!.details).toEqual({ referrals: [id], ...why });
    expect((await entriesOf('referral.found'))[0]).toEqual({ subject: id, details: why });
  });
});

describe('two people with one NHS number', () => {
  /** Twins: one was given the number of the other by mistake. */
  async function twins() {
    const one = await makeReferral();
    const patient = { ...one.patient, given_name: 'Zenobia' };
    const override = {
      mismatch_override: { reason: 'The number was checked twice.' },
      allow_duplicate: true,
    };
    const made = await post(referrer, '', { ...aReferral(place.serviceId, { patient }), ...override });
    expect(made.status).toBe(201);
    const { nhs_number, given_name, family_name, birth_date } = one.patient;
    const [birth_year = '', birth_month = '', birth_day = ''] = birth_date.split('-');
    const form = { nhs_number, given_name, family_name, birth_day, birth_month, birth_year };
    const ids = { one: one.id, other: made.body.id as string };
    return { ids, nhs_number, person: { nhs_number, given_name, family_name, birth_date }, form };
  }

  it('are named by the search, which says they may be different', async () => {
    const { nhs_number, person } = await twins();
    const found = await browser.send('/operator/patients', { nhs_number, ...why });
    expect(found.text).toContain('These may be different people');
    for (const name of [person.given_name, 'Zenobia'])
      expect(found.text).toContain(`${name} ${person.family_name}, born `);
    const alone = await browser.send('/operator/patients', {
      nhs_number: (await makeReferral()).patient.nhs_number,
      ...why,
    });
    expect(alone.text).not.toMatch(/different people|, born /);
  });

  it('are not held by the number alone, and can be held apart', async () => {
    const { ids, nhs_number, form } = await twins();
    const areHeld = async () =>
      Promise.all([ids.one, ids.other].map(async (id) => (await get(operator, `/${id}`)).body.held));
    const refused = await browser.send('/operator/patients/legal-hold', { nhs_number, ...why });
    expect([refused.status, await areHeld()]).toEqual([422, [false, false]]);
    expect(refused.text).toContain('this NHS number was used with several first names');
    const held = await browser.send('/operator/patients/legal-hold', { ...form, ...why });
    expect([held.status, await areHeld()]).toEqual([200, [true, false]]);
  });

  it('do not get each other’s record', async () => {
    const { ids, nhs_number, person } = await twins();
    const refused = await call(operator, 'POST', '/api/patients/export', { body: { nhs_number, ...why } });
    expect([refused.status, pointersOf(refused)]).toEqual([
      422,
      ['/given_name', '/family_name', '/birth_date'],
    ]);
    const copy = await packedCopy(person);
    expect([copy.referrals, copy.changed]).toEqual([1, false]);
    const entries = await entriesOf('patient.packed');
    expect(entries[0]!.details.referrals).toEqual([ids.one]);
  });
});

describe('a search form without a person and a reason', () => {
  const summaryOf = ({ page }: { page: any }) =>
    page.querySelectorAll('.nhsuk-error-summary__list a').map((link: any) => link.getAttribute('href'));
  const date = { birth_day: '9', birth_month: '3', birth_year: '1947' };

  it.each([
    ['/operator/patients', { reason: '' }, ['#nhs_number', '#reason']],
    ['/operator/patients', { given_name: 'Ann', reason: '' }, ['#family_name', '#birth_day', '#reason']],
    ['/operator/patients', { ...date, reason: 'x' }, ['#given_name', '#family_name', '#reason']],
    ['/referrals/search', { cursor: '', reason: '' }, ['#nhs_number', '#reason']],
    ['/referrals/search', { cursor: '', family_name: 'Pine', reason: 'x' }, ['#birth_day', '#reason']],
  ])('%s with %j names both at once', async (page, form, named) => {
    const refused = await browser.send(page, form);
    expect([refused.status, summaryOf(refused)]).toEqual([422, named]);
  });
});

describe('a reason to open a referral or to change its record', () => {
  it('is in words that a colleague would understand', async () => {
    const { id, patient } = await makeReferral();
    for (const action of ['open', 'restrict']) {
      const refused = await post(operator, `/${id}/${action}`, { reason: 'x' });
      expect([refused.status, pointersOf(refused)], action).toEqual([422, ['/reason']]);
    }
    const page = await browser.send(`/referrals/${id}/open`, { reason: 'x' });
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('a few words that a colleague')]);
    expect(page.text).not.toContain(patient.family_name);
  });

  it('is refused if it names the person, and the audit says so', async () => {
    const { id, patient } = await makeReferral();
    const reason = `Asked for by ${patient.given_name}`;
    expect((await post(operator, `/${id}/restrict`, { reason })).status).toBe(422);
    const refused = { action: 'referral.restricted', outcome: 'refused' } as const;
    const rows = await storedEntries(site.deps.db, refused);
    expect(rows.at(-1)!.details.reason).toContain('must not name the person');
    expect(JSON.stringify(rows)).not.toContain(patient.given_name);
  });
});
