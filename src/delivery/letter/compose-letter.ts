import { localTime } from '../../platform/clock/index.ts';
import { needsInWords, type Referral, youngDeciderInWords } from '../../referrals/index.ts';
import { changesForService } from './changes.ts';
import { isSaidToHaveDied } from './codes.ts';
import {
  type Fact,
  isFirstSinceDeathUndone,
  type Letter,
  type LetterInput,
  type PatientLines,
  type PracticeLetterInput,
  type Section,
  type ServiceLetterInput,
  type WrittenLetter,
} from './letter.ts';
import { orderOf } from './letter-order.ts';
import { doNotTell, whomToRingInstead } from './practice/contact-in-words.ts';
import { identityLines } from './practice/identity-lines.ts';
import { letterToPractice } from './practice/practice-letter.ts';
import { type PreparedLetter, prepareLetter } from './practice/prepare-letter.ts';
import {
  adjustmentsSection,
  agreementSection,
  contactAtEnd,
  filesSection,
  goalLines,
  listSection,
  newsSection,
  outcomeSection,
  patientSection,
  practiceSection,
  reasonsSection,
  referrerSection,
  riskSection,
  safeContactSection,
  wordsSection,
} from './sections.ts';
import { boxForService } from './service-tasks.ts';
import { ringInShort, ringReferrer } from './whom-to-ask.ts';
import { momentAsDay, momentWithTime, reopenedInWords, withoutLineBreaks } from './words.ts';

type Body = Pick<Letter, 'heading' | 'opening' | 'sections' | 'toPractice' | 'toService'>;

/**
 * The content of a letter. This file, sections.ts and those in practice/ decide who is told what.
 * The document around a letter at the message exchange (channels/mesh/render.ts) tells the same.
 */
function composeContent(referral: Referral, options: LetterInput): Letter {
  return options.leg === 'service'
    ? contentForService(referral, options)
    : contentForPractice(referral, options);
}

function contentForService(referral: Referral, options: ServiceLetterInput): Letter {
  const body =
    options.purpose === 'referral'
      ? letterToService(referral, options)
      : endNoticeToService(referral, options);
  const particulars: Fact[] = [
    ['Date', momentAsDay(options.date)],
    ['Reference', referral.reference],
  ];
  return {
    ...withFrame(referral, markReplacement(body, referral, options), options),
    toService: {
      patient: patientForService(referral, options),
      box: boxForService(referral, options),
    },
    to: [options.receiver.name, ...serviceLines(referral)],
    particulars,
    footer: footerToService(referral, options),
  };
}

/** Who the person is, and above that whom not to tell, as in letters to practices. */
function patientForService(referral: Referral, options: ServiceLetterInput): PatientLines {
  const { content, status } = referral;
  const { patient, contact } = content;
  const { date, contactElsewhere } = options;
  const known = identityLines(patient, date);
  // The referral may be about another person.
  if (status === 'entered-in-error') return known;
  const isUnsafe = whomToRingInstead(referral, options) !== undefined;
  const careful = contactElsewhere.filter(({ stricter }) => stricter).map((each) => each.contact);
  const whom = [contact, ...careful].flatMap((each) => each?.who_must_not_know ?? []);
  return {
    ...known,
    ...(whom.length > 0 && {
      doNotTell: `${doNotTell([...new Set(whom)])} Show this letter only to staff who need it.`,
    }),
    ...(isUnsafe && { isUnsafe: true as const }),
  };
}

function contentForPractice(referral: Referral, options: PracticeLetterInput): Letter {
  const letter = prepareLetter(referral, options);
  return {
    ...withFrame(referral, letterToPractice(letter), options),
    to: [options.receiver.name],
    particulars: [
      ['Date', momentWithTime(options.date)],
      ['Reference', referral.reference],
    ],
    footer: footerToPractice(letter),
  };
}

/** The body, with the parts that every letter has. */
function withFrame(referral: Referral, body: Body, options: LetterInput) {
  const { reference } = referral;
  const { site, test } = options;
  const order = orderOf(referral, options);
  return { ...body, siteName: site.siteName, test, reference, ...(order && { order }) };
}

/** A charity that opens a letter by mistake does not know the sender, so this says whom to tell. */
function footerToService({ content: { referrer } }: Referral, options: ServiceLetterInput): string {
  const telephone = withoutLineBreaks(referrer.telephone ?? options.referrerTelephone);
  const who = telephone ? `ring ${referrer.name}, ${telephone},` : `tell ${referrer.name}`;
  return `This letter is about a person. If it is not meant for you, ${who} and destroy it.`;
}

/** The practice keeps a removal notice, so the foot must not ask to destroy it. */
function footerToPractice(letter: PreparedLetter): string {
  const ring = ringInShort(letter);
  return letter.isRemovalNotice
    ? `Keep this notice. If it is not meant for you, ${ring}.`
    : `This letter is about a patient. If it is not meant for you, ${ring}, and destroy it.`;
}

/** A referral made in error is never urgent. */
function isUrgent({ urgency, status }: Referral): boolean {
  return urgency === 'urgent' && status !== 'entered-in-error';
}

