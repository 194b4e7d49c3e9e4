import { describe, expect, it } from 'vitest';
import { lockRow, waitingForLocks } from '../../../test/database/locks.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { attachPdf } from '../../../test/referrals/attach-pdf.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { setRestricted } from '../../../test/referrals/stored.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { escalateWatches } from '../escalation/escalate-watches.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';

const fixture = await referralLifeFixture();
const { site, place, elsewhere, referrer, provider, operator } = fixture;
const { get, shown, post, later, aPerson, makeReferral } = fixture;

type ReferralInTest = { id: string; reference: string };

const ofService = { name: place.organizationName, libraryOrganizationId: place.organizationId };
const ofReferrer = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const staff = await signedInBrowser(site, { role: 'provider', organisation: ofService, name: 'Sam Staff' });
const colleague = await signedInBrowser(site, { role: 'referrer', organisation: ofReferrer });

const mailsAbout = async ({ email }: { email: string }, { reference }: ReferralInTest) =>
  (await mailsTo(site, email)).filter(({ text }) => text.includes(reference));
const toldUnseen = async (who: { email: string }, made: ReferralInTest) =>
  (await mailsAbout(who, made)).filter(({ subject }) => /file that nobody has seen/.test(subject)).length;
async function rowOf({ reference }: ReferralInTest, who = staff, view = 'received') {
  const rows = (await who.open(`/referrals?view=${view}`)).page.querySelectorAll('tbody tr');
  return rows.find(({ textContent }) => textContent.includes(reference))!;
}
async function watchAt(moment: string): Promise<void> {
  await later(Date.parse(moment) - site.clock.now().getTime());
  for (const browser of [staff, colleague]) await browser.signIn();
  await escalateWatches(site.deps);
}

