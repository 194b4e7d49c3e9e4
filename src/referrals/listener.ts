import type { Db, Trx } from '../platform/database/index.ts';
import type { Draft, Referral, ReferralStatus } from './referral.ts';
import type { Side } from './state-machine.ts';

/**
 * Whoever must know of every change of a referral, inside the transaction that makes it: the delivery room, which
 * writes down whom to tell and adds the jobs. It is handed in by start-site.ts, so that referrals need not know delivery and
 * yet no referral can be stored without its deliveries.
 */
export type ReferralListener = {
  /** Of all that one transaction changes, at one moment. */
  onChange(trx: Trx, changes: readonly ReferralChange[]): Promise<void>;
  /** One side wrote to the other. */
  onMessage(trx: Trx, message: { referral: Referral; messageId: string; at: Date }): Promise<void>;
  /** Nobody may work with the referral for now, or again, or what it said was erased; and so goes with what belongs to it. */
  onRecord(trx: Trx, change: RecordChange): Promise<void>;
  /** What has become of the deliveries of these referrals, oldest first, by the referral's id. */
  summaries(db: Db, referralIds: readonly string[]): Promise<Map<string, DeliverySummary[]>>;
};

/** Whose change it is: the service’s, the referrer’s, or the site’s own, because time ran out. */
export type ChangedBy = Side | 'site';

export type ReferralChange = {
  referral: Referral;
  /** Null when it has just been made. */
  from: ReferralStatus | null;
  by: ChangedBy;
  at: Date;
};

export type RecordChange = {
  referral: Referral | Draft;
  is: 'restricted' | 'unrestricted' | 'erased';
  at: Date;
};

export type DeliverySummary = {
  id: string;
  leg: 'service' | 'gp_practice';
  purpose: 'referral' | 'outcome';
  channel: string | null;
  status: DeliveryStatus;
  updated_at: Date;
};

export const deliveryStatuses = [
  'queued',
  'sending',
  'sent',
  'received',
  'acknowledged',
  'uncertain',
  'failed',
  'expired',
  'suppressed',
] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];
