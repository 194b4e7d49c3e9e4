import { describe, expect, it } from 'vitest';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { updatePrompts } from '../overdue/update-prompts.ts';

const {
  site,
  place,
  elsewhere,
  referrer,
  colleague,
  provider,
  operator,
  stranger,
  get,
  post,
  aPerson,
  reason,
} = await referralLifeFixture();

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

  it('asks nobody again about a risk that was acted on', async () => {
    const { id } = (await post(referrer, '', aPerson(place.serviceId, { contact: { safe: 'no' } }))).body;
    await updatePrompts(site.deps);
    const promptsOf = async () => (await get(referrer, `/${id}`)).body.prompts;
    const [{ id: promptId, kind }] = await promptsOf();
    expect(kind).toBe('risk-to-act-on');
    await post(referrer, `/${id}/prompts/${promptId}/dismiss`, { reason: 'Rang her: she is safe.' });
    const { version } = (await get(referrer, `/${id}`)).body;
    expect((await post(referrer, `/${id}/cancel`, reason, version)).status).toBe(200);
    expect((await post(referrer, `/${id}/seen-to`)).status).toBe(200);
    await updatePrompts(site.deps);
    expect(await promptsOf()).toEqual([]);
  });
});
