import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, renewToken } from '../../../test/app/builders.ts';
import { answerFixture, linkHolder } from '../../../test/delivery/answer-fixture.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { storedReferral } from '../../../test/referrals/stored.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import { releaseHeld } from './release-held.ts';

const { site, referrer, place, refer, linkOf } = await answerFixture();
afterAll(() => site.close());
beforeEach(() => renewToken(site.deps, referrer));

let count = 0;
/** A referral of somebody with a page of their own, which its service has declined by link. */
async function declined() {
  count += 1;
  const email = `person${count}@example.org`;
  const { patient } = aReferral(place.serviceId);
  const { id, reference } = await refer({
    ...{ patient: { ...patient, email }, allow_duplicate: true, risk: 'no' },
    ...{ contact: { safe: 'yes', channel: 'email' }, person_page: { send: true } },
  });
  const path = (await linkOf(id))!;
  const decline = { answer: 'decline', reason: 'no-capacity', name: 'Rosa Reed', role: 'Manager' };
  expect((await linkHolder(site).send(path, decline)).status).toBe(303);
  const mails = async () => (await mailsTo(site, email)).filter(({ subject }) => subject !== 'Your code');
  expect(await mails(), 'the link itself').toHaveLength(1);
  const check = async (what: 'undo-ending' | 'confirm-ending') => {
    await renewToken(site.deps, referrer);
    const { version } = await storedReferral(site.deps.db, id);
    const answer = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/${what}`,
      payload: {},
      headers: { ...referrer.headers, 'if-match': `"${version}"` },
    });
    expect(answer.statusCode, answer.body).toBe(200);
  };
  return { id, reference, mails, check };
}

describe('the person whose referral was ended by link', () => {
  it('is emailed once after 24 hours, without a word about them', async () => {
    const { mails, reference } = await declined();
    site.clock.moveOn(24 * hourMs - minuteMs);
    await releaseHeld(site.deps);
    expect(await mails()).toHaveLength(1);
    site.clock.moveOn(minuteMs);
    for (let run = 0; run < 2; run += 1) await releaseHeld(site.deps);
    const [news, link, ...more] = await mails();
    expect(more).toEqual([]);
    expect([news!.subject, news!.text]).toEqual(['You have a message', link!.text]);
    for (const told of [reference, 'Margaret', 'Example', place.serviceName])
      expect(news!.text).not.toContain(told);
  });

  it('is emailed once, at once, if the referrer confirms it', async () => {
    const { mails, check } = await declined();
    await check('confirm-ending');
    expect(await mails()).toHaveLength(2);
    site.clock.moveOn(25 * hourMs);
    await releaseHeld(site.deps);
    expect(await mails()).toHaveLength(2);
  });

  it('hears nothing of an ending that was a mistake', async () => {
    const { mails, check } = await declined();
    await check('undo-ending');
    site.clock.moveOn(25 * hourMs);
    await releaseHeld(site.deps);
    expect(await mails()).toHaveLength(1);
  });

  it('hears nothing where their links have ended meanwhile', async () => {
    const { id, mails } = await declined();
    const ended = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/person-page/end`,
      payload: {},
      headers: referrer.headers,
    });
    expect(ended.statusCode, ended.body).toBeLessThan(300);
    site.clock.moveOn(24 * hourMs);
    await releaseHeld(site.deps);
    expect(await mails()).toHaveLength(1);
  });
});
