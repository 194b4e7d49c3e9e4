import { isDeepStrictEqual } from 'node:util';
import {
  type ContentChange,
  type DeliveryPurpose,
  hidesOnline,
  isReopening,
  openStatuses,
  type Referral,
  type ReferralStatus,
  type StatusChange,
} from '../../referrals/index.ts';
import { shownToPractice } from '../letter/changes.ts';
import type { PracticeLetters } from '../model/deliveries-store.ts';
import { mayTellPractice, type PlannedDelivery } from '../model/delivery.ts';
import { whyNotSent } from '../model/why-not-sent.ts';

/** Whether the referral has ended. Then the practice gets the outcome, and so does the service if it did not end the referral itself. */
export function hasEnded({ status }: Pick<Referral, 'status'>): boolean {
  return !openStatuses.includes(status);
}

/** The statuses of a first answer by the service. */
const answerStatuses: readonly ReferralStatus[] = ['accepted', 'rejected'];

/**
 * A second letter to the practice about the end, once the person has said something new or a measure was added. Undefined where the practice
 * may not read it, or there is nobody to tell.
 */
export function planUpdateOfOutcome(referral: Referral): PlannedDelivery | undefined {
  const { content, status, status_reason: reason } = referral;
  const mayReadAll = content.consent.share_with_gp === true;
  const isToTell = hasEnded(referral) && status !== 'entered-in-error' && reason?.code !== 'died';
  const planned = deliveryToPractice(referral, 'outcome');
  return mayReadAll && isToTell && planned.suppressedBecause === null ? planned : undefined;
}

/** The deliveries that a change of a referral makes necessary. Without the person's agreement they are suppressed. */
export function planDeliveries({
  referral,
  from,
  by,
}: Pick<StatusChange, 'referral' | 'from' | 'by'>): PlannedDelivery[] {
  if (isFirstSending({ referral, from }))
    return [deliveryToService(referral, 'referral'), deliveryToPractice(referral, 'referral')];
  // A service that takes back its own decline already has the referral.
  if (isReopening(from, referral.status))
    return by === 'provider' ? [] : [deliveryToService(referral, 'referral')];
  if (!hasEnded(referral)) return [];
  const practice = deliveryToPractice(referral, 'outcome');
  return by === 'provider' ? [practice] : [deliveryToService(referral, 'outcome'), practice];
}

/**
 * The letters that a change of the content makes necessary. The service gets one unless it made the change itself, and so does a
 * practice that had a copy, or has just been named or allowed. Once the referral has ended, that is the letter at its end, which has
 * all that the copy had and what is still to do.
 */
export function planAfterContentChange(
  change: Pick<ContentChange, 'referral' | 'before' | 'kind' | 'by'>,
  letters: PracticeLetters,
): PlannedDelivery[] {
  const { referral, kind, by } = change;
  if (kind === 'death-reported' || kind === 'death-confirmed' || kind === 'death-undone') return [];
  // Staff know of their own changes. They do not know of a transfer to them, or that a referral goes on after its end.
  const mustTellService =
    kind === 'transfer' || kind === 'reopened' || (kind !== 'agreement' && by === 'referrer');
  const toService = mustTellService ? [deliveryToService(referral, 'referral')] : [];
  const practice = deliveryToPractice(referral, hasEnded(referral) ? 'outcome' : 'referral');
  if (practice.suppressedBecause !== null) return toService;
  return needsLetter(change, letters) ? [...toService, practice] : toService;
}

function needsLetter(
  { referral, before, kind }: Pick<ContentChange, 'referral' | 'before' | 'kind'>,
  letters: PracticeLetters,
): boolean {
  // The earlier letters can still be seen online.
  const startsToHide = !hidesOnline(before.content) && hidesOnline(referral.content);
  if (startsToHide && (letters.hasFirstLetter || letters.hasOutcome)) return true;
  // We may have stopped its copy, or told it that the person had died.
  if (kind === 'reopened') return true;
  if (kind === 'agreement') {
    // The person no longer agrees to details that the practice has. The letter says what to do with them.
    const isNarrowed =
      before.content.consent.share_with_gp === true &&
      referral.content.consent.share_with_gp === 'codes_only';
    if (isNarrowed && (letters.hasFirstLetter || letters.hasOutcome)) return true;
    const hasSharingChanged = before.content.consent.share_with_gp !== referral.content.consent.share_with_gp;
    return hasSharingChanged && lacksLetter(referral, letters);
  }
  const isNewPractice = before.gp_practice?.ods_code !== referral.gp_practice?.ods_code;
  return isNewPractice || (letters.hasFirstLetter && hasChanged(before, referral));
}

/** Whether the practice may get a letter, and has none yet that says the same. */
function lacksLetter(referral: Referral, { hasFirstLetter, hasOutcome }: PracticeLetters): boolean {
  if (!hasEnded(referral)) return !hasFirstLetter;
  const hasNothingToRemove = referral.status === 'entered-in-error' && !hasFirstLetter;
  return !hasOutcome && !hasNothingToRemove;
}

/** Whether anything changed that a practice's letter shows. Safety notes are for the service unless shared. */
function hasChanged(before: Referral, referral: Referral): boolean {
  // A letter with a code alone shows only who the patient is, which no correction changes.
  if (referral.content.consent.share_with_gp === 'codes_only') return false;
  return !isDeepStrictEqual(shownToPractice(before), shownToPractice(referral));
}

/** Whether this change sends the referral to the service for the first time. */
export function isFirstSending({ referral, from }: Pick<StatusChange, 'referral' | 'from'>): boolean {
  return referral.status === 'requested' && (from === null || from === 'draft');
}

/** Whether this change shows that the service has the referral. A rejection by the site itself does not. */
export function isAnswer({ referral, from, by }: Pick<StatusChange, 'referral' | 'from' | 'by'>): boolean {
  return by === 'provider' && from === 'requested' && answerStatuses.includes(referral.status);
}

function deliveryToService({ service }: Referral, purpose: DeliveryPurpose): PlannedDelivery {
  return {
    leg: 'service',
    purpose,
    receiverName: service.name,
    receiverCode: service.organization_id,
    suppressedBecause: null,
  };
}

/** The removal notice to a practice that was named by mistake. */
export function planRemoval({
  before,
  referral,
}: Pick<ContentChange, 'before' | 'referral'>): PlannedDelivery | undefined {
  const practice = before.gp_practice;
  if (practice === null || practice.ods_code === referral.gp_practice?.ods_code) return undefined;
  return {
    leg: 'gp_practice',
    purpose: 'removal',
    receiverName: practice.name,
    receiverCode: practice.ods_code,
    suppressedBecause: null,
  };
}

function deliveryToPractice(referral: Referral, purpose: DeliveryPurpose): PlannedDelivery {
  const { gp_practice: practice } = referral;
  return {
    leg: 'gp_practice',
    purpose,
    receiverName: practice?.name ?? null,
    receiverCode: practice?.ods_code ?? null,
    suppressedBecause: whyPracticeIsNotPlanned(referral),
  };
}

function whyPracticeIsNotPlanned({ status, content, gp_practice }: Referral): string | null {
  // A letter in the wrong record can harm a patient. So the request to remove it goes also to a practice that may not be told any more.
  const mayTell = mayTellPractice(content.consent.share_with_gp) || status === 'entered-in-error';
  if (!mayTell) return whyNotSent.notAgreed;
  return gp_practice === null ? whyNotSent.noPractice : null;
}
