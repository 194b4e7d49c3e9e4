import { expect, it } from 'vitest';
import type { Channel, OutgoingMessage } from '../../src/delivery/channels/channel.ts';
import type { Db } from '../../src/platform/database/index.ts';
import { exampleReferral } from './example-referral.ts';

export type ChannelUnderTest = {
  db: Db;
  channel: Channel;
  /** A message that this channel can deliver. */
  message: OutgoingMessage;
  /** What has been put before the receiver so far, in a form that can be compared. */
  told(): Promise<readonly unknown[]>;
  /** Where the address itself is made of the patient's details, because the carrier finds the receiver by them. */
  routedByPatient?: true;
};

async function send({ db, channel, message }: Pick<ChannelUnderTest, 'db' | 'channel' | 'message'>) {
  return channel.send(message, await channel.render(db, message));
}

/** What every channel must keep to. A new channel calls this in its own test file, and adds what is its own. */
export function testsOfAnyChannel(prepare: () => Promise<ChannelUnderTest>): void {
  it('tells the receiver, and says in plain words where it is', async () => {
    const { told, ...prepared } = await prepare();
    const { status, detail } = await send(prepared);
    expect(['sent', 'received']).toContain(status);
    expect(detail).toMatch(/^[A-Z].{10,}\.$/);
    expect(await told()).toHaveLength(1);
  });

  it('renders the same message alike each time', async () => {
    const { db, channel, message } = await prepare();
    expect(await channel.render(db, message)).toEqual(await channel.render(db, message));
  });

  it('takes an error that nobody foresaw for a fault of this site', async () => {
    const { channel } = await prepare();
    expect(channel.classify(new TypeError('cannot read properties of undefined'))).toBeUndefined();
  });

  it('delivers once if the same message is sent again after a kill', async () => {
    const { told, ...prepared } = await prepare();
    // What the carrier calls it may be another name each time.
    const { externalId: _, ...first } = await send(prepared);
    const before = await told();
    expect(await send(prepared)).toMatchObject(first);
    expect(await told()).toEqual(before);
  });

  it('delivers once if two processes send the same message at once', async () => {
    const { told, ...prepared } = await prepare();
    const answers = await Promise.allSettled([send(prepared), send(prepared)]);
    expect(answers.some((answer) => answer.status === 'fulfilled')).toBe(true);
    expect(await told()).toHaveLength(1);
  });

  it('puts no patient details in statuses or envelopes', async () => {
    const { db, channel, message, routedByPatient } = await prepare();
    const { detail } = await send({ db, channel, message });
    const { headers, address } = await channel.render(db, message);
    const around = [detail, ...(routedByPatient ? [] : [address]), ...Object.values(headers)].join(' ');
    const { family_name, nhs_number } = exampleReferral().content.patient;
    expect(around).not.toContain(family_name);
    expect(around).not.toContain(nhs_number!);
  });
}
