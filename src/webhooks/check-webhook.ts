import { faultOfAddress } from '../platform/outbound/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { versionOf } from './event-types.ts';
import { everyType, longestNote, type Webhook } from './webhook.ts';

/** @throws Problem `unprocessable` that names each field that cannot be used. */
export function checkWebhook(
  { settings }: Platform,
  { url, eventTypes, description }: Pick<Webhook, 'url' | 'eventTypes' | 'description'>,
): void {
  const fault = faultOfAddress(url, settings.mode);
  const unknown = eventTypes.some((type) => type !== everyType && versionOf(type) === undefined);
  const errors = [
    ...(fault === undefined ? [] : [{ pointer: '/url', message: fault }]),
    ...(eventTypes.length > 0 ? [] : [{ pointer: '/event_types', message: 'Choose at least one' }]),
    ...(unknown
      ? [{ pointer: '/event_types', message: 'must be types that the API reference names, or *' }]
      : []),
    ...((description?.length ?? 0) <= longestNote
      ? []
      : [{ pointer: '/description', message: `must have at most ${longestNote} characters` }]),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, 'The webhook cannot be like that.', { errors });
}
