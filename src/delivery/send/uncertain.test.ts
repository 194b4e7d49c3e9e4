import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeJobs } from '../../../test/app/jobs.ts';
import { deliveryFixture, SimulatedFailure, stubChannel } from '../../../test/delivery/fixture.ts';
import { deliveryEvents } from '../../../test/delivery/stored.ts';
import { jobsFor } from '../../../test/delivery/test-site.ts';
import { setRestricted } from '../../../test/referrals/stored.ts';
import type { Referral } from '../../referrals/index.ts';
import type { Channel, DeliveryReport, HandleReport } from '../channels/channel.ts';
import type { Channels } from '../channels/deps.ts';
import { pollChannels } from '../follow-up/poll-channels.ts';
import { startAttempt } from '../model/attempts-store.ts';
import { findUndelivered } from '../undelivered/list-store.ts';
import { deliver } from './deliver.ts';

let fixture: Awaited<ReturnType<typeof deliveryFixture>>;
let codes = 100;
beforeAll(async () => {
  fixture = await deliveryFixture();
});
afterAll(() => fixture.close());

/** A channel that may tell something twice, to a practice that wants it first and a letter next. */
async function toPractice(given: Partial<Channel>) {
  codes += 1;
  const practice = await fixture.aPractice(`Z99${codes}`, 'Doubtful Surgery', ['post', 'document']);
  const referral = await fixture.made(fixture.live, practice);
  const { id } = await fixture.deliveryTo(referral, 'gp_practice');
  const sent: string[] = [];
  const send: Channel['send'] = async (message) => {
    sent.push(message.id);
    return { status: 'sent', detail: 'It is on its way.', externalId: `their ${message.id}` };
  };
  const post = stubChannel('post', { idempotent: false, send, ...given });
  const channels: Channels = { outgoing: [post, stubChannel('document')], capturing: (channel) => channel };
  const run = () => deliver({ ...fixture.live, channels }, { delivery_id: id });
  const current = () => fixture.deliveryTo(referral, 'gp_practice');
  return { id, referral, sent, channels, run, current };
}

const rowOf = async (id: string) => (await findUndelivered(fixture.live.db, id))!.worklist;

async function eventsOf(referral: Referral): Promise<string[]> {
  return (await deliveryEvents(fixture.live.db, referral.id)).map(({ type }) => type);
}

const silence = async () => {
  throw new SimulatedFailure('uncertain', 'Nothing was heard after it had gone out.');
};

describe('a message whose process is killed', () => {
  it('is uncertain before it is sent; then goes with the same id', async () => {
    const { id, sent, run, current, referral } = await toPractice({});
    await startAttempt(fixture.live.db, id, 'post', null, fixture.clock.now());
    await run();
    expect(sent).toEqual([]);
    expect(await current()).toMatchObject({ status: 'uncertain', attempts: [{ outcome: 'uncertain' }] });
    expect(await rowOf(id)).toMatchObject({ kind: 'uncertain', closed_at: null });
    expect((await jobsFor(fixture.pool, id)).at(-1)!.pause).toBeGreaterThan(30);
    await run();
    expect(sent).toHaveLength(1);
    expect(await current()).toMatchObject({ status: 'sent', detail: null });
    expect(await rowOf(id)).toMatchObject({ closed_as: 'resolved' });
    expect(await eventsOf(referral)).toEqual(['delivery.uncertain', 'delivery.sent']);
  });

  it('is tracked if it was sent, and not sent twice', async () => {
    const found = { status: 'received', detail: 'They say that they have it.' } as const;
    const { id, sent, run, current } = await toPractice({ track: async () => found });
    await startAttempt(fixture.live.db, id, 'post', null, fixture.clock.now());
    await run();
    await run();
    expect(sent).toEqual([]);
    expect(await current()).toMatchObject({ status: 'received' });
  });

  it('is sent again if the carrier does not know it', async () => {
    const { id, sent, run } = await toPractice({ track: async () => undefined });
    await startAttempt(fixture.live.db, id, 'post', null, fixture.clock.now());
    await run();
    await run();
    expect(sent).toHaveLength(1);
  });
});

