import { describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../../test/app/builders.ts';
import { makeApp } from '../../../../test/app/make-app.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { simulatorFixture } from '../../../../test/delivery/simulator-fixture.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { liveEnv } from '../../../../test/process/live-env.ts';
import { remindedReferrals } from '../../../../test/referrals/stored.ts';
import { documentOf } from '../../../reference/index.ts';
import { stories, storyOf } from '../stories.ts';

const { site, referrer, serviceId, call, refer, moveOn, read, told, worklist } = await simulatorFixture();

describe('the time of a simulated referral', () => {
  describe('moving it on', () => {
    it('plays no step before it is due, and all in order', async () => {
      const id = await refer({ family_name: 'Completed', given_name: 'Later' });
      expect((await read(id)).status).toBe('requested');
      expect((await moveOn(id, 'next')).done).toMatchObject([
        { what: 'The GP practice confirms the letter' },
      ]);
      expect((await moveOn(id, 'hour')).status).toBe('accepted');
      const later = await moveOn(id, 'day');
      expect(later).toMatchObject({ status: 'in-progress', moved_on_seconds: 26 * 3600 });
      expect((await moveOn(id, 'next')).status).toBe('completed');
      expect((await told(id))[2]).toBe('gp_practice outcome: sent');
      await moveOn(id, 'hour');
      expect((await told(id))[2]).toBe('gp_practice outcome: acknowledged');
    });

    it('also plays a step that another makes due within the span', async () => {
      const id = await refer({ family_name: 'Completed', given_name: 'Later' });
      // Completed after 168 hours; the practice confirms an hour later.
      for (const by of ['hour', 'hour']) await moveOn(id, by);
      for (let day = 0; day < 7; day += 1) await moveOn(id, 'day');
      expect((await told(id))[2]).toBe('gp_practice outcome: acknowledged');
    });

    it('leaves the times of past events as they are', async () => {
      const id = await refer({ family_name: 'Slow-Answer' });
      const before = await read(id);
      for (let day = 0; day < 2; day += 1) await moveOn(id, 'day');
      const after = await read(id);
      expect([after.created_at, after.updated_at]).toEqual([before.created_at, before.updated_at]);
    });

    it('shows warning, reminder and rejection without an answer', async () => {
      const id = await refer({ family_name: 'Never-Answered' });
      const other = await refer({ family_name: 'Example' });
      const seen: unknown[] = [];
      for (const step of [
        'the warning',
        'the reminder',
        'the last warning',
        'the escalation',
        'the rejection',
      ]) {
        const { status } = await moveOn(id, 'next');
        seen.push([step, status, ...(await worklist(id))]);
      }
      expect(seen).toEqual([
        ['the warning', 'requested', 'unanswered'],
        ['the reminder', 'requested', 'unanswered'],
        ['the last warning', 'requested', 'unanswered'],
        ['the escalation', 'requested', 'unanswered, escalated'],
        ['the rejection', 'rejected', 'unanswered, escalated, closed'],
      ]);
      // Nobody at the service has said anything, so nothing is confirmed.
      expect(await told(id)).toContain('service referral: received');
      expect(await remindedReferrals(site.deps.db)).toEqual([id]);
      expect((await read(other)).status).toBe('requested');
    });

    it('sends each email about an urgent referral that nobody opened', async () => {
      const id = await refer({ family_name: 'Never-Answered' }, serviceId, { urgency: 'urgent' });
      const other = await refer({ family_name: 'Example' }, serviceId, { urgency: 'urgent' });
      const steps = async () => {
        const entries = await storedEntries(site.deps.db, { action: 'referral.unseen_told', subjectId: id });
        return entries.map(({ details }) => (details as { step: string }).step);
      };
      const { next } = (await call('GET', '/api/simulator')).body.items.find(
        ({ referral_id }: { referral_id: string }) => referral_id === id,
      );
      expect(next.map(({ what }: { what: string }) => what)).toContain(
        'Those who look after it are emailed that nobody at the service has opened the urgent referral',
      );
      expect(await steps()).toEqual([]);
      for (let day = 0; day < 6; day += 1) await moveOn(id, 'day');
      expect(await steps()).toEqual(['owner', 'operators']);
      expect(await storedEntries(site.deps.db, { action: 'referral.unseen_told', subjectId: other })).toEqual(
        [],
      );
    });

    it('lets a person answer before the story does', async () => {
      const id = await refer({ family_name: 'Accepted', given_name: 'Later' });
      const cancelled = await site.app.inject({
        method: 'POST',
        url: `/api/referrals/${id}/cancel`,
        headers: { ...referrer.headers, 'if-match': '"1"' },
        payload: { status_reason: { code: 'other', text: 'She moved away.' } },
      });
      expect(cancelled.statusCode).toBe(200);
      const { status, done, next } = await moveOn(id, 'day');
      expect(next).toEqual([]);
      expect([status, done[0].undone_because]).toEqual(['cancelled', expect.stringMatching(/cancelled/)]);
      expect(await told(id)).toContain('service outcome: received');
    });
  });

  describe('access', () => {
    it('others neither see nor move it', async () => {
      const id = await refer({ family_name: 'Accepted', given_name: 'Later' });
      const { headers } = await aTokenHolder(site.deps);
      const list = await site.app.inject({ url: '/api/simulator', headers });
      expect(list.json()).toEqual({ items: [], next_cursor: null });
      for (const each of [id, 'nothing', serviceId]) {
        const url = `/api/simulator/${each}/move-on`;
        const answer = await site.app.inject({ method: 'POST', url, headers, payload: { by: 'day' } });
        expect(answer.statusCode).toBe(404);
      }
      expect((await read(id)).status).toBe('requested');
    });

    it('a referral without a story cannot be moved on', async () => {
      const id = await refer({ family_name: 'Example' });
      const { status, body } = await call('POST', `/api/simulator/${id}/move-on`, { by: 'day' });
      expect([status, body.type]).toEqual([409, expect.stringMatching(/no-story$/)]);
    });

    it('a list goes on at its cursor', async () => {
      const first = (await call('GET', '/api/simulator?limit=1')).body;
      const second = (await call('GET', `/api/simulator?limit=1&cursor=${first.next_cursor}`)).body;
      expect(second.items[0].referral_id < first.items[0].referral_id).toBe(true);
      expect((await call('GET', '/api/simulator?cursor=x')).status).toBe(400);
      expect(
        (await call('POST', `/api/simulator/${first.items[0].referral_id}/move-on`, { by: 'year' })).status,
      ).toBe(400);
    });

    it('is not available on a live site', async () => {
      const live = await makeApp({ env: liveEnv });
      const { headers } = await aTokenHolder(live.deps);
      for (const url of [
        '/api/simulator',
        '/api/simulator/stories',
        '/outbox/simulator',
        `/api/simulator/${serviceId}/move-on`,
      ]) {
        expect((await live.app.inject({ url, headers })).statusCode, url).toBe(404);
      }
      expect(JSON.stringify(documentOf(live.app).paths)).not.toMatch(/simulator/i);
      await live.close();
      const content = { patient: { family_name: 'Accepted' } } as never;
      expect(
        storyOf({ simulated: false, content, service: { name: 'Walks (Accepted)' } as never }),
      ).toBeUndefined();
    });
  });

  it('is shown and moved on by the page', async () => {
    // So that this one is the newest.
    site.clock.moveOn(1000);
    const id = await refer({ family_name: 'Accepted', given_name: 'Later' });
    const browser = await signedInBrowser(site, { role: 'operator' });
    const page = await browser.open('/outbox/simulator');
    expect(page.text).toContain('The service accepts the referral, 21 November 2026 at 11:30am');
    for (const { name } of stories) expect(page.text).toContain(name);
    const moved = await browser.send(`/outbox/simulator/${id}`, { by: 'day' });
    expect(moved.location).toBe('/outbox/simulator?done=moved');
    const after = await browser.open(moved.location!);
    expect(after.text).toContain('Moved on by 1 day');
    expect((await read(id)).status).toBe('accepted');
    expect((await browser.send(`/outbox/simulator/${id}`, { by: 'year' })).status).toBe(404);
  });
});
