import { sentByChannel } from '../../../../library/index.ts';
import { momentInWords } from '../../../../platform/html/index.ts';
import type { DeliveryStatus, RefusalCause } from '../../../model/deliveries.ts';
import type { PresentedReferral } from '../../../model/presentation/present.ts';
import { becauseTestSite, isCapturedChannel, nameOfService } from '../../../model/presentation/words.ts';
import { openStatuses } from '../../../model/referral.ts';

type Delivery = PresentedReferral['deliveries'][number];

/** One message of “who has been told”: “about the referral: letter sent on …”. */
type MessageLine = {
  readonly about: string;
  readonly what: string;
  /** Left out for something that has not happened. */
  readonly at?: string;
  /** Why it could not go as it should, and what to check. */
  readonly toCheck?: string;
  /** The receiver was not told, so that somebody has to act. */
  readonly notDelivered: boolean;
};

/** One receiver, with the latest message to it, and those before that. */
export type DeliveryLine = MessageLine & { readonly who: string; readonly earlier: readonly MessageLine[] };

const aboutWords: Readonly<Record<Delivery['purpose'], string>> = {
  referral: 'about the referral',
  outcome: 'about how it ended',
  removal: 'asked to remove its letter',
};

const refusalWords: Readonly<Record<RefusalCause, string>> = {
  'nhs-number-not-recognised':
    'The exchange did not recognise the NHS number with this name and birth date. Check them with the person.',
  'not-their-patient':
    'It had the letter before it said so. Ask the person where they are registered, and correct the practice.',
};

const stuckStatuses: readonly DeliveryStatus[] = ['failed', 'expired', 'uncertain'];

/** Whether the service and the GP practice were told, in words: the service first. */
export function describeDeliveries(
  referral: PresentedReferral,
  { outcomeHeldUntil }: { outcomeHeldUntil?: Date | undefined } = {},
): DeliveryLine[] {
  const toReceiver = Object.groupBy(
    referral.deliveries,
    ({ leg, practice_code: code }) => `${leg} ${code ?? ''}`,
  );
  return Object.values(toReceiver)
    .map((deliveries) => describeReceiver(deliveries!, referral, outcomeHeldUntil))
    .sort((a, b) => Number(b.leg === 'service') - Number(a.leg === 'service'))
    .map(({ line }) => line);
}

/** @param deliveries all to one receiver, oldest first */
function describeReceiver(
  deliveries: readonly Delivery[],
  referral: PresentedReferral,
  outcomeHeldUntil: Date | undefined,
) {
  const [latest, ...earlier] = deliveries
    .map((delivery, index) => {
      const heldUntil = delivery.purpose === 'outcome' ? outcomeHeldUntil : undefined;
      return describeMessage(delivery, deliveries.slice(0, index), referral, heldUntil);
    })
    .reverse();
  const [{ leg }] = deliveries as [Delivery];
  return { leg, line: { who: receiver(deliveries.at(-1)!, referral), ...latest!, earlier } };
}

function describeMessage(
  delivery: Delivery,
  before: readonly Delivery[],
  referral: PresentedReferral,
  heldUntil: Date | undefined,
): MessageLine {
  const { text, dated } = wordsFor(delivery, referral, heldUntil);
  const isChange = delivery.purpose === 'referral' && before.some(({ purpose }) => purpose === 'referral');
  return {
    about: isChange ? 'about a change to the referral' : aboutWords[delivery.purpose],
    what: text,
    ...(dated && { at: delivery.updated_at }),
    ...(delivery.refused_because && { toCheck: refusalWords[delivery.refused_because] }),
    notDelivered: stuckStatuses.includes(delivery.status),
  };
}

function receiver({ leg, practice }: Delivery, referral: PresentedReferral): string {
  if (leg === 'service') return nameOfService(referral).replace(/^a restricted/, 'A restricted');
  return practice ?? referral.gp_practice?.name ?? 'The GP practice';
}

function wordsFor(
  delivery: Delivery,
  referral: PresentedReferral,
  heldUntil: Date | undefined,
): { text: string; dated?: true } {
  const isCaptured = isCapturedChannel(delivery.channel, referral);
  switch (delivery.status) {
    case 'queued':
      if (heldUntil)
        return { text: `waits until ${momentInWords(heldUntil)}, so that you can check the answer` };
      return { text: 'waiting to be sent' };
    case 'sending':
      return { text: 'being sent now' };
    case 'sent':
      if (isCaptured) return { text: `would have been sent${becauseTestSite}` };
      return { text: sentByChannel(delivery.channel), dated: true };
    case 'received':
      if (isCaptured) return { text: `would have been delivered${becauseTestSite}` };
      return { text: 'delivered', dated: true };
    case 'acknowledged':
      return { text: isAnswered(delivery) ? 'answered' : 'confirmed', dated: true };
    case 'uncertain':
      return { text: 'sent, but nobody knows yet whether it arrived' };
    case 'failed':
      return delivery.refused_because === 'not-their-patient'
        ? { text: 'sent the letter back: the person is not its patient', dated: true }
        : { text: 'not told, because no way of sending it worked' };
    case 'expired':
      return { text: 'sent, but not confirmed in time' };
    case 'suppressed': {
      const why = whyNotSent(delivery, referral);
      if (delivery.may_have_arrived)
        return { text: `it may have arrived: nobody knows. Not sent again, because ${why}` };
      return { text: `not ${delivery.purpose === 'removal' ? 'asked' : 'told'}, because ${why}` };
    }
  }
}

function isAnswered({ leg, purpose }: Delivery): boolean {
  return leg === 'service' && purpose === 'referral';
}

function whyServiceNotSent({ status }: PresentedReferral): string {
  if (status === 'entered-in-error') return madeInError;
  return openStatuses.some((each) => each === status)
    ? 'a newer letter took its place'
    : 'the referral ended before it was sent';
}

const madeInError = 'the referral was made in error';

/** Only the two sides may know what the person agreed to. */
function whyNotSent({ purpose, leg, practice_code: code }: Delivery, referral: PresentedReferral): string {
  // A practice that was named by mistake is asked whatever the person agreed to.
  if (purpose === 'removal') return 'it need not remove anything';
  if (leg === 'service') return whyServiceNotSent(referral);
  if (code && code !== (referral.gp_practice?.ods_code ?? null)) return 'another practice was named';
  if ('consent' in referral && referral.consent.share_with_gp === false) return 'the person did not agree';
  if (referral.gp_practice === null) return 'no GP practice was named';
  if (referral.status === 'entered-in-error') return madeInError;
  return 'it is not to be sent';
}
