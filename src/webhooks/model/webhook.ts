import type { Caller } from '../../accounts/index.ts';
import { canSee } from '../../referrals/index.ts';
import type { Event } from './event.ts';

/** An address that is called when something happens, and how it stands. */
export type Webhook = {
  id: string;
  accountId: string;
  url: string;
  /** Of which types it is told; `*` is all of them. */
  eventTypes: string[];
  description: string | null;
  /** Until when the secret before the last change signs as well. */
  previousSecretUntil: Date | null;
  /** Null while it is on. */
  offReason: OffReason | null;
  offAt: Date | null;
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** Switched off by its holder; because it answered 410; because nothing got through for days. */
export type OffReason = 'by-hand' | 'gone' | 'failing';

export const everyType = '*';
export const maxNoteLength = 200;

const hour = 3_600_000;
/** For how long an event is tried, and for how long a webhook may fail before it is switched off. */
export const timeoutMs = 72 * hour;
/** For how long the secret before a change still signs. */
export const overlapMs = 24 * hour;
/** More than any client needs; each costs a call for every event. */
export const maxWebhooks = 20;

/** Whether a webhook of this account is to be told of an event. */
export function isSubscribedTo(
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
    // There are events of what was sent alone, and not of drafts.
    requested_at: createdAt,
    referrerAccountId: referrerAccountId!,
    referrerOrganisationId,
    service: { name: '', organization_name: null, organization_id: serviceOrganizationId },
  };
}
