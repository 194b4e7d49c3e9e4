import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeJobs } from '../../../../test/app/jobs.ts';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { anAcknowledgement } from '../../../../test/delivery/gp-acknowledgement.ts';
import { meshChannelFixture } from '../../../../test/delivery/mesh-channel-fixture.ts';
import { storePractice } from '../../../../test/delivery/receivers.ts';
import { deleteMeshMessages, messageIdOf, storedMeshMessages } from '../../../../test/delivery/stored.ts';
import { storeReferral, tellOfChange } from '../../../../test/delivery/test-site.ts';
import { storedPrompts } from '../../../../test/referrals/stored.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { updatePrompts } from '../../../referrals/index.ts';
import { receiveReport } from '../../follow-up/apply-report.ts';
import { pollChannels } from '../../follow-up/poll-channels.ts';
import { listDeliveriesOf } from '../../model/deliveries-store.ts';
import { deliver } from '../../send/deliver.ts';
import { UndeliverableMessage } from './failures.ts';
import { exchangeSystem } from './site-mailbox.ts';

const fixture = await meshChannelFixture();
const { aMessage, answer, clock, collect, database, depsOf, mesh, send } = fixture;
afterAll(() => fixture.close());
beforeEach(() => fixture.clear());

describe('a message that nobody confirms', () => {
  it('is asked about at the exchange, by its own id', async () => {
    const channel = mesh();
    const message = aMessage();
    fixture.fake.misbehave({ operation: 'send', do: 'cut-before' });
    const lost = await send(message, channel).catch(channel.classify);
    expect([lost, await channel.track!(message)]).toMatchObject([{ kind: 'uncertain' }, undefined]);

    fixture.fake.misbehave({ operation: 'send', do: 'cut-off' });
    const doubtful = await send(message, channel).catch(channel.classify);
    expect([doubtful, await channel.track!(message)]).toMatchObject([
      { kind: 'uncertain' },
      { status: 'sent' },
    ]);
    expect(fixture.fake.exchange.messages).toHaveLength(1);
    const [arrived] = fixture.fake.exchange.messages;
    arrived!.status = 'acknowledged';
    expect(await channel.track!(message)).toMatchObject({ status: 'received' });
    // Never delivered: it is to be sent again.
    arrived!.status = 'uploading';
    expect(await channel.track!(message)).toBeUndefined();
    fixture.fake.exchange.report(arrived!, '12');
    expect(await channel.track!(message).catch(channel.classify)).toEqual({
      kind: 'permanent',
      detail: 'The NHS message exchange did not deliver it. It knows no mailbox of that name.',
    });
    await collect();
  });

  it.each([
    ['without a code', undefined],
    ['with a code that also refuses senders', '07'],
  ])('fails alone if it was not delivered, %s', (_title, code) => {
    const failure = mesh().classify(new UndeliverableMessage(code));
    expect(failure).toMatchObject({ kind: 'permanent' });
  });

  it('is not sent again if the exchange has it twice', async () => {
    const message = aMessage();
    await send(message);
    await send(message);
    const failure = await mesh().track!(message).catch(mesh().classify);
    expect(failure).toMatchObject({ kind: 'uncertain' });
  });

  it('is the same one when it is sent again', async () => {
    const message = aMessage();
    await send(message);
    clock.moveOn(60_000);
    await send(message);
    const [first, second] = fixture.fake.exchange.messages;
    expect(second!.chunks).toEqual(first!.chunks);
    expect(second!.headers['mex-localid']).toBe(first!.headers['mex-localid']);
  });

  it('is reported as not collected', async () => {
    await send(aMessage());
    const [message] = fixture.fake.exchange.messages;
    fixture.fake.exchange.report(message!, '14');
    expect(await collect()).toMatchObject([
      {
        about: { externalId: message!.id },
        status: 'expired',
        detail: expect.stringContaining('within 5 days'),
      },
    ]);
  });
});

