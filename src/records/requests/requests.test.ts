import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeJobs } from '../../../test/app/jobs.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { listCapturedMails, sendMail } from '../../platform/mail/index.ts';
import { remindOfRequests } from './remind-of-requests.ts';
import { deleteOldRequests, listRequests } from './requests-store.ts';

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_DATA_PROTECTION_OFFICER: 'Ann Hale, dpo@example.org' } });
  operator = await signedInBrowser(site, { role: 'operator', name: 'Olga Operator' });
});
afterAll(() => site.close());

const path = '/operator/requests';
const complaint = {
  kind: 'complain',
  name: 'Quilla Quillfeather',
  contact: '01632 960177, mornings only, leave no voicemail',
  words: 'My sister was told that I was referred.',
};

let people = 0;
/** Somebody without an account sends the form. Each is reached in another way, so that nobody slows down the others. */
async function ask(form: Partial<typeof complaint> = {}) {
  people += 1;
  const contact = form.contact ?? `${complaint.contact} (${people})`;
  const answer = await plainBrowser(site.app).post('/rights', { ...complaint, ...form, contact });
  const location = String(answer.headers.location);
  return { answer, location, id: location.split('/').at(-1)! };
}

async function mailsNow() {
  for (const { payload } of await takeJobs(site.deps.pool, { name: 'send-mail' }))
    await sendMail(site.deps, payload);
  return listCapturedMails(site.deps, 'everybody', { before: undefined, limit: 100 });
}

describe('the public form about a record', () => {
  it('is linked from every page, and needs no account', async () => {
    const browser = plainBrowser(site.app);
    expect((await browser.get('/')).body).toContain('href="/rights"');
    const form = await browser.get('/rights');
    expect([form.statusCode, form.body]).toEqual([200, expect.stringContaining('Correct my record')]);
  });

  it('gives a reference and the dates, and repeats nothing', async () => {
    const { location } = await ask();
    const receipt = (await plainBrowser(site.app).get(location)).body;
    expect(receipt).toMatch(/Your reference is <strong>[\dA-Z]{5}-[\dA-Z]{5}</);
    // It was sent on a Saturday.
    expect(receipt).toContain('by 25 November 2026');
    expect(receipt).toContain('We answer by 21 December 2026');
    for (const said of ['Quillfeather', '01632', 'sister', 'Complain']) expect(receipt).not.toContain(said);
    expect((await plainBrowser(site.app).get('/rights/sent/nothing')).statusCode).toBe(404);
  });

  it('is shown again with everything that is missing', async () => {
    const answer = await plainBrowser(site.app).post('/rights', { name: ' ', contact: 'x'.repeat(501) });
    expect(answer.statusCode).toBe(422);
    for (const text of [
      'Choose what you want to do',
      'Enter your name',
      'Use 500 characters or fewer',
      'Say what it is about',
    ])
      expect(answer.body).toContain(text);
  });

  it('tells operators and the data protection officer no details', async () => {
    const before = new Set((await mailsNow()).map(({ id }) => id));
    const { id } = await ask();
    const sent = (await mailsNow()).filter((mail) => !before.has(mail.id));
    expect(sent.map(({ to }) => to).sort()).toEqual([operator.email, 'dpo@example.org'].sort());
    for (const { subject, text } of sent) {
      expect(text).toContain(`${path}/${id}`);
      expect(text).toContain('Answer it by 21 December 2026');
      for (const said of ['Quillfeather', '01632', 'sister']) expect(subject + text).not.toContain(said);
    }
  });

  it('slows down people who send many, and keeps what they typed', async () => {
    const contact = 'the same address';
    for (let n = 0; n < 3; n += 1) expect((await ask({ contact })).answer.statusCode).toBe(303);
    const { answer } = await ask({ contact });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, expect.any(String)]);
    expect(answer.body).toContain('My sister was told');
    expect(site.logLines.join('')).not.toContain('Quillfeather');
  });
});

describe('the public form about a record, sent by a script', () => {
  it('is slowed down for the whole site, from any network', async () => {
    const fresh = await makeApp();
    let sent = 0;
    const send = () => {
      sent += 1;
      const form = { ...complaint, name: `Person ${sent}`, contact: `01632 960${sent}` };
      return fresh.app.inject({
        method: 'POST',
        url: '/rights',
        remoteAddress: `2001:db8:${sent.toString(16)}::1`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        payload: new URLSearchParams(form).toString(),
      });
    };
    for (let n = 0; n < 100; n += 1) expect((await send()).statusCode, String(n)).toBe(303);
    const slowed = await send();
    expect([slowed.statusCode, slowed.headers['retry-after']]).toEqual([429, '1']);
    // Further ones wait longer, and somebody who waits five minutes always gets through.
    for (let n = 0; n < 12; n += 1) {
      fresh.clock.moveOn(5 * 60_000);
      expect((await send()).statusCode).toBe(303);
    }
    expect(Number((await send()).headers['retry-after'])).toBe(300);
    await fresh.close();
  });

  it('is not filled in with characters that nobody sees', async () => {
    const unseen = '\u200b\u2060\u3164\u00ad\u202e';
    const blank = await ask({ name: unseen, words: unseen, contact: unseen });
    expect(blank.answer.statusCode).toBe(422);
    expect(blank.answer.body).toContain('Enter your name');
    const { id } = await ask({ name: `\u202eQuilla\u200b Quill\u00adfeather\u0007` });
    const page = (await operator.open(`${path}/${id}`)).page.toString();
    expect(page).toContain('Quilla Quillfeather');
    for (const each of ['\u200b', '\u202e', '\u00ad', '\u0007']) expect(page).not.toContain(each);
  });
});

