import { describe, expect, it } from 'vitest';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';

const { site, referrer, provider, post, makeReferral } = await referralLifeFixture();

const day = 86_400_000;
const _call = { kind: 'telephone', reached: true };
const inDays = (days: number) => new Date(site.clock.now().getTime() + days * day).toISOString();

async function accepted(given: object = {}) {
  const { id } = await makeReferral(given);
  return (await post(provider, `/${id}/accept`, {}, 1)).body;
}

describe('measures', () => {
  const add = (id: string, ...measures: object[]) => post(referrer, `/${id}/measures`, { measures });
  const wellbeing = (stage: string, value: number) => ({ code: 'swemwbs', stage, value, by: 'person' });

  it('say whether the end is better, whichever way the scale goes', async () => {
    const { id } = await accepted();
    await add(id, wellbeing('start', 20.73), { code: 'ucla-3', stage: 'start', value: 5, by: 'staff' });
    const { status, body } = await add(id, wellbeing('end', 24), {
      ...{ code: 'ucla-3', stage: 'end', value: 7, by: 'person' },
      ...{ mode: 'paper', taken_at: inDays(-1) },
    });
    expect([status, body.measures.length, body.version]).toEqual([200, 4, 2]);
    const [loneliness, mental] = body.measure_changes;
    expect(loneliness).toEqual({ code: 'ucla-3', start: 5, end: 7, change: 'worse' });
    expect(mental).toMatchObject({ code: 'swemwbs', change: 'better' });
  });

  it('refuse a value out of range, a future time, and a double one', async () => {
    const { id } = await accepted();
    for (const [wrong, pointer] of [
      [[wellbeing('start', 6)], '/measures/0/value'],
      [[{ code: 'mycaw', stage: 'start', value: 2.5, by: 'person' }], '/measures/0/value'],
      [[{ ...wellbeing('start', 20), taken_at: inDays(1) }], '/measures/0/taken_at'],
      [[wellbeing('start', 20), wellbeing('start', 21)], '/measures/1/code'],
    ] as const) {
      const { status, body } = await add(id, ...wrong);
      expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
    }
    expect((await add(id)).status).toBe(400);
  });

  it('count once for a repeated call, twice if taken twice', async () => {
    const { id } = await accepted();
    const taken = { ...wellbeing('review', 20), taken_at: inDays(-2) };
    for (const measure of [taken, taken, { ...taken, taken_at: inDays(-1) }]) await add(id, measure);
    expect((await add(id, taken)).body.measures).toHaveLength(2);
  });

  it('are compared with the latest start, to find a worrying one', async () => {
    const happiness = (stage: string, value: number) => ({
      ...{ code: 'ons4-happiness', stage, value, by: 'person' },
      taken_at: site.clock.now().toISOString(),
    });
    async function worrying(...values: [string, number][]) {
      const { id } = await accepted();
      let latest: { alarming: boolean }[] = [];
      for (const [stage, value] of values) {
        site.clock.moveOn(1000);
        latest = (await add(id, happiness(stage, value))).body.measures;
      }
      return latest.at(-1)!.alarming;
    }
    expect(await worrying(['start', 6], ['start', 9], ['review', 6])).toBe(true);
    expect(await worrying(['start', 9], ['start', 8], ['review', 6])).toBe(false);
    expect(await worrying(['start', 9], ['start', 6]), 'the start itself has fallen').toBe(true);
  });

  it('show whom to call if in the worst band, or worse by 3', async () => {
    const pages = await referralPagesFixture();
    const path = await pages.aReferralPage();
    const typed = { measure_code: 'ons4-happiness', measure_stage: 'start', measure_by: 'person' };
    await pages.provider.send(`${path}/measures`, { ...typed, measure_value: '9' });
    expect((await pages.provider.open(path)).text).not.toContain('look into it');
    const next = { ...typed, measure_stage: 'review', measure_value: '6' };
    const { location } = await pages.provider.send(`${path}/measures`, next);
    const { text } = await pages.provider.open(location);
    for (const words of ['A score needs somebody to look into it', '999', 'NHS 111 and choose option 2'])
      expect(text).toContain(words);
    pages.site.clock.moveOn(60_000);
    await pages.provider.send(`${path}/measures`, { ...next, measure_value: '8' });
    expect((await pages.provider.open(path)).text, 'until a newer one is well').not.toContain('look into it');
    const empty = await pages.provider.send(`${path}/measures`, { measure_code: 'ons4-happiness' });
    const said = empty.page.querySelectorAll('.nhsuk-error-summary__list a').map(({ text }) => text.trim());
    expect(said).toEqual(['Select when', 'Enter the score', 'Select who answered']);
    const wrong = await pages.provider.send(`${path}/measures`, { ...next, measure_value: '11' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('from 0 to 10')]);
  });
});
