import type { Referral } from '../../referrals/index.ts';
import { isCodesOnly } from '../model/delivery.ts';
import { type Letter, type LetterOptions, testMark, type WrittenLetter } from './letter.ts';
import {
  briefReferrerSection,
  codesSection,
  consentSection,
  identitySection,
  measuresSection,
  oneCodeSection,
  outcomeSection,
  patientSection,
  practiceSection,
  reasonsSection,
  referralSection,
  referrerSection,
  riskSection,
  serviceSection,
  wordsSection,
} from './sections.ts';
import { dayInWords } from './words.ts';

type Body = Pick<Letter, 'heading' | 'opening' | 'sections'>;

/**
 * The content of a letter. This file and sections.ts decide who is told what. The document around a letter at the message
 * exchange (channels/mesh/render.ts) tells the same.
 */
function composeLetter(referral: Referral, options: LetterOptions): Letter {
  const { site, recipient, date, test, receiverKind } = options;
  const body = bodyOf(referral, options);
  const { urgency, reference } = referral;
  return {
    ...body,
    siteName: site.siteName,
    test,
    to: [recipient.name, ...(receiverKind === 'service' ? serviceLines(referral) : [])],
    particulars: [
      ['Date', dayInWords(date)],
      ['Reference', reference],
      ...(urgency === 'urgent' ? ([['Urgency', 'Urgent', 'bold']] as const) : []),
    ],
    reference,
    opening: test ? [`${testMark}. This letter is from a test site.`, ...body.opening] : body.opening,
  };
}

function serviceLines({ service: { name, organization_name } }: Referral): string[] {
  return organization_name === null || organization_name === name ? [] : [organization_name];
}

function bodyOf(referral: Referral, options: LetterOptions): Body {
  if (options.receiverKind === 'service')
    return options.purpose === 'referral'
      ? letterToService(referral, options)
      : endNoticeToService(referral, options);
  const codesOnly = isCodesOnly(options.receiverKind, referral);
  if (options.purpose === 'referral') return codesOnly ? copyInCodes(referral) : copyForPractice(referral);
  return codesOnly ? outcomeInCodes(referral) : outcomeForPractice(referral);
}

function letterToService(referral: Referral, { site }: LetterOptions): Body {
  const { content, service, id } = referral;
  return {
    heading: `Referral to ${service.name}`,
    opening: [
      `Please answer this referral on ${site.siteName}: ${site.baseUrl}/referrals/${id}`,
      'The person named below has agreed to be referred to you.',
    ],
    sections: [
      ...riskSection(content),
      patientSection(content.patient),
      reasonsSection(referral),
      ...wordsSection('Outside your stated ages or area', content.fit_override?.reason),
      ...wordsSection('Keeping everyone safe', content.safety_notes),
      ...wordsSection('What matters to the person', content.what_matters),
      ...wordsSection('Support offered so far', content.support_offered),
      referrerSection(referral),
      practiceSection(referral),
      consentSection(referral),
      codesSection(referral),
    ],
  };
}

/** Only enough to know which referral it was, because it may have been made for the wrong person or service. */
function endNoticeToService(referral: Referral, { site }: LetterOptions): Body {
  return {
    heading: `The referral to ${referral.service.name} has ended`,
    opening: [
      'Please do nothing more about this referral.',
      `It is here: ${site.baseUrl}/referrals/${referral.id}`,
    ],
    sections: [
      identitySection(referral.content.patient),
      outcomeSection(referral, true),
      referrerSection(referral),
    ],
  };
}

/** Without the safety notes, which are for the staff who meet the person. */
function copyForPractice(referral: Referral): Body {
  const { content, service } = referral;
  return {
    heading: `Copy of a referral to ${service.name}`,
    opening: ['Your patient has been referred to a community service. This copy is for their record.'],
    sections: [
      patientSection(content.patient),
      serviceSection(referral),
      reasonsSection(referral),
      ...wordsSection('What matters to the person', content.what_matters),
      ...wordsSection('Support offered so far', content.support_offered),
      referrerSection(referral),
      consentSection(referral),
      codesSection(referral),
    ],
  };
}

function outcomeForPractice(referral: Referral): Body {
  return {
    heading: `Outcome of a referral to ${referral.service.name}`,
    opening: ['The referral of your patient to a community service has ended. This is for their record.'],
    sections: [
      identitySection(referral.content.patient),
      outcomeSection(referral, true),
      ...measuresSection(referral),
      codesSection(referral),
      referralSection(referral),
      consentSection(referral),
    ],
  };
}

const onlyCodes = 'The patient agreed to a code for their record, and to no other details.';

function copyInCodes(referral: Referral): Body {
  return {
    heading: 'A code for a patient’s record',
    opening: [`Your patient has been referred to a community service. ${onlyCodes}`],
    sections: [
      identitySection(referral.content.patient),
      oneCodeSection(referral),
      briefReferrerSection(referral),
    ],
  };
}

function outcomeInCodes(referral: Referral): Body {
  return {
    heading: 'A code for a patient’s record',
    opening: [`The referral of your patient to a community service has ended. ${onlyCodes}`],
    sections: [
      identitySection(referral.content.patient),
      oneCodeSection(referral),
      outcomeSection(referral, false),
      briefReferrerSection(referral),
    ],
  };
}

/** Composes the letter of a delivery, ready to be drawn. */
export function writeLetter(referral: Referral, options: LetterOptions): WrittenLetter {
  const where = `${options.site.baseUrl}/referrals/${referral.id}`;
  return { letter: composeLetter(referral, options), at: options.date.toISOString(), where };
}
