import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { siteActor } from '../../audit/index.ts';
import { disableAccount, enableAccount } from './set-access.ts';
import { setOrganisation } from './set-organisation.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

let teams = 0;
/** Two people of one organisation, the first of them signed in. */
async function twoColleagues() {
  teams += 1;
  const organisation = { name: `Team ${teams}` };
  const away = await anAccount(site.deps, { organisation, name: 'Asha Away' });
  const here = await anAccount(site.deps, { organisation, name: 'Henry Here' });
  const browser = plainBrowser(site.app);
  await browser.signIn(away.email);
  return { away, here, browser };
}

/** The fields of a leave from one day to another, such as 2026-12-21. */
function leave(first: string, last: string, stand_in = '') {
  const [first_year = '', first_month = '', first_day = ''] = first.split('-');
  const [last_year = '', last_month = '', last_day = ''] = last.split('-');
  return { first_day, first_month, first_year, last_day, last_month, last_year, stand_in };
}

describe('leave', () => {
  it('is set on one’s own page, tells the stand-in, can end early', async () => {
    const { away, here, browser } = await twoColleagues();
    const answer = await browser.post('/account/leave', leave('2027-03-01', '2027-03-14', here.id));
    expect(answer.headers.location).toBe('/account?done=leave');
    expect((await browser.get('/account')).body).toContain(
      '1 March 2027 to 14 March 2027. Henry Here stands in',
    );
    const [mail] = await mailsTo(site, here.email);
    expect(mail!.text).toContain('You stand in for Asha Away from 1 March 2027 to 14 March 2027.');
    expect(await mailsTo(site, away.email)).toEqual([]);
    const filled = parse((await browser.get('/account/leave')).body);
    expect(filled.querySelector('input[name=last_day]')?.getAttribute('value')).toBe('14');
    await browser.post('/account/leave/end', {});
    expect((await browser.get('/account')).body).not.toContain('Henry Here stands in');
    const entries = await storedEntries(site.deps.db, { subjectId: away.id, actorId: away.id });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account.leave_set', 'account.leave_ended']),
    );
  });

  it('stays when a second is entered, unless the form replaces it', async () => {
    const { here, browser } = await twoColleagues();
    const day = (days: number) =>
      new Date(site.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const send = (first: number, last: number, more = {}) =>
      browser.post('/account/leave', { ...leave(day(first), day(last), here.id), ...more });
    const form = async () => parse((await browser.get('/account/leave')).body);
    await send(0, 14);
    const refused = await send(23, 33);
    expect([refused.statusCode, refused.body.includes('only one is kept')]).toEqual([422, true]);
    expect(refused.body).toContain('Give up the leave from');
    expect((await form()).text).toContain('Set now:');
    expect((await form()).querySelector('input[name=first_day]')!.getAttribute('value')).toBe(
      day(0).slice(8),
    );
    // A later start would end the present leave today.
    expect((await send(10, 20)).statusCode).toBe(422);
    expect((await send(0, 7)).statusCode, 'back earlier').toBe(303);
    expect((await send(23, 33, { replace: 'yes' })).statusCode).toBe(303);
    expect((await form()).querySelector('input[name=first_day]')!.getAttribute('value')).toBe(
      day(23).slice(8),
    );
  });

  it('shows no stand-in who is disabled or works elsewhere', async () => {
    const { here, browser } = await twoColleagues();
    await browser.post('/account/leave', leave('2027-03-01', '2027-03-14', here.id));
    const shown = async () =>
      (await browser.get('/account')).body.match(/(Nobody|Henry Here) [^<]*/)![0].trim();
    await disableAccount(site.deps, siteActor, { id: here.id });
    expect(await shown()).toMatch(/^Nobody stands in: Henry Here no longer can\. On at least one/);
    await enableAccount(site.deps, siteActor, { id: here.id });
    expect(await shown()).toBe('Henry Here stands in');
    await setOrganisation(site.deps, siteActor, { id: here.id }, { name: 'Elsewhere' });
    expect(await shown()).toMatch(/^Nobody stands in: Henry Here no longer can\. On at least one/);
  });

  it.each([
    ['2027-02-30', '2027-03-14', 'The first day must be a real date'],
    ['', '2027-03-14', 'Enter the first day of leave'],
    ['2027-03-01', '', 'Enter the last day of leave'],
    ['2027-03-01', '2027-02-30', 'The last day must be a real date'],
    ['2027-03-14', '2027-03-01', 'The last day must not be before the first day'],
    ['2020-03-01', '2020-03-14', 'The last day must be today or later'],
    ['2027-03-01', '2029-03-01', 'The last day must be within a year of the first day'],
  ])('is refused from %s to “%s”', async (first, last, message) => {
    const { here, browser } = await twoColleagues();
    const answer = await browser.post('/account/leave', leave(first, last, here.id));
    expect([answer.statusCode, answer.body.includes(message)]).toEqual([422, true]);
  });

  it('needs a stand-in of the same organisation who is not away', async () => {
    const { away, here, browser } = await twoColleagues();
    const stranger = await anAccount(site.deps);
    await anAccount(site.deps, { organisation: { name: `Team ${teams}` } });
    for (const standIn of ['', stranger.id, away.id])
      expect(
        (await browser.post('/account/leave', leave('2027-03-01', '2027-03-14', standIn))).body,
      ).toContain('Select who stands in');
    const other = plainBrowser(site.app);
    await other.signIn(here.email);
    await other.post('/account/leave', leave('2027-03-10', '2027-03-20', away.id));
    const both = await browser.post('/account/leave', leave('2027-03-01', '2027-03-14', here.id));
    expect(both.body).toContain('Select somebody who is not on leave then too');
  });

  it('is saved even if all others are away; operators learn it', async () => {
    const { email } = await anAccount(site.deps, { role: 'operator' });
    const { away, here, browser } = await twoColleagues();
    const told = async () =>
      (await mailsTo(site, email)).filter(({ subject }) => subject.startsWith('Nobody will be at work'));
    await browser.post('/account/leave', leave('2027-03-01', '2027-03-14', here.id));
    expect([(await told()).length, (await browser.get('/account')).body]).toEqual([
      0,
      expect.not.stringContaining('the operators get these emails'),
    ]);
    const other = plainBrowser(site.app);
    await other.signIn(here.email);
    const saved = await other.post('/account/leave', leave('2027-03-10', '2027-03-20', away.id));
    expect(saved.headers.location).toBe('/account?done=leave');
    const { body } = await other.get('/account');
    expect(body).toContain('Nobody stands in');
    expect(body).toContain('so the operators get these emails');
    expect((await told())[0]!.text).toContain('Henry Here is on leave from 10 March 2027 to 20 March 2027');
  });

  it('can be without a stand-in, and operators learn it', async () => {
    const { email } = await anAccount(site.deps, { role: 'operator' });
    const { here, browser } = await twoColleagues();
    const form = parse((await browser.get('/account/leave')).body);
    expect(form.querySelector('input[name=stand_in][value=nobody]')).not.toBeNull();
    const saved = await browser.post('/account/leave', leave('2027-03-01', '2027-03-14', 'nobody'));
    expect(saved.headers.location).toBe('/account?done=leave');
    expect((await browser.get('/account')).body).toContain('Nobody stands in');
    expect(await mailsTo(site, here.email)).toEqual([]);
    const [mail] = await mailsTo(site, email);
    expect(mail!.subject).toContain('Nobody stands in for somebody on leave');
    expect(mail!.text).toContain('Asha Away is on leave from 1 March 2027 to 14 March 2027.');
  });

  it('is not told to the operators if somebody is here on each day', async () => {
    const { email } = await anAccount(site.deps, { role: 'operator' });
    const { here, browser } = await twoColleagues();
    const third = await anAccount(site.deps, { organisation: { name: `Team ${teams}` } });
    const others = [plainBrowser(site.app), plainBrowser(site.app)] as const;
    await others[0].signIn(here.email);
    await others[0].post('/account/leave', leave('2027-03-01', '2027-03-03', third.id));
    await others[1].signIn(third.email);
    await others[1].post('/account/leave', leave('2027-03-04', '2027-03-06', here.id));
    await browser.post('/account/leave', leave('2027-03-01', '2027-03-06', here.id));
    expect((await browser.get('/account')).body).not.toContain('the operators get these emails');
    expect(await mailsTo(site, email)).toEqual([]);
    // One day on which all three are away.
    await others[1].post('/account/leave', leave('2027-03-03', '2027-03-06', here.id));
    expect((await mailsTo(site, email))[0]!.text).toContain('from 3 March 2027 to 6 March 2027');
    expect((await browser.get('/account')).body).toContain('On at least one of these days nobody else');
  });

  it('is reported to operators if the stand-in answers nothing', async () => {
    const { email } = await anAccount(site.deps, { role: 'operator' });
    const organisation = { name: 'Both sides', libraryOrganizationId: 'both' };
    const both = await anAccount(site.deps, { roles: ['referrer', 'provider'], organisation });
    const standIn = await anAccount(site.deps, { organisation });
    const browser = plainBrowser(site.app);
    await browser.signIn(both.email);
    await browser.post('/account/leave', leave('2027-03-01', '2027-03-14', standIn.id));
    expect((await mailsTo(site, email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringContaining('Nobody will be at work'),
    );
  });

  it('says that operators are told, if somebody has no colleagues', async () => {
    const { email } = await anAccount(site.deps, { organisation: { name: 'All alone' } });
    const browser = plainBrowser(site.app);
    await browser.signIn(email);
    expect((await browser.get('/account/leave')).body).toContain('When you save, we email the operators');
    await browser.post('/account/leave', leave('2027-03-01', '2027-03-14'));
    expect((await browser.get('/account')).body).toContain('Nobody stands in');
  });

  it('is set and ended by an operator with a reason; both are told', async () => {
    const { away, here } = await twoColleagues();
    const { email } = await anAccount(site.deps, { role: 'operator' });
    const operator = plainBrowser(site.app);
    await operator.signIn(email);
    const page = `/operator/accounts/${away.id}`;
    const reason = 'She rang from the hospital.';
    const saved = await operator.post(`${page}/leave`, {
      ...leave('2027-03-01', '2027-03-14', here.id),
      reason,
    });
    expect(saved.headers.location).toBe(`${page}?done=leave`);
    expect((await operator.get(page)).body).toContain('Henry Here stands in');
    await operator.post(`${page}/leave-end`, { reason });
    expect((await operator.get(page)).body).not.toContain('Henry Here stands in');
    expect((await mailsTo(site, here.email)).length).toBe(1);
    expect((await mailsTo(site, away.email)).map(({ subject }) => subject)).toEqual([
      'Your leave was changed – Onward test site',
      'Your leave was changed – Onward test site',
    ]);
  });
});

describe('the emails about what nobody has seen', () => {
  it('have no setting that switches them off', async () => {
    const { browser } = await twoColleagues();
    const page = parse((await browser.get('/account')).body).querySelector('main')!;
    const paths = page
      .querySelectorAll('a, form')
      .map((each) => each.getAttribute('href') ?? each.getAttribute('action'));
    const ownPaths = paths.filter((each) => each?.startsWith('/account'));
    expect([...new Set(ownPaths)].sort()).toEqual([
      '/account/authenticator',
      '/account/contact',
      '/account/contact#telephone',
      // It has no choice for them: see kinds.ts.
      '/account/emails',
      '/account/leave',
      '/account/name',
      '/account/passkeys',
      '/account/password',
    ]);
  });
});
