import { afterAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { answerFixture, linkHolder } from '../../../test/delivery/answer-fixture.ts';
import { setServiceAddress } from '../../../test/delivery/receivers.ts';
import { storedDeliveries } from '../../../test/delivery/stored.ts';
import { setChannels } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { auditActors, storedReferral } from '../../../test/referrals/stored.ts';
import { deliver, releaseHeld } from '../../delivery/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import { saveDangers } from '../model/attention/dangers-store.ts';
import { updatePrompts } from '../overdue/update-prompts.ts';

const { site, place, referrer, operator, charity, refer, linkOf } = await answerFixture();
afterAll(() => site.close());
const holder = linkHolder(site);

const rosa = { name: 'Rosa Reed', role: 'Duty manager' };
const accept = { ...rosa, answer: 'accept' };
const decline = { ...rosa, answer: 'decline', reason: 'no-capacity', explanation: 'The group is full.' };
const statusOf = async (id: string) => (await storedReferral(site.deps.db, id)).status;
const toServiceOf = async (id: string) =>
  (await storedDeliveries(site.deps.db, id)).filter(({ leg }) => leg === 'service');
/** A referral whose service has the email with the link. */
async function anOpenReferral(given: Record<string, unknown> = {}) {
  const { id } = await refer(given);
  return { id, path: (await linkOf(id))! };
}

const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const lettersOf = async (id: string) =>
  (await storedDeliveries(site.deps.db, id)).filter(
    ({ leg, purpose }) => leg === 'gp_practice' && purpose === 'outcome',
  );
const read = async (id: string) =>
  (await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers })).json();
const undo = async (id: string, headers = referrer.headers) => {
  const { version } = await storedReferral(site.deps.db, id);
  return site.app.inject({
    method: 'POST',
    url: `/api/referrals/${id}/undo-decline`,
    payload: {},
    headers: { ...headers, 'if-match': `"${version}"` },
  });
};
async function aDeclinedReferral(given: Record<string, unknown> = {}) {
  const opened = await anOpenReferral(given);
  await holder.send(opened.path, decline);
  return opened;
}

