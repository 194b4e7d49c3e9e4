import { describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { markSensitive } from '../../../test/library/stored.ts';
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
const dismiss = (who: Holder, { id, promptId }: Awaited<ReturnType<typeof promptedReferral>>) =>
  post(who, `/${id}/prompts/${promptId}/dismiss`);

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
    expect((await dismiss(referrer, made)).status).toBe(200);
  });

  it('is not there for strangers', async () => {
    expect((await dismiss(stranger, await promptedReferral())).status).toBe(404);
  });
});
