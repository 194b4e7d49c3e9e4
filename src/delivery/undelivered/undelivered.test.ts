import { describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { deliveriesFixture } from '../../../test/delivery/deliveries-fixture.ts';
import { storePractice } from '../../../test/delivery/receivers.ts';
import { storeReferral, tellOfChange } from '../../../test/delivery/test-site.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { auditedActions } from '../../../test/referrals/stored.ts';
import type { Referral } from '../../referrals/index.ts';
import { deliver } from '../send/deliver.ts';

const { site, deliveriesByReceiver } = await deliveriesFixture();
const olive = await signedInBrowser(site, { role: 'operator', name: 'Olive' });
const omar = await aTokenHolder(site.deps, { role: 'operator', name: 'Omar' });

async function call(method: 'GET' | 'POST', url: string, payload?: object, headers = omar.headers) {
  const answer = await site.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

/** A practice with only channels that this site lacks, so its copy fails. */
async function aFailedCopy(): Promise<{ id: string; referral: Referral }> {
  const code = `Z98${Math.trunc(performance.now() * 1000)}`;
  const pigeons = { odsCode: code, name: 'Weir Surgery', channels: ['pigeon'] };
  const practice = await storePractice(site.deps.db, pigeons);
  const referral = await storeReferral(site.database.pool, practice);
  await tellOfChange(site.deps, referral, null);
  const { id } = (await deliveriesByReceiver(referral)).gp_practice!;
  await deliver(site.deps, { delivery_id: id });
  return { id, referral };
}

describe('the worklist', () => {
  it('has a failed copy with its owner, to retry or redirect', async () => {
    const { id, referral } = await aFailedCopy();
    await deliver(site.deps, { delivery_id: (await deliveriesByReceiver(referral)).service!.id });
    expect((await deliveriesByReceiver(referral)).service!.status).toBe('received');
    const listed = await call('GET', '/api/deliveries?kind=failed&limit=200');
    const item = listed.body.items.find((each: { id: string }) => each.id === id);
    expect(item).toMatchObject({
      referral: { reference: referral.reference },
      leg: 'gp_practice',
      status: 'failed',
      worklist: {
        kind: 'failed',
        escalated: false,
        owner: { name: expect.stringMatching(/^(Olive|Omar)$/) },
      },
    });
    expect(JSON.stringify(item)).not.toContain(referral.content.patient.family_name);

    expect((await call('POST', `/api/deliveries/${id}/retry`)).body).toMatchObject({
      status: 'queued',
      worklist: { closed_as: 'retried', closed_by: { name: 'Omar' } },
    });
    await deliver(site.deps, { delivery_id: id });
    expect((await call('GET', `/api/deliveries/${id}`)).body).toMatchObject({
      status: 'failed',
      worklist: { closed_at: null, closed_by: null, owner: item.worklist.owner },
    });

    const another = `/api/deliveries/${id}/send-another-way`;
    expect((await call('POST', another, { channel: 'pigeon' })).status).toBe(422);
    expect((await call('POST', another, { channel: 'document' })).status).toBe(200);
    await deliver(site.deps, { delivery_id: id });
    expect((await call('GET', `/api/deliveries/${id}`)).body).toMatchObject({
      status: 'sent',
      channel: 'document',
      worklist: { closed_as: 'another-way' },
      attempts: [{ outcome: 'sent', channel: 'document' }],
    });
    expect(await auditedActions(site.deps.db, referral.id)).toEqual(
      expect.arrayContaining(['delivery.retried', 'delivery.read', 'delivery.sent_another_way']),
    );
  });

  it('gives a row to the least busy operator, or the chosen one', async () => {
    const owners = new Set<string>();
    const ids: string[] = [];
    for (let each = 0; each < 2; each += 1) {
      const { id } = await aFailedCopy();
      ids.push(id);
      owners.add((await call('GET', `/api/deliveries/${id}`)).body.worklist.owner.name);
    }
    expect([...owners].sort()).toEqual(['Olive', 'Omar']);
    const assign = (account_id: string) => call('POST', `/api/deliveries/${ids[0]}/assign`, { account_id });
    expect((await assign(olive.id)).body.worklist.owner.name).toBe('Olive');
    const referrer = await aTokenHolder(site.deps);
    expect((await assign(referrer.id)).body.errors[0].pointer).toBe('/account_id');
    const mine = (await call('GET', `/api/deliveries?owner=${olive.id}&limit=200`)).body.items;
    expect(mine.map((each: { id: string }) => each.id)).toContain(ids[0]);
    const first = (await call('GET', '/api/deliveries?limit=1')).body;
    const rest = (await call('GET', `/api/deliveries?cursor=${first.next_cursor}`)).body;
    expect([...first.items, ...rest.items].map((each: { id: string }) => each.id)).toEqual(
      expect.arrayContaining(ids),
    );
    expect(rest.next_cursor).toBeNull();
    expect((await call('GET', '/api/deliveries', undefined, referrer.headers)).status).toBe(403);
    expect((await call('POST', `/api/deliveries/${ids[0]}/retry`, undefined, referrer.headers)).status).toBe(
      403,
    );
    expect((await call('GET', '/api/deliveries/nonsense')).status).toBe(404);
  });

  it('is in the order in which rows were opened, from page to page', async () => {
    const [first, second] = [await aFailedCopy(), await aFailedCopy()];
    // The older delivery fails again, and so is on the list for a shorter time.
    site.clock.moveOn(1000);
    await call('POST', `/api/deliveries/${first.id}/retry`);
    await deliver(site.deps, { delivery_id: first.id });
    const seen: { id: string; worklist: { opened_at: string } }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await call('GET', `/api/deliveries?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items);
      cursor = body.next_cursor;
    }
    const opened = seen.map(({ worklist }) => worklist.opened_at);
    expect(opened).toEqual(opened.toSorted());
    const ids = seen.map(({ id }) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
    const madeUp = Buffer.from('2026-99-99T00:00:00.000Z nobody').toString('base64url');
    expect((await call('GET', `/api/deliveries?cursor=${madeUp}`)).status).toBe(400);
  });

  it('asks for words when it was done by hand, on its page', async () => {
    const { id, referral } = await aFailedCopy();
    const list = await olive.open('/operator/deliveries?kind=failed');
    expect(list.page.querySelectorAll('tbody a').map((each) => each.getAttribute('href'))).toContain(
      `/operator/deliveries/${id}`,
    );
    const path = `/operator/deliveries/${id}`;
    const { page, text } = await olive.open(path);
    expect(text).toContain('none of the channels that are set for Weir Surgery');
    const actions = page.querySelectorAll('main form').map((each) => each.getAttribute('action'));
    expect(actions.filter((action) => !action?.startsWith(`${path}/`))).toEqual([]);
    expect(actions).toContain(`${path}/done`);
    const refused = await olive.send(`${path}/done`, { words: 'x' });
    expect([refused.status, refused.text.includes('Say what you did')]).toEqual([422, true]);
    expect((await olive.send(`${path}/owner`, { account_id: olive.id })).location).toBe(
      `${path}?done=assigned`,
    );
    expect((await olive.send(`${path}/done`, { words: 'Read out by telephone.' })).status).toBe(303);
    expect((await deliveriesByReceiver(referral)).gp_practice).toMatchObject({
      status: 'acknowledged',
      attempts: [{ outcome: 'acknowledged', detail: 'An operator told the receiver directly.' }],
    });
    expect((await olive.open(path)).text).toContain('Read out by telephone.');
    expect((await olive.send(`${path}/retry`, {})).status).toBe(409);
    expect((await olive.send(`${path}/done`, { words: 'Rang them again.' })).status).toBe(409);
    expect((await olive.open('/operator/deliveries?show=closed')).text).toContain('Resolved by an operator');
    expect((await olive.open('/operator/deliveries/nonsense')).status).toBe(404);
    const stranger = await signedInBrowser(site);
    expect((await stranger.open('/operator/deliveries')).status).toBe(403);
  });

  it('has an unnamed practice that the person wanted to be told', async () => {
    const referral = await storeReferral(site.database.pool, { gp_practice: null });
    await tellOfChange(site.deps, referral, null);
    const { id } = (await deliveriesByReceiver(referral)).gp_practice!;
    const { body } = await call('POST', `/api/deliveries/${id}/done`, {
      words: 'The person has no practice.',
    });
    expect(body).toMatchObject({
      status: 'suppressed',
      worklist: { kind: 'no-practice', closed_as: 'by-hand' },
    });
    const { consent } = referral.content;
    const silent = await storeReferral(site.database.pool, {
      gp_practice: null,
      content: { consent: { ...consent, share_with_gp: false } },
    });
    await tellOfChange(site.deps, silent, null);
    const other = (await deliveriesByReceiver(silent)).gp_practice!;
    expect((await call('GET', `/api/deliveries/${other.id}`)).body.worklist).toBeNull();
  });
});
