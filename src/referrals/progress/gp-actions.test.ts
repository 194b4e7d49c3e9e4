import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { up as askPracticesAgain } from '../../../migrations/0176-ask-practices-again.ts';
import { aReferral } from '../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { addToContent, storedReferral } from '../../../test/referrals/stored.ts';

const { act, completeAll, place, provider, referrer, site, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

const outcome = { code: 'goals-met', text: 'She joined the choir.' };
const bloodPressure = {
  text: 'Check her blood pressure.',
  by_date: '2027-03-01',
  asked_by: 'Jo Hall, 01632 960 200',
  patient_told: true,
};

async function made(given = {}): Promise<string> {
  const answer = await submit({ ...aReferral(place.serviceId), ...given });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id;
}

async function read(id: string) {
  return (await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers })).json();
}

async function completed(given: object, id?: string) {
  const referral = id ?? (await made());
  await act(referral, 'accept', {});
  return act(referral, 'complete', { outcome, ...given }, 2);
}

const close = (id: string, number: number, who = provider) =>
  site.app.inject({
    method: 'POST',
    url: `/api/referrals/${id}/gp-actions/${number}/done-by-hand`,
    headers: who.headers,
    payload: {},
  });

describe('what the practice has to do', () => {
  it('is kept from the referral and its completion, and is open', async () => {
    const id = await made({ gp_actions: [{ text: 'Send the hearing test.' }] });
    const { statusCode, body } = await completed({ gp_actions: [bloodPressure] }, id);
    expect(statusCode, body).toBe(200);
    expect((await read(id)).gp_actions).toEqual([
      {
        number: 1,
        text: 'Send the hearing test.',
        by_date: null,
        asked_by: expect.stringContaining('Infirmary Lane Surgery'),
        patient_told: null,
        asked_by_letter: false,
        status: 'open',
        done_by_hand: null,
      },
      { number: 2, ...bloodPressure, asked_by_letter: false, status: 'open', done_by_hand: null },
    ]);
  });

  it('keeps “nothing to do” apart from “nobody was asked”', async () => {
    const asked = (await completed({ gp_actions: [] })).json();
    expect([asked.status, asked.gp_actions]).toEqual(['completed', []]);
    await completeAll();
    expect((await completed({})).json().gp_actions).toBeNull();
  });

  it('is at most ten, of 1,000 characters, by a day to come', async () => {
    const id = await made();
    await act(id, 'accept', {});
    const tried = async (gp_actions: object[]) =>
      (await act(id, 'complete', { outcome, gp_actions }, 2)).statusCode;
    expect(await tried(Array(11).fill(bloodPressure))).toBe(400);
    expect(await tried([{ ...bloodPressure, text: 'x'.repeat(1001) }])).toBe(400);
    expect(await tried([{ ...bloodPressure, by_date: '2020-01-01' }])).toBe(422);
    expect(await tried([{ ...bloodPressure, text: 'x'.repeat(1000) }])).toBe(200);
  });

  it('is closed by hand by either side, once, with who and when', async () => {
    const id = await made({ gp_actions: [bloodPressure, bloodPressure] });
    const before = await read(id);
    site.clock.moveOn(1);
    const closed = await close(id, 2);
    expect(closed.statusCode, closed.body).toBe(200);
    const { version, updated_at, gp_actions } = closed.json();
    expect([version, updated_at > before.updated_at]).toEqual([before.version, true]);
    const statuses = gp_actions.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['open', 'done_by_hand']);
    expect(gp_actions[1].done_by_hand).toEqual({ at: expect.any(String), by: { name: expect.any(String) } });
    const again = (await close(id, 2, referrer)).json();
    expect(again.gp_actions[1]).toEqual(gp_actions[1]);
    expect((await close(id, 3)).statusCode).toBe(404);
  });

  it('is not copied into the referral that replaces it', async () => {
    const id = await made({ gp_actions: [bloodPressure] });
    await act(id, 'reject', { status_reason: { code: 'no-capacity', text: 'Full.' } });
    const { consent } = aReferral(place.serviceId);
    const rerouted = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/reroute`,
      headers: referrer.headers,
      payload: { service_id: place.serviceId, consent },
    });
    expect(rerouted.statusCode, rerouted.body).toBe(201);
    expect(rerouted.json().gp_actions).toBeNull();
  });
});

describe('declining social prescribing altogether', () => {
  const declined = { status_reason: { code: 'client-declined', text: 'She wants none of it.' } };

  it('is kept if staff ticked it, and never comes from a reason', async () => {
    const ticked = await made();
    const body = { ...declined, declines_social_prescribing: true };
    expect((await act(ticked, 'reject', body)).json().declines_social_prescribing).toBe(true);
    const unticked = await made();
    expect((await act(unticked, 'reject', declined)).json()).not.toHaveProperty(
      'declines_social_prescribing',
    );
  });

  it('needs the reason that the person declined', async () => {
    const id = await made();
    const status_reason = { code: 'no-capacity', text: 'Full.' };
    const answer = await act(id, 'reject', { status_reason, declines_social_prescribing: true });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors[0].pointer).toBe('/declines_social_prescribing');
  });
});

describe('a task that older versions left to staff', () => {
  it('stays open, and is asked with the next letter', async () => {
    const id = await made();
    const task = { text: 'Check her pulse.', asked_by: 'Jo Hall', asked_with: 'referral' };
    const gp_actions = [{ ...task, told_by_hand_only: true }, task];
    await addToContent(site.deps.db, id, { gp_actions });
    await askPracticesAgain(site.deps.db as never);
    const { content, version } = await storedReferral(site.deps.db, id);
    expect(content).toMatchObject({ gp_actions: [task, task], full_copies_since: version + 1 });
    expect(JSON.stringify(content)).not.toContain('told_by_hand_only');
    expect((await read(id)).gp_actions.map(({ status }: { status: string }) => status)).toEqual([
      'open',
      'open',
    ]);
  });
});