describe('a request about a record', () => {
  it('has an owner and due dates in a list that names nobody', async () => {
    const { id } = await ask();
    const list = await operator.open(path);
    const row = list.page.querySelectorAll('tr').find((each) => each.innerHTML.includes(id))!;
    expect(row.text).toMatch(/Complaint[\s\S]*Acknowledge[\s\S]*21 Dec[\s\S]*Olga Operator/);
    expect(list.text).not.toContain('Quillfeather');
  });

  it('is acknowledged, noted and answered, and each act is audited', async () => {
    const { id } = await ask();
    const here = `${path}/${id}`;
    const opened = await operator.open(here);
    for (const said of [complaint.name, '01632 960177', complaint.words]) expect(opened.text).toContain(said);
    await operator.send(`${here}/acknowledge`, {});
    expect((await operator.send(`${here}/note`, { note: '' })).text).toContain('Write the note');
    await operator.send(`${here}/note`, { note: 'Asked the service.' });
    expect((await operator.send(`${here}/answer`, { answer: ' ' })).status).toBe(422);
    const done = await operator.send(`${here}/answer`, { answer: 'Apologised by telephone.' });
    expect(done.location).toBe(`${here}?done=answered`);
    const page = (await operator.open(here)).text;
    for (const text of ['Asked the service.', 'Apologised by telephone.', 'by Olga Operator'])
      expect(page).toContain(text);
    expect((await operator.send(`${here}/note`, { note: 'Too late.' })).status, 'once answered').toBe(404);
    const entries = await storedEntries(site.deps.db, { subjectId: id });
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(
        ['made', 'read', 'acknowledged', 'note_added', 'answered'].map((what) => `record_request.${what}`),
      ),
    );
    expect(JSON.stringify(entries.map(({ details }) => details))).not.toContain('sister');
    expect((await operator.open(`${path}?show=answered`)).page.innerHTML).toContain(here);
    expect((await operator.open(path)).page.innerHTML).not.toContain(here);
  });

  it('goes to the operator with fewest, and can be handed over', async () => {
    const second = await signedInBrowser(site, { role: 'operator', name: 'Otto Operator' });
    const { id } = await ask();
    const ownerOf = async () =>
      (await listRequests(site.deps.db, { answered: false, limit: 100 })).find((each) => each.id === id)!
        .owner?.name;
    expect(await ownerOf()).toBe('Otto Operator');
    await second.send(`${path}/${id}/owner`, { account_id: operator.id });
    expect(await ownerOf()).toBe('Olga Operator');
    const nobody = await signedInBrowser(site);
    const refused = await second.send(`${path}/${id}/owner`, { account_id: nobody.id });
    expect(refused.status, 'a referrer').toBe(422);
    for (const url of [path, `${path}/${id}`]) expect((await nobody.open(url)).status).toBe(403);
  });

  it('is in an email to operators each morning of its last week', async () => {
    const { id } = await ask({ kind: 'copy' });
    const reminders = async () => {
      await remindOfRequests(site.deps);
      return (await mailsNow()).filter(({ subject }) => subject.startsWith('Requests about records'));
    };
    expect(await reminders()).toEqual([]);
    site.clock.moveOn(24 * 86_400_000);
    const [mail] = await reminders();
    expect(mail!.text).toMatch(/To be answered within 7 days, or overdue already: \d+\./);
    expect(mail!.text).toMatch(/Complaints to be acknowledged now: \d+\./);
    await operator.signIn();
    for (const each of await listRequests(site.deps.db, { answered: false, limit: 100 }))
      await operator.send(`${path}/${each.id}/answer`, { answer: 'Sent.' });
    const before = (await reminders()).length;
    expect((await reminders()).length).toBe(before);
    expect((await operator.open(`${path}/${id}`)).text).toContain('Sent.');
  });

  it('is deleted three years after its answer, a complaint ten', async () => {
    const counts = async () => {
      const rows = await listRequests(site.deps.db, { answered: true, limit: 1000 });
      return [
        rows.filter(({ kind }) => kind === 'copy').length,
        rows.filter(({ kind }) => kind === 'complain').length,
      ];
    };
    const yearsLater = (years: number) => new Date(site.clock.now().getTime() + years * 365.3 * 86_400_000);
    const [copies, complaints] = await counts();
    expect([copies, complaints! > 1]).toEqual([1, true]);
    await deleteOldRequests(site.deps.db, yearsLater(2.9));
    expect(await counts()).toEqual([copies, complaints]);
    await deleteOldRequests(site.deps.db, yearsLater(3.1));
    expect(await counts()).toEqual([0, complaints]);
    await deleteOldRequests(site.deps.db, yearsLater(10.1));
    expect(await counts()).toEqual([0, 0]);
  });
});
