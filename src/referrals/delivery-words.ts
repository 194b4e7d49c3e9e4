import type { DeliveryStatus } from './listener.ts';
import type { PresentedReferral } from './present.ts';
import { whoAnswers } from './status-words.ts';

type Delivery = PresentedReferral['deliveries'][number];

/** One line of “who has been told”: “Infirmary Lane Surgery, about the referral: letter sent on …”. */
export type Told = {
  readonly who: string;
  readonly about: string;
  readonly what: string;
  /** When; left out for what has not happened. */
  readonly at?: string;
  /** Somebody has to do something, because nobody was told. */
  readonly stuck: boolean;
};

const channelWords: Readonly<Record<string, string>> = {
  document: 'letter sent',
  email: 'email sent',
  webhook: 'sent to their system',
  mesh: 'sent by NHS message exchange',
};

const stuckStatuses: readonly DeliveryStatus[] = ['failed', 'expired', 'uncertain'];

/** What has become of telling the service and the GP practice, in words. */
export function whoWasTold(referral: PresentedReferral): Told[] {
  return [...referral.deliveries].sort(byPurposeAndLeg).map((delivery) => {
    const { text, dated } = wordsFor(delivery, referral);
    return {
      who: receiver(delivery, referral),
      about: delivery.purpose === 'outcome' ? 'about how it ended' : 'about the referral',
      what: text,
      ...(dated && { at: delivery.updated_at }),
      stuck: stuckStatuses.includes(delivery.status),
    };
  });
}

/** What was told first comes first, and the service before the practice, however close together they were made. */
function byPurposeAndLeg(a: Delivery, b: Delivery): number {
  const place = ({ purpose, leg }: Delivery) => `${purpose === 'outcome'} ${leg === 'gp_practice'}`;
  return place(a).localeCompare(place(b));
}

function receiver({ leg }: Delivery, { service, gp_practice }: PresentedReferral): string {
  if (leg === 'service') return whoAnswers(service);
  return gp_practice?.name ?? 'The GP practice';
}

function wordsFor(delivery: Delivery, referral: PresentedReferral): { text: string; dated?: true } {
  switch (delivery.status) {
    case 'queued':
      return { text: 'waiting to be sent' };
    case 'sending':
      return { text: 'being sent now' };
    case 'sent':
      return { text: channelWords[delivery.channel ?? ''] ?? 'sent', dated: true };
    case 'received':
      return { text: 'received', dated: true };
    case 'acknowledged':
      return { text: isAnswered(delivery) ? 'answered' : 'confirmed', dated: true };
    case 'uncertain':
      return { text: 'sent, but nobody knows yet whether it arrived' };
    case 'failed':
      return { text: 'not told, because no way of sending it worked' };
    case 'expired':
      return { text: 'sent, but not confirmed in time' };
    case 'suppressed':
      return { text: `not told, because ${whyNotTold(referral)}` };
  }
}

function isAnswered({ leg, purpose }: Delivery): boolean {
  return leg === 'service' && purpose === 'referral';
}

/** Only the two sides are told what the person agreed to. */
function whyNotTold(referral: PresentedReferral): string {
  if ('consent' in referral && referral.consent.share_with_gp === false) return 'the person did not agree';
  if (referral.gp_practice === null) return 'no GP practice was named';
  return 'it is not to be sent';
}
