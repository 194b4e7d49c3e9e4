import { deliveryKnowledge, deliveryListener, isStoryName, simulatorListener } from '../delivery/index.ts';
import type { Platform } from '../platform/platform.ts';
import { recordCopyListener } from '../records/index.ts';
import {
  liveCountListener,
  notificationListener,
  personPageListener,
  type ReferralListener,
  type RoomsAbove,
} from '../referrals/index.ts';
import { reportListener } from '../reports/index.ts';
import { selfReferralListener } from '../self-referrals/index.ts';
import { referralEventListener } from '../webhooks/index.ts';

/** What other rooms do in the transaction of a change to a referral, one after the other, and what they know about referrals. */
export function makeRoomsAbove(platform: Platform): RoomsAbove {
  const isTestSite = platform.settings.mode === 'test';
  const listeners: ReferralListener[] = [
    reportListener,
    recordCopyListener(platform),
    referralEventListener,
    selfReferralListener,
    liveCountListener,
    // Before the deliveries, so that it finds an ending by link as it was before this change.
    personPageListener(platform, deliveryKnowledge),
    notificationListener(platform),
    deliveryListener,
    // Last, because it reads the deliveries.
    ...(isTestSite ? [simulatorListener] : []),
  ];
  return {
    ...callInOrder(listeners),
    ...deliveryKnowledge,
    isStoryName: isTestSite ? isStoryName : () => false,
  };
}

/** Calls each listener when the one before it is done, so that a later one may read what an earlier one stored. */
export function callInOrder(listeners: readonly ReferralListener[]): Required<ReferralListener> {
  async function forEach(call: (listener: ReferralListener) => Promise<void> | undefined): Promise<void> {
    for (const listener of listeners) await call(listener);
  }
  return {
    onStatusChange: (trx, changes) => forEach((listener) => listener.onStatusChange?.(trx, changes)),
    onContentChange: (trx, change) => forEach((listener) => listener.onContentChange?.(trx, change)),
    onMessage: (trx, message) => forEach((listener) => listener.onMessage?.(trx, message)),
    onFile: (trx, file) => forEach((listener) => listener.onFile?.(trx, file)),
    onFileRemoved: (trx, file) => forEach((listener) => listener.onFileRemoved?.(trx, file)),
    onFileDeleted: (trx, file) => forEach((listener) => listener.onFileDeleted?.(trx, file)),
    onFollowUp: (trx, followUp) => forEach((listener) => listener.onFollowUp?.(trx, followUp)),
    onErasing: (trx, id, erasing) => forEach((listener) => listener.onErasing?.(trx, id, erasing)),
    onRecordChange: (trx, change) => forEach((listener) => listener.onRecordChange?.(trx, change)),
    onDeathHoldLifted: (trx, id) => forEach((listener) => listener.onDeathHoldLifted?.(trx, id)),
    onEndingChecked: (trx, id, checked) =>
      forEach((listener) => listener.onEndingChecked?.(trx, id, checked)),
  };
}
