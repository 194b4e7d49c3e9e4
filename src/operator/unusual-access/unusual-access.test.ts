import { describe, expect, it } from 'vitest';
import { anAccount, aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { aNamedKey } from '../../../test/people/named-keys.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { aSystem } from '../../../test/people/systems.ts';
import { storeNewAccessToken } from '../../tokens/index.ts';
import { reportUnusualAccess } from './report-unusual-access.ts';

const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const day = 86_400_000;

/** A surgery whose staff look at what they should not, and the week after. */
async function aWeekOfLooks(env: Record<string, string> = {}) {
  const site = await makeApp({ env });
  const refuge = await aService(site.deps, { serviceName: 'The refuge' });
  await markSensitive(site.deps.db, refuge.serviceId);
  const choir = await aService(site.deps, { serviceName: 'The choir' });
  const maker = await aTokenHolder(site.deps, { organisation });
  const curious = await aTokenHolder(site.deps, { organisation, name: 'Cora Curio' });
  const call = (who: typeof maker, url: string, payload?: object) =>
    site.app.inject({
      method: payload ? 'POST' : 'GET',
      url: `/api/referrals${url}`,
      headers: who.headers,
      ...(payload && { payload }),
    });
  let people = 0;
  const refer = async (serviceId: string, family_name: string) => {
    people += 1;
    const { nhs_number: _, ...person } = aReferral(serviceId).patient;
    const patient = { ...person, given_name: `Person ${people}`, family_name };
    return (await call(maker, '', aReferral(serviceId, { patient }))).json().id as string;
  };
  await call(curious, `/${await refer(choir.serviceId, 'Curio')}`);
  await call(curious, `/${await refer(refuge.serviceId, 'Hidden')}`);
  await call(curious, `/${await refer(choir.serviceId, 'Other')}`);
  for (const family_name of ['Ash', 'Birch', 'Cedar', 'Damson', 'Elder'])
    await call(curious, '/search', { family_name, birth_date: '1950-01-01' });
  // Somebody who works: they wrote about the one that they opened.
  const atWork = await aTokenHolder(site.deps, { organisation, name: 'Wilma Work' });
  const theirs = await refer(refuge.serviceId, 'Helped');
  await call(atWork, `/${theirs}`);
  await call(atWork, `/${theirs}/open`, { reason: 'I cover for her this week.' });
  await call(atWork, `/${theirs}/messages`, { text: 'She asks for a call before three.' });
  return { site, curious };
}

describe('the Caldicott guardian’s weekly list', () => {
  it('lists unusual access, and who has reviewed each row', async () => {
    const { site, curious } = await aWeekOfLooks();
    const operator = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
    await reportUnusualAccess(site.deps);
    expect((await operator.open('/operator/looks')).text, 'a day is over first').toContain(
      'Nothing to review',
    );
    site.clock.moveOn(day);
    await reportUnusualAccess(site.deps);
    await reportUnusualAccess(site.deps);
    await operator.signIn();
    const { page, text } = await operator.open('/operator/looks');
    const cards = page.querySelectorAll('.nhsuk-card').map((card) => ({
      words: card.querySelector('h3')!.text.trim(),
      values: card.querySelectorAll('dd').map((value) => value.text.trim()),
    }));
    const of = (count: string) => ['Cora Curio, Infirmary Lane Surgery', '21 November 2026', count];
    expect(cards.sort((one, other) => one.words.localeCompare(other.words))).toEqual([
      { words: 'Looked for somebody with their own last name', values: of('1') },
      {
        words: 'Opened referrals to sensitive services, and gave no reason or did nothing with them',
        values: of('1'),
      },
      { words: 'Searched for many people who were not found', values: of('5') },
    ]);
    expect(text).not.toMatch(/Hidden|Helped|Wilma|refuge|Elder/);
    const audit = page.querySelector('.nhsuk-card p a')!.getAttribute('href')!;
    expect((await operator.open(audit.replaceAll('&amp;', '&'))).text).toContain('Searched referrals');

    const form = page.querySelector('.nhsuk-card form')!.getAttribute('action')!;
    const empty = await operator.send(form, { note: ' ' });
    expect([empty.status, empty.page.querySelector('.nhsuk-error-summary a')?.text.trim()]).toEqual([
      422,
      'Say what you found',
    ]);
    for (const note of ['x', 'n/a', 'asdf qwerty'])
      expect((await operator.send(form, { note })).status).toBe(422);
    await operator.send(form, { note: 'She covered for a colleague.' });
    expect((await operator.open('/operator/looks')).page.querySelectorAll('.nhsuk-card')).toHaveLength(2);
    const checked = (await operator.open('/operator/looks?show=checked')).text;
    expect(checked).toMatch(/Olive Operator.*She covered for a colleague\./s);
    const [entry] = await storedEntries(site.deps.db, { action: 'looks.checked' });
    expect([entry?.actor_name, entry?.subject_id]).toEqual(['Olive Operator', curious.id]);
    await site.close();
  });

  it('lists a colleague who changed an agreement without a reason', async () => {
    const site = await makeApp();
    const refuge = await aService(site.deps, { serviceName: 'The refuge' });
    await markSensitive(site.deps.db, refuge.serviceId);
    const maker = await aTokenHolder(site.deps, { organisation });
    const post = (who: typeof maker, url: string, payload: object) =>
      site.app.inject({ method: 'POST', url: `/api/referrals${url}`, headers: who.headers, payload });
    const noticed = async (name: string, reason?: string) => {
      const { nhs_number: _, ...person } = aReferral(refuge.serviceId).patient;
      // No name of the colleague, which would be noticed too.
      const patient = { ...person, family_name: `Person ${name.length}` };
      const referral = aReferral(refuge.serviceId, { patient });
      const { id } = (await post(maker, '', referral)).json();
      const colleague = await aTokenHolder(site.deps, { organisation, name });
      if (reason) await post(colleague, `/${id}/open`, { reason });
      const changed = await post(colleague, `/${id}/agreement-changed`, { share_with_gp: false });
      expect(changed.statusCode).toBe(200);
    };
    await noticed('Nora Noreason');
    await noticed('Rita Reason', 'I cover for her this week.');
    site.clock.moveOn(day);
    await reportUnusualAccess(site.deps);
    const operator = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
    const cards = (await operator.open('/operator/looks')).page.querySelectorAll('.nhsuk-card');
    expect(cards.map((card) => card.querySelector('dd')!.text.trim())).toEqual([
      'Nora Noreason, Infirmary Lane Surgery',
    ]);
    await site.close();
  });

  it('names client systems and keys to others than their owners', async () => {
    const site = await makeApp();
    const refuge = await aService(site.deps, { serviceName: 'The refuge' });
    await markSensitive(site.deps.db, refuge.serviceId);
    const owner = await signedInBrowser(site, { role: 'operator', name: 'Olga Owner' });
    const system = await aSystem(site, { organisation, ownerId: owner.id });
    const person = await anAccount(site.deps, { organisation, name: 'Petra Person' });
    const key = await aNamedKey(site, person.id, { name: 'My spreadsheet' });
    const byKey = { headers: { authorization: `Bearer ${await key.accessToken()}` } };
    const maker = await aTokenHolder(site.deps, { organisation });
    const call = (who: { headers: object }, url: string, payload?: object) =>
      site.app.inject({
        method: payload ? 'POST' : 'GET',
        url: `/api/referrals${url}`,
        headers: { ...who.headers },
        ...(payload && { payload }),
      });
    const referral = aReferral(refuge.serviceId);
    const made = (await call(maker, '', referral)).json();
    // It reads for its people, and learns no more than they may know.
    expect((await call(system, `/${made.id}`)).statusCode).toBe(200);
    for (const family_name of ['Ash', 'Birch', 'Cedar', 'Damson', 'Elder'])
      await call(byKey, '/search', { family_name, birth_date: '1950-01-01' });
    for (const year of [1950, 1951, 1952, 1953, 1954, 1955])
      await call(system, '', { ...referral, patient: { ...referral.patient, birth_date: `${year}-03-09` } });
    site.clock.moveOn(day);
    await reportUnusualAccess(site.deps);
    await owner.signIn();
    const rowsFor = async (who: typeof owner) => (await who.open('/operator/looks')).page;
    const cards = (await rowsFor(owner)).querySelectorAll('.nhsuk-card');
    const told = cards.map((card) => [
      card.querySelector('h3')!.text.trim(),
      ...card.querySelectorAll('dd').map((value) => value.text.trim()),
    ]);
    const theSystem = 'EMIS Link, Infirmary Lane Surgery (client system)';
    const ofTheDay = (account: string, keyName: string, count: string) => [
      account,
      keyName,
      '21 November 2026',
      count,
    ];
    expect(
      told.sort((one, other) => one[0]!.localeCompare(other[0]!) || one[1]!.localeCompare(other[1]!)),
    ).toEqual([
      ['Searched for many people who were not found', ...ofTheDay(theSystem, system.key.settings.name, '6')],
      [
        'Searched for many people who were not found',
        ...ofTheDay('Petra Person, Infirmary Lane Surgery', 'My spreadsheet', '5'),
      ],
      [
        'Tried an NHS number with too many names or dates of birth',
        ...ofTheDay(theSystem, system.key.settings.name, '2'),
      ],
    ]);
    const ofSystem = cards.filter((card) => card.text.includes('EMIS Link'));
    for (const card of ofSystem) expect(card.text).toContain('another operator reviews it');
    const other = await signedInBrowser(site, { role: 'operator' });
    const form = (await rowsFor(other))
      .querySelectorAll('.nhsuk-card')
      .find((card) => card.text.includes('EMIS Link'))!
      .querySelector('form')!
      .getAttribute('action')!;
    const note = 'The vendor tried it out.';
    expect((await owner.send(form, { note })).status).toBe(403);
    expect((await other.send(form, { note })).status).toBe(303);
    await site.close();
  });

  it('begins at the numbers that the settings say', async () => {
    const { site } = await aWeekOfLooks({ ONWARD_LOOKS_MISSES: '6', ONWARD_LOOKS_WITHOUT_ACTION: '2' });
    site.clock.moveOn(day);
    await reportUnusualAccess(site.deps);
    const operator = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
    const { text } = await operator.open('/operator/looks');
    expect(text).not.toContain('Searched for many people who were not found');
    expect(text).toContain('Opened many referrals of colleagues, and did nothing with them');
    await site.close();
  });

  it('lists what seven days add up to, each below a day’s limit', async () => {
    const site = await makeApp({ env: { ONWARD_LOOKS_MISSES: '5' } });
    const curious = await aTokenHolder(site.deps, { organisation });
    for (let count = 0; count < 5; count += 1) {
      const { text } = await storeNewAccessToken(site.deps, curious.id, 'apikeys');
      const search = {
        method: 'POST',
        url: '/api/referrals/search',
        headers: { authorization: `Bearer ${text}` },
      } as const;
      for (const family_name of ['Ash', 'Birch', 'Cedar'])
        await site.app.inject({ ...search, payload: { family_name, birth_date: '1950-01-01' } });
      site.clock.moveOn(day);
    }
    await reportUnusualAccess(site.deps);
    await reportUnusualAccess(site.deps);
    const operator = await signedInBrowser(site, { role: 'operator' });
    const { page } = await operator.open('/operator/looks');
    const cards = page.querySelectorAll('.nhsuk-card').map((card) => card.text.replaceAll(/\s+/g, ' '));
    expect(cards).toHaveLength(1);
    expect(cards[0]).toMatch(/Searched for many people who were not found, over the seven days.* 15 /);
    await site.close();
  });

  it('is not for the person whom it is about', async () => {
    const { site } = await aWeekOfLooks();
    const curious = await signedInBrowser(site, { role: 'operator', name: 'Otto Himself' });
    await curious.send('/operator/patients', {
      given_name: 'Ida',
      family_name: 'Himself',
      birth_day: '1',
      birth_month: '1',
      birth_year: '1950',
      reason: 'Asked for by letter; ticket 311.',
    });
    site.clock.moveOn(day);
    await reportUnusualAccess(site.deps);
    await curious.signIn();
    const { text, page } = await curious.open('/operator/looks');
    expect(text).toContain('This is about you');
    const forms = page.querySelectorAll('.nhsuk-card form');
    expect(forms).toHaveLength(3);
    await site.close();
  });

  it.each([
    ['the guardian, who has an address', 'Dr Anna Hale, caldicott@example.org', 'caldicott@example.org'],
    ['operators where the guardian has only a telephone', 'Dr Anna Hale, 01632 960001', 'olive@example.org'],
  ])('is announced each Monday to %s, without a name', async (_, guardian, address) => {
    const { site } = await aWeekOfLooks({ ONWARD_CALDICOTT_GUARDIAN: guardian });
    await anAccount(site.deps, { role: 'operator', email: 'olive@example.org' });
    site.clock.moveOn(day);
    await reportUnusualAccess(site.deps);
    const others = ['caldicott@example.org', 'olive@example.org'].filter((each) => each !== address);
    for (const other of others) expect(await mailsTo(site, other)).toEqual([]);
    const [mail] = await mailsTo(site, address);
    expect(mail!.subject).toBe('Record access to review: 3 – Onward test site');
    expect(mail!.text).toContain('/operator/looks');
    const olive = await signedInBrowser(site, { role: 'operator' });
    expect((await olive.open('/operator/looks')).text).toContain('To review: 3\n');
    expect(mail!.text).toContain('The oldest is of 21 November 2026.');
    expect(mail!.text).toContain('Searched for many people who were not found: 1');
    expect(mail!.text).toContain('If you have no account here, ask an operator');
    expect(mail!.text).not.toMatch(/Cora|Curio|Hidden|refuge/);
    await site.close();
  });
});
