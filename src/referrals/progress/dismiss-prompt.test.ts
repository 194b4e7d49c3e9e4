import { describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { auditedActions } from '../../../test/referrals/stored.ts';
import { updatePrompts } from '../overdue/update-prompts.ts';

const { site, referrer, colleague, stranger, get, post, aPerson } = await referralLifeFixture();

/** A referral whose service has closed, with the prompt that somebody looks after it. */
async function promptedReferral() {
  const place = await aService(site.deps);
  const { id } = (await post(referrer, '', aPerson(place.serviceId))).body;
  await aService(site.deps, { ...place, status: 'inactive' });
  await updatePrompts(site.deps);
  return { id, promptId: (await get(referrer, `/${id}`)).body.prompts[0].id };
}
type Prompted = Awaited<ReturnType<typeof promptedReferral>>;
const dismiss = (who: Holder, { id, promptId }: Prompted, body?: object) =>
  post(who, `/${id}/prompts/${promptId}/dismiss`, body);

describe('a prompt', () => {
  it('is dismissed once, by the referrer or a colleague', async () => {
    const made = await promptedReferral();
    expect((await dismiss(colleague, made)).body.prompts).toEqual([]);
    expect((await dismiss(referrer, made)).status).toBe(404);
    expect(await auditedActions(site.deps.db, made.id, colleague.id)).toContain('referral.prompt_dismissed');
  });

  it('is not for a colleague from whom the service is hidden', async () => {
    const place = await aService(site.deps);
    await markSensitive(site.deps.db, place.serviceId);
    const { id } = (await post(referrer, '', aPerson(place.serviceId, { contact: { safe: 'no' } }))).body;
    await updatePrompts(site.deps);
    const made = { id, promptId: (await get(referrer, `/${id}`)).body.prompts[0].id };
    const refused = await dismiss(colleague, made);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('Say first why')]);
    expect((await get(referrer, `/${id}`)).body.prompts).toHaveLength(1);
    expect((await dismiss(referrer, made, { reason: 'Rang her: she is safe.' })).status).toBe(200);
  });

  it('about a risk needs what was done, which both sides read', async () => {
    const place = await aService(site.deps);
    const { id } = (await post(referrer, '', aPerson(place.serviceId, { contact: { safe: 'no' } }))).body;
    await updatePrompts(site.deps);
    const made = { id, promptId: (await get(referrer, `/${id}`)).body.prompts[0].id };
    for (const body of [undefined, {}, { reason: ' ' }, { reason: 'x' }, { reason: 'done' }]) {
      const refused = await dismiss(referrer, made, body);
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/reason']);
    }
    expect((await get(referrer, `/${id}`)).body.prompts).toHaveLength(1);
    const reason = 'Rang the service: a nurse sees her this afternoon.';
    expect((await dismiss(colleague, made, { reason })).body.prompts).toEqual([]);
    const staff = await aTokenHolder(site.deps, {
      role: 'provider',
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    });
    for (const side of [referrer, staff])
      expect((await get(side, `/${id}/history`)).body.items.at(-1)).toMatchObject({
        kind: 'risk-acted-on',
        reason: { code: 'other', text: reason },
      });
    const told = (await mailsTo(site, referrer.email)).filter(({ subject }) =>
      subject.includes('dealt with'),
    );
    expect(told).toHaveLength(1);
    expect(JSON.stringify(told)).not.toContain('nurse');
  });

  it('is not there for strangers', async () => {
    expect((await dismiss(stranger, await promptedReferral())).status).toBe(404);
  });
});