describe('a letter to a practice by MESH', () => {
  beforeAll(async () => {
    const practice = { odsCode: 'Z99002', name: 'Mill Lane Surgery', channels: ['mesh', 'document'] };
    await storePractice(database.db, practice);
  });

  async function aCopy(content: NonNullable<Parameters<typeof exampleReferral>[0]>['content'] = {}) {
    const deps = depsOf();
    const referral = await storeReferral(database.pool, { simulated: false, content });
    await tellOfChange(deps, referral, null);
    const current = async () =>
      (await listDeliveriesOf(deps.db, referral.id)).find((each) => each.leg === 'gp_practice')!;
    const { id } = await current();
    const go = () => deliver(deps, { delivery_id: id, receiver: exchangeSystem });
    return { deps, current, referralId: referral.id, messageId: await messageIdOf(deps.db, id), send: go };
  }

  it('moves on by answers; a wrong practice gets it no other way', async () => {
    const { deps, current, referralId, messageId, send: go } = await aCopy();
    await go();
    expect(await current()).toMatchObject({ channel: 'mesh', status: 'sent' });
    answer('20013', messageId);
    await pollChannels(deps);
    expect(await current()).toMatchObject({ channel: 'mesh', status: 'received' });
    answer('30002', messageId);
    await pollChannels(deps);
    await go();
    const { channel, status, attempts } = await current();
    expect([channel, status]).toEqual(['mesh', 'failed']);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['sent', 'received', 'failed']);
    expect(attempts[2]!.detail).toContain('it went to the wrong practice');
    await updatePrompts(deps);
    expect(await storedPrompts(database.db, referralId)).toMatchObject([
      { kind: 'not-their-patient', side: 'referrer' },
    ]);
  });

  it('is tracked without an answer, and not sent twice', async () => {
    const { deps, current, messageId, send: go } = await aCopy();
    fixture.fake.misbehave({ operation: 'send', do: 'cut-off' });
    await go();
    expect(await current()).toMatchObject({ channel: 'mesh', status: 'uncertain' });
    await go();
    expect(await current()).toMatchObject({ channel: 'mesh', status: 'sent' });
    expect(fixture.fake.seen).toEqual(['send 202', 'track 200']);
    answer('30001', messageId);
    await pollChannels(deps);
    expect(await current()).toMatchObject({ status: 'acknowledged' });
  });

  it('goes another way if the patient is not found', async () => {
    const patient = { ...exampleReferral().content.patient, family_name: 'Somebody' };
    const { deps, current, send: go } = await aCopy({ patient });
    await go();
    await pollChannels(deps);
    await go();
    expect(await current()).toMatchObject({ channel: 'document', status: 'sent' });
  });

  it('asks the referrer about a number that MESH does not know', async () => {
    const patient = { ...exampleReferral().content.patient, birth_date: '1947-03-10' };
    const { deps, current, referralId, messageId, send: go } = await aCopy({ patient });
    await go();
    await pollChannels(deps);
    await go();
    // The letter went another way, and the number is still to be checked.
    expect(await current()).toMatchObject({
      channel: 'document',
      status: 'sent',
      refused_because: 'nhs-number-not-recognised',
    });
    const jobs = await takeJobs(database.pool, { name: 'update-prompts' });
    expect(jobs.length).toBeGreaterThan(0);
    await updatePrompts(deps);
    expect(await storedPrompts(database.db, referralId)).toMatchObject([
      { kind: 'nhs-number-not-recognised', side: 'referrer' },
    ]);
    const confirmed = { about: { messageId }, status: 'acknowledged', detail: 'It has the letter.' } as const;
    await inTransaction(database.db, (trx) => receiveReport(trx, 'document', confirmed, clock.now()));
    expect(await current()).toMatchObject({ status: 'acknowledged', refused_because: null });
    await updatePrompts(deps);
    expect(await storedPrompts(database.db, referralId)).toEqual([]);
  });
});

describe('the inbox', () => {
  const unmatched = async () =>
    (await storedMeshMessages(database.db)).filter(({ matched }) => matched === false);

  it('believes an acknowledgement only by the letter’s own mailbox', async () => {
    const message = aMessage();
    await send(message);
    const headers = { 'mex-to': 'X26ABC1', 'mex-workflowid': 'GPCONNECT_SEND_DOCUMENT_ACK' };
    fixture.fake.exchange.send(fixture.service, headers, anAcknowledgement(message.id, '30001'));
    expect(await collect()).toEqual([]);
    expect(fixture.fake.exchange.inboxOf(fixture.site)).toEqual([]);
    expect((await unmatched()).map(({ headers }) => headers)).toMatchObject([{ 'mex-from': 'CHOIR01' }]);
    answer('30001', message.id);
    expect(await collect()).toMatchObject([{ status: 'acknowledged' }]);
    await deleteMeshMessages(database.db);
  });

  it('asks an operator if an acknowledgement fits no one letter', async () => {
    const message = aMessage();
    await send(message);
    await send(message);
    answer('30001', message.id);
    expect(await collect()).toEqual([]);
    expect(await unmatched()).toHaveLength(1);
    await deleteMeshMessages(database.db);
  });

  it('loses no message, whichever step of collecting fails', async () => {
    const message = aMessage();
    await send(message);
    answer('20013', message.id);
    answer('30001', message.id);
    const [, , second] = fixture.fake.exchange.messages;
    let away = true;
    const first = await collect(({ status }) => {
      if (away && status === 'received') throw new Error('the database is away');
      return true;
    });
    // The one behind it is told all the same.
    expect(first.map(({ status }) => status)).toEqual(['received', 'acknowledged']);
    expect(fixture.fake.exchange.inboxOf(fixture.site)).toHaveLength(1);
    expect(second!.status).toBe('acknowledged');

    away = false;
    fixture.fake.misbehave({ operation: 'acknowledge', do: 'cut-before' });
    expect((await collect()).map(({ status }) => status)).toEqual(['received']);
    expect(fixture.fake.exchange.inboxOf(fixture.site)).toHaveLength(1);
    expect(await collect()).toEqual([]);
    expect(fixture.fake.exchange.inboxOf(fixture.site)).toEqual([]);

    fixture.fake.exchange.send(
      fixture.practice,
      { 'mex-to': 'X26ABC1', 'mex-workflowid': 'ONWARD_REFERRAL' },
      Buffer.from('?'),
    );
    expect(await collect()).toEqual([]);
    expect(fixture.fake.exchange.inboxOf(fixture.site)).toEqual([]);
    expect((await unmatched()).map(({ handled_at }) => handled_at)).toEqual([clock.now()]);
  });
});