/** A letter with changed details says so first, so that nobody goes by the old one. */
function markReplacement(body: Body, referral: Referral, options: ServiceLetterInput): Body {
  const { replacesLetterOf, reopened } = options;
  if (!replacesLetterOf) return body;
  const facts = changesForService(options);
  const why = isFirstSinceDeathUndone(referral, options)
    ? 'We were told by mistake that the person had died. They are alive, and the referral goes on.'
    : reopened
      ? reopenedInWords(reopened, referral)
      : facts.length === 0 && options.news.length === 0
        ? 'Details were corrected, something has changed for the person, or another service of the organisation had it before.'
        : undefined;
  const isBelow = facts.length > 0 || options.news.length > 0;
  const opening = [
    ...(why === undefined ? [] : [why]),
    ...(isBelow ? [] : ['What has changed is on the page of the referral.']),
  ];
  return {
    ...body,
    heading: `${isFirstSinceDeathUndone(referral, options) ? 'THE PERSON IS ALIVE. ' : ''}Updated: ${body.heading}`,
    opening: [...opening, ...body.opening],
    // The news is read before anything else.
    sections: [
      ...body.sections.slice(0, Math.min(options.news.length, 1)),
      ...(facts.length === 0 ? [] : [{ heading: 'What has changed', facts }]),
      ...body.sections.slice(Math.min(options.news.length, 1)),
    ],
  };
}

function serviceLines({ service: { name, organization_name } }: Referral): string[] {
  return organization_name === null || organization_name === name ? [] : [organization_name];
}

/** Who agreed. If others decided for the person, the letter must not say that the person agreed. */
const whoAgreed: Readonly<Record<NonNullable<Referral['content']['agreement']>['basis'], string>> = {
  person: 'The person named above has agreed to be referred to you.',
  parental_responsibility:
    'Somebody with parental responsibility has agreed that the person named above is referred to you.',
  competent_child:
    'The young person named above has agreed to be referred to you, and was judged able to decide this.',
  best_interests:
    'It was decided in the best interests of the person named above that they are referred to you. They did not agree themselves.',
  attorney_or_deputy:
    'An attorney or deputy of the person named above has agreed that they are referred to you.',
  safeguarding:
    'The person named above is referred to you to keep them or somebody else safe. They may not have agreed, and may not know.',
  not_asked: 'It was not asked who agreed that the person named above is referred to you.',
};

/** In the order in which a service has to know it: news, risk, how to contact the person, and what keeps everybody safe. */
function letterToService(referral: Referral, options: ServiceLetterInput): Body {
  const { site, files } = options;
  const { content, service } = referral;
  return {
    heading: `${isSaidToHaveDied(referral) ? 'We were told that the person has died. ' : ''}${isUrgent(referral) ? 'Urgent referral' : 'Referral'} to ${service.name}`,
    opening: [whoAgreed[content.agreement?.basis ?? 'person']],
    sections: [
      ...newsSection(options),
      ...riskSection(content, site),
      ...safeContactSection(referral, options),
      ...asAlarms(wordsSection('Keeping everyone safe', content.safety_notes)),
      ...wordsSection('A young child agreed', youngDeciderInWords(content, localTime(options.date).day.date)),
      ...adjustmentsSection(content),
      patientSection(content),
      reasonsSection(referral),
      ...listSection('Needs', needsInWords(content.needs)),
      ...listSection('Goals', goalLines(content, options.purpose)),
      ...wordsSection('Outside your stated ages or area', content.fit_override?.reason),
      ...wordsSection('This NHS number was known with another name', content.mismatch_override?.reason),
      ...wordsSection('Somebody else of the referrer’s name', content.namesake_override?.reason),
      ...wordsSection('Why the answer about contact is right', content.contact_override?.reason),
      ...wordsSection(
        'Why it is not urgent, says the referrer',
        isUrgent(referral) ? undefined : content.urgency_override?.reason,
      ),
      ...wordsSection(
        'We were told that this person had died. The referrer says',
        content.death_override?.reason,
      ),
      ...wordsSection('What matters to the person', content.what_matters),
      ...wordsSection('Support offered so far', content.support_offered),
      referrerSection(referral),
      practiceSection(referral),
      ...filesSection('Files', files),
      agreementSection(referral),
    ],
  };
}

function asAlarms(sections: Section[]): Section[] {
  return sections.map((each) => ({ ...each, isAlarm: true }));
}

/** Only what the service needs to know which referral it was, because it may have been for the wrong person or service. */
function endNoticeToService(referral: Referral, options: ServiceLetterInput): Body {
  return {
    heading: headingOfEnd(referral),
    opening: [],
    sections: [...contactAtEnd(referral, options), outcomeSection(referral), referrerSection(referral)],
  };
}

/** The title of a mistake says so, because somebody who reads only that must not think that the person got help. */
function headingOfEnd({ status, status_reason: reason, service: { name } }: Referral): string {
  if (reason?.code === 'died')
    return `We were told that the person has died. The referral to ${name} has ended`;
  if (status !== 'entered-in-error') return `The referral to ${name} has ended`;
  const about = reason?.code === 'wrong-person' ? ', about the wrong person' : '';
  return `Sent by mistake${about}: the referral to ${name}`;
}

/** Composes the letter of a delivery, ready to be drawn. */
export function composeLetter(referral: Referral, options: LetterInput): WrittenLetter {
  // A practice has no account here.
  const where =
    options.leg === 'gp_practice'
      ? `To hear it, ${ringReferrer(prepareLetter(referral, options))}.`
      : `See ${options.site.baseUrl}/referrals/${referral.id}`;
  return { letter: composeContent(referral, options), at: options.date.toISOString(), where };
}
