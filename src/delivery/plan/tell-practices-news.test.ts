import { beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { capturedMessages, storedDeliveries } from '../../../test/delivery/stored.ts';
import { personPageFixture } from '../../../test/referrals/person-page-fixture.ts';
import { switchOnQuestionnaires } from '../../../test/referrals/stored.ts';
import { dayMs, hourMs, minuteMs } from '../../platform/durations.ts';
import { deliver } from '../send/deliver.ts';
import { tellPracticesNews } from './tell-practices-news.ts';

const { site, referrer, provider, operator, get, post, later, ...people } = await personPageFixture();
const { db } = site.deps;
const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };

type Given = Parameters<typeof people.referWithPage>[0];

/** A completed referral whose practice has the letter about the end, and the telephone of the person with their page open. */
async function completed(given: Given = {}) {
  const page = await people.referWithPage({ gp_practice: { ods_code: 'Z99001' }, ...given });
  const { id } = page;
  expect(id, JSON.stringify(page)).toBeDefined();
  const act = async (action: string, body: object = {}) => {
    const { version } = (await get(provider, `/${id}`)).body;
    expect((await post(provider, `/${id}/${action}`, body, version)).status).toBe(200);
  };
  await act('accept');
  await act('start');
  await post(provider, `/${id}/measures`, {
    measures: [{ code: 'ons4-happiness', stage: 'start', value: 4, by: 'person', mode: 'telephone' }],
  });
  await act('complete', { outcome: { code: 'goals-met', text: 'She walks each week.' } });
  await sendAll(id);
  await later(hourMs);
  const phone = people.telephone();
  /** The page has closed since the last time. */
  const send = async (fields: Record<string, string>) => {
    site.clock.moveOn(minuteMs);
    await people.openedBy(phone, page);
    return phone.send(page.path, fields);
  };
  return { id, send, says: (step: string) => send({ step }) };
}

async function sendAll(id: string) {
  for (const each of await storedDeliveries(db, id))
    if (each.status === 'queued') await deliver(site.deps, { delivery_id: each.id });
}

/** The letters about the end that the practice has, oldest first, after a day in which nothing was said. */
async function lettersAfterADay(id: string) {
  await later(dayMs);
  return lettersNow(id);
}

async function lettersNow(id: string) {
  await tellPracticesNews(site.deps);
  await sendAll(id);
  const sent = (await storedDeliveries(db, id)).filter(
    ({ leg, purpose, status }) => leg === 'gp_practice' && purpose === 'outcome' && status === 'sent',
  );
  return Promise.all(
    sent.map(async (each) => JSON.stringify((await capturedMessages(db, each.id))[0]!.letter)),
  );
}

describe('a practice that was told of the end', () => {
  it('gets one more letter, a day after the person’s last answer', async () => {
    const { id, says } = await completed();
    await says('not-helped');
    await later(20 * hourMs);
    await says('helped');
    await later(5 * hourMs);
    expect(await lettersNow(id), 'a day has not passed since').toHaveLength(1);
    const [first, second, ...more] = await lettersAfterADay(id);
    expect(more).toEqual([]);
    expect(first).not.toContain('their own page');
    expect(second).toContain('Updated: ');
    expect(second).toContain('“I got help.”');
    expect(second).toContain('as superseded');
    expect(second).not.toContain('did not get help');
    expect(await lettersAfterADay(id)).toHaveLength(2);
  });

  it('gets another once the person says the opposite', async () => {
    const { id, says } = await completed();
    await says('helped');
    expect(await lettersAfterADay(id)).toHaveLength(2);
    await says('not-helped');
    const letters = await lettersAfterADay(id);
    expect(letters[2]).toContain('“I got help.” → “I did not get help.”');
    await says('helped');
    await says('not-helped');
    expect(await lettersAfterADay(id), 'it knows that already').toHaveLength(3);
  });

  it('gets none where the person does not agree to all details', async () => {
    for (const share of [false, 'codes_only'] as const) {
      const { id, says } = await completed({ consent: { referral: true, share_with_gp: share } });
      const before = (await storedDeliveries(db, id)).length;
      await says('helped');
      await lettersAfterADay(id);
      expect(await storedDeliveries(db, id)).toHaveLength(before);
    }
  });

  it('gets none where the letter about the end has not gone yet', async () => {
    const page = await people.referWithPage({ gp_practice: { ods_code: 'Z99001' } });
    const phone = people.telephone();
    await people.openedBy(phone, page);
    for (const action of ['accept', 'start', 'complete']) {
      const { version } = (await get(provider, `/${page.id}`)).body;
      const body = action === 'complete' ? { outcome: { code: 'other', text: 'Done.' } } : {};
      await post(provider, `/${page.id}/${action}`, body, version);
    }
    await phone.send(page.path, { step: 'helped' });
    const letters = await lettersAfterADay(page.id);
    expect(letters).toEqual([expect.stringContaining('“I got help.”')]);
  });

  it('waits while the record is restricted; an erased one has none', async () => {
    const { id, says } = await completed();
    await says('helped');
    const told = { who_was_told: 'The manager', when: site.clock.now().toISOString() };
    const asOperator = async (path: string, body: object) =>
      expect((await post(operator, `/${id}${path}`, body)).status, path).toBeLessThan(300);
    await asOperator('/restrict', { reason: 'Asked for by letter; ticket 311.' });
    expect(await lettersAfterADay(id)).toHaveLength(1);
    await asOperator('/unrestrict', { reason: 'Asked for by letter; ticket 312.' });
    expect(await lettersNow(id)).toHaveLength(2);
    await says('not-helped');
    await asOperator('/erase', {
      ground: 'consent-withdrawn',
      reason: 'Asked for by letter; ticket 313.',
      told,
    });
    await lettersAfterADay(id);
    expect(await storedDeliveries(db, id)).toEqual([]);
  });
});

describe('a measure that is typed in after the end', () => {
  it('is named as new, though it was taken before the letter', async () => {
    const { id } = await completed();
    const taken_at = new Date(site.clock.now().getTime() - 3 * hourMs).toISOString();
    const measure = { code: 'ons4-happiness', stage: 'end', value: 6, by: 'person', mode: 'paper', taken_at };
    expect((await post(provider, `/${id}/measures`, { measures: [measure] })).status).toBe(200);
    const letters = await lettersAfterADay(id);
    expect(letters).toHaveLength(2);
    expect(letters[1]).toContain('added, see below');
  });
});

describe('a questionnaire after the end', () => {
  beforeAll(async () => {
    const owner = await anAccount(site.deps, { name: 'Olive Owner', organisation });
    const deputy = await anAccount(site.deps, { name: 'Dev Deputy', organisation });
    await switchOnQuestionnaires(db, { owner: owner.id, deputy: deputy.id });
  });

  it('reaches the practice in the same letter as the rest', async () => {
    const { id, says, send } = await completed();
    const answers = {
      'ons4-life-satisfaction': '6',
      'ons4-worthwhile': '7',
      'ons4-happiness': '6',
      'ons4-anxiety': '3',
    };
    expect((await send({ step: 'answers', which: 'ons4', ...answers })).status).toBe(303);
    await says('helped');
    const letters = await lettersAfterADay(id);
    expect(letters).toHaveLength(2);
    expect(letters[1]).toContain('added, see below');
    expect(letters[1]).toContain('4 → 6, better');
    expect(letters[1]).toContain('now “I got help.”');
  });
});
