import { describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../../test/app/builders.ts';
import { takeJobs } from '../../../../test/app/jobs.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { referralLifeFixture } from '../../../../test/referrals/life-fixture.ts';
import { storedListLooks, storedLooks } from '../../../../test/referrals/stored.ts';
import { changeEmail } from '../../../accounts/index.ts';
import { makeOfflineCopy } from '../../../delivery/index.ts';
import { storeNewAccessToken } from '../../../tokens/index.ts';
import { lookKeys } from './looks.ts';

const { site, place, referrer, colleague, provider, operator, stranger, get, post, makeReferral, aPerson } =
  await referralLifeFixture();
const { db, secrets } = site.deps;
const keysOf = (person: Parameters<typeof lookKeys>[1]) => {
  const { surnameKey, postcodeKey, numberKey } = lookKeys(secrets, person);
  return { surname_key: surnameKey, postcode_key: postcodeKey, number_key: numberKey };
};

describe('a search for a person', () => {
  const nobody = { family_name: 'Quillfeather', birth_date: '1950-01-01', postcode: 'ZT9 9QQ' };

  it('is kept with hashes of who was sought, found or not', async () => {
    expect((await post(stranger, '/search', nobody)).body.items).toEqual([]);
    const [look] = await storedLooks(db, stranger.id);
    const sameName = { family_name: 'QUILL-FEATHER', postcode: 'zt99qq' };
    expect(look).toMatchObject({
      kind: 'search',
      found: 0,
      own: null,
      ...keysOf(sameName),
      number_key: null,
    });
    expect(JSON.stringify(look)).not.toMatch(/quill|zt9/i);
  });

  it('is kept for an operator too, and so is a copy of a record', async () => {
    const { patient } = aPerson();
    const person = {
      given_name: patient.given_name,
      family_name: 'Looked-For',
      birth_date: patient.birth_date,
      reason: 'Asked for by letter; ticket 311.',
    };
    const { headers } = operator;
    for (const [url, payload] of [
      [
        '/api/referrals/search',
        { family_name: 'Looked-For', birth_date: person.birth_date, reason: person.reason },
      ],
      ['/api/patients/export', person],
    ] as const)
      expect((await site.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200);
    const looks = await storedLooks(db, operator.id);
    const look = { kind: 'search', ...keysOf({ family_name: 'Looked-For' }) };
    expect(looks).toMatchObject([look, look]);
  });

  it('is kept with the last name that was found by number', async () => {
    const { patient } = aPerson();
    await makeReferral({ patient: { ...patient, family_name: 'Numbered', nhs_number: '9990000042' } });
    await post(colleague, '/search', { nhs_number: '999 000 0042' });
    const person = { family_name: 'Numbered', nhs_number: '9990000042' };
    expect((await storedLooks(db, colleague.id)).at(-1)).toMatchObject({ found: 1, ...keysOf(person) });
  });
});

describe('a referral', () => {
  it('opened by a colleague is recorded once a day, one’s own not', async () => {
    const { id, patient } = await makeReferral();
    const before = (await storedLooks(db, referrer.id)).length;
    for (const path of ['', '', '/history', '/messages', '/attachments']) {
      await get(referrer, `/${id}${path}`);
      await get(colleague, `/${id}${path}`);
    }
    const looksAt = async (who: typeof colleague) =>
      (await storedLooks(db, who.id)).filter(({ referral_id }) => referral_id === id);
    expect((await storedLooks(db, referrer.id)).length).toBe(before);
    expect(await looksAt(colleague)).toMatchObject([{ kind: 'opening', side: 'referrer', found: 1 }]);
    const person = { family_name: patient.family_name, postcode: patient.address.postcode };
    await get(provider, `/${id}/messages`);
    expect(await looksAt(provider)).toMatchObject([{ side: 'provider', ...keysOf(person) }]);
    await get(operator, `/${id}`);
    expect(await looksAt(operator), 'an operator saw only the state').toEqual([]);
    await post(operator, `/${id}/open`, { reason: 'The service asked for help; ticket 12.' });
    await get(operator, `/${id}`);
    expect(await looksAt(operator)).toMatchObject([{ side: 'operator' }]);
  });

  it('is marked if it has the account holder’s name or address', async () => {
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const holder = await aTokenHolder(site.deps, {
      name: 'Ada Ní Moss-Hale',
      email: 'ada.hale@example.org',
      organisation,
    });
    const { patient } = aPerson();
    const named = await makeReferral({ patient: { ...patient, family_name: 'Ni Moss Hale' } });
    const addressed = await makeReferral({ patient: { ...patient, email: 'Ada.Hale@example.org' } });
    const besides = await makeReferral({
      patient: { ...patient, family_name: 'Besides', email: 'ada.hale+gp@example.org' },
    });
    for (const { id } of [named, addressed, besides]) await get(holder, `/${id}`);
    expect((await storedLooks(db, holder.id)).map(({ own }) => own).sort()).toEqual([
      'email',
      'email',
      'name',
    ]);
  });
});

describe('a list', () => {
  it('is kept once a day with the referrals of others it showed', async () => {
    const organisation = { name: 'Long Lane Surgery' };
    const maker = await aTokenHolder(site.deps, { organisation });
    const reader = await aTokenHolder(site.deps, { organisation });
    const first = (await post(maker, '', aPerson())).body.id;
    for (const who of [maker, reader, reader]) await get(who, '');
    expect(await storedListLooks(db, maker.id)).toEqual([]);
    expect(await storedListLooks(db, reader.id)).toEqual([{ kind: 'list', referral_ids: [first] }]);
    const second = (await post(maker, '', aPerson())).body.id;
    await get(reader, '');
    const [look, ...others] = await storedListLooks(db, reader.id);
    expect([new Set(look!.referral_ids), others]).toEqual([new Set([first, second]), []]);
    // An operator's list names nobody.
    await get(operator, '');
    expect(await storedListLooks(db, operator.id)).toEqual([]);
  });

  it('is found by “who saw me”, as copies and searches are', async () => {
    const organisation = { name: 'Short Lane Surgery' };
    const maker = await aTokenHolder(site.deps, { organisation, name: 'Mia Maker' });
    const body = aPerson();
    const patient = { ...body.patient, given_name: 'Ottilie', family_name: 'Wherefore' };
    await post(maker, '', { ...body, patient });
    const lister = await aTokenHolder(site.deps, { organisation, name: 'Lia Lister' });
    await get(lister, '');
    const { birth_date } = patient;
    const searcher = await aTokenHolder(site.deps, { name: 'Sia Searcher' });
    await post(searcher, '/search', { family_name: 'WHEREFORE', birth_date });
    const copier = await signedInBrowser(site, { organisation, name: 'Cia Copier' });
    await copier.send('/offline-copy', {
      copy_password: 'otter kettle violin marsh tent',
      email: copier.email,
    });
    for (const { payload } of await takeJobs(site.deps.pool, { name: 'make-offline-copy' }))
      await makeOfflineCopy(site.deps, payload);
    await site.app.inject({ url: '/offline-copy/file', headers: copier.headers });

    const runner = await signedInBrowser(site, { role: 'operator' });
    const [birth_year, birth_month, birth_day] = birth_date.split('-');
    const form = { given_name: 'Ottilie', family_name: 'Wherefore', birth_day, birth_month, birth_year };
    const reason = 'Asked for by letter; ticket 311.';
    const { status, page } = await runner.send('/operator/patients/looks', { ...form, reason } as any);
    expect(status).toBe(200);
    const cards = page
      .querySelectorAll('.nhsuk-card')
      .map((card) => card.structuredText.replaceAll(/\s+/g, ' '));
    const said = (words: string) => cards.filter((card) => card.startsWith(words)).join(' ');
    expect(said('Saw the person in a list')).toMatch(/Lia Lister, Short Lane Surgery/);
    expect(said('Looked for somebody')).toContain('Sia Searcher');
    expect(said('Took the copy')).toContain('Cia Copier');
    expect(said('The copy for days')).toContain(`To ${copier.email}, for Short Lane Surgery`);
    expect(cards.join(' ')).not.toContain('Mia Maker');
    const audited = await storedEntries(db, { action: 'patient.looks_read' });
    expect(JSON.stringify(audited)).not.toContain('Wherefore');
  });
});

describe('somebody who was called something else', () => {
  it('is noticed by every name and address the account ever had', async () => {
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const browser = await signedInBrowser(site, {
      name: 'Ida Fernley',
      email: 'ida@example.org',
      organisation,
    });
    for (const name of ['Ida Grove', 'Ida Heath']) await browser.send('/account/name', { name });
    await changeEmail(site.deps, { name: 'command line' }, 'ida@example.org', 'ida.heath@example.org');
    const { text } = await storeNewAccessToken(site.deps, browser.id, 'apikeys');
    const holder = { ...browser, token: text, headers: { authorization: `Bearer ${text}` } };
    const { patient } = aPerson();
    for (const given of [
      { family_name: 'Fernley' },
      { family_name: 'Grove' },
      { family_name: 'Heath' },
      { family_name: 'Other', email: 'Ida@example.org' },
      { family_name: 'Stranger' },
    ])
      await get(holder, `/${(await makeReferral({ patient: { ...patient, ...given } })).id}`);
    const own = (await storedLooks(db, holder.id)).map((look) => look.own ?? 'nobody');
    expect(own.sort()).toEqual(['email', 'name', 'name', 'name', 'nobody']);
    const renamed = await storedEntries(db, { action: 'account.renamed', subjectId: holder.id });
    expect(renamed.map(({ details }) => details)).toEqual([
      { from: 'Ida Fernley', to: 'Ida Grove' },
      { from: 'Ida Grove', to: 'Ida Heath' },
    ]);
    // Nor do they refer themselves under the name from before.
    const self = await post(
      holder,
      '',
      aPerson(place.serviceId, {
        patient: { ...patient, given_name: 'Ida', family_name: 'Fernley' },
        gp_practice: { ods_code: 'Z99001' },
      }),
    );
    expect([self.status, self.body.type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
  });
});
