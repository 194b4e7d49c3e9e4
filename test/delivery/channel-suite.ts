import { expect, test } from 'vitest';
import type { Channel, Message } from '../../src/delivery/channels/channel.ts';
import { exampleReferral } from './example-referral.ts';

export type ChannelUnderTest = {
  channel: Channel;
  /** A message that this channel can deliver. */
  message: Message;
  /** What has been put before the receiver so far, in a form that can be compared. */
  told(): Promise<readonly unknown[]>;
};

/** What every channel must keep to. A new channel calls this in its own test file, and adds what is its own. */
export function testsOfAnyChannel(prepare: () => Promise<ChannelUnderTest>): void {
  test('tells the receiver, and says in plain words where the message is', async () => {
    const { channel, message, told } = await prepare();
    const { status, detail } = await channel.send(message);
    expect(['sent', 'received']).toContain(status);
    expect(detail).toMatch(/^[A-Z].{10,}\.$/);
    expect(await told()).toHaveLength(1);
  });

  test('tells nothing twice when the same message is sent again, as after a kill', async () => {
    const { channel, message, told } = await prepare();
    const first = await channel.send(message);
    const before = await told();
    expect(await channel.send(message)).toEqual(first);
    expect(await told()).toEqual(before);
  });

  test('tells nothing twice when the same message is sent by two processes at once', async () => {
    const { channel, message, told } = await prepare();
    const answers = await Promise.allSettled([channel.send(message), channel.send(message)]);
    expect(answers.some((answer) => answer.status === 'fulfilled')).toBe(true);
    expect(await told()).toHaveLength(1);
  });

  test('says nothing of the patient in its words about the delivery', async () => {
    const { channel, message } = await prepare();
    const { detail } = await channel.send(message);
    const { family_name, nhs_number } = exampleReferral().content.patient;
    expect(detail).not.toContain(family_name);
    expect(detail).not.toContain(nhs_number!);
  });
}
