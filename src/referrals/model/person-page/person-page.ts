import { minuteMs } from '../../../platform/durations.ts';
import { canonicalEmail } from '../../../platform/mail/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { readMobileNumber } from '../../../platform/texts/index.ts';
import { readChannel } from '../after-acceptance/contacts.ts';
import { isUnder16 } from '../person/age.ts';
import { mayBeAbusedAtHome } from '../person/danger/abuse-at-home.ts';
import { tellsOfRisk } from '../person/danger/risk.ts';
import type { DeepPartial, ReferralContent } from '../referral.ts';

/** How long the page stays open in a browser that entered a code. It is short, because others may use the same telephone. */
export const visitMs = 30 * minuteMs;
/** Days after the end of the referral. */
export const pageClosesAfterDays = 90;

/** Why the person gets no page of their own, in the words of an error of the API. */
const reasonMessages = {
  'switched-off': 'is not possible: this site sends people no pages of their own',
  'sensitive-service': 'is not possible for this service: a message about it could put the person in danger',
  'at-risk':
    'is not possible where somebody may be at risk of serious harm, or the referral has words of a crisis: a message could put the person in danger',
  'dangerous-need':
    'is not possible where somebody may be abused, controlled or watched at home, as a need or the words of the referral suggest',
  'under-16':
    'is not possible for somebody under 16, unless it was recorded that the child can decide this (competent_child)',
  'best-interests':
    'is not possible where somebody decides for the person, in their best interests or as attorney or deputy: they may read the person’s messages',
  'contact-not-safe': 'needs contact.safe: yes. Ask the person whether it is safe to send them messages',
  'somebody-must-not-know': 'is not possible while somebody must not learn of the referral',
  'no-text-messages':
    'is not possible by text message: this site sends none. It needs contact.channel: email, if that is safe',
  'channel-not-email':
    'needs contact.channel: email or text. Ask the person whether one of them is safe. A safe call says nothing of a text',
  'no-email': 'needs the person’s email address in patient.email',
  'no-mobile':
    'needs the person’s UK mobile number in patient.telephone, such as 07700 900123: a landline gets no text messages',
} as const;

export type NoPageReason = keyof typeof reasonMessages;

type Content = DeepPartial<Pick<ReferralContent, 'contact' | 'needs' | 'agreement' | 'patient' | 'risk'>>;

/** What the rule knows beside the referral. `today` is in London; `crisisPhrases` are those that the site adds. */
export type PageCircumstances = {
  isOn: boolean;
  sendsTexts: boolean;
  isSensitive: boolean;
  today: string;
  crisisPhrases: readonly string[] | undefined;
};

/**
 * Why it is not safe, or not possible, to send the person a link to a page about the referral; undefined if it can be sent. The referrer
 * must have ticked it as well. It is asked when the link is sent and again whenever it is used.
 */
export function whyNoPersonPage(
  content: Content,
  { isOn, sendsTexts, isSensitive, today, crisisPhrases }: PageCircumstances,
): NoPageReason | undefined {
  const { contact, agreement, patient, risk } = content;
  if (!isOn) return 'switched-off';
  if (isSensitive) return 'sensitive-service';
  if (risk === 'could_not_ask' || tellsOfRisk(content, crisisPhrases)) return 'at-risk';
  if (mayBeAbusedAtHome(content)) return 'dangerous-need';
  if (isTooYoung(patient?.birth_date, today) && !wasJudgedCompetent(agreement)) return 'under-16';
  if (agreement?.basis === 'best_interests' || agreement?.basis === 'attorney_or_deputy')
    return 'best-interests';
  if (contact?.safe !== 'yes') return 'contact-not-safe';
  if (contact.who_must_not_know !== undefined) return 'somebody-must-not-know';
  const channel = readChannel(contact.channel);
  if (channel === 'text' && !sendsTexts) return 'no-text-messages';
  if (channel !== 'text' && channel !== 'email') return 'channel-not-email';
  if (addressOfPage(content) !== undefined) return undefined;
  return channel === 'text' ? 'no-mobile' : 'no-email';
}

/** The mailbox or mobile number that gets the link and the codes: by the way that the person said is safe, and by no other. */
export function addressOfPage({ contact, patient }: Content): string | undefined {
  if (readChannel(contact?.channel) === 'text') return readMobileNumber(patient?.telephone);
  return patient?.email === undefined ? undefined : canonicalEmail(patient.email);
}

/** Without a birth date nobody knows, so it is as for a child. */
function isTooYoung(birthDate: string | undefined, today: string): boolean {
  return birthDate === undefined || isUnder16(birthDate, today);
}

function wasJudgedCompetent(agreement: Content['agreement']): boolean {
  return (
    agreement?.basis === 'competent_child' &&
    agreement.judged_by !== undefined &&
    agreement.when !== undefined
  );
}

/** The errors of a referral whose referrer ticked the page. */
export function personPageErrors(
  content: Content & { person_page?: { send?: boolean } },
  circumstances: PageCircumstances,
): FieldError[] {
  if (content.person_page?.send !== true) return [];
  const code = whyNoPersonPage(content, circumstances);
  return code ? [{ pointer: '/person_page/send', message: reasonMessages[code], code }] : [];
}

/** What the person said on their page. */
export const personAnswers = ['got-help', 'did-not-get-help', 'no-longer-wanted'] as const;
export type PersonAnswer = (typeof personAnswers)[number];

export const personAnswerWords: Readonly<Record<PersonAnswer, string>> = {
  'got-help': 'The person says that they got help',
  'did-not-get-help': 'The person says that they did not get help',
  'no-longer-wanted': 'The person says that they no longer want this',
};

/** Why a page ended. */
export const pageEndReasons = [
  'staff',
  'person',
  'sent-again',
  'died',
  'restricted',
  'agreement-changed',
  'things-have-changed',
  'no-longer-safe',
  'withdrawn',
] as const;
export type PageEndReason = (typeof pageEndReasons)[number];
