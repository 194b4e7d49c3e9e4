import { afterAll, describe, expect, it } from 'vitest';
import { aReferral, aTestNhsNumber, aTokenHolder } from '../../../test/app/builders.ts';
import { takeJobs } from '../../../test/app/jobs.ts';
import { capturedMessages, storedDeliveries, storedUndeliveredRow } from '../../../test/delivery/stored.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { saveClosings } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { updatePrompts } from '../../referrals/index.ts';
import { storeNewAccessToken } from '../../tokens/index.ts';
import { jobHandlers } from '../../worker.ts';

// A practice that has closed reads no letters. What it was to be told stays with an operator.

const { act, place, provider, referrer, site, submit } = await makeReferralFixture();
const { db } = site.deps;
afterAll(() => site.close());
const operator = await aTokenHolder(site.deps, { role: 'operator' });

const outcome = { code: 'goals-met', text: 'She joined the choir.' };
const gp_actions = [{ text: 'Check her blood pressure.', asked_by: 'Jo', patient_told: true }];

async function runJobs() {
  const handlers = jobHandlers(site.deps) as Record<string, (payload: unknown) => Promise<void>>;
  for (;;) {
    const jobs = await takeJobs(site.database.pool, { isDue: true });
    if (jobs.length === 0) return;
    for (const { name, payload } of jobs) await handlers[name]!(payload);
  }
}

async function setClosed(closedOn: string | null) {
  await inTransaction(db, (trx) => saveClosings(trx, [{ odsCode: 'Z99001', closedOn }], site.clock.now()));
  await runJobs();
}

let people = 0;
/** A referral whose practice closes before the service completes it, with something for the practice to do. */
async function completedAfterClosing(): Promise<string> {
  people += 1;
  const { patient } = aReferral('');
  const person = { ...patient, nhs_number: aTestNhsNumber(people), family_name: `Person ${people}` };
  const made = await submit(
    aReferral(place.serviceId, { patient: person, gp_practice: { ods_code: 'Z99001' } }),
  );
  const { id } = made.json();
  await runJobs();
  await act(id, 'accept', {});
  await setClosed('2026-11-20');
  expect((await act(id, 'complete', { outcome, gp_actions }, 2)).statusCode).toBe(200);
  await runJobs();
  return id;
}

async function outcomeOf(id: string) {
  const delivery = (await storedDeliveries(db, id)).find(
    ({ leg, purpose }) => leg === 'gp_practice' && purpose === 'outcome',
  )!;
  const row = await storedUndeliveredRow(db, delivery.id);
  return { id: delivery.id, status: delivery.status, row, sent: await capturedMessages(db, delivery.id) };
}

async function operatorDoes(deliveryId: string, what: string, payload: object = {}) {
  const url = `/api/deliveries/${deliveryId}/${what}`;
  const answer = await site.app.inject({ method: 'POST', url, headers: operator.headers, payload });
  await runJobs();
  return answer.statusCode;
}

const read = async (id: string) =>
  (await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers })).json();

describe('a letter to a practice that has closed', () => {
  it('is not sent; an operator has it until it is dealt with', async () => {
    const id = await completedAfterClosing();
    const found = await outcomeOf(id);
    expect(found).toMatchObject({ status: 'failed', row: { kind: 'failed', closed_at: null }, sent: [] });
    expect(found.row!.reason).toMatch(/^Infirmary Lane Surgery has closed/);
    expect(found.row!.owner_id).toBe(operator.id);
    // Neither trying again nor another way brings it there.
    for (const [what, payload] of [
      ['retry', {}],
      ['send-another-way', { channel: 'email' }],
    ] as const) {
      expect(await operatorDoes(found.id, what, payload)).toBe(200);
      expect(await outcomeOf(id)).toMatchObject({ status: 'failed', row: { closed_at: null }, sent: [] });
    }
    expect((await read(id)).gp_actions[0]).toMatchObject({ status: 'open', asked_by_letter: false });
    expect(await operatorDoes(found.id, 'done', { words: 'Told Dale Surgery by telephone.' })).toBe(200);
    expect((await outcomeOf(id)).row).toMatchObject({ closed_as: 'by-hand' });
    expect((await read(id)).gp_actions[0].status).toBe('acknowledged');
    await setClosed(null);
  });

  it('is sent when the practice is open after all', async () => {
    const id = await completedAfterClosing();
    await setClosed(null);
    const found = await outcomeOf(id);
    expect(await operatorDoes(found.id, 'retry')).toBe(200);
    expect((await outcomeOf(id)).sent).toHaveLength(1);
    expect((await read(id)).gp_actions[0]).toMatchObject({ status: 'open', asked_by_letter: true });
  });
});

describe('a practice that closes on a day to come', () => {
  const refer = async () => {
    people += 1;
    const { patient } = aReferral('');
    const person = { ...patient, nhs_number: aTestNhsNumber(people), family_name: `Person ${people}` };
    const made = await submit(
      aReferral(place.serviceId, { patient: person, gp_practice: { ods_code: 'Z99001' } }),
    );
    return { status: made.statusCode, body: made.json() };
  };
  /** At this moment everybody has a new token. */
  async function at(moment: string) {
    site.clock.moveOn(Date.parse(moment) - site.clock.now().getTime());
    for (const who of [referrer, provider, operator]) {
      const { text } = await storeNewAccessToken(site.deps, who.id, 'apikeys');
      who.headers.authorization = `Bearer ${text}`;
    }
  }

  it.each([
    // London is at Greenwich time, then an hour ahead; the clocks change on 28 March and 31 October 2027.
    ['2026-12-01', '2026-11-30T23:59:59Z', '2026-12-01T00:00:00Z'],
    ['2027-03-28', '2027-03-27T23:59:59Z', '2027-03-28T00:00:00Z'],
    ['2027-03-29', '2027-03-28T22:59:59Z', '2027-03-28T23:00:00Z'],
    ['2027-10-31', '2027-10-30T22:59:59Z', '2027-10-30T23:00:00Z'],
    ['2027-11-01', '2027-10-31T23:59:59Z', '2027-11-01T00:00:00Z'],
  ])('is open until %s begins in London, and gets letters', async (day, before, after) => {
    await at(before);
    await setClosed(day);
    const open = await refer();
    expect(open.status, JSON.stringify(open.body)).toBe(201);
    await runJobs();
    const letters = async (id: string) =>
      (await storedDeliveries(db, id)).filter(({ leg }) => leg === 'gp_practice').map(({ status }) => status);
    expect(await letters(open.body.id)).toEqual(['sent']);
    expect((await read(open.body.id)).prompts).toEqual([]);
    await act(open.body.id, 'accept', {});
    await at(after);
    const refused = await refer();
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/gp_practice/ods_code']);
    await updatePrompts(site.deps);
    expect((await read(open.body.id)).prompts).toMatchObject([{ kind: 'practice-closed' }]);
    expect((await act(open.body.id, 'complete', { outcome, gp_actions }, 2)).statusCode).toBe(200);
    await runJobs();
    expect(await letters(open.body.id)).toEqual(['sent', 'failed']);
    await setClosed(null);
  });
});
