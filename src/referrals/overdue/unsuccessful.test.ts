import { describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { countRows } from '../../../test/database/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { auditedActions, storedReferral } from '../../../test/referrals/stored.ts';
import { tellNews } from '../news/tell-news.ts';
import { remindOverdue } from './remind-overdue.ts';

// What becomes of a referral that nobody answers, or that a service cannot take.

const {
  site,
  elsewhere,
  referrer,
  colleague,
  provider,
  operator,
  stranger,
  get,
  post,
  later,
  aPerson,
  makeReferral,
  reason,
} = await referralLifeFixture();

describe('an unsuccessful referral', () => {
  const consent = { referral: true, share_with_gp: false };
  const anotherPlace = () => ({ service_id: elsewhere.serviceId, consent, allow_duplicate: true });

  it('is rerouted once, and linked both ways for the referrer', async () => {
    const old = await makeReferral({ what_matters: 'To sing.' });
    expect((await post(referrer, `/${old.id}/reroute`, anotherPlace())).status).toBe(409);
    await post(provider, `/${old.id}/reject`, reason, 1);
    expect((await post(provider, `/${old.id}/reroute`, anotherPlace())).status).toBe(403);
    expect((await post(stranger, `/${old.id}/reroute`, anotherPlace())).status).toBe(404);
    const unasked = await post(referrer, `/${old.id}/reroute`, { service_id: elsewhere.serviceId });
    expect(unasked.body.errors[0].pointer).toBe('/consent');
    const tries = await Promise.all(
      [1, 2, 3].map(() => post(colleague, `/${old.id}/reroute`, anotherPlace())),
    );
    expect(tries.map((each) => each.status).sort()).toEqual([201, 422, 422]);
    const { body: made } = tries.find((each) => each.status === 201)!;
    expect(made).toMatchObject({ reroutes: old.id, what_matters: 'To sing.', patient: old.patient });
    expect(made.consent.share_with_gp).toBe(false);
    expect((await get(referrer, `/${old.id}`)).body.rerouted_to).toBe(made.id);
    expect((await get(provider, `/${old.id}`)).body.rerouted_to).toBeNull();
  });

  const { patient } = aPerson(elsewhere.serviceId);
  const child = { patient: { ...patient, nhs_number: undefined, birth_date: '2012-03-09' } };
  const judged = { basis: 'competent_child', judged_by: 'Dr Moss', when: '2026-01-05T10:00:00Z' };
  const byDoctor = { basis: 'best_interests', decided_by: 'Dr Moss' };
  const sharing = { consent: { referral: true, share_with_gp: true } };
  const rejected = async (given: object) => {
    const { id } = await makeReferral(given);
    await post(provider, `/${id}/reject`, reason, 1);
    return id as string;
  };

  it.each([
    ['others agreed for the person', { agreement: byDoctor }],
    ['a child agreed', { ...child, agreement: judged, consent }],
    ['nobody asked who agreed for a child', child],
  ])('is not rerouted without who agrees, where %s', async (_, given) => {
    const id = await rejected(given);
    const draft = { ...aPerson(elsewhere.serviceId, { ...given, agreement: undefined }), reroutes: id };
    const { body } = await post(referrer, '', { ...draft, status: 'draft' });
    for (const refused of [
      await post(referrer, `/${id}/reroute`, anotherPlace()),
      await post(referrer, '', draft),
      await post(referrer, `/${body.id}/request`, {}, 1),
    ]) {
      expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { pointer: '/agreement' }]);
    }
    const agreement = 'patient' in given ? judged : byDoctor;
    const { status, body: made } = await post(referrer, `/${id}/reroute`, { ...anotherPlace(), agreement });
    expect([status, made.agreement.basis]).toEqual([201, agreement.basis]);
  });

  it('tells the practice more than a child decided only if the child agrees', async () => {
    const id = await rejected({ ...child, agreement: judged, consent });
    const agreement = { basis: 'parental_responsibility' };
    const told = { ...anotherPlace(), ...sharing };
    const refused = await post(referrer, `/${id}/reroute`, { ...told, agreement });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/agreement/basis']);
    const { status, body } = await post(referrer, `/${id}/reroute`, { ...told, agreement: judged });
    expect([status, body.consent.share_with_gp]).toEqual([201, true]);
  });

  it.each([
    ['that was asked', { do_not_show_online: true }, {}],
    [
      'a child had agreed',
      { ...child, agreement: judged },
      { agreement: { basis: 'parental_responsibility' } },
    ],
  ])('stays offline if %s, unless somebody says otherwise', async (_, given, asked) => {
    const [kept, shown] = [await rejected({ ...given, consent }), await rejected({ ...given, consent })];
    const answer = await post(referrer, `/${kept}/reroute`, { ...anotherPlace(), ...asked });
    expect(answer.body.do_not_show_online).toBe(true);
    const changed = { ...anotherPlace(), ...asked, do_not_show_online: false };
    expect((await post(referrer, `/${shown}/reroute`, changed)).body.do_not_show_online).toBe(false);
  });

  it('cannot be rerouted by another organisation', async () => {
    const old = await makeReferral();
    await post(referrer, `/${old.id}/cancel`, reason, 1);
    const { status, body } = await post(stranger, '', aPerson(elsewhere.serviceId, { reroutes: old.id }));
    expect([status, body.errors[0].pointer]).toEqual([422, '/reroutes']);
  });
});

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
    await later(8 * 86_400_000);
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
    await tellNews(site.deps);
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

  it('is not rejected during a reported death; the warning starts again', async () => {
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

  it('is rejected although another cannot be', async () => {
    const [stuck, other] = [await makeReferral(), await makeReferral()];
    await later(21 * 86_400_000);
    await remindOverdue(site.deps);
    await later(8 * 86_400_000);
    const { referralListener } = site.deps;
    const failing: typeof referralListener = {
      ...referralListener,
      async onChange(trx, changes) {
        if (changes.some(({ referral }) => referral.id === stuck.id)) throw new Error('it cannot be told');
        await referralListener.onChange(trx, changes);
      },
    };
    await expect(remindOverdue({ ...site.deps, referralListener: failing })).rejects.toThrow(
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
  it('have the days of its setting, and the working days of the warning', async () => {
    const { id } = await makeReferral();
    const soon = { ...site.deps, settings: { ...site.deps.settings, rejectAfterDays: 8 } };
    await later(7 * 86_400_000);
    await remindOverdue(soon);
    const warned = (await mailsTo(site, provider.email)).find(({ subject }) => subject.includes('declined'))!;
    expect(warned.text).toContain('8 days after they were sent, and not before 5 working days from now');
    await later(12 * 86_400_000);
    await remindOverdue(soon);
    expect((await get(referrer, `/${id}`)).body.status_reason.text).toContain(
      'had not answered 8 days after the referral was sent, nor within 5 working days of a warning',
    );
  });
});

describe('an unsuccessful referral on its list', () => {
  it('waits until resolved, or until the person is referred again', async () => {
    const person = aPerson();
    const made = (body: object) => post(referrer, '', body).then((answer) => answer.body.id as string);
    const end = (id: string) => post(referrer, `/${id}/cancel`, reason, 1);
    const first = await made(person);
    expect((await post(colleague, `/${first}/seen-to`)).status).toBe(409);
    await end(first);
    const statuses = [provider, operator, stranger].map((who) => post(who, `/${first}/seen-to`));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([403, 403, 404]);
    expect((await get(referrer, `/${first}`)).body).toMatchObject({ seen_to: null, referred_again: false });
    const seen = (await post(colleague, `/${first}/seen-to`)).body;
    expect(seen).toMatchObject({
      seen_to: { at: expect.any(String), by: { name: 'Test Person' } },
      version: 2,
    });
    expect((await post(referrer, `/${first}/seen-to`)).body.seen_to).toEqual(seen.seen_to);
    site.clock.moveOn(1000);
    const again = await made({ ...person, service_id: elsewhere.serviceId });
    const seenBy = async (who: Holder) => (await get(who, `/${first}`)).body.referred_again;
    expect([await seenBy(referrer), await seenBy(provider)]).toEqual([true, false]);
    await post(referrer, `/${again}/withdraw-as-error`, {}, 1);
    expect(await seenBy(referrer)).toBe(false);
  });
});
