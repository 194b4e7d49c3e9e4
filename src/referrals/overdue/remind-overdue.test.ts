import { describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { countRows } from '../../../test/database/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { auditedActions, storedReferral } from '../../../test/referrals/stored.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';
import { remindOverdue } from './remind-overdue.ts';

const { site, elsewhere, referrer, provider, operator, get, post, later, aPerson, makeReferral } =
  await referralLifeFixture();

describe('a referral that nobody answers', () => {
  it('has one reminder, and in the end the site rejects it', async () => {
    const { id, version } = await makeReferral();
    const mails = () => countRows(site.deps.db, 'mails');
    const before = await mails();
    await later(8 * 86_400_000);
    await Promise.all([remindOverdue(site.deps), remindOverdue(site.deps)]);
    await remindOverdue(site.deps);
    expect(await mails()).toBe(before + 1);
    expect((await get(provider, `/${id}`)).body).toMatchObject({ status: 'requested', version });
    const answered = await makeReferral();
    await post(provider, `/${answered.id}/accept`, {}, 1);
    // Five working days before the end of the 28 days.
    await later(13 * 86_400_000);
    await remindOverdue(site.deps);
    await later(9 * 86_400_000);
    await Promise.all([remindOverdue(site.deps), remindOverdue(site.deps)]);
    const { body } = await get(referrer, `/${id}`);
    expect(body).toMatchObject({ status: 'rejected', version: version + 1 });
    expect(body.status_reason).toEqual({
      code: 'other',
      text: 'This was automatic: the service had not answered 28 days after the referral was sent, nor within 5 working days of a warning.',
    });
    const { items } = (await get(referrer, `/${id}/history`)).body;
    expect(items.at(-1).by).toEqual({ name: 'the site', organisation: null });
    expect((await get(provider, `/${answered.id}`)).body.status).toBe('accepted');
    await sendNotifications(site.deps);
    const told = (await mailsTo(site, referrer.email)).find(({ text }) => text.includes(body.reference));
    expect(told!.subject).toMatch(/^Nobody answered .*, so the site closed (it|them)/);
  });

  it('is not marked as reminded while nobody gets the email', async () => {
    const { id } = (await post(referrer, '', aPerson(elsewhere.serviceId))).body;
    const remindedAt = async () => (await storedReferral(site.deps.db, id)).reminded_at;
    await later(8 * 86_400_000);
    await remindOverdue(site.deps);
    expect([await remindedAt(), await auditedActions(site.deps.db, id)]).toEqual([
      null,
      ['referral.requested'],
    ]);
    await anAccount(site.deps, {
      role: 'provider',
      organisation: { name: elsewhere.organizationName, libraryOrganizationId: elsewhere.organizationId },
    });
    const before = await countRows(site.deps.db, 'mails');
    await remindOverdue(site.deps);
    expect([await remindedAt(), await countRows(site.deps.db, 'mails')]).toEqual([
      site.clock.now(),
      before + 1,
    ]);
  });

  it('is not rejected before its answer is due', async () => {
    const { id } = await makeReferral();
    const { due_at } = await storedReferral(site.deps.db, id);
    const early = { ...site.deps, settings: { ...site.deps.settings, rejectAfterDays: 1 } };
    await remindOverdue(early);
    expect((await storedReferral(site.deps.db, id)).rejection_at?.getTime()).toBeGreaterThanOrEqual(
      due_at!.getTime(),
    );
  });

  it('is not rejected during a reported death; is warned again', async () => {
    const { id } = await makeReferral();
    const state = async () => {
      const { status, rejection_at } = await storedReferral(site.deps.db, id);
      return [status, rejection_at === null];
    };
    await later(23 * 86_400_000);
    await remindOverdue(site.deps);
    expect(await state()).toEqual(['requested', false]);
    expect((await post(referrer, `/${id}/died`, { told_by: 'Her son' })).status).toBe(200);
    await later(30 * 86_400_000);
    await remindOverdue(site.deps);
    expect(await state()).toEqual(['requested', true]);
    expect((await post(referrer, `/${id}/died/undo`)).status).toBe(200);
    await remindOverdue(site.deps);
    expect(await state()).toEqual(['requested', false]);
  });

  it('is warned again after a restriction before it is rejected', async () => {
    const { id, reference } = await makeReferral();
    const why = { reason: 'Asked for by letter; ticket 311.' };
    await later(22 * 86_400_000);
    await remindOverdue(site.deps);
    await post(operator, `/${id}/restrict`, why);
    await later(18 * 86_400_000);
    await remindOverdue(site.deps);
    expect((await post(operator, `/${id}/unrestrict`, why)).status).toBe(200);
    await remindOverdue(site.deps);
    const { status, rejection_at } = await storedReferral(site.deps.db, id);
    expect(status).toBe('requested');
    expect(rejection_at!.getTime()).toBeGreaterThanOrEqual(site.clock.now().getTime() + 5 * 86_400_000);
    const warnings = (await mailsTo(site, provider.email)).filter(
      ({ subject, text }) => subject.includes('declined') && text.includes(reference),
    );
    expect(warnings).toHaveLength(2);
    await later(12 * 86_400_000);
    await remindOverdue(site.deps);
    expect((await get(referrer, `/${id}`)).body.status).toBe('rejected');
  });

  it('is rejected although another cannot be', async () => {
    const [stuck, other] = [await makeReferral(), await makeReferral()];
    await later(21 * 86_400_000);
    await remindOverdue(site.deps);
    await later(9 * 86_400_000);
    const { roomsAbove } = site.deps;
    const failing: typeof roomsAbove = {
      ...roomsAbove,
      async onStatusChange(trx, changes) {
        if (changes.some(({ referral }) => referral.id === stuck.id)) throw new Error('it cannot be told');
        await roomsAbove.onStatusChange(trx, changes);
      },
    };
    await expect(remindOverdue({ ...site.deps, roomsAbove: failing })).rejects.toThrow(
      '1 could not be rejected or reminded',
    );
    const statuses = async () =>
      Promise.all([stuck, other].map(async ({ id }) => (await get(referrer, `/${id}`)).body.status));
    expect(await statuses()).toEqual(['requested', 'rejected']);
    expect(site.logLines.join('')).toContain(stuck.id);
    await remindOverdue(site.deps);
    expect(await statuses()).toEqual(['rejected', 'rejected']);
  });
});

describe('the words of a rejection by the site', () => {
  it('have the days of its setting and of the warning', async () => {
    const { id } = await makeReferral();
    const soon = { ...site.deps, settings: { ...site.deps.settings, rejectAfterDays: 8 } };
    await later(7 * 86_400_000);
    await remindOverdue(soon);
    const warned = (await mailsTo(site, provider.email)).find(({ subject }) => subject.includes('declined'))!;
    expect(warned.text).toContain(
      '8 days after it was sent, on a working day, and not before 5 working days from now',
    );
    await later(12 * 86_400_000);
    await remindOverdue(soon);
    expect((await get(referrer, `/${id}`)).body.status_reason.text).toContain(
      'had not answered 8 days after the referral was sent, nor within 5 working days of a warning',
    );
  });
});

describe('a referral of somebody in danger', () => {
  it('is marked in the reminder where somebody may come to harm', async () => {
    const made = await makeReferral({ contact: { safe: 'no' } });
    await later(8 * 86_400_000);
    await remindOverdue(site.deps);
    const mail = (await mailsTo(site, provider.email)).find(({ text }) => text.includes(made.reference))!;
    expect([mail.subject, mail.text]).toEqual([
      expect.stringContaining('with a risk of harm'),
      expect.stringContaining(`${made.reference} (with a risk of harm)`),
    ]);
  });
});
