import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { confirmCheck } from '../../../test/delivery/restore-check.ts';
import { deleteMails, forgetMailKinds, storedMails } from '../../../test/mail/stored.ts';
import { sendQueuedMails } from '../../../test/people/mail-fixture.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type MailKind, mailKinds, queueMails, restoreMailJobs } from '../../platform/mail/index.ts';
import { beginRestoreCheck } from '../../platform/restore-check/index.ts';

const site = await makeApp();
afterAll(site.close);
const { deps, clock } = site;

/** Queues an email of each kind, and a second one to a person. */
async function queueAll(): Promise<void> {
  const kinds: MailKind[] = [...mailKinds, 'person'];
  for (const kind of kinds)
    await inTransaction(deps.db, (trx) =>
      queueMails(trx, deps, kind, [{ to: `${kind}@example.org`, subject: `About ${kind}`, text: 'Hello' }]),
    );
}

async function restore(): Promise<void> {
  const backupMadeAt = clock.now();
  clock.moveOn(60_000);
  await inTransaction(deps.db, (trx) => beginRestoreCheck(trx, { backupMadeAt, at: clock.now() }));
  clock.moveOn(60_000);
}

const countsOf = async (status: string) => {
  const mails = (await storedMails(deps.db)).filter((mail) => mail.status === status);
  return Object.fromEntries(
    mailKinds.map((kind) => [kind, mails.filter((mail) => mail.kind === kind).length]),
  );
};
const none = Object.fromEntries(mailKinds.map((kind) => [kind, 0]));

describe('a restored site that is being checked', () => {
  beforeEach(() => deleteMails(deps.db));

  it('sends no email but those about accounts that were made since', async () => {
    await queueAll();
    await restore();
    await queueAll();
    await sendQueuedMails(deps);
    clock.moveOn(2 * 3_600_000);
    await restoreMailJobs(deps);
    await sendQueuedMails(deps);
    expect(await countsOf('captured')).toEqual({ ...none, site: 1 });
    expect(await countsOf('queued')).toMatchObject({ person: 4, news: 2, digest: 2, reminder: 2, site: 1 });
    const operator = await signedInBrowser(site, { role: 'operator' });
    const { text } = await operator.open('/operator/check-first');
    expect(text).toContain('2 from the backup: messages to people who were referred');
    expect(text).toContain('1 made after the restore: reminders to staff about referrals');
    expect(text).toContain('1 from the backup: emails about accounts and the site');
    expect(text).not.toMatch(/person@example|About person/);

    const refused = await confirmCheck(operator, { 'mails-digest-backup': '' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Choose whether to send the daily and weekly digests to staff (1)');
    expect((await confirmCheck(operator, { 'mails-reminder-backup': 'drop' })).status).toBe(303);
    await sendQueuedMails(deps);
    // Nobody of these persons has a page that is open.
    expect(await countsOf('dropped')).toEqual({ ...none, person: 4, reminder: 1 });
    expect(await countsOf('queued')).toEqual(none);
    const [entry] = (await storedEntries(deps.db, { action: 'site.checked_after_restore' })).slice(-1);
    expect(entry!.details.emails).toContain('reminders to staff about referrals from the backup: 1 dropped');
  });

  it('holds emails of an earlier version, whose kind is not known', async () => {
    await queueAll();
    await forgetMailKinds(deps.db);
    await restore();
    await sendQueuedMails(deps);
    expect((await storedMails(deps.db)).every(({ status }) => status === 'queued')).toBe(true);
    const operator = await signedInBrowser(site, { role: 'operator' });
    expect((await operator.open('/operator/check-first')).text).toContain('emails of an earlier version');
    await confirmCheck(operator, { 'mails-earlier-backup': 'drop' });
    expect((await storedMails(deps.db)).every(({ status }) => status === 'dropped')).toBe(true);
  });
});
