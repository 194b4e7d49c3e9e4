import { describe, expect, it } from 'vitest';
import { releaseHeld } from '../../src/delivery/held/release-held.ts';
import { tellPracticesNews } from '../../src/delivery/plan/tell-practices-news.ts';
import { deliver } from '../../src/delivery/send/deliver.ts';
import { dayMs } from '../../src/platform/durations.ts';
import { followAndPublish } from '../../src/reports/index.ts';
import { summariseExactly } from '../../src/reports/publish/summarise.ts';
import { linkHolder, pathIn } from '../delivery/answer-fixture.ts';
import { setServiceAddress } from '../delivery/receivers.ts';
import { capturedMessages, storedDeliveries } from '../delivery/stored.ts';
import { setChannels } from '../library/stored.ts';
import { mailsTo } from '../network/mailbox.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';
import { personPageFixture } from '../referrals/person-page-fixture.ts';
import { storeJourneys } from '../reports/journeys.ts';

const fixture = await personPageFixture();
const { site, place, post, operator } = fixture;
const { db } = site.deps;

const charity = 'desk@footpath-friends.example.org';
const codes = 'office@footpath-friends.example.org';
const november = { from: '2026-11-01', to: '2026-11-30' };
const query = 'from=2026-11-01&to=2026-11-30';

/** What a practice reads, which a test site keeps. */
async function letterAtEnd(referralId: string): Promise<string> {
  const letters = await storedDeliveries(db, referralId);
  const { id } = letters.find(({ leg, purpose }) => leg === 'gp_practice' && purpose === 'outcome')!;
  await deliver(site.deps, { delivery_id: id });
  const [captured] = await capturedMessages(db, id);
  return JSON.stringify(captured!.letter);
}

describe('a loop that is closed without an account', () => {
  it('runs from the email to the GP letter and the report', async () => {
    await setChannels(db, place.serviceId, { channels: ['email'] });
    await setServiceAddress(db, { serviceId: place.serviceId, channel: 'email', address: charity });
    await setServiceAddress(db, { serviceId: place.serviceId, channel: 'code_email', address: codes });
    // With the referral below there are 28 (shown rounded, as 30). Eight of them got help.
    const others = { sent: '2026-11-03', line: 'accepted+1 started+3 completed+10' };
    await storeJourneys(site, [...Array(7).fill({ ...others, says: 'got-help' }), ...Array(20).fill(others)]);

    const { id, path, email } = await fixture.referWithPage({ gp_practice: { ods_code: 'Z99001' } });
    for (const each of await storedDeliveries(db, id))
      if (each.leg === 'service') await deliver(site.deps, { delivery_id: each.id });
    const [sent] = (await capturedMessages(db)).filter((each) => each.referral_id === id);
    const link = pathIn(sent!.body)!;

    const who = { name: 'Rosa Reed', role: 'Duty manager' };
    const desk = linkHolder(site);
    await desk.send(link, { ...who, answer: 'accept' });
    await desk.send(link, { step: 'send-code' });
    const code = /^\d{6}/.exec((await mailsTo(site, codes))[0]!.text)![0];
    await desk.send(`${link}?do=code`, { ...who, code });
    await desk.send(`${link}?do=contact`, { ...who, contact_kind: 'telephone', reached: 'yes' });
    await desk.send(`${link}?do=start`, who);
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She walks each week.', gp_needed: 'no' };
    expect((await desk.send(`${link}?do=complete`, { ...who, ...outcome })).status).toBe(303);

    const phone = fixture.telephone();
    const opened = await fixture.openedBy(phone, { path, email });
    expect(opened.text).toContain('So can your GP practice');
    await phone.send(path, { step: 'helped' });
    expect((await phone.open(path)).text).toContain('You said that you got help');

    await fixture.later(dayMs);
    await releaseHeld(site.deps);
    const letter = await letterAtEnd(id);
    expect(letter).toContain('Overall, as the service says: met.');
    expect(letter).toMatch(/The patient said on their own page, on 21 November 2026: “I got help.”/);

    await fixture.later(60 * dayMs);
    await followAndPublish(site.deps);
    const exact = await summariseExactly(site.deps, {}, november);
    const of = (figure: string, stratum: string) =>
      exact.figures.find((each) => each.id === figure && each.stratum === stratum);
    expect(of('A1', 'all')).toMatchObject({ value: 28 });
    expect(of('F5', 'says:person')).toMatchObject({ n: 28, value: 0.285714 });

    const manager = await signedInBrowser(site, { role: 'manager' });
    const read = async () => {
      await manager.signIn();
      const page = await manager.open(`/operator/reports?${query}`);
      const csv = await site.app.inject({ url: `/operator/reports.csv?${query}`, headers: manager.headers });
      return { page, csv: csv.body };
    };
    const before = await read();
    expect(before.csv.split('\r\n')).toEqual(
      expect.arrayContaining(['A1,all,30,30,,', expect.stringMatching(/^F5,says:person,30,0\.33/)]),
    );
    const charts = before.page.page.querySelectorAll('svg').map((each) => each.text);
    expect(charts).toEqual([
      expect.stringContaining('Acceptedabout 100 %'),
      expect.stringContaining('Got help, as the person says33.3 %'),
      expect.stringContaining('Sent30'),
    ]);
    const rows = before.page.page
      .querySelectorAll('table tbody tr')
      .map((row) => row.structuredText.replace(/\s+/g, ' '));
    expect(rows.filter((row) => /person says/.test(row))).toEqual([expect.stringContaining('33.3 %')]);

    await fixture.later(dayMs);
    const when = site.deps.clock.now().toISOString();
    const told = { who_was_told: 'The manager of the practice', when };
    const ground = { ground: 'consent-withdrawn', reason: 'The person asked for it by letter.', told };
    const erased = await post(operator, `/${id}/erase`, ground);
    expect(erased.status, JSON.stringify(erased.body)).toBeLessThan(300);
    await followAndPublish(site.deps);
    expect((await read()).csv).toBe(before.csv);
  });

  it('tells the practice what the person says after its letter', async () => {
    const page = await fixture.referWithPage({ gp_practice: { ods_code: 'Z99001' } });
    const { id } = page;
    const bodies: Record<string, object> = {
      complete: { outcome: { code: 'goals-met', text: 'She walks.' } },
    };
    for (const action of ['accept', 'start', 'complete']) {
      const { version } = (await fixture.get(fixture.provider, `/${id}`)).body;
      await post(fixture.provider, `/${id}/${action}`, bodies[action] ?? {}, version);
    }
    expect(await letterAtEnd(id)).not.toContain('on their own page');

    await fixture.later(3 * dayMs);
    const phone = fixture.telephone();
    const opened = await fixture.openedBy(phone, page);
    expect(opened.text).toContain('If you answer after that, it is told a day later');
    await phone.send(page.path, { step: 'helped' });
    await fixture.later(dayMs);
    await tellPracticesNews(site.deps);
    const letters = (await storedDeliveries(db, id)).filter(({ leg }) => leg === 'gp_practice');
    await deliver(site.deps, { delivery_id: letters.at(-1)!.id });
    const [captured] = await capturedMessages(db, letters.at(-1)!.id);
    expect(captured!.subject).toMatch(/^For reception at once: updated outcome /);
    expect(JSON.stringify(captured!.letter)).toContain('now “I got help.”');
  });
});
