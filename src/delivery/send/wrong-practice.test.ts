import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aPractice, aReferral } from '../../../test/app/builders.ts';
import { letterDrawer } from '../../../test/delivery/test-site.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type DeliveryPurpose, findReferral } from '../../referrals/index.ts';
import { applyReport } from '../follow-up/apply-report.ts';
import { lockDelivery } from '../follow-up/follow-up-store.ts';
import { findDelivery, listDeliveriesOf } from '../model/deliveries-store.ts';
import { referralForReceiver } from '../model/delivery.ts';
import { composeMessage } from './compose-message.ts';
import { deliver } from './deliver.ts';

const { act, completeAll, place, referrer, site, submit } = await makeReferralFixture();
const { db } = site.deps;
afterAll(() => site.close());
beforeAll(() => aPractice(site.deps, 'Z99002', 'Mill Lane Surgery'));
beforeEach(() => completeAll());

const [wrong, right] = ['Z99001', 'Z99002'];

async function made(given = {}): Promise<string> {
  const gp_practice = { ods_code: wrong };
  const answer = await submit({ ...aReferral(place.serviceId), gp_practice, ...given });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id;
}

async function name(id: string, odsCode: string | undefined, version = 1): Promise<void> {
  const { statusCode, body } = await site.app.inject({
    method: 'PATCH',
    url: `/api/referrals/${id}`,
    headers: { ...referrer.headers, 'if-match': `"${version}"` },
    payload: { gp_practice: odsCode === undefined ? null : { ods_code: odsCode } },
  });
  expect(statusCode, body).toBe(200);
}

/** Sends what waits, as the worker does within a second. */
async function deliverAll(id: string): Promise<void> {
  for (const each of await listDeliveriesOf(db, id))
    if (each.status === 'queued') await deliver(site.deps, { delivery_id: each.id });
}

/** The messages to practices: purpose, practice and status. */
async function toPractices(id: string): Promise<string[]> {
  const letters = (await listDeliveriesOf(db, id)).filter(({ leg }) => leg === 'gp_practice');
  return Promise.all(
    letters.map(async ({ id: deliveryId, purpose, status }) => {
      const { receiverCode } = (await findDelivery(db, deliveryId)) ?? { receiverCode: null };
      return `${purpose} ${receiverCode} ${status}`;
    }),
  );
}

/** The newest letter to a practice of this kind, as its receiver reads it. */
async function newestOf(id: string, kind: DeliveryPurpose) {
  const letters = (await listDeliveriesOf(db, id)).filter(
    ({ leg, purpose, status }) => leg === 'gp_practice' && purpose === kind && status !== 'suppressed',
  );
  const delivery = (await findDelivery(db, letters.at(-1)!.id))!;
  const referral = await referralForReceiver(db, delivery, (await findReferral(db, id))!);
  const message = composeMessage(
    { ...site.deps, letterDrawer },
    { ...delivery, contactElsewhere: [] },
    referral,
  );
  return {
    ...message,
    text: message.text({ hasLetter: true }),
    words: JSON.stringify(message.writtenLetter().letter),
  };
}

