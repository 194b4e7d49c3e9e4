import { describeError } from '../../platform/log/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import type { HeldForCheck } from '../held/restore-check-store.ts';

/** More would keep the operator waiting. */
const maxAsked = 50;

/**
 * Asks the carriers that can tell, such as the NHS message exchange, which of these messages they have.
 * @returns their words by the delivery's id. A delivery is missing if no carrier could be asked.
 */
export async function askCarriers(
  { channels, settings, log }: DeliveryDeps,
  held: readonly HeldForCheck[],
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  // A test site calls no carrier.
  if (settings.mode !== 'live') return answers;
  for (const { id, messageId, externalId, channel } of held.slice(0, maxAsked)) {
    const carriers = channels.outgoing.filter(({ name, track }) => track && (channel ?? name) === name);
    for (const each of carriers) {
      try {
        const result = await each.track!({ id: messageId, externalId });
        const carrierId = result?.externalId ?? externalId;
        answers.set(
          id,
          result
            ? `Sent${carrierId ? `, as ${carrierId}` : ''}: ${result.detail}`
            : 'The carrier does not know it.',
        );
        if (result) break;
      } catch (error) {
        log.warn(
          { delivery: id, error: describeError(error) },
          'a carrier could not say whether it has a message',
        );
        answers.set(id, 'The carrier could not be asked.');
      }
    }
  }
  return answers;
}