describe('a decline by link', () => {
  it('is taken back by the referrer; then the link answers again', async () => {
    const { id, path } = await aDeclinedReferral({
      urgency: 'urgent',
      gp_practice: { ods_code: 'Z99001' },
    });
    expect((await undo(id, operator.headers)).statusCode).toBe(403);
    const undone = await undo(id);
    expect(undone.statusCode, undone.body).toBe(200);
    expect(undone.json()).toMatchObject({ status: 'requested', status_reason: null, seen: null });
    expect((await undo(id)).statusCode).toBe(409);
    expect(await lettersOf(id)).toMatchObject([{ status: 'suppressed' }]);
    expect(await auditActors(site.deps.db, id, 'referral.decline_undone')).toHaveLength(1);
    expect((await toServiceOf(id)).map(({ status }) => status)).toEqual(['acknowledged', 'queued']);
    expect(await linkOf(id)).toBe(path);
    await holder.send(path, accept);
    expect(await statusOf(id)).toBe('accepted');
  });

  it('taken back stays marked as seen by the colleague', async () => {
    const walk = await aService(site.deps, { serviceName: 'Friday walk' });
    await setChannels(site.deps.db, walk.serviceId, { channels: ['email'] });
    await setServiceAddress(site.deps.db, { serviceId: walk.serviceId, channel: 'email', address: charity });
    const organisation = { name: walk.organizationName, libraryOrganizationId: walk.organizationId };
    const name = 'Sam Staff, Friday walk';
    const staff = await aTokenHolder(site.deps, { role: 'provider', organisation, name });
    const { id, path } = await anOpenReferral({ service_id: walk.serviceId });
    const headers = { ...staff.headers, 'onward-shown-to': 'person' };
    await site.app.inject({ url: `/api/referrals/${id}`, headers });
    await holder.send(path, decline);
    expect((await undo(id)).json()).toMatchObject({ status: 'requested', seen: { by: { name } } });
  });

  it('can be taken back on the page, which says until when', async () => {
    const { id } = await aDeclinedReferral();
    const person = await signedInBrowser(site, { role: 'referrer', organisation: surgery });
    const { text, page } = await person.open(`/referrals/${id}`);
    expect(text).toContain('Check this answer');
    expect(text).toContain('If it is a mistake, say so before');
    const form = page.querySelector(`form[action="/referrals/${id}/undo-ending"]`)!;
    const version = form.querySelector('input[name=version]')!.getAttribute('value')!;
    const sent = await person.send(`/referrals/${id}/undo-ending`, { version });
    expect(sent.status).toBe(303);
    const after = await person.open(String(sent.location));
    expect(after.text).toContain('Next: telephone the service');
    expect(after.text).toContain('Opened again: declining it was a mistake');
    expect(after.text).not.toContain('Check this answer');
  });

  it('taken back asks nobody again about a risk that was acted on', async () => {
    const { id, path } = await anOpenReferral();
    await inTransaction(site.deps.db, (trx) => saveDangers(trx, [id], site.clock.now()));
    await updatePrompts(site.deps);
    const [prompt] = (await read(id)).prompts;
    const dismissed = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/prompts/${prompt.id}/dismiss`,
      payload: { reason: 'Rang her: she is safe.' },
      headers: referrer.headers,
    });
    expect(dismissed.statusCode, dismissed.body).toBe(200);
    await holder.send(path, decline);
    expect((await undo(id)).statusCode).toBe(200);
    await updatePrompts(site.deps);
    expect((await read(id)).prompts).toEqual([]);
  });

  it('stays while the person is said to have died', async () => {
    const { id } = await aDeclinedReferral();
    const { patient } = await read(id);
    const tell = async (headers: Record<string, string>, path: string, payload: object) =>
      site.app.inject({ method: 'POST', url: `/api/referrals${path}`, payload, headers });
    const again = { ...aReferral(place.serviceId), patient, allow_duplicate: true };
    const { id: other } = (await tell(referrer.headers, '', again)).json();
    const told = { told_by: 'His neighbour' };
    expect((await tell(referrer.headers, `/${other}/died`, told)).statusCode).toBe(200);
    const refused = await undo(id);
    expect([refused.statusCode, refused.json().detail]).toEqual([
      409,
      expect.stringContaining('reported as having died'),
    ]);
    expect(await statusOf(id)).toBe('rejected');
    await tell(referrer.headers, `/${other}/died/confirm`, {});
    expect((await undo(id)).statusCode).toBe(409);
    await tell(referrer.headers, `/${other}/died/undo`, {});
    expect((await undo(id)).statusCode).toBe(200);
  });

  it('taken back gets a check if others were told of a death', async () => {
    const { id } = await aDeclinedReferral();
    const { patient } = await read(id);
    const { headers } = await aTokenHolder(site.deps, { organisation: { name: 'Larkspur refuge' } });
    const elsewhere = await aService(site.deps, { serviceName: 'Saturday walk' });
    const make = { method: 'POST', url: '/api/referrals', headers } as const;
    const payload = { ...aReferral(elsewhere.serviceId), patient };
    const { id: theirs } = (await site.app.inject({ ...make, payload })).json();
    const told = { ...make, url: `/api/referrals/${theirs}/died`, payload: { told_by: 'Her neighbour' } };
    expect((await site.app.inject(told)).statusCode).toBe(200);
    const undone = await undo(id);
    expect([undone.statusCode, undone.json().death_reported, undone.json().prompts]).toEqual([200, null, []]);
    await updatePrompts(site.deps);
    expect((await read(id)).prompts, 'the referrer is told nothing of it').toEqual([]);
    const seen = await site.app.inject({ url: `/api/referrals/${id}`, headers: operator.headers });
    expect(seen.json().prompts).toMatchObject([{ kind: 'may-have-died', side: 'operators' }]);
  });

  it('stays once the person was helped another way', async () => {
    const { id } = await aDeclinedReferral();
    await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/seen-to`,
      payload: {},
      headers: referrer.headers,
    });
    expect((await undo(id)).statusCode).toBe(409);
    expect(await read(id)).toMatchObject({ status: 'rejected' });
  });
});

/** Last, because the tokens of the others have expired by then. */
describe('a decline by link that nobody takes back', () => {
  it('is told to the practice only after 24 hours', async () => {
    // The fixture has fewer names than this file has referrals.
    const { id } = await aDeclinedReferral({ gp_practice: { ods_code: 'Z99001' }, allow_duplicate: true });
    const [letter] = await lettersOf(id);
    expect(letter).toMatchObject({ status: 'queued' });
    site.clock.moveOn(24 * hourMs - minuteMs);
    await releaseHeld(site.deps);
    await deliver(site.deps, { delivery_id: letter!.id });
    expect(await lettersOf(id)).toMatchObject([{ status: 'queued', held_by: 'referrer-check' }]);
    site.clock.moveOn(minuteMs);
    await releaseHeld(site.deps);
    await deliver(site.deps, { delivery_id: letter!.id });
    expect((await lettersOf(id))[0]!.status).not.toBe('queued');
    const person = await signedInBrowser(site, { role: 'referrer', organisation: surgery });
    expect((await person.open(`/referrals/${id}`)).text).not.toContain('Check this answer');
    expect((await person.send(`/referrals/${id}/undo-ending`, { version: '2' })).status).toBe(409);
  });
});
