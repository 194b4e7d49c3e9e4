import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setMailbox } from '../../../test/accounts/stored.ts';
import { anAccount, aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { takeJobs } from '../../../test/app/jobs.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { countRows } from '../../../test/database/stored.ts';
import { storedOfflineCopy } from '../../../test/delivery/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { disableAccount } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { listCapturedMails, sendMail } from '../../platform/mail/index.ts';
import { createSecrets } from '../../platform/secrets/index.ts';
import { makeOfflineCopies, makeOfflineCopy } from './make-copy.ts';

type Person = Awaited<ReturnType<typeof signedInBrowser>>;
type Place = Awaited<ReturnType<typeof aService>>;
type Holder = Awaited<ReturnType<typeof aTokenHolder>>;

let site: TestApp;
let place: Place;
let refuge: Place;
let referrer: Person;
let provider: Person;
let system: Holder;
let operator: Holder;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  refuge = await aService(site.deps, { serviceName: 'Safe Haven refuge' });
  const organisation = { name: 'Infirmary Lane Surgery' };
  referrer = await signedInBrowser(site, { name: 'Rhona Referrer', organisation });
  system = await aTokenHolder(site.deps, { organisation });
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  const ofService = { name: place.organizationName, libraryOrganizationId: place.organizationId };
  provider = await signedInBrowser(site, { role: 'provider', organisation: ofService });
  const settings = { accepts: true, channels: ['inbox'], sensitive: true };
  await call(operator, 'PUT', `/api/library/services/${refuge.serviceId}/referral_settings`, settings);
  for (const name of [organisation.name, ofService.name])
    await setMailbox(site.deps.db, name, '@example.org');
});
afterAll(() => site.close());

const path = '/offline-copy';
const password = 'otter kettle violin marsh tent';

async function call(
  who: Holder,
  method: 'POST' | 'PUT' | 'PATCH',
  url: string,
  payload: object,
  more: object = {},
) {
  const answer = await site.app.inject({ method, url, headers: { ...who.headers, ...more }, payload });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}

let people = 0;
async function refer(serviceId: string, given: object = {}): Promise<string> {
  people += 1;
  const patient = {
    given_name: `Pip${people}`,
    family_name: 'Pocket',
    birth_date: '1960-02-01',
    address: { lines: ['4 Mill Lane'], postcode: 'ZT1 3GH' },
    telephone: `01632 960${100 + people}`,
  };
  return (await call(system, 'POST', '/api/referrals', aReferral(serviceId, { patient, ...given }))).id;
}

/** Runs the jobs that make copies, as the worker does. */
async function makeCopies(): Promise<void> {
  for (const { payload } of await takeJobs(site.deps.pool, { name: 'make-offline-copy' }))
    await makeOfflineCopy(site.deps, payload);
}

async function choose(who: Person, form: { copy_password?: string; email?: string } = {}) {
  const answer = await who.send(path, { copy_password: password, email: '', ...form });
  await makeCopies();
  return answer;
}

async function download(who: Person) {
  return site.app.inject({ url: `${path}/file`, headers: who.headers });
}

const open = (pdf: Buffer, given?: string) =>
  getDocument({ data: new Uint8Array(pdf), verbosity: 0, ...(given !== undefined && { password: given }) })
    .promise;

async function textOf(pdf: Buffer): Promise<string> {
  const document = await open(pdf, password);
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  return pages.join(' ').replaceAll(/\s+/g, ' ');
}

async function mails() {
  for (const { payload } of await takeJobs(site.deps.pool, { name: 'send-mail' }))
    await sendMail(site.deps, payload);
  return listCapturedMails(site.deps, 'everybody', { before: undefined, limit: 100 });
}

