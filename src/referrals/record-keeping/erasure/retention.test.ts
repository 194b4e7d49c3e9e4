import { describe, expect, it } from 'vitest';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { mailsTo } from '../../../../test/network/mailbox.ts';
import { rowInWords } from '../../../../test/people/row-in-words.ts';
import { recordsFixture } from '../../../../test/records/fixture.ts';
import { addToContent, backdateEnd, storedReferral } from '../../../../test/referrals/stored.ts';
import { eraseByRule } from '../../index.ts';

const { site, place, operator, referrer, browser, post, why, makeReferral } = await recordsFixture();

const checked = { reason: 'Checked with the retention schedule.' };
const page = '/operator/patients/erasure';

async function ended(ago: string, birthDate = '1950-01-01') {
  const made = await makeReferral();
  await backdateEnd(site.deps.db, made.id, ago, { birthDate, now: site.clock.now() });
  return made;
}
const isErased = async ({ id }: { id: string }) =>
  (await storedReferral(site.deps.db, id)).erased_at !== null;

describe('a record whose retention has ended', () => {
  it('is erased only once a named person has approved it', async () => {
    const [old, other] = [await ended('8 years 1 day'), await ended('9 years')];
    await eraseByRule(site.deps);
    expect([await isErased(old), await isErased(other)]).toEqual([false, false]);
    const due = await browser.open(page);
    expect(due.text).toContain('Due: 2 referrals');
    expect(due.text).toContain('Adult: 2');
    expect((await browser.send(`${page}/approve`, { ids: old.id, reason: '' })).status).toBe(422);

    expect((await browser.send(`${page}/approve`, { ids: old.id, ...checked })).location).toBe(
      `${page}?done=approved`,
    );
    const approved = (await browser.open(page)).page.querySelectorAll('tbody tr').map(rowInWords);
    expect(approved.join()).toMatch(/Approved by\s+Olive Operator/);
    await eraseByRule(site.deps);
    expect([await isErased(old), await isErased(other)]).toEqual([true, false]);
    const [entry] = await storedEntries(site.deps.db, { action: 'referral.erased', subjectId: old.id });
    expect(entry!.details).toEqual({ kind: 'adult', after_years: 8, approved_by: 'Olive Operator' });
    const [approval] = await storedEntries(site.deps.db, {
      action: 'referral.erasure_approved',
      subjectId: old.id,
    });
    expect([approval!.actor_name, approval!.details]).toEqual([
      'Olive Operator',
      { ...checked, kind: 'adult', after_years: 8 },
    ]);
    await browser.send(`/operator/patients/referrals/${other.id}/put-off-erasure`, why);
  });

  it('is kept another year if put off, also after an approval', async () => {
    const old = await ended('10 years');
    await browser.send(`${page}/approve`, { ids: old.id, ...checked });
    const record = `/operator/patients/referrals/${old.id}`;
    expect((await browser.open(record)).text).toContain('Keep it for another year');
    expect((await browser.send(`${record}/put-off-erasure`, why)).location).toBe(`${record}?done=put-off`);
    await eraseByRule(site.deps);
    expect(await isErased(old)).toBe(false);
    expect((await browser.open(page)).text).not.toContain(old.reference);
    expect((await browser.send(`${record}/put-off-erasure`, why)).status).toBe(409);
  });

  it('is not erased by an approval from before a hold', async () => {
    const old = await ended('11 years');
    await browser.send(`${page}/approve`, { ids: old.id, ...checked });
    await post(operator, `/${old.id}/legal-hold`, why);
    await eraseByRule(site.deps);
    await post(operator, `/${old.id}/lift-legal-hold`, why);
    await eraseByRule(site.deps);
    expect(await isErased(old)).toBe(false);
    expect((await browser.open(page)).text).toContain(old.reference);
    await browser.send(`/operator/patients/referrals/${old.id}/put-off-erasure`, why);
  });

  it('stays if it is a child’s under 25 or has a late message', async () => {
    const year = site.clock.now().getUTCFullYear();
    const child = await ended('12 years', `${year - 25}-12-31`);
    const grownUp = await ended('12 years', `${year - 26}-01-01`);
    const late = await makeReferral();
    await post(referrer, `/${late.id}/messages`, { text: 'Did it help her?' });
    await backdateEnd(site.deps.db, late.id, '9 years', { now: site.clock.now() });
    const due = await browser.open(page);
    expect(due.text).toContain(grownUp.reference);
    expect(due.text).toContain('Child: 1');
    for (const { reference } of [child, late]) expect(due.text).not.toContain(reference);
    expect((await browser.send(`${page}/approve`, { ids: child.id, ...checked })).status).toBe(303);
    await eraseByRule(site.deps);
    expect(await isErased(child)).toBe(false);
    await browser.send(`/operator/patients/referrals/${grownUp.id}/put-off-erasure`, why);
  });

  it('is kept 20 years for mental health, or as settings say', async () => {
    const settings = `/api/library/services/${place.serviceId}/referral_settings`;
    const put = (body: object) =>
      site.app.inject({ method: 'PUT', url: settings, headers: operator.headers, payload: body });
    const usual = { accepts: true, channels: ['inbox'], retention_reason: why.reason };
    const old = await ended('19 years');
    expect((await put({ ...usual, record_kind: 'mental_health' })).json().record_kind).toBe('mental_health');
    expect((await browser.open(page)).text).not.toContain(old.reference);
    expect((await put({ ...usual, retention_years: 18 })).json()).toMatchObject({
      record_kind: 'mental_health',
      retention_years: 18,
    });
    expect((await browser.open(page)).text).toContain('A service with a period of its own: 1');
    expect((await put({ ...usual, retention_years: 0 })).statusCode).toBe(400);
    await put({ ...usual, record_kind: 'general', retention_years: null });
    await browser.send(`/operator/patients/referrals/${old.id}/put-off-erasure`, why);
  });

  it('is not shortened by a service where the site itself erases', async () => {
    const settings = `/api/library/services/${place.serviceId}/referral_settings`;
    const put = (years: number | null) =>
      site.app.inject({
        method: 'PUT',
        url: settings,
        headers: operator.headers,
        payload: {
          accepts: true,
          channels: ['inbox'],
          retention_years: years,
          retention_reason: why.reason,
        },
      });
    const automatic = { ...site.deps, settings: { ...site.deps.settings, retentionYears: 8 } };
    const recent = await ended('3 years');
    const old = await ended('9 years');
    await put(2);
    await eraseByRule(automatic);
    expect([await isErased(recent), await isErased(old)]).toEqual([false, true]);
    const older = await ended('9 years');
    await put(10);
    await eraseByRule(automatic);
    expect(await isErased(older), 'a longer period counts').toBe(false);
    await put(null);
    await eraseByRule(automatic);
    expect(await isErased(older)).toBe(true);
  });

  it('is not offered while something is open, nor ticked before', async () => {
    const [plain, open] = [await ended('9 years'), await ended('9 years')];
    await addToContent(site.deps.db, open.id, { gp_actions: [{ text: 'Check the blood pressure.' }] });
    const shown = await browser.open(page);
    const boxes = shown.page.querySelectorAll('input[name=ids]');
    const isOffered = ({ id }: { id: string }) => boxes.some((box) => box.getAttribute('value') === id);
    expect([isOffered(plain), isOffered(open)]).toEqual([true, false]);
    expect(boxes.filter((box) => box.hasAttribute('checked'))).toEqual([]);
    expect(shown.text).toContain('Old enough, but something is open');
    expect(shown.text).toContain('the GP practice has not confirmed');
    await browser.send(`${page}/approve`, { ids: open.id, ...checked });
    await eraseByRule(site.deps);
    await eraseByRule({ ...site.deps, settings: { ...site.deps.settings, retentionYears: 8 } });
    expect([await isErased(plain), await isErased(open)]).toEqual([true, false]);
    await browser.send(`/operator/patients/referrals/${open.id}/put-off-erasure`, why);
  });

  it.each([
    ['measure', (at: string) => ({ measures: [{ code: 'ucla-3', taken_at: at }] })],
    ['contact', (at: string) => ({ contacts: [{ at }] })],
    ['appointment', (at: string) => ({ appointments: [{ at }] })],
  ])('is not one with a late %s', async (_, content) => {
    const late = await ended('9 years');
    const lastYear = new Date(site.clock.now().getTime() - 365 * 86_400_000).toISOString();
    await addToContent(site.deps.db, late.id, content(lastYear));
    expect((await browser.open(page)).text).not.toContain(late.reference);
  });

  it('is told to operators on Mondays, naming nobody', async () => {
    const [old, open] = [await ended('9 years'), await ended('9 years')];
    await addToContent(site.deps.db, open.id, { gp_actions: [{ text: 'Check the blood pressure.' }] });
    while (site.clock.now().getUTCDay() !== 1) site.clock.moveOn(86_400_000);
    await eraseByRule(site.deps);
    const mails = await mailsTo(site, operator.email);
    expect(mails.map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^1 record is due for erasure/),
    );
    expect(JSON.stringify(mails)).not.toContain(old.patient.family_name);
    await browser.signIn();
    const { text } = await browser.open(page);
    expect(text).toContain('Due: 1 referral,');
    const mail = mails.find(({ subject }) => subject.startsWith('1 record is due'))!;
    const [, heldUp] = /(\d+) records? (?:is|are) old enough, but/.exec(mail.text)!;
    expect(text).toMatch(new RegExp(`something is open\\s+${heldUp} referrals?\\.`));
    expect(await isErased(old)).toBe(false);
  });
});
