import { describe, expect, it } from 'vitest';
import { countJobs, takeJobs } from '../../../test/app/jobs.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { recordsFixture } from '../../../test/records/fixture.ts';
import { restoreDeliveryJobs } from '../../delivery/index.ts';
import { remindOverdue } from '../index.ts';

const {
  site,
  referrer,
  provider,
  operator,
  stranger,
  browser,
  referrerBrowser,
  call,
  get,
  post,
  asSeen,
  why,
  later,
  deliverAll,
  aCompletedReferral,
  makeReferral,
  expectNothingOf,
} = await recordsFixture();

describe('a referral that is restricted', () => {
  it('is not shown, changed or sent until that is lifted', async () => {
    const { id, said, mark, values } = await makeReferral();
    const spaced = { reason: ` ${why.reason} ` };
    expect((await post(operator, `/${id}/restrict`, spaced)).body).toMatchObject({ restricted: true });
    const [entry] = await storedEntries(site.deps.db, { action: 'referral.restricted' });
    expect(entry!.details).toEqual(why);
    expect((await post(operator, `/${id}/restrict`, why)).status).toBe(409);
    for (const who of [referrer, provider, operator]) {
      const listed = (await get(who, '?limit=200')).body.items.find((each: { id: string }) => each.id === id);
      expect(listed.restricted).toBe(true);
      for (const path of ['?limit=200', `/${id}`, `/${id}/history`])
        expectNothingOf(values, (await get(who, path)).text, path);
      const found = await post(who, '/search', { nhs_number: said.patient.nhs_number, ...why });
      expectNothingOf(values, found.text, 'the search');
    }
    const refused = [
      await get(provider, `/${id}/messages`),
      await get(referrer, `/${id}/attachments`),
      await get(provider, `/${id}/letter.pdf`),
      await post(provider, `/${id}/accept`, {}, asSeen(1)),
      await post(referrer, `/${id}/messages`, { text: 'Hello.' }),
      await post(operator, `/${id}/open`, why),
      await post(referrer, '', said, { 'idempotency-key': mark }),
      await post(operator, `/${id}/erase`, { ...why, ground: 'not-needed' }),
    ];
    for (const { status, body } of refused)
      expect([status, body.type]).toEqual([409, expect.stringContaining('referral-restricted')]);
    const page = await referrerBrowser.open(`/referrals/${id}`);
    expect(page.text).toContain('The person has asked that nobody works with this referral');
    expectNothingOf(values, page.page.toString(), 'its page');
    expect(page.page.querySelector('main .nhsuk-tag')!.text).toBe('Restricted');
    const list = (await referrerBrowser.open('/referrals')).page;
    const row = list.querySelector(`a[href^="/referrals/${id}"]`)!.closest('tr')!;
    expect(row.querySelectorAll('.nhsuk-tag').map(({ text }) => text)).toEqual(['Restricted']);

    await deliverAll(id);
    await later(29 * 86_400_000);
    await restoreDeliveryJobs(site.deps);
    await remindOverdue(site.deps);
    expect((await get(referrer, `/${id}`)).body).toMatchObject({
      status: 'requested',
      deliveries: [{ leg: 'service', status: 'queued' }, { leg: 'gp_practice' }],
    });
    const [{ id: waiting }] = (await get(referrer, `/${id}`)).body.deliveries;
    await takeJobs(site.database.pool, { about: waiting });
    await post(operator, `/${id}/unrestrict`, why);
    expect(await countJobs(site.database.pool, { name: 'deliver', about: waiting, isDue: true })).toBe(1);
    expect((await post(operator, `/${id}/unrestrict`, why)).status).toBe(409);
    expect((await get(provider, `/${id}`)).body.patient.family_name).toBe(said.patient.family_name);
    await deliverAll(id);
    expect((await get(referrer, `/${id}`)).body.deliveries[0].status).not.toBe('queued');
    const { items } = (await call(referrer, 'GET', '/api/events?limit=500')).body;
    const told = items
      .filter(({ resource }: { resource: { id: string } }) => resource.id === id)
      .map(({ type }: { type: string }) => type);
    expect(told).toEqual(expect.arrayContaining(['referral.restricted', 'referral.unrestricted']));
  });

  it('takes that the person agrees to less, and sends no more', async () => {
    const { said, values } = await makeReferral();
    const copied = { ...said, gp_practice: { ods_code: 'Z99001' }, allow_duplicate: true };
    const { id } = (await post(referrer, '', copied)).body;
    const practice = async () => {
      const { items } = (await get(referrer, `/${id}/deliveries`)).body;
      return items
        .filter(({ leg }: { leg: string }) => leg === 'gp_practice')
        .map(({ status }: { status: string }) => status);
    };
    expect(await practice()).toEqual(['queued']);
    await post(operator, `/${id}/restrict`, why);
    const withdraw = (who: typeof referrer, body: object) => post(who, `/${id}/agreement-changed`, body);
    expect((await withdraw(stranger, { share_with_gp: false })).status).toBe(404);
    const less = await withdraw(referrer, { share_with_gp: false });
    expect([less.status, less.body.restricted, less.body.already_told]).toEqual([200, true, []]);
    expectNothingOf(values, less.text, 'the answer');
    const more = await withdraw(referrer, { share_with_gp: true, said_by: { basis: 'person' } });
    expect([more.status, more.body.type]).toEqual([409, expect.stringContaining('referral-restricted')]);
    await post(operator, `/${id}/unrestrict`, why);
    await deliverAll(id);
    expect(await practice()).toEqual(['suppressed']);
    const { consent } = (await get(provider, `/${id}`)).body;
    expect(consent.share_with_gp).toBe(false);
  });

  it('ends if the person no longer agrees, also from its page', async () => {
    const { id, values } = await makeReferral();
    await post(operator, `/${id}/restrict`, why);
    const page = await referrerBrowser.open(`/referrals/${id}`);
    expect(page.page.querySelector(`a[href="/referrals/${id}/agreement"]`)).not.toBeNull();
    const form = await referrerBrowser.open(`/referrals/${id}/agreement`);
    expectNothingOf(values, form.page.toString(), 'the form');
    expect(form.page.querySelectorAll('input[name=share_with_gp]')).toHaveLength(2);
    expect(form.page.querySelectorAll('input[name=share_with_gp][checked]')).toHaveLength(0);
    const send = async (values: Record<string, string>) =>
      (await referrerBrowser.send(`/referrals/${id}/agreement`, values)).status;
    expect(await send({ share_with_gp: 'codes_only' })).toBe(303);
    expect(await send({ share_with_gp: 'yes', agreement_basis: 'person' })).toBe(422);
    expect(await send({ share_with_gp: 'no', referral: 'no' })).toBe(303);
    const { status, restricted } = (await get(referrer, `/${id}`)).body;
    expect([status, restricted]).toEqual(['cancelled', true]);
  });

  it('is hidden from the outbox while it is restricted', async () => {
    const { id, captured } = await aCompletedReferral();
    await post(operator, `/${id}/restrict`, why);
    for (const path of [`/outbox/${captured}`, `/outbox/${captured}/letter.pdf`])
      expect((await browser.open(path)).status).toBe(404);
    expect((await browser.open('/outbox')).page.toString()).not.toContain(captured);
    await post(operator, `/${id}/unrestrict`, why);
    expect((await browser.open(`/outbox/${captured}`)).status).toBe(200);
  });
});