describe('the copy for days without the site', () => {
  it('opens with the right password, and with no other', async () => {
    await refer(place.serviceId);
    await choose(referrer);
    const { statusCode, headers, rawPayload: pdf } = await download(referrer);
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(headers['content-disposition']).toBe('attachment; filename="open-referrals-2026-11-21.pdf"');
    expect(await textOf(pdf)).toContain('Pip1 Pocket');
    for (const wrong of [undefined, '', password.toUpperCase()])
      await expect(open(pdf, wrong), String(wrong)).rejects.toMatchObject({ name: 'PasswordException' });
    // The cipher is AES with keys of 256 bits.
    expect(pdf.toString('latin1')).toMatch(/\/CFM \/AESV3/);
    expect(pdf.includes('Pocket')).toBe(false);
  });

  it('has name, telephone, safe contact, service and due date', async () => {
    const contact = { safe: 'only_at', only_at: 'mornings', channel: 'telephone', voicemail: false };
    await refer(place.serviceId, { contact, urgency: 'urgent' });
    const cancelled = await refer(place.serviceId);
    const status_reason = { code: 'moved-away', text: 'She moved.' };
    await call(
      system,
      'POST',
      `/api/referrals/${cancelled}/cancel`,
      { status_reason },
      { 'if-match': '"1"' },
    );
    await choose(referrer);
    const text = await textOf((await download(referrer)).rawPayload);
    for (const said of [
      'Open referrals of Infirmary Lane Surgery',
      'Referrals you made',
      'Pip2 Pocket – URGENT',
      '01632 960102',
      'Telephone only, mornings. No voicemail.',
      place.serviceName,
      'Answer due: ',
      'TEST',
    ])
      expect(text).toContain(said);
    expect(text.indexOf('URGENT'), 'urgent ones first').toBeLessThan(text.indexOf('Pip1'));
    expect(text).not.toContain('Referrals to your services');
    expect(text, 'it is not open any more').not.toContain('Pip3');
  });

  it('marks a risk, also one that only a message tells of', async () => {
    await refer(place.serviceId);
    const told = await refer(place.serviceId);
    const text = 'He took an overdose.';
    await call(system, 'POST', `/api/referrals/${told}/messages`, { text });
    await refer(place.serviceId, { reasons: [{ text: 'She wants to die.' }] });
    await choose(provider);
    const words = await textOf((await download(provider)).rawPayload);
    const placeOf = (count: number) => words.indexOf(`Pip${people - 3 + count} Pocket`);
    expect(placeOf(3), 'a risk comes first').toBeLessThan(placeOf(1));
    const marked = [1, 2, 3].map((count) => words.includes(`Pip${people - 3 + count} Pocket – RISK`));
    expect(marked).toEqual([false, true, true]);
  });

  it('leaves out the number of a person who is not safe to contact', async () => {
    await refer(place.serviceId, { contact: { safe: 'no', channel: 'telephone' } });
    await choose(referrer);
    const text = await textOf((await download(referrer)).rawPayload);
    expect(text).toContain('It is not safe to contact the person (telephone)');
    expect(text).not.toContain(`01632 960${100 + people}`);
  });

  it('says of a referral to a sensitive service only whom to ask', async () => {
    const contact = { safe: 'only_at', only_at: 'Mondays, at the library', who_must_not_know: 'her husband' };
    await refer(refuge.serviceId, { contact });
    await choose(referrer);
    const text = await textOf((await download(referrer)).rawPayload);
    expect(text).toContain('A restricted service');
    expect(text).toMatch(/Do not contact this person before you have asked .{3,80}, who referred them/);
    for (const secret of ['Safe Haven', 'Mondays', 'her husband', `01632 960${100 + people}`])
      expect(text).not.toContain(secret);
  });

  it('has no number of a sensitive service, nor the one before it', async () => {
    const ofRefuge = { name: refuge.organizationName, libraryOrganizationId: refuge.organizationId };
    const staff = await aTokenHolder(site.deps, { role: 'provider', organisation: ofRefuge });
    const id = await refer(refuge.serviceId);
    const moved = { patient: { telephone: '01632 960999' } };
    await call(staff, 'PATCH', `/api/referrals/${id}`, moved, { 'if-match': '"1"' });
    await choose(referrer);
    const text = await textOf((await download(referrer)).rawPayload);
    for (const number of [`01632 960${100 + people}`, '01632 960999']) expect(text).not.toContain(number);
  });

  it('has the more careful of two answers about contact', async () => {
    const patient = {
      given_name: 'Philippa',
      family_name: 'Twosides',
      birth_date: '1961-03-02',
      address: { lines: ['5 Mill Lane'], postcode: 'ZT1 3GH' },
      telephone: '01632 960999',
    };
    await refer(refuge.serviceId, { patient, contact: { safe: 'no', who_must_not_know: 'her husband' } });
    await refer(place.serviceId, {
      patient,
      contact: { safe: 'yes', channel: 'telephone', voicemail: true },
    });
    await choose(referrer);
    const text = await textOf((await download(referrer)).rawPayload);
    expect(text).toMatch(
      /Another referral by the same organisation asks for more care\. Ring .{3,80}, before you contact the person\. This referral says: Telephone only/,
    );
    for (const secret of ['01632 960999', 'her husband']) expect(text).not.toContain(secret);
  });

  it('leaves out a referral that is restricted while it is made', async () => {
    const id = await refer(place.serviceId);
    await choose(referrer, { email: 'surgery@example.org' });
    await takeJobs(site.deps.pool, { name: 'send-mail' });
    await call(system, 'PATCH', `/api/referrals/${id}`, { safety_notes: 'A dog.' }, { 'if-match': '"1"' });
    const [waiting] = await takeJobs(site.deps.pool, { name: 'make-offline-copy' });
    const why = { reason: 'Asked for by letter; ticket 312.' };
    const letterDrawer = {
      ...site.deps.letterDrawer,
      async drawOpenReferrals(...given: Parameters<typeof site.deps.letterDrawer.drawOpenReferrals>) {
        const file = await site.deps.letterDrawer.drawOpenReferrals(...given);
        await call(operator, 'POST', `/api/referrals/${id}/restrict`, why);
        return file;
      },
    };
    await makeOfflineCopy({ ...site.deps, letterDrawer }, { ...waiting!.payload, without_email: false });
    expect((await download(referrer)).statusCode).toBe(404);
    expect(await takeJobs(site.deps.pool, { name: 'send-mail' })).toEqual([]);
    await makeCopies();
    expect(await textOf((await download(referrer)).rawPayload)).not.toContain(`Pip${people} `);
  });

  it('loses a referral at once that is restricted', async () => {
    const id = await refer(place.serviceId);
    await choose(referrer);
    const why = { reason: 'Asked for by letter; ticket 311.' };
    await call(operator, 'POST', `/api/referrals/${id}/restrict`, why);
    expect((await download(referrer)).statusCode, 'for a minute').toBe(404);
    await makeCopies();
    expect(await textOf((await download(referrer)).rawPayload)).not.toContain(`Pip${people} `);
  });

  it('is made again, not emailed, once a contact is no longer safe', async () => {
    const id = await refer(place.serviceId);
    await choose(referrer, { email: 'surgery@example.org' });
    const emailed = async () => (await mails()).filter(({ to }) => to === 'surgery@example.org').length;
    const before = await emailed();
    const number = `01632 960${100 + people}`;
    expect(await textOf((await download(referrer)).rawPayload)).toContain(number);
    const contact = { safe: 'no', channel: 'telephone' };
    await call(system, 'PATCH', `/api/referrals/${id}`, { contact }, { 'if-match': '"1"' });
    await makeCopies();
    expect(await textOf((await download(referrer)).rawPayload)).not.toContain(number);
    expect(await emailed()).toBe(before);
  });

  it('is deleted once nobody of the organisation can sign in', async () => {
    const leaver = await signedInBrowser(site, { organisation: { name: 'Closed Lane Surgery' } });
    await choose(leaver);
    const count = () => countRows(site.deps.db, 'offline_copies');
    const before = await count();
    await disableAccount(site.deps, siteActor, leaver.email);
    await makeOfflineCopies(site.deps);
    expect(await count()).toBe(before - 1);
    await makeCopies();
  });

  it('is made each night for those who chose it, and emailed', async () => {
    await choose(provider, { email: 'duty@example.org' });
    await mails();
    site.clock.moveOn(86_400_000);
    await makeOfflineCopies(site.deps);
    await makeCopies();
    const [mail] = (await mails()).filter(({ to }) => to === 'duty@example.org');
    expect(mail!.files!.map(({ name }) => name)).toEqual(['open-referrals-2026-11-22.pdf']);
    const text = await textOf(mail!.files![0]!.content);
    expect(text).toContain('Referrals to your services');
    expect(mail!.subject + mail!.text).not.toMatch(/Pocket|otter|walking/);
    await provider.signIn();
    await referrer.signIn();
    expect((await provider.open(path)).text).toContain('22 November 2026');
  });
});

