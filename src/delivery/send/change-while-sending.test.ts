import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aPractice, aReferral } from '../../../test/app/builders.ts';
import { takeJobs } from '../../../test/app/jobs.ts';
import { until } from '../../../test/app/until.ts';
import { waitingForLocks } from '../../../test/database/locks.ts';
import { SimulatedFailure, stubChannel } from '../../../test/delivery/fixture.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { lockReferrals } from '../../referrals/index.ts';
import type { Channel } from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { deliver } from './deliver.ts';
import { deliverNew } from './deliver-new.ts';

// Somebody corrects the practice, or the agreement, while the letter is being sent.

const { act, completeAll, place, referrer, site, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeAll(() => aPractice(site.deps, 'Z99002', 'Mill Lane Surgery'));
beforeEach(() => completeAll());

const [wrong, right] = ['Z99001', 'Z99002'];
const rounds = [1, 2, 3, 4, 5, 6];

async function made(): Promise<string> {
  await takeJobs(site.database.pool);
  const answer = await submit({
    ...aReferral(place.serviceId),
    gp_practice: { ods_code: wrong },
    allow_duplicate: true,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id;
}

async function call(method: 'GET' | 'PATCH' | 'POST', path: string, payload?: object) {
  const headers = { ...referrer.headers, ...(method === 'PATCH' && { 'if-match': '"1"' }) };
  const url = `/api/referrals/${path}`;
  const answer = await site.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const nameRight = (id: string) => call('PATCH', id, { gp_practice: { ods_code: right } });
const agreeNoMore = (id: string) => call('POST', `${id}/agreement-changed`, { share_with_gp: false });

/** Runs the jobs that wait, as the worker does, until none is left. */
async function work(deps: DeliveryDeps = site.deps): Promise<void> {
  for (;;) {
    const jobs = await takeJobs(site.database.pool, { isDue: true });
    const ofDeliveries = jobs.filter(({ name }) => name.startsWith('deliver'));
    if (ofDeliveries.length === 0) return;
    for (const { name, payload } of ofDeliveries)
      await (name === 'deliver' ? deliver(deps, payload) : deliverNew(deps, payload));
  }
}

async function toPractices(id: string): Promise<string[]> {
  const { deliveries } = (await call('GET', id)).body;
  return deliveries
    .filter(({ leg }: { leg: string }) => leg === 'gp_practice')
    .map(
      ({ purpose, practice_code, status }: Record<'purpose' | 'practice_code' | 'status', string>) =>
        `${purpose} ${practice_code} ${status}`,
    );
}

/** A site whose channels do this, each letter by itself. */
function siteWith(given: Partial<Channel>): DeliveryDeps {
  const channels = {
    outgoing: ['document', 'inbox', 'mesh'].map((name) => stubChannel(name)),
    capturing: ({ name }: Channel) => stubChannel(name, name === 'inbox' ? {} : given),
  };
  return { ...site.deps, channels };
}

/** Does this once the letter is composed, just before it is sent. */
const beforeSending =
  (action: () => Promise<void>): NonNullable<Channel['systemToCall']> =>
  async (db) => {
    if (!db.isTransaction) await action();
    return undefined;
  };

describe('a practice that is corrected while its letter is being sent', () => {
  it('is asked to remove the letter, whichever comes first', async () => {
    for (const _ of rounds) {
      const id = await made();
      const [, corrected] = await Promise.all([work(), nameRight(id)]);
      expect(corrected.status).toBe(200);
      await work();
      const told = await toPractices(id);
      const expected = told[0]!.endsWith('suppressed')
        ? [`referral ${wrong} suppressed`, `referral ${right} sent`]
        : [`referral ${wrong} sent`, `referral ${right} sent`, `removal ${wrong} sent`];
      expect(told).toEqual(expected);
    }
  });

  it('gets nothing if it was corrected just before the sending', async () => {
    const id = await made();
    let sent = 0;
    const systemToCall = beforeSending(async () => {
      if (sent === 0) await nameRight(id);
    });
    const send: Channel['send'] = async () => {
      sent += 1;
      return { status: 'sent', detail: 'On its way.' };
    };
    await work(siteWith({ systemToCall, send }));
    expect(await toPractices(id)).toEqual([`referral ${wrong} suppressed`, `referral ${right} sent`]);
    expect(sent).toBe(1);
  });

  it('is not tried again if the letter did not arrive', async () => {
    const id = await made();
    let tries = 0;
    const send: Channel['send'] = async ({ receiver, purpose }) => {
      tries += receiver.code === wrong && purpose === 'referral' ? 1 : 0;
      await nameRight(id);
      throw new SimulatedFailure('retry', 'It is away.');
    };
    await work(siteWith({ send }));
    const { body } = await call('GET', `${id}/deliveries`);
    const copy = body.items.find(
      ({ leg, purpose }: Record<'leg' | 'purpose', string>) =>
        leg === 'gp_practice' && purpose === 'referral',
    );
    await deliver(siteWith({ send }), { delivery_id: copy.id });
    expect([tries, (await toPractices(id))[0]]).toEqual([1, `referral ${wrong} suppressed`]);
  });
});

describe('a practice whose letter is about a referral made in error', () => {
  const withdraw = (id: string) => act(id, 'withdraw-as-error', {}, 1, referrer);
  const failing =
    (kind: 'retry' | 'permanent' | 'uncertain', first?: (id: string) => unknown) => (id: string) =>
      siteWith({
        send: async () => {
          await first?.(id);
          throw new SimulatedFailure(kind, 'It is away.');
        },
      });

  it('is asked to remove nothing if no letter was sent', async () => {
    const id = await made();
    expect((await withdraw(id)).statusCode).toBe(200);
    await work();
    expect(await toPractices(id)).toEqual([`referral ${wrong} suppressed`]);
  });

  it.each([
    'retry',
    'permanent',
  ] as const)('is asked to remove nothing if the letter failed: %s', async (kind) => {
    const id = await made();
    await work(failing(kind)(id));
    await withdraw(id);
    await work();
    expect(await toPractices(id)).toEqual([`referral ${wrong} suppressed`]);
  });

  it('is asked to remove nothing if the letter failed meanwhile', async () => {
    const id = await made();
    await work(failing('retry', withdraw)(id));
    const { body } = await call('GET', `${id}/deliveries`);
    const copy = body.items.find(
      ({ leg, purpose }: Record<'leg' | 'purpose', string>) =>
        leg === 'gp_practice' && purpose === 'referral',
    );
    await deliver(site.deps, { delivery_id: copy.id });
    expect(await toPractices(id)).toEqual([`referral ${wrong} suppressed`, `outcome ${wrong} suppressed`]);
  });

  it('is asked once if it has the letter, or may have it', async () => {
    for (const mayHave of [false, true]) {
      const id = await made();
      await work(mayHave ? failing('uncertain')(id) : undefined);
      await withdraw(id);
      await work();
      const told = await toPractices(id);
      expect(told.filter((each) => each.endsWith(' sent')).at(-1)).toBe(`outcome ${wrong} sent`);
      expect(told.filter((each) => each.startsWith('outcome'))).toHaveLength(1);
      expect(told[0]).toBe(mayHave ? `referral ${wrong} suppressed` : `referral ${wrong} sent`);
    }
  });
});

describe('a death that is told while a letter is being sent', () => {
  it('stops a letter that was about to be sent', async () => {
    const id = await made();
    let sent = 0;
    const systemToCall = beforeSending(async () => {
      await call('POST', `${id}/died`, { told_by: 'Her daughter' });
    });
    const send: Channel['send'] = async () => {
      sent += 1;
      return { status: 'sent', detail: 'On its way.' };
    };
    await work(siteWith({ systemToCall, send }));
    expect([sent, await toPractices(id)]).toEqual([0, [`referral ${wrong} queued`]]);
    await call('POST', `${id}/died/undo`, {});
  });
});

describe('an agreement that changes while a letter is being sent', () => {
  it('names the practice that has it, and then no letter goes', async () => {
    for (const _ of rounds) {
      const id = await made();
      const [, { status, body }] = await Promise.all([work(), agreeNoMore(id)]);
      expect(status).toBe(200);
      const legs = body.already_told.map(({ leg }: { leg: string }) => leg);
      await work();
      const [told] = await toPractices(id);
      expect([legs.includes('gp_practice'), told]).toEqual(
        told!.endsWith('sent') ? [true, `referral ${wrong} sent`] : [false, `referral ${wrong} suppressed`],
      );
    }
  });

  it('counts from when no letter goes, not from the request', async () => {
    const id = await made();
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sending = inTransaction(site.deps.db, async (trx) => {
      await lockReferrals(trx, [id]);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const changing = agreeNoMore(id);
    await until(async () => (await waitingForLocks(site.deps.db)) > 0);
    site.clock.moveOn(1000);
    const sentUntil = site.clock.now();
    release.resolve();
    await Promise.all([sending, changing]);
    const { items } = (await call('GET', `${id}/history`)).body;
    expect(new Date(items.at(-1).at).getTime()).toBeGreaterThanOrEqual(sentUntil.getTime());
  });

  it('stops a letter that was about to be sent', async () => {
    const id = await made();
    let sent = 0;
    const answers: any[] = [];
    const systemToCall = beforeSending(async () => {
      answers.push((await agreeNoMore(id)).body.already_told);
    });
    const send: Channel['send'] = async () => {
      sent += 1;
      return { status: 'sent', detail: 'On its way.' };
    };
    await work(siteWith({ systemToCall, send }));
    expect(sent).toBe(0);
    expect(answers[0].map(({ leg }: { leg: string }) => leg)).not.toContain('gp_practice');
    expect(await toPractices(id)).toEqual([`referral ${wrong} suppressed`]);
  });

  it('names the practice to which it is being sent', async () => {
    const id = await made();
    const answers: any[] = [];
    const send: Channel['send'] = async () => {
      answers.push((await agreeNoMore(id)).body.already_told);
      return { status: 'sent', detail: 'On its way.' };
    };
    await work(siteWith({ send }));
    expect(answers[0]).toContainEqual(
      expect.objectContaining({ leg: 'gp_practice', purpose: 'referral', status: 'sending' }),
    );
  });

  it('goes on naming a practice whose letter may have arrived', async () => {
    const id = await made();
    const send: Channel['send'] = async () => {
      throw new SimulatedFailure('uncertain', 'Nobody can tell.');
    };
    await work(siteWith({ send }));
    for (const _ of [1, 2]) {
      const { already_told } = (await agreeNoMore(id)).body;
      expect(
        already_told.map(({ leg, status }: Record<'leg' | 'status', string>) => `${leg} ${status}`),
      ).toContain('gp_practice uncertain');
    }
    expect((await toPractices(id))[0]).toBe(`referral ${wrong} suppressed`);
    await call('PATCH', id, { gp_practice: { ods_code: right } });
    await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${id}`,
      headers: { ...referrer.headers, 'if-match': '"2"' },
      payload: { gp_practice: { ods_code: right } },
    });
    expect((await toPractices(id)).at(-1)).toBe(`removal ${wrong} queued`);
  });
});
