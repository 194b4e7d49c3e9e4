import type { Caller } from '../../accounts/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { canSee } from '../../referrals/index.ts';
import type { Event } from './event.ts';

/** An address that the site calls when something happens. */
export type Webhook = {
  id: string;
  accountId: string;
  url: string;
  /** The types of event that the webhook receives; `*` means all of them. */
  eventTypes: string[];
  description: string | null;
  /** Until when the previous secret signs as well. */
  previousSecretUntil: Date | null;
  /** The reason why the webhook is off; null while it is on. */
  offReason: OffReason | null;
  offAt: Date | null;
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** Why a webhook is off: its holder switched it off, it answered 410, or every call failed for three days. */
export type OffReason = 'by-hand' | 'gone' | 'failing';

export const everyType = '*';
export const maxDescriptionLength = 200;

/** How long an event is retried. */
export const retryForMs = 3 * dayMs;
/** How long every call of a webhook may fail before it is switched off. */
export const maxFailingMs = 3 * dayMs;
/** How long the previous secret signs as well. */
export const previousSecretValidForMs = dayMs;
/** Webhooks of one account. Each costs a call for every event. */
export const maxWebhooks = 20;

/** Whether a webhook of this account receives an event. */
export function shouldReceive(
  { eventTypes }: Pick<Webhook, 'eventTypes'>,
  holder: Caller,
  event: Event,
): boolean {
  if (!eventTypes.includes(everyType) && !eventTypes.includes(event.type)) return false;
  return maySeeEvent(holder, event);
}

export function maySeeEvent(holder: Caller, event: Event): boolean {
  return event.referralId === null || canSee(holder, ownersOf(event));
}

function ownersOf(event: Event): Parameters<typeof canSee>[1] {
  const { referrerAccountId, referrerOrganisationId, serviceOrganizationId, createdAt } = event;
  return {
    // Drafts cause no events, so the referral was sent by then.
    requested_at: createdAt,
    referrerAccountId: referrerAccountId!,
    referrerOrganisationId,
    service: { organization_id: serviceOrganizationId },
  };
}
