import type { Webhook } from './webhook.ts';

/** A webhook as its holder reads it: without its secret. */
export function presentWebhook(webhook: Webhook, now: Date) {
  const { id, url, eventTypes, description, previousSecretUntil, offReason, offAt, failingSince } = webhook;
  return {
    id,
    url,
    event_types: eventTypes,
    description,
    enabled: offAt === null,
    switched_off: offAt && { at: offAt.toISOString(), reason: offReason! },
    failing_since: failingSince?.toISOString() ?? null,
    previous_secret_until:
      previousSecretUntil && previousSecretUntil > now ? previousSecretUntil.toISOString() : null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}