describe('a message that nobody answered', () => {
  it('is sent again once the referral is no longer restricted', async () => {
    const answers = [silence, async () => ({ status: 'sent', detail: 'They have it now.' }) as const];
    const { id, run, current, referral } = await toPractice({ send: () => answers.shift()!() });
    await run();
    await setRestricted(fixture.live.db, referral.id, new Date());
    // The queue has taken the job of the next attempt.
    await takeJobs(fixture.pool, { about: id });
    await run();
    expect(await current()).toMatchObject({ status: 'uncertain', attempts: [{ outcome: 'uncertain' }] });
    expect(await jobsFor(fixture.pool, id)).toHaveLength(1);
    await setRestricted(fixture.live.db, referral.id, null);
    await run();
    expect(await current()).toMatchObject({ status: 'sent' });
  });

  it('stays uncertain when the same channel fails again', async () => {
    const answers: (() => Promise<never>)[] = [
      silence,
      async () => {
        throw new SimulatedFailure('retry', 'They are away.');
      },
      async () => {
        throw new SimulatedFailure('permanent', 'They know this number already.');
      },
    ];
    const { id, run, current, referral } = await toPractice({ send: () => answers.shift()!() });
    for (let time = 0; time < 3; time += 1) {
      await run();
      expect((await current()).status).toBe('uncertain');
    }
    expect((await current()).attempts.map(({ outcome }) => outcome)).toEqual([
      'uncertain',
      'will-retry',
      'failed',
    ]);
    expect(await eventsOf(referral)).toEqual(['delivery.uncertain']);
    expect(await rowOf(id)).toMatchObject({ kind: 'uncertain', closed_at: null });
  });

  it('is left to the operators after 25 attempts', async () => {
    const { id, run, current } = await toPractice({ send: silence });
    for (let time = 0; time < 24; time += 1) await run();
    const jobs = await jobsFor(fixture.pool, id);
    await takeJobs(fixture.pool, { about: id });
    expect(jobs).toHaveLength(2);
    await run();
    expect((await current()).status).toBe('uncertain');
    expect(await jobsFor(fixture.pool, id)).toEqual([]);
  });
});

describe('a later report', () => {
  const hears = (
    news: Pick<DeliveryReport, 'status'> & { detail?: string },
    by: 'messageId' | 'externalId',
  ) => {
    const told: boolean[] = [];
    const poll = async (tell: HandleReport) => {
      for (const messageId of heard.sent) {
        const about = by === 'messageId' ? { messageId } : { externalId: `their ${messageId}` };
        told.push(await tell({ about, detail: 'They wrote back.', ...news }));
      }
      return true;
    };
    const heard = { sent: [] as string[], told, poll };
    return heard;
  };

  it.each([
    ['received', 'messageId', 'received'],
    ['acknowledged', 'externalId', 'acknowledged'],
    ['expired', 'externalId', 'expired'],
  ] as const)('says %s, by %s, and makes the delivery %s', async (status, by, becomes) => {
    const heard = hears({ status }, by);
    const { run, current, channels, sent, id } = await toPractice({
      receiverCanConfirm: true,
      poll: heard.poll,
    });
    await run();
    heard.sent = sent;
    await pollChannels({ ...fixture.live, channels });
    await pollChannels({ ...fixture.live, channels });
    expect(heard.told).toEqual([true, true]);
    const { status: now, attempts } = await current();
    expect([now, attempts.map(({ outcome }) => outcome)]).toEqual([becomes, ['sent', status]]);
    expect((await rowOf(id))?.kind).toBe(status === 'expired' ? 'expired' : undefined);
  });

  it('has the next channel tried if it says that it failed', async () => {
    const heard = hears({ status: 'failed' }, 'externalId');
    const { run, current, channels, sent } = await toPractice({ poll: heard.poll });
    await run();
    heard.sent = sent;
    await pollChannels({ ...fixture.live, channels });
    expect(await current()).toMatchObject({ status: 'queued', detail: 'They wrote back.' });
    await run();
    expect(await current()).toMatchObject({ status: 'sent', channel: 'document' });
  });

  /** Polls once a channel that is down, and one with a report about somebody else's message. */
  async function pollAt(deps: typeof fixture.live): Promise<boolean[]> {
    const heard = hears({ status: 'received' }, 'externalId');
    heard.sent = ['of somebody else'];
    const fail = async () => {
      throw new Error('down');
    };
    const outgoing = [stubChannel('down', { poll: fail }), stubChannel('post', { poll: heard.poll })];
    await pollChannels({ ...deps, channels: { outgoing, capturing: (channel) => channel } });
    return heard.told;
  }

  it('is collected if another channel is down', async () => {
    expect(await pollAt(fixture.live)).toEqual([false]);
  });

  it('is not collected on a test site', async () => {
    expect(await pollAt(fixture.site)).toEqual([]);
  });
});
