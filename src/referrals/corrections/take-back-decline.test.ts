import { describe, expect, it } from 'vitest';
import { storedDeliveries } from '../../../test/delivery/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';
import { auditActors, storedNews, storedReferral } from '../../../test/referrals/stored.ts';
import { releaseHeld } from '../../delivery/index.ts';
import { minuteMs } from '../../platform/durations.ts';

const { site, referrer, provider, aReferralPage } = await referralPagesFixture();

const idOf = (path: string) => path.split('/').at(-1)!;
const stored = (path: string) => storedReferral(site.deps.db, idOf(path));
const outcomeLetters = async (path: string) =>
  (await storedDeliveries(site.deps.db, idOf(path))).filter(({ purpose }) => purpose === 'outcome');

async function decline(path: string, given: Record<string, string> = {}): Promise<string> {
  await provider.open(path);
  const { version } = await stored(path);
  const form = { version: `${version}`, reason_code: 'no-capacity', reason_text: '', ...given };
  const { status, location } = await provider.send(`${path}/reject`, form);
  expect(status).toBe(303);
  return location;
}

const undo = async (path: string, who = provider) =>
  who.send(`${path}/undo-decline`, { version: `${(await stored(path)).version}` });
const offersUndo = async (path: string, who = provider) =>
  (await who.open(path)).page.querySelector(`form[action^="${path}/undo-decline"]`) !== null;

describe('a decline on a page', () => {
  it('is taken back beside the message, and nothing of it is left', async () => {
    const path = await aReferralPage();
    const declined = await decline(path, { reason_code: 'client-declined', declines: 'yes' });
    const { page, text } = await provider.open(declined);
    expect(page.querySelectorAll(`form[action^="${path}/undo-decline"]`)).toHaveLength(1);
    expect(text).toContain('You can take it back until 9:40am');
    expect(await outcomeLetters(path)).toMatchObject([
      { status: 'queued', held_by: 'decline-may-be-undone' },
    ]);
    const undone = await undo(path);
    expect([undone.status, undone.location]).toEqual([303, `${path}?done=decline-undone`]);
    const { status, status_reason, content, decline_final_at } = await stored(path);
    expect({ status, status_reason, decline_final_at }).toEqual({
      status: 'requested',
      status_reason: null,
      decline_final_at: null,
    });
    expect(content).not.toHaveProperty('declines_social_prescribing');
    expect(await outcomeLetters(path)).toMatchObject([{ status: 'suppressed', held_by: null }]);
    expect(await auditActors(site.deps.db, idOf(path), 'referral.decline_undone')).toHaveLength(1);
    const after = await provider.open(path);
    expect(after.text).toContain('Opened again: declining it was a mistake');
    expect(after.page.querySelector('.onward-main-action')!.text.trim()).toBe('Accept the referral');
  });

  it('is told to the referrer; the service gets no second letter', async () => {
    const path = await aReferralPage();
    await decline(path);
    const before = await storedDeliveries(site.deps.db, idOf(path));
    await undo(path);
    expect((await storedNews(site.deps.db, idOf(path))).slice(-2)).toEqual(['declined', 'reopened']);
    expect(await storedDeliveries(site.deps.db, idOf(path))).toHaveLength(before.length);
    expect((await referrer.open(path)).text).toContain('Opened again: declining it was a mistake');
  });

  it('can be taken back for 10 minutes; then the practice is told', async () => {
    const path = await aReferralPage();
    await decline(path);
    expect(await offersUndo(path)).toBe(true);
    expect(await offersUndo(path, referrer)).toBe(false);
    expect((await undo(path, referrer)).status).toBe(403);
    site.clock.moveOn(10 * minuteMs - 1);
    await releaseHeld(site.deps);
    expect(await outcomeLetters(path)).toMatchObject([{ held_by: 'decline-may-be-undone' }]);
    site.clock.moveOn(1);
    expect(await offersUndo(path)).toBe(false);
    const late = await undo(path);
    expect([late.status, late.text.includes('nothing was done')]).toEqual([409, true]);
    await releaseHeld(site.deps);
    expect(await outcomeLetters(path)).toMatchObject([{ status: 'queued', held_by: null }]);
    expect(await stored(path)).toMatchObject({ status: 'rejected', decline_final_at: null });
  });

  it('stays once the referrer has acted on it', async () => {
    const helped = await aReferralPage();
    await decline(helped);
    await referrer.send(`${helped}/seen-to`, {});
    expect(await offersUndo(helped)).toBe(false);
    expect((await undo(helped)).status).toBe(409);
    const withdrawn = await aReferralPage();
    await decline(withdrawn);
    const { version } = await stored(withdrawn);
    await referrer.send(`${withdrawn}/withdraw-as-error`, { version: `${version}` });
    expect((await undo(withdrawn)).status).toBe(409);
    expect(await stored(withdrawn)).toMatchObject({ status: 'entered-in-error', decline_final_at: null });
  });

  it('is told to the person only once it is final', async () => {
    const email = 'margaret@example.org';
    const withPage = { email, contact_channel: 'email', person_page: 'yes' };
    const mails = async () => (await mailsTo(site, email)).length;
    const undone = await aReferralPage(withPage);
    expect(await mails()).toBe(1);
    await decline(undone);
    await undo(undone);
    site.clock.moveOn(10 * minuteMs);
    await releaseHeld(site.deps);
    expect(await mails()).toBe(1);
    await decline(undone);
    expect(await mails()).toBe(1);
    site.clock.moveOn(10 * minuteMs);
    for (let run = 0; run < 2; run += 1) await releaseHeld(site.deps);
    expect(await mails()).toBe(2);
  });

  it('pressed twice is taken back once', async () => {
    const path = await aReferralPage();
    await decline(path);
    const { version } = await stored(path);
    const press = () => provider.send(`${path}/undo-decline`, { version: `${version}` });
    expect([(await press()).status, (await press()).status]).toEqual([303, 412]);
  });
});
