import type { Referral } from '../../referrals/index.ts';
import { isCodesOnly } from '../delivery.ts';
import { codesSection, reasonCodes } from './codes.ts';
import { type Letter, type LetterOptions, type Section, testMark } from './letter.ts';
import { identitySection, patientSection } from './patient.ts';
import {
  briefReferrerSection,
  consentSection,
  measuresSection,
  outcomeSection,
  practiceSection,
  reasonsSection,
  referralSection,
  referrerSection,
  serviceSection,
  wordsSection,
} from './sections.ts';
import { dayInWords } from './words.ts';

type Body = Pick<Letter, 'heading' | 'opening' | 'sections'>;

/** What the letter of a delivery says. Only this and the sections it names decide who is told what. */
export function composeLetter(referral: Referral, options: LetterOptions): Letter {
  const { site, recipient, date, test, leg } = options;
  const body = bodyOf(referral, options);
  const { urgency, reference } = referral;
  return {
    ...body,
    siteName: site.siteName,
    test,
    to: [recipient.name, ...(leg === 'service' ? serviceLines(referral) : [])],
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
  if (options.leg === 'service')
    return options.purpose === 'referral' ? toService(referral, options) : endToService(referral, options);
  const codesOnly = isCodesOnly(options.leg, referral);
  if (options.purpose === 'referral') return codesOnly ? copyInCodes(referral) : copyToPractice(referral);
  return codesOnly ? outcomeInCodes(referral) : outcomeToPractice(referral);
}

function toService(referral: Referral, { site }: LetterOptions): Body {
  const { content, service, id } = referral;
  return {
    heading: `Referral to ${service.name}`,
    opening: [
      `Please answer this referral on ${site.siteName}: ${site.baseUrl}/referrals/${id}`,
      'The person named below has agreed to be referred to you.',
    ],
    sections: [
      patientSection(content.patient),
      reasonsSection(referral),
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

/** Enough to know which referral it was, and no more: it may have been made for the wrong person or the wrong service. */
function endToService(referral: Referral, { site }: LetterOptions): Body {
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

/** Never with the safety notes: those are for the staff who will meet the person. */
function copyToPractice(referral: Referral): Body {
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

function outcomeToPractice(referral: Referral): Body {
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

const onlyCodes = 'The patient agreed to codes for their record, and to no other details.';

function copyInCodes(referral: Referral): Body {
  const reasons = reasonCodes(referral);
  const reasonSection: Section[] =
    reasons.length > 0 ? [{ heading: 'Reasons, in SNOMED CT', items: reasons }] : [];
  return {
    heading: 'Codes for a patient’s record',
    opening: [`Your patient has been referred to a community service. ${onlyCodes}`],
    sections: [
      identitySection(referral.content.patient),
      codesSection(referral),
      ...reasonSection,
      briefReferrerSection(referral),
    ],
  };
}

function outcomeInCodes(referral: Referral): Body {
  return {
    heading: 'Codes for a patient’s record',
    opening: [`The referral of your patient to a community service has ended. ${onlyCodes}`],
    sections: [
      identitySection(referral.content.patient),
      codesSection(referral),
      outcomeSection(referral, false),
      briefReferrerSection(referral),
    ],
  };
}