describe('the choice of a copy', () => {
  it('is told to all people of the organisation, and audited', async () => {
    const organisation = { name: 'Mill Lane Surgery' };
    const one = await signedInBrowser(site, { name: 'Una One', organisation });
    const other = await signedInBrowser(site, { organisation });
    await setMailbox(site.deps.db, organisation.name, '@example.org');
    await choose(one, { email: 'mill@example.org' });
    expect((await download(other)).statusCode, 'a colleague').toBe(200);
    await other.send(`${path}/stop`, {});
    expect((await download(one)).statusCode).toBe(404);
    const told = (await mails()).filter(({ to }) => to === other.email);
    expect(told.map(({ text }) => text).join(' ')).toMatch(
      /stopped the copy[\s\S]*Una One chose a nightly copy/,
    );
    expect(JSON.stringify(told)).not.toContain('otter');
    const runner = await signedInBrowser(site, { role: 'operator' });
    const organisations = (await runner.open('/operator/organisations')).page;
    const link = (name: string) =>
      organisations
        .querySelectorAll('main table a')
        .find((each) => each.text === name)!
        .getAttribute('href')!;
    expect((await runner.open(link('Mill Lane Surgery'))).text).toContain('not chosen');
    const chosen = (await runner.open(link('Infirmary Lane Surgery'))).text;
    expect(chosen).toContain('Copy for days without the site: chosen on 21 November 2026');
    const entries = await storedEntries(site.deps.db, { subjectType: 'organisation' } as never);
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('offline_copy'));
    expect(new Set(actions)).toEqual(
      new Set(['offline_copy.chosen', 'offline_copy.downloaded', 'offline_copy.stopped']),
    );
  });

  it('is slowed down, because each is told to everybody', async () => {
    const organisation = { name: 'Busy Lane Surgery' };
    const one = await signedInBrowser(site, { organisation });
    const other = await signedInBrowser(site, { organisation });
    for (let n = 0; n < 10; n += 1) {
      expect((await one.send(path, { copy_password: password, email: '' })).status).toBe(303);
      expect((await other.send(`${path}/stop`, {})).status).toBe(303);
    }
    const before = (await mails()).length;
    const slowed = await other.send(path, { copy_password: password, email: '' });
    expect([slowed.status, slowed.text]).toEqual([429, expect.stringContaining('Try again in 1 second')]);
    expect((await one.send(`${path}/stop`, {})).status).toBe(429);
    expect((await mails()).length).toBe(before);
    site.clock.moveOn(1000);
    expect((await one.send(path, { copy_password: password, email: '' })).status).toBe(303);
  });

  it('is sent only to own people, and to an operator’s addresses', async () => {
    const organisation = { name: 'Weir Lane Surgery' };
    const chooser = await signedInBrowser(site, { email: 'chooser@example.org', organisation });
    const reader = await signedInBrowser(site, { email: 'reader@example.org', organisation });
    await anAccount(site.deps, { email: 'elsewhere@example.org' });
    const sendTo = async (email: string) => (await choose(chooser, { email })).status;
    for (const email of ['me@mailbox.example', 'elsewhere@example.org', 'duty@weir.example'])
      expect(await sendTo(email), email).toBe(422);
    expect(await sendTo('Reader@example.org')).toBe(303);
    const runner = await signedInBrowser(site, { role: 'operator' });
    const { page } = await runner.open('/operator/organisations?name=Weir');
    const facts = page.querySelector('main table a')!.getAttribute('href')!;
    expect((await runner.send(facts, { mailbox: 'not an address' })).status).toBe(422);
    expect((await runner.send(facts, { mailbox: '@Weir.example' })).status).toBe(303);
    expect(await sendTo('duty@weir.example')).toBe(303);
    for (const email of ['duty@not-weir.example', 'duty@weir.example.org'])
      expect(await sendTo(email), email).toBe(422);
    await runner.send(facts, { mailbox: 'duty@weir.example' });
    expect(await sendTo('other@weir.example')).toBe(422);
    const audited = await storedEntries(site.deps.db, { action: 'organisation.facts_changed' });
    expect(JSON.stringify(audited)).not.toContain('weir.example');

    // Somebody who leaves gets no further copy.
    await sendTo('reader@example.org');
    await mails();
    await disableAccount(site.deps, siteActor, reader.email);
    await makeOfflineCopies(site.deps);
    await makeCopies();
    const sent = (await mails()).filter(({ files }) => files?.length);
    expect(sent.filter(({ to }) => to === reader.email && to !== 'chooser@example.org')).toHaveLength(1);
    const told = (await mails()).filter(
      ({ to, text }) => to === chooser.email && text.includes('no longer sent by email'),
    );
    expect(told).toHaveLength(1);
    expect((await chooser.open(path)).text).toMatch(/Sent by email\s+No/);
  });

  it('needs a password that is hard to guess, and keeps it', async () => {
    for (const wrong of ['short', 'aaaaaaaaaaaaaaaaaaaa', 'passwördpasswördpasswörd']) {
      const refused = await referrer.send(path, { copy_password: wrong, email: 'nowhere' });
      expect(refused.status, wrong).toBe(422);
      expect(refused.text).toContain('Enter an email address in the right format');
      expect(refused.page.toString()).not.toContain(wrong);
    }
    await choose(referrer);
    await choose(referrer, { copy_password: '', email: 'later@example.org' });
    expect(await textOf((await download(referrer)).rawPayload)).toContain('Open referrals');
    await choose(referrer, { copy_password: 'quilt harbour seven lemon', email: '' });
    await expect(textOf((await download(referrer)).rawPayload)).rejects.toThrow();
  });

  it('is only for people who see both sides of the organisation', async () => {
    const ofService = { name: place.organizationName, libraryOrganizationId: place.organizationId };
    expect((await provider.open(path)).page.querySelector('#copy_password')).not.toBeNull();
    const both = await signedInBrowser(site, { roles: ['referrer', 'provider'], organisation: ofService });
    expect((await provider.open(path)).text).toContain('Only people who see both');
    expect((await download(provider)).statusCode).toBe(403);
    expect((await provider.send(path, { copy_password: password, email: '' })).status).toBe(403);
    expect((await both.open(path)).page.querySelector('#copy_password')).not.toBeNull();
    const alone = await signedInBrowser(site, { role: 'operator' });
    expect((await alone.open(path)).status).toBe(403);
  });

  it('ends where the site key was replaced, and people are told', async () => {
    await choose(referrer);
    const choice = await storedOfflineCopy(site.deps.db, 'Infirmary Lane Surgery');
    const withOtherKey = {
      ...site.deps,
      secrets: { ...site.deps.secrets, open: createSecrets(Buffer.alloc(32)).open },
    };
    await makeOfflineCopy(withOtherKey, choice);
    expect((await download(referrer)).statusCode).toBe(404);
    const told = (await mails()).filter(
      ({ to, text }) => to === referrer.email && text.includes('Choose a new password'),
    );
    expect(told).toHaveLength(1);
  });
});
