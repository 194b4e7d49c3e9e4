import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Ending, StartedAttempt } from './attempts-store.ts';
import { type Channel, type Failure, type Message, NoWay, type Sent } from './channels/channel.ts';

/** By each channel. With the growing pauses between them this is about four days. */
export const mostTries = 25;

export type Ended = { outcome: Ending; detail: string; trackedAs?: string };

/** Sends a message, or finds out that it has arrived; says what came of it, whatever that is. */
export async function trySending(
  deps: Pick<Platform, 'log'>,
  channel: Channel,
  message: Message,
  { tries, doubtful }: StartedAttempt,
): Promise<Ended> {
  if (tries > mostTries) return givenUp('The site stopped in the middle of the last attempt.');
  try {
    const { status, ...sent } = await send(channel, message, doubtful);
    return { ...sent, outcome: status };
  } catch (error) {
    const { kind, detail } = judge(channel, error);
    if (kind === 'permanent') return { outcome: 'failed', detail };
    const { deliveryId: delivery } = message;
    const facts = { delivery, channel: channel.name, tries, kind, error: describeError(error) };
    deps.log.warn(facts, 'a delivery did not work');
    if (tries === mostTries && kind === 'retry') return givenUp(detail);
    return { outcome: kind === 'retry' ? 'will-retry' : 'uncertain', detail };
  }
}

async function send(channel: Channel, message: Message, doubtful: boolean): Promise<Sent> {
  const found = doubtful ? await channel.track?.(message) : undefined;
  return found ?? channel.send(message, await channel.render(message));
}

/** The message of an error that nobody foresaw may quote a patient's detail, so it is not shown. */
function judge(channel: Channel, error: unknown): Failure {
  if (error instanceof NoWay) return { kind: 'permanent', detail: error.message };
  return channel.classify(error) ?? { kind: 'retry', detail: 'Something went wrong on this site.' };
}

function givenUp(detail: string): Ended {
  return { outcome: 'failed', detail: `${detail} It was tried ${mostTries} times.` };
}
