import { expect, it } from 'vitest';
import type { Channel, Message } from '../../src/delivery/channels/channel.ts';
import { exampleReferral } from './example-referral.ts';

export type ChannelUnderTest = {
  channel: Channel;
  /** A message that this channel can deliver. */
  message: Message;
  /** What has been put before the receiver so far, in a form that can be compared. */
  told(): Promise<readonly unknown[]>;
  /** Where the address itself is made of the patient's details, because the carrier finds the receiver by them. */
  routedByPatient?: true;
};

async function send(channel: Channel, message: Message) {
  return channel.send(message, await channel.render(message));
}

/** What every channel must keep to. A new channel calls this in its own test file, and adds what is its own. */
export function testsOfAnyChannel(prepare: () => Promise<ChannelUnderTest>): void {
  it('tells the receiver, and says in plain words where the message is', async () => {
    const { channel, message, told } = await prepare();
    const { status, detail } = await send(channel, message);
    expect(['sent', 'received']).toContain(status);
    expect(detail).toMatch(/^[A-Z].{10,}\.$/);
    expect(await told()).toHaveLength(1);
  });

  it('renders the same message alike each time', async () => {
    const { channel, message } = await prepare();
    expect(await channel.render(message)).toEqual(await channel.render(message));
  });

  it('takes an error that nobody foresaw for a fault of this site', async () => {
    const { channel } = await prepare();
    expect(channel.classify(new TypeError('cannot read properties of undefined'))).toBeUndefined();
  });

  it('delivers once if the same message is sent again after a kill', async () => {
    const { channel, message, told } = await prepare();
    // What the carrier calls it may be another name each time.
    const { externalId: _, ...first } = await send(channel, message);
    const before = await told();
    expect(await send(channel, message)).toMatchObject(first);
    expect(await told()).toEqual(before);
  });

  it('delivers once if two processes send the same message at once', async () => {
    const { channel, message, told } = await prepare();
    const answers = await Promise.allSettled([send(channel, message), send(channel, message)]);
    expect(answers.some((answer) => answer.status === 'fulfilled')).toBe(true);
    expect(await told()).toHaveLength(1);
  });

  it('puts no patient details in statuses or envelopes', async () => {
    const { channel, message, routedByPatient } = await prepare();
    const { detail } = await send(channel, message);
    const { headers, address } = await channel.render(message);
    const around = [detail, ...(routedByPatient ? [] : [address]), ...Object.values(headers)].join(' ');
    const { family_name, nhs_number } = exampleReferral().content.patient;
    expect(around).not.toContain(family_name);
    expect(around).not.toContain(nhs_number!);
  });
}
