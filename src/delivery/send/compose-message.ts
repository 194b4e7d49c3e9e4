import type { Settings } from '../../platform/settings/index.ts';
import type { Referral } from '../../referrals/index.ts';
import type { Message } from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { writeLetter } from '../letter/compose-letter.ts';
import { type Delivery, isCodesOnly, type Purpose } from '../model/delivery.ts';

type Site = Pick<Settings, 'siteName' | 'baseUrl'>;
type DeliveryToSend = Pick<
  Delivery,
  | 'id'
  | 'messageId'
  | 'externalId'
  | 'chosenChannel'
  | 'receiverKind'
  | 'purpose'
  | 'recipientName'
  | 'recipientCode'
  | 'createdAt'
  | 'simulated'
>;

/**
 * The message of a delivery. Everything about the patient is in the letter. The subject and the text do not name them,
 * because they pass through less protected places.
 */
export function composeMessage(
  { settings: site, letterDrawer }: Pick<DeliveryDeps, 'letterDrawer'> & { settings: Site },
  delivery: DeliveryToSend,
  referral: Referral,
): Message {
  const { receiverKind, purpose, createdAt, simulated } = delivery;
  const recipient = { name: delivery.recipientName, code: delivery.recipientCode };
  const options = { site, receiverKind, purpose, recipient, date: createdAt, test: simulated };
  return {
    id: delivery.messageId,
    deliveryId: delivery.id,
    externalId: delivery.externalId,
    chosenByHand: delivery.chosenChannel !== null,
    receiverKind,
    purpose,
    createdAt,
    simulated,
    recipient,
    referral,
    codesOnly: isCodesOnly(receiverKind, referral),
    subject:
      receiverKind === 'service' ? subjectToService(purpose, referral) : subjectToPractice(purpose, referral),
    text: [
      ...(simulated ? ['TEST – not a real patient.'] : []),
      ...(receiverKind === 'service' ? textToService(site, purpose, referral) : textToPractice(purpose)),
      `Reference: ${referral.reference}`,
      `Sent by ${site.siteName}, ${site.baseUrl}`,
    ].join('\n\n'),
    writtenLetter: () => writeLetter(referral, options),
    letter: () => letterDrawer.draw(writeLetter(referral, options)),
  };
}

function subjectToService(purpose: Purpose, { urgency, reference }: Referral): string {
  if (purpose === 'outcome') return `Referral ${reference} has ended: nothing more for you to do`;
  return `${urgency === 'urgent' ? 'Urgent referral' : 'Referral'} ${reference} for you to answer`;
}

function subjectToPractice(purpose: Purpose, { reference }: Referral): string {
  return purpose === 'referral'
    ? `Copy of referral ${reference} for the patient’s record`
    : `Outcome of referral ${reference} for the patient’s record`;
}

function textToService({ baseUrl }: Site, purpose: Purpose, referral: Referral): string[] {
  const { id, urgency, service } = referral;
  if (purpose === 'outcome') {
    return [
      `A referral to ${service.name} has ended, and not by your doing. Do nothing more about it.`,
      `How it ended is in the letter with this message, and here: ${baseUrl}/referrals/${id}`,
    ];
  }
  return [
    `A person has been referred to ${service.name}.${urgency === 'urgent' ? ' The referral is urgent.' : ''}`,
    `Read it and answer it here: ${baseUrl}/referrals/${id}`,
    'The letter with this message has the same details, to print or file.',
  ];
}

function textToPractice(purpose: Purpose): string[] {
  const event =
    purpose === 'referral'
      ? 'One of your patients has been referred to a community service.'
      : 'The referral of one of your patients to a community service has ended.';
  return [`${event} The letter with this message is for their record. You do not need to reply.`];
}