describe('a file that one side attaches after the referral was sent', () => {
  it('is emailed to the other side, without its name', async () => {
    const made: ReferralInTest = await makeReferral();
    await sendNotifications(site.deps);
    await attachPdf(site, referrer, made.id, 'letter-from-hospital');
    await sendNotifications(site.deps);
    const mail = (await mailsAbout(provider, made)).find(({ subject }) => subject.includes('file'))!;
    expect(mail.subject).toContain('A file was added to a referral');
    expect(mail.subject + mail.text).not.toContain('hospital');
    await attachPdf(site, provider, made.id, 'plan');
    await sendNotifications(site.deps);
    expect((await mailsAbout(referrer, made)).some(({ subject }) => subject.includes('file'))).toBe(true);
  });

  it('is not emailed once the referral was withdrawn as a mistake', async () => {
    const made: ReferralInTest = await makeReferral();
    await sendNotifications(site.deps);
    await attachPdf(site, referrer, made.id, 'letter-from-hospital');
    expect((await post(referrer, `/${made.id}/withdraw-as-error`, {}, 1)).status).toBe(200);
    await sendNotifications(site.deps);
    const subjects = (await mailsAbout(provider, made)).map(({ subject }) => subject).join();
    expect(subjects).toContain('cancelled');
    expect(subjects).not.toContain('file');
  });

  it('is marked in the list until the page with it was seen', async () => {
    const made: ReferralInTest = await makeReferral();
    await staff.open(`/referrals/${made.id}`);
    expect((await rowOf(made)).querySelector('.onward-dot')).toBeNull();
    await attachPdf(site, referrer, made.id, 'letter-from-hospital');
    const row = await rowOf(made);
    expect(row.querySelector('.onward-dot')).not.toBeNull();
    expect(row.textContent).toContain('1 new file');
    expect((await staff.open('/referrals?view=received&unread=yes')).text).toContain(made.reference);
    expect((await staff.open(`/referrals/${made.id}`)).text).toMatch(/Files\s+1 new/);
    expect((await rowOf(made)).textContent).not.toContain('new file');
    expect((await staff.open('/referrals?view=received&unread=yes')).text).not.toContain(made.reference);
  });

  it('is not new to somebody whose own system has shown it', async () => {
    const made: ReferralInTest = await makeReferral();
    await staff.open(`/referrals/${made.id}`);
    const [token] = (await staff.open('/apikeys')).page.toString().match(/ona_\w+/)!;
    const readByClient = (path: string, shownTo: object) =>
      site.app.inject({
        url: `/api/referrals/${made.id}${path}`,
        headers: { authorization: `Bearer ${token}`, ...shownTo },
      });
    const somebody = { 'onward-shown-to': 'person' };
    const file = await attachPdf(site, referrer, made.id, 'letter-from-hospital');
    await post(referrer, `/${made.id}/messages`, { text: 'Please read the letter.' });
    for (const path of ['/messages', `/attachments/${file}`]) await readByClient(path, {});
    expect((await rowOf(made)).textContent).toMatch(/1 new message.*1 new file/s);
    for (const path of ['/messages', `/attachments/${file}`])
      expect((await readByClient(path, somebody)).statusCode).toBe(200);
    const row = await rowOf(made);
    expect(row.textContent).not.toMatch(/new (message|file)/);
    expect(row.querySelector('.onward-dot')).toBeNull();
  });

  it('stays new while an earlier one was not shown', async () => {
    const made: ReferralInTest = await makeReferral();
    await attachPdf(site, referrer, made.id, 'first');
    // Ids of one millisecond have no order.
    site.clock.moveOn(1);
    const second = await attachPdf(site, referrer, made.id, 'second');
    const [token] = (await staff.open('/apikeys')).page.toString().match(/ona_\w+/)!;
    const headers = { authorization: `Bearer ${token}`, 'onward-shown-to': 'person' };
    await site.app.inject({ url: `/api/referrals/${made.id}/attachments/${second}`, headers });
    expect((await rowOf(made)).textContent).toContain('2 new files');
  });

  it('is not new in a list while the referral is restricted', async () => {
    const made: ReferralInTest = await makeReferral();
    await attachPdf(site, referrer, made.id, 'letter-from-hospital');
    await setRestricted(site.deps.db, made.id, site.clock.now());
    const row = await rowOf(made);
    expect(row.textContent).toContain('Restricted');
    expect(row.textContent).not.toContain('new file');
    expect(row.querySelector('.onward-dot')).toBeNull();
    await setRestricted(site.deps.db, made.id, null);
    expect((await rowOf(made)).textContent).toContain('1 new file');
  });

  it('is not seen by a browser that fetches ahead of its reader', async () => {
    const made: ReferralInTest = await makeReferral();
    const file = await attachPdf(site, referrer, made.id, 'letter-from-hospital');
    const ahead = { ...staff.headers, 'sec-purpose': 'prefetch' };
    for (const url of [`/referrals/${made.id}`, `/referrals/${made.id}/attachments/${file}`]) {
      expect((await site.app.inject({ url, headers: ahead })).statusCode).toBe(204);
      expect((await site.app.inject({ method: 'HEAD', url, headers: staff.headers })).statusCode).toBe(204);
    }
    const byApi = `/api/referrals/${made.id}/attachments/${file}`;
    const answer = await site.app.inject({ method: 'HEAD', url: byApi, headers: provider.headers });
    expect(answer.statusCode).toBe(405);
    expect((await rowOf(made)).textContent).toContain('1 new file');
    const page = await colleague.open(`/referrals/${made.id}`);
    expect(page.text).toContain('Not opened yet');
    expect((await get(referrer, `/${made.id}`)).body.seen).toBeNull();
  });

  it('is as new as its storing, not as the start of a slow upload', async () => {
    const made: ReferralInTest = await makeReferral();
    const { db } = site.deps;
    let slow: Promise<string> | undefined;
    await inTransaction(db, async (trx) => {
      await lockRow(trx, 'referrals', 'id', made.id);
      slow = attachPdf(site, referrer, made.id, 'slow');
      await expect.poll(() => waitingForLocks(db)).toBe(1);
      site.clock.moveOn(1000);
    });
    await slow;
    const { items } = (await get(referrer, `/${made.id}/attachments`)).body;
    expect(items.map(({ at }: { at: string }) => at)).toEqual([site.clock.now().toISOString()]);
  });

  it('is no news where it came with the referral', async () => {
    const draft: ReferralInTest & { version: number } = await makeReferral({ status: 'draft' });
    await attachPdf(site, referrer, draft.id, 'letter-from-hospital');
    site.clock.moveOn(1000);
    expect((await post(referrer, `/${draft.id}/request`, {}, draft.version)).status).toBe(200);
    expect((await rowOf(draft)).textContent).not.toContain('new file');
  });

  it('is told again after a working day, until somebody saw it', async () => {
    await watchAt('2026-12-01T10:00:00Z');
    const [unseen, seen]: ReferralInTest[] = [
      await makeReferral({ urgency: 'urgent' }),
      await makeReferral(),
    ];
    for (const { id } of [unseen!, seen!]) {
      await shown(provider, `/${id}`);
      await attachPdf(site, referrer, id, 'letter-from-hospital');
    }
    await staff.open(`/referrals/${seen!.id}`);
    await watchAt('2026-12-02T09:59:00Z');
    expect(await toldUnseen(provider, unseen!)).toBe(0);
    await watchAt('2026-12-02T10:01:00Z');
    expect([await toldUnseen(provider, unseen!), await toldUnseen(provider, seen!)]).toEqual([1, 0]);
    await watchAt('2026-12-03T10:02:00Z');
    await watchAt('2026-12-04T10:03:00Z');
    expect(await toldUnseen(operator, unseen!)).toBe(1);
  });

  it('says to the side that attached it who has opened it', async () => {
    const made: ReferralInTest = await makeReferral();
    const file = await attachPdf(site, referrer, made.id, 'letter-from-hospital');
    const filesOf = async (who: typeof staff) =>
      (await who.open(`/referrals/${made.id}`)).text.replaceAll(/\s+/g, ' ');
    expect(await filesOf(colleague)).toContain('Not opened yet');
    await staff.open(`/referrals/${made.id}`);
    expect(await filesOf(colleague)).toContain('Not opened yet');
    await get(provider, `/${made.id}/attachments/${file}`);
    expect(await filesOf(colleague)).toContain('Fetched, but it is not known who has opened it');
    await staff.open(`/referrals/${made.id}/attachments/${file}`);
    expect(await filesOf(colleague)).toContain('Opened by Sam Staff');
    expect(await filesOf(staff)).not.toContain('Opened by');
  });

  it('is out of reach of a service without accounts, which it says', async () => {
    const textOf = async (serviceId: string) => {
      const { body } = await post(referrer, '', aPerson(serviceId));
      await attachPdf(site, referrer, body.id, 'letter-from-hospital');
      return (await colleague.open(`/referrals/${body.id}`)).text;
    };
    const unable =
      'Nobody at the service has an account here, so nobody there can open a file. Ring the service';
    expect(await textOf(elsewhere.serviceId)).toContain(unable);
    expect(await textOf(place.serviceId)).not.toContain(unable);
  });
});