describe('a practice that was named by mistake', () => {
  it('is asked to remove its letter, and the right one gets a copy', async () => {
    const id = await made();
    await deliverAll(id);
    await name(id, right);
    await deliverAll(id);
    expect(await toPractices(id)).toEqual([
      `referral ${wrong} sent`,
      `referral ${right} sent`,
      `removal ${wrong} sent`,
    ]);
    const { deliveries } = (
      await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers })
    ).json();
    expect(deliveries.map(({ practice }: { practice: string | null }) => practice)).toEqual([
      null,
      'Infirmary Lane Surgery',
      null,
      'Mill Lane Surgery',
      'Infirmary Lane Surgery',
    ]);
    const { reference } = (await findReferral(db, id))!;
    const { words, subject, text } = await newestOf(id, 'removal');
    expect(words).toContain('REMOVE FROM RECORD: letter sent to the wrong practice');
    expect(words).toContain(
      'Letter 2 to you about this referral. It withdraws letter 1, of 21 November 2026',
    );
    expect(words).toMatch(
      new RegExp(
        `our letter 1, headed “Copy of a referral[^”]*”, of 21 November 2026 at [\\d:apm]+, reference ${reference}`,
      ),
    );
    expect(subject).toBe(`For action at once: remove referral ${reference} from the patient’s record`);
    expect(text).toContain('was sent to your practice by mistake');
  });

  it('reads nothing of the referral but what finds the letter', async () => {
    const id = await made({ what_matters: 'Her garden.', gp_actions: [{ text: 'Check her hearing.' }] });
    await deliverAll(id);
    await name(id, right);
    const { words, text, codesOnly, gpActions, referral } = await newestOf(id, 'removal');
    expect(words).toContain('EXAMPLE, Margaret');
    for (const each of ['lonely', 'garden', 'hearing', 'Mill Lane', 'ZT1', '01632 960123'])
      expect(`${words} ${text} ${JSON.stringify(referral.content)}`).not.toContain(each);
    expect([codesOnly, gpActions]).toEqual([false, []]);
  });

  it('is not written to if nothing was sent yet', async () => {
    const id = await made();
    await name(id, right);
    await deliverAll(id);
    expect(await toPractices(id)).toEqual([`referral ${wrong} suppressed`, `referral ${right} sent`]);
  });

  it('is asked also if there is no other practice, or no agreement', async () => {
    const id = await made();
    await deliverAll(id);
    const agreement = { share_with_gp: false };
    await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/agreement-changed`,
      headers: referrer.headers,
      payload: agreement,
    });
    await name(id, undefined, 2);
    await deliverAll(id);
    expect((await toPractices(id)).at(-1)).toBe(`removal ${wrong} sent`);
  });

  it('keeps no copy from the right one after a new agreement', async () => {
    const id = await made();
    await deliverAll(id);
    const agree = (share_with_gp: boolean) =>
      site.app.inject({
        method: 'POST',
        url: `/api/referrals/${id}/agreement-changed`,
        headers: referrer.headers,
        payload: { share_with_gp, said_by: { basis: 'person' } },
      });
    await agree(false);
    await name(id, right, 2);
    expect((await agree(true)).statusCode).toBe(200);
    await deliverAll(id);
    expect((await toPractices(id)).at(-1)).toBe(`referral ${right} sent`);
  });

  it('gets a copy and no request if it was the right one', async () => {
    const id = await made();
    await deliverAll(id);
    await name(id, right);
    await name(id, wrong, 2);
    await deliverAll(id);
    expect(await toPractices(id)).toEqual([
      `referral ${wrong} sent`,
      `referral ${right} suppressed`,
      `removal ${wrong} suppressed`,
      `referral ${wrong} sent`,
    ]);
  });

  it('gets the codes again if it was the right one after all', async () => {
    const id = await made();
    await deliverAll(id);
    await name(id, right);
    await deliverAll(id);
    await name(id, wrong, 2);
    await deliverAll(id);
    const { code, words, subject } = await newestOf(id, 'referral');
    expect(code?.[0]).toBe('871731000000106');
    expect(words).toMatch(
      /keep this letter, and ignore our letter 2, of 21 November 2026 at [\d:apm]+, headed “CHECK, THEN REMOVE FROM RECORD/,
    );
    expect(subject).toMatch(/^For action: copy of referral/);
    expect(words).not.toMatch(/asked you to file|Updated|replaces our letter/);
    // A correction of that letter replaces it, and needs no such words.
    await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${id}`,
      headers: { ...referrer.headers, 'if-match': '"3"' },
      payload: { patient: { telephone: '01632 960987' } },
    });
    await deliverAll(id);
    expect((await newestOf(id, 'referral')).words).not.toContain('keep this letter');
    // And only once: the next letter has none.
    await act(id, 'accept', {}, 4);
    await act(id, 'complete', { outcome: { code: 'goals-met', text: 'She joined the choir.' } }, 5);
    await deliverAll(id);
    expect((await newestOf(id, 'outcome')).code).toBeUndefined();
  });

  it('does not answer for the right one, whose actions stay open', async () => {
    const id = await made({ gp_actions: [{ text: 'Check her hearing.', by_date: '2027-03-01' }] });
    await deliverAll(id);
    const { deliveryId } = await newestOf(id, 'referral');
    await inTransaction(db, async (trx) => {
      const delivery = (await lockDelivery(trx, deliveryId))!;
      await applyReport(trx, delivery, { status: 'acknowledged', detail: '' }, site.clock.now());
    });
    const read = async () =>
      (await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers })).json();
    expect((await read()).gp_actions[0].status).toBe('acknowledged');
    await name(id, right);
    await deliverAll(id);
    expect((await read()).gp_actions[0].status).toBe('open');
    // What it had confirmed is no longer in its record.
    await name(id, wrong, 2);
    await deliverAll(id);
    expect((await read()).gp_actions[0].status).toBe('open');
    await act(id, 'accept', {}, 3);
    await act(id, 'complete', { outcome: { code: 'goals-met', text: 'She hears well.' } }, 4);
    await deliverAll(id);
    expect((await newestOf(id, 'outcome')).gpActions).toHaveLength(1);
  });
});
