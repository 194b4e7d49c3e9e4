import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../../test/app/builders.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { simulatorFixture } from '../../../../test/delivery/simulator-fixture.ts';
import { capturedMessages } from '../../../../test/delivery/stored.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { stories } from '../stories.ts';
import { simulate } from './simulate.ts';

const { site, referrer, serviceId, call, workOff, refer, moveOn, read, history, deliveries, told, worklist } =
  await simulatorFixture();

describe('the simulator’s stories', () => {
  it('answer only once the outbox has the letter to the service', async () => {
    const { patient, ...rest } = aReferral(serviceId, { allow_duplicate: true });
    const made = await call('POST', '/api/referrals', {
      ...rest,
      patient: { ...patient, family_name: 'Accepted' },
    });
    const { id } = made.body;
    // The story’s job can be taken before the one that sends.
    await simulate(site.deps, { referral_id: id });
    expect((await read(id)).status).toBe('requested');
    await workOff(id);
    expect((await read(id)).status).toBe('accepted');
    const captured = (await capturedMessages(site.deps.db)).filter(({ referral_id }) => referral_id === id);
    expect(captured.map(({ subject }) => subject)).toEqual([expect.stringMatching(/referral/i)]);
  });

  it('play the whole loop at once, with both letters confirmed', async () => {
    const id = await refer({ family_name: 'Completed' });
    expect(await history(id)).toEqual(['requested', 'accepted', 'in-progress', 'completed']);
    expect(await read(id)).toMatchObject({
      status: 'completed',
      simulated: true,
      outcome: { code: 'goals-met' },
    });
    expect(await told(id)).toEqual([
      'service referral: acknowledged',
      'gp_practice referral: acknowledged',
      'gp_practice outcome: acknowledged',
    ]);
    expect((await deliveries(id)).every(({ simulated }) => simulated)).toBe(true);
    const events = (await call('GET', '/api/events?limit=500')).body.items.filter((event: any) =>
      event.resource.href.includes(id),
    );
    const types = events.map((event: { type: string }) => event.type);
    for (const type of ['requested', 'accepted', 'in-progress', 'completed'])
      expect(types).toContain(`referral.${type}`);
    expect(types.filter((type: string) => type === 'delivery.acknowledged')).toHaveLength(3);
    const entries = await storedEntries(site.deps.db, { subjectId: id, action: 'referral.completed' });
    expect(entries.map(({ actor_name }) => actor_name)).toEqual(['Simulator']);
  });

  describe('the service', () => {
    const rejections = stories.filter(({ name }) => name.startsWith('Rejected-'));
    it('rejects with each reason', async () => {
      expect(rejections).toHaveLength(9);
      for (const { name } of rejections) {
        const referral = await read(await refer({ family_name: name.toLowerCase().replaceAll('-', ' ') }));
        expect(`Rejected-${referral.status_reason.code}`.toLowerCase(), name).toBe(name.toLowerCase());
        expect(referral.status).toBe('rejected');
      }
    });

    it.each([
      ['Accepted', 'accepted'],
      ['On-Hold', 'on-hold'],
      ['Failed', 'failed'],
      ['Closed', 'failed'],
      ['Cancelled', 'cancelled'],
    ])('%s ends as %s', async (family_name, status) => {
      expect((await read(await refer({ family_name }))).status).toBe(status);
    });

    it('puts the person on its waiting list for longer', async () => {
      const id = await refer({ family_name: 'Waits-Longer', given_name: 'Later' });
      for (const by of ['hour', 'hour', 'hour', 'hour']) await moveOn(id, by);
      expect(await read(id)).toMatchObject({ status: 'on-hold', expected_date: '2026-12-19' });
      for (let day = 0; day < 7; day += 1) await moveOn(id, 'day');
      expect(await read(id)).toMatchObject({ status: 'on-hold', expected_date: '2027-01-16' });
      const events = (await call('GET', '/api/events?limit=500&type=referral.on-hold')).body.items;
      expect(events.filter(({ resource }: { resource: { id: string } }) => resource.id === id)).toHaveLength(
        2,
      );
    });

    it('writes back, with a file', async () => {
      const id = await refer({ family_name: 'Writes-Back' });
      expect((await read(id)).status).toBe('accepted');
      const { items: messages } = (await call('GET', `/api/referrals/${id}/messages`)).body;
      expect(messages).toMatchObject([{ side: 'provider', by: { name: 'Simulator', organisation: null } }]);
      const { items: files } = (await call('GET', `/api/referrals/${id}/attachments`)).body;
      expect(files).toMatchObject([{ name: 'leaflet.pdf', media_type: 'application/pdf' }]);
      const file = await site.app.inject({
        url: `/api/referrals/${id}/attachments/${files[0].id}`,
        headers: referrer.headers,
      });
      expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
      const events = (await call('GET', '/api/events?limit=500&type=message.created')).body.items;
      expect(
        events.filter(({ resource }: { resource: { id: string } }) => resource.id === messages[0].id),
      ).toHaveLength(1);
      const list = (await call('GET', `/api/referrals?direction=made`)).body.items;
      expect(list.find((each: { id: string }) => each.id === id)).toMatchObject({ status: 'accepted' });
    });

    it('asks for more before it answers', async () => {
      const id = await refer({ family_name: 'Asks-For-More' });
      expect((await read(id)).status).toBe('requested');
      const { items } = (await call('GET', `/api/referrals/${id}/messages`)).body;
      expect(items.map(({ text }: { text: string }) => text)).toEqual([
        expect.stringContaining('Please tell us'),
      ]);
    });

    it('may be named after the story of all who are referred to it', async () => {
      const { serviceId: eager } = await aService(site.deps, { serviceName: 'Tuesday walks (Accepted)' });
      expect((await read(await refer({ family_name: 'Example' }, eager))).status).toBe('accepted');
    });
  });

  describe('an operator', () => {
    it('restricts the referral, so that neither side reads it', async () => {
      const id = await refer({ family_name: 'Restricted' });
      const { status, body } = await call('GET', `/api/referrals/${id}/messages`);
      expect([status, body.type]).toEqual([409, expect.stringMatching(/referral-restricted$/)]);
      const { items } = (await call('GET', '/api/events?limit=500&type=referral.restricted')).body;
      expect(items.map(({ resource }: { resource: { id: string } }) => resource.id)).toContain(id);
      const operator = await aTokenHolder(site.deps, { role: 'operator' });
      const lifted = await site.app.inject({
        method: 'POST',
        url: `/api/referrals/${id}/unrestrict`,
        headers: operator.headers,
        payload: { reason: 'The story is over.' },
      });
      expect(lifted.statusCode, lifted.body).toBe(200);
      expect((await read(id)).status).toBe('accepted');
    });

    it('erases what the referral says, and the story with it', async () => {
      const id = await refer({ family_name: 'Erased', given_name: 'Later' });
      for (const by of ['hour', 'hour']) await moveOn(id, by);
      expect((await read(id)).status).toBe('rejected');
      expect(await moveOn(id, 'day')).toMatchObject({ story: 'Erased', status: 'rejected', next: [] });
      const { status, body } = await call('GET', `/api/referrals/${id}/messages`);
      expect([status, body.type]).toEqual([409, expect.stringMatching(/referral-erased$/)]);
      const { items } = (await call('GET', '/api/events?limit=500&type=referral.erased')).body;
      expect(items.map(({ resource }: { resource: { id: string } }) => resource.id)).toContain(id);
    });
  });

  it('are listed with what happens in them', async () => {
    const { status, body } = await call('GET', '/api/simulator/stories');
    expect([status, body.next_cursor]).toEqual([200, null]);
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(stories.map(({ name }) => name));
    expect(body.items.find(({ name }: { name: string }) => name === 'Slow-Answer')).toMatchObject({
      on_the_clock: true,
    });
  });

  describe('the messages', () => {
    it('are confirmed once or twice; the second time changes nothing', async () => {
      const id = await refer({ family_name: 'Duplicate-Ack' });
      expect((await told(id))[1]).toBe('gp_practice referral: acknowledged');
      const { items } = (await call('GET', '/api/simulator')).body;
      expect(items.find((each: { referral_id: string }) => each.referral_id === id)).toMatchObject({
        story: 'Duplicate-Ack',
        done: [{ undone_because: null }, { undone_because: 'The message was acknowledged already.' }],
      });
    });

    it('bounce, have failed, and are on the worklist', async () => {
      const id = await refer({ family_name: 'Bounced' });
      expect(await told(id)).toEqual(['service referral: failed', 'gp_practice referral: failed']);
      expect(await worklist(id)).toEqual(['failed', 'failed']);
      const operator = await signedInBrowser(site, { role: 'operator' });
      const copy = (await deliveries(id)).find(({ leg }) => leg === 'gp_practice');
      const path = `/operator/deliveries/${copy.id}`;
      // A retry by the same channel is refused once more, and only once.
      await operator.send(`${path}/retry`, {});
      await workOff(id);
      const { page, text } = await operator.open(path);
      expect(text).toContain('The last attempt failed permanently');
      const headings = page.querySelectorAll('main h2').map((each) => each.text);
      expect(headings.slice(0, 3)).toEqual(['What was tried', 'Send by another channel', 'Try again']);
      expect(page.querySelectorAll('main ol li')).toHaveLength(2);
      expect(page.querySelectorAll('#channel option').map((each) => each.getAttribute('value'))).toEqual([
        '',
        'email',
        'mesh',
        'document',
      ]);
      // The channel that failed is not preselected, and the page says so.
      expect(page.querySelector('#channel option[selected]')).toBeNull();
      const tried = page
        .querySelectorAll('#channel option')
        .filter((each) => each.text.includes('tried already'));
      expect(tried.map((each) => each.getAttribute('value'))).toEqual(['document']);
      for (const channel of ['', 'inbox'])
        expect((await operator.send(`${path}/another-way`, { channel })).status).toBe(422);
      await operator.send(`${path}/another-way`, { channel: 'document' });
      await workOff(id);
      expect(await told(id)).toEqual(['service referral: failed', 'gp_practice referral: sent']);
    });

    it('come to the wrong practice', async () => {
      const id = await refer({ family_name: 'Wrong-Practice' });
      const practice = (await deliveries(id))[1];
      expect(practice).toMatchObject({ leg: 'gp_practice', status: 'failed' });
      expect(practice.detail).toContain('is not its patient');
      expect(await worklist(id)).toEqual(['failed']);
    });

    it('are uncertain after a time-out, until they have arrived', async () => {
      const id = await refer({ family_name: 'Time-Out' });
      expect(await told(id)).toEqual(['service referral: uncertain', 'gp_practice referral: uncertain']);
      expect(await worklist(id)).toEqual(['uncertain', 'uncertain']);
      await moveOn(id, 'next');
      expect(await told(id)).toEqual(['service referral: received', 'gp_practice referral: received']);
      expect(await worklist(id)).toEqual(['uncertain, closed', 'uncertain, closed']);
    });
  });

  it('are all in the document for developers', async () => {
    const root = join(import.meta.dirname, '..', '..', '..', '..');
    const text = await readFile(join(root, 'docs', 'guide', 'test-site.md'), 'utf8');
    for (const { name } of stories) expect(text).toContain(`\`${name}\``);
  });
});
