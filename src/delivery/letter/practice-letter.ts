import {
  adjustmentsInWords,
  contactNotAsked,
  hidesOnline,
  needsCareToContact,
  type Referral,
  reasonWords,
  riskInWords,
  type StatusReason,
  safeContactInWords,
  statusWords,
} from '../../referrals/index.ts';
import { isCodesOnly } from '../model/delivery.ts';
import { changesForPractice } from './changes.ts';
import { newCodes, referralCode } from './codes.ts';
import { isFirstSinceDeathUndone, type Letter, type LetterOptions, type Section } from './letter.ts';
import { actionBox, telephoneOf, wasToldOfDeath } from './practice-tasks.ts';
import { isRightToLeft } from './printable.ts';
import {
  agreementSection,
  fact,
  filesSection,
  goalsSection,
  measuresSection,
  needsForPractice,
  section,
  withCode,
} from './sections.ts';
import {
  ageInWords,
  ageInYears,
  dateInWords,
  groupedNhsNumber,
  listed,
  momentAsDay,
  paragraphsOf,
  unbroken,
} from './words.ts';

type Body = Pick<Letter, 'heading' | 'opening' | 'sections' | 'toPractice'>;

/**
 * The letter to a GP practice: who, what has happened, what the practice has to do, and only then the rest. A section
 * for which nothing is known is left out, except the action and the codes: there “none” is an answer.
 */
export function letterToPractice(referral: Referral, options: LetterOptions): Body {
  const box = actionBox(referral, options);
  const toPractice = { patient: patientLines(referral, options), box };
  const heading = composeHeading(referral, options);
  if (referral.status === 'entered-in-error')
    return { heading, opening: [], toPractice, sections: removalSections(referral, options) };
  if (isCodesOnly('gp_practice', referral))
    return { heading, opening: [], toPractice, sections: sectionsInCodes(referral, options) };
  return {
    heading,
    opening: [],
    toPractice,
    sections: sectionsInOrder(referral, options),
  };
}

/** The longest story, in characters of JSON, that fits on one page with the rest. */
const maxJsonLengthOnOnePage = 2500;

/** In the order in which a practice reads them. In a letter of several pages the codes come first: a clerk files from page 1. */
function sectionsInOrder(referral: Referral, options: LetterOptions): Section[] {
  const story = [
    ...summarySection(referral, options),
    reasonForReferral(referral),
    ...goalsSection(referral, options.purpose),
    ...(options.purpose === 'outcome' ? measuresSection(referral, options.date) : []),
    ...planSection(referral, options),
  ];
  const codes = codesSection(referral, options);
  const isLong = JSON.stringify(story).length > maxJsonLengthOnOnePage;
  return [
    ...changesSection(referral, options),
    ...safetySection(referral, options),
    ...(isLong ? [codes, ...story] : [...story, codes]),
    agreementInOneLine(referral),
    fromSection(referral, options),
    ...filesSection('Copies', options.files),
  ];
}

function patientLines(referral: Referral, { date, purpose }: LetterOptions) {
  const { content } = referral;
  const { patient } = content;
  const { nhs_number: number, birth_date, address, telephone } = patient;
  // The site looks nobody up: see notTraced in build-bundle.ts.
  const [nhsNumber, numberNote] =
    number === undefined
      ? ['NHS number not known', 'No NHS number: compare the name and date of birth with your record.']
      : [
          `NHS number ${groupedNhsNumber(number)} (not traced)`,
          '“Not traced”: not checked against NHS records. Compare the name and date of birth.',
        ];
  const inCodes = isCodesOnly('gp_practice', referral);
  const isCopy = purpose === 'referral' && !inCodes;
  const isOver = referral.status === 'entered-in-error' || hasDied(referral);
  const { who_must_not_know: secretFrom } = content.contact ?? {};
  const warnings = [
    !isOver &&
      needsCareToContact(content.contact) &&
      `Before you contact the patient: ${safeContactInWords(content.contact)}`,
    // Nobody rings the patient now, but still must not tell this person.
    isOver && secretFrom !== undefined && `Do not tell: ${secretFrom}.`,
    hidesOnline(content) && 'Do not show this letter in the patient’s online record.',
  ].filter(Boolean);
  const isChild = ageInYears(birth_date, date) < 16;
  return {
    name: nameInFull(patient),
    identity: `Born ${dateInWords(birth_date)} (${ageInWords(birth_date, date)}${isChild ? ', a child' : ''})   ${nhsNumber}`,
    numberNote,
    ...(!inCodes && warnings.length > 0 && { warning: warnings.join(' ') }),
    ...(isCopy && {
      contact: [
        [...address.lines, address.postcode.toUpperCase(), telephone].filter(Boolean).join(', '),
        // Beside the number that somebody would call.
        !needsCareToContact(content.contact) &&
          !hasDied(referral) &&
          (safeContactInWords(content.contact) ?? contactNotAsked),
      ]
        .filter(Boolean)
        .join('. '),
    }),
  };
}

/** Scripts that are read from right to left have no capitals, so there the words say which is the surname. */
function nameInFull({ family_name, given_name, title }: Referral['content']['patient']): string {
  const inBrackets = title === undefined ? '' : ` (${title})`;
  return isRightToLeft(family_name + given_name)
    ? `Surname: ${family_name}   First name: ${given_name}${inBrackets}`
    : `${family_name.toLocaleUpperCase('en-GB')}, ${given_name}${inBrackets}`;
}

function hasDied({ status_reason: reason }: Referral): boolean {
  return reason?.code === 'died';
}

const ends: Partial<Record<Referral['status'], string>> = {
  completed: 'Completed',
  rejected: 'Not taken on by the service',
  failed: 'Closed, not completed',
  cancelled: 'Cancelled',
};

/** What the patient declined was not refused by the service. */
function endingText({ status, status_reason: reason }: Referral): string {
  if (status === 'rejected' && reason?.code === 'client-declined') return 'Declined by the patient';
  return ends[status] ?? statusWords[status].text;
}

/** One line: type, service, state. */
function composeHeading(referral: Referral, options: LetterOptions): string {
  const { purpose, replacesLetterOf, date, facts } = options;
  const { status, service, urgency } = referral;
  if (purpose === 'removal') return 'REMOVE FROM RECORD: letter sent to the wrong practice';
  if (status === 'entered-in-error') return 'REMOVE FROM RECORD: referral sent by mistake';
  const updated = replacesLetterOf ? 'Updated: ' : '';
  if (isCodesOnly('gp_practice', referral)) return `${updated}${headingInCodes(referral, options)}`;
  const isDeath = hasDied(referral);
  const type =
    purpose === 'referral'
      ? `Copy of ${urgency === 'urgent' ? 'an urgent' : 'a'} referral`
      : 'Outcome of a referral';
  const ofService = [service.name, service.organization_name].filter(distinct).join(', ');
  const state =
    purpose === 'referral'
      ? stateOfReferral(referral)
      : `${isDeath ? 'ended' : endingText(referral).toLowerCase()} on ${momentAsDay(facts?.by?.at ?? date)}${isDeath ? ': the patient was reported to have died' : ''}`;
  return `${updated}${type} – ${ofService} – ${state}`;
}

/** With codes alone nothing shows the service, how far it has come, or how it ended. */
function headingInCodes({ requested_at }: Referral, { purpose, date, facts }: LetterOptions): string {
  const when =
    purpose === 'referral'
      ? `made on ${momentAsDay(requested_at)}`
      : `ended on ${momentAsDay(facts?.by?.at ?? date)}`;
  return `Notice of a referral – community service – ${when}`;
}

/** A letter about the referral says only what the service has said so far. */
function stateOfReferral({ status, requested_at }: Referral): string {
  return status === 'requested'
    ? `made on ${momentAsDay(requested_at)}`
    : statusWords[status].text.toLowerCase();
}

function distinct(value: string | null, index: number, all: readonly (string | null)[]): boolean {
  return value !== null && all.indexOf(value) === index;
}

/** Safety notes are for the staff who meet the person, unless somebody chose to tell the practice. */
function safetySection(referral: Referral, options: LetterOptions): Section[] {
  const { content } = referral;
  const { purpose } = options;
  const { safety_notes, safety_notes_for_practice, patient } = content;
  const { carer, preferred_contact, communication_needs } = patient;
  const { interpreter, format } = communication_needs ?? {};
  const needs = [
    preferred_contact && !hasDied(referral) && `prefers ${preferred_contact}`,
    interpreter && `interpreter: ${interpreter}`,
    format && `information: ${format}`,
    adjustmentsInWords(content.reasonable_adjustments)?.toLowerCase(),
  ];
  const facts = [
    fact('Risk', content.risk === 'yes' ? riskForPractice(referral, options) : undefined, 'bold'),
    fact('Safety', safety_notes_for_practice ? paragraphsOf(safety_notes).join('\n') : undefined, 'bold'),
    // What needs care, or is about a telephone number in the letter, stands at the top.
    fact(
      'Contact',
      purpose === 'outcome' && !needsCareToContact(content.contact) && !hasDied(referral)
        ? safeContactInWords(content.contact)
        : undefined,
    ),
    fact('Needs', needs.filter(Boolean).join('; ')),
    fact('Carer', carer?.share_with_gp ? listed(carer.name, carer.relationship, carer.telephone) : undefined),
  ];
  const found = section('Safety and sharing', facts);
  return found.facts?.length ? [found] : [];
}

/** A reader who learns that somebody was at risk must know who has acted, and whom to ring. */
function riskForPractice({ content }: Referral, { site, facts }: LetterOptions): string {
  const { referrer } = content;
  const telephone = unbroken(referrer.telephone ?? facts?.referrerTelephone);
  const toRing = telephone
    ? listed(referrer.name, referrer.organisation, telephone)
    : ((telephoneOf(facts) && `the service, ${telephoneOf(facts)}`) ?? site.operatorContact);
  const ask = toRing ? [`To ask about it: ${toRing}.`] : [];
  return [...riskInWords(content, { day: momentAsDay }), ...ask].join(' ');
}

function summarySection(referral: Referral, options: LetterOptions): Section[] {
  const { status_reason: reason, outcome } = referral;
  if (options.purpose === 'referral') return [];
  const words = [
    reason && `${hasDied(referral) ? 'We were told that the patient has died' : reasonWords[reason.code]}.`,
    ...paragraphsOf(reason?.text),
    ...paragraphsOf(outcome?.text),
  ];
  const paragraphs = words.filter((each) => each !== null);
  return paragraphs.length === 0 ? [] : [{ heading: 'Summary', paragraphs }];
}

/** First in a letter that replaces another: what has changed since. */
function changesSection(referral: Referral, options: LetterOptions): Section[] {
  const { replacesLetterOf } = options;
  if (!replacesLetterOf) return [];
  const facts = changesForPractice(referral, options);
  const paragraphs = [
    `This replaces our letter of ${momentAsDay(replacesLetterOf)}${whyReplaced(referral, options, facts.length > 0)}. Please mark the earlier letter as superseded.`,
  ];
  return [{ heading: 'What has changed', facts, paragraphs }];
}

function whyReplaced(referral: Referral, options: LetterOptions, saysWhatChanged: boolean): string {
  if (!isFirstSinceDeathUndone(referral, options))
    return saysWhatChanged ? '' : ': details were corrected, or something has changed for the person';
  return wasToldOfDeath(referral, options) ? ': the patient is alive, and the referral goes on' : '';
}

function reasonForReferral(referral: Referral): Section {
  const support = paragraphsOf(referral.content.support_offered).join('\n');
  const needs = needsForPractice(referral.content).join('; ');
  const paragraphs = [needs && `Needs: ${needs}`, support && `Support so far: ${support}`].filter(Boolean);
  return {
    heading: 'Reason for referral',
    // Without the codes of a client system: the only codes in the letter are those to file.
    items: referral.content.reasons.map(({ text }) => paragraphsOf(text).join('\n')),
    ...(paragraphs.length > 0 && { paragraphs }),
  };
}

/** Who does what by when, as far as the site knows. */
function planSection(referral: Referral, { purpose }: LetterOptions): Section[] {
  const next = purpose === 'referral' ? nextStep(referral) : undefined;
  return next === undefined ? [] : [{ heading: 'Plan', paragraphs: [next] }];
}

function nextStep({ status, due_at, next_date, expected_date, service }: Referral): string | undefined {
  const who = service.organization_name ?? service.name;
  if (status === 'requested' && due_at) return `${who} answers the referral by ${momentAsDay(due_at)}.`;
  if (status === 'accepted' && next_date) return `${who} contacts the patient by ${dateInWords(next_date)}.`;
  if (status === 'on-hold' && expected_date)
    return `The patient is on a waiting list. ${who} expects a place on ${dateInWords(expected_date)}.`;
  return undefined;
}

function codesSection(referral: Referral, { purpose, facts }: LetterOptions): Section {
  const codedOn = facts?.codedOn ?? null;
  const codes = newCodes(referral, { purpose, isReferralCoded: codedOn !== null });
  const heading = 'Codes to file';
  // A first letter may come at the end: the referral was made before.
  const dated = purpose === 'outcome' ? `, dated ${momentAsDay(referral.requested_at)}` : '';
  if (codes.length > 0)
    return {
      heading,
      paragraphs: codes.map((code) => `${code.join('  ')}${code === referralCode ? dated : ''}`),
    };
  if (referral.content.episode === 'continuing' && referral.status !== 'entered-in-error')
    return { heading, paragraphs: ['No new code. An earlier referral began this episode of care.'] };
  const since = codedOn && referral.status !== 'entered-in-error';
  return {
    heading,
    paragraphs: [
      since
        ? `No new code. The code for this referral was in our letter of ${momentAsDay(codedOn)}.`
        : 'None.',
    ],
  };
}

/** Who made the change that the letter tells of, and who referred. */
function fromSection(referral: Referral, options: LetterOptions): Section {
  const { content, service, status } = referral;
  const { purpose, facts } = options;
  const role = status === 'completed' ? 'Completed by' : 'Ended by';
  return section('From', [
    fact(
      status === 'entered-in-error' ? 'Withdrawn by' : role,
      purpose === 'outcome' ? whoEnded(referral, facts) : null,
    ),
    fact('Referred by', referredBy(referral, facts, content.referrer.on_behalf_of)),
    fact('Taken on paper on', content.made_at && momentAsDay(content.made_at)),
    fact('Service', purpose === 'referral' ? listed(service.name, telephoneOf(facts)) : null),
  ]);
}

function whoEnded({ content }: Referral, facts: LetterOptions['facts']): string | null {
  if (!facts?.by) return null;
  const { name, organisation, jobTitle, telephone } = facts.by;
  // The site itself ends what nobody answers.
  if (organisation === null) return name;
  return organisation === content.referrer.organisation
    ? listed(name, jobTitle ?? 'referrer', organisation, unbroken(telephone))
    : listed(
        name,
        jobTitle ?? 'staff of the service',
        organisation,
        unbroken(telephone) ?? telephoneOf(facts),
      );
}

function referredBy(
  { content: { referrer }, requested_at }: Referral,
  facts: LetterOptions['facts'],
  onBehalfOf?: string,
): string {
  const from = referrer.organisation && withCode(referrer.organisation, referrer.ods_code);
  return listed(
    referrer.name,
    referrer.job_title ?? referrer.role,
    from,
    unbroken(referrer.telephone ?? facts?.referrerTelephone),
    onBehalfOf && `for ${onBehalfOf}`,
    `on ${momentAsDay(requested_at)}`,
  );
}

function agreementInOneLine(referral: Referral): Section {
  const { heading, facts = [] } = agreementSection(referral);
  const sentences = facts.map(([label, value]) => `${label}: ${value.replace(/\.$/, '')}.`);
  return { heading, paragraphs: [sentences.join(' ')] };
}

const onlyCodes =
  'The patient agreed to a code for their record, and to no other details. Add only the code.';

/** No word that anybody wrote, and nothing that shows the service. */
function sectionsInCodes(referral: Referral, options: LetterOptions): Section[] {
  return [
    { heading: 'Safety and sharing', paragraphs: [onlyCodes] },
    codesSection(referral, options),
    section('From', [fact('Referred by', referredBy(referral, options.facts))]),
  ];
}

const mistakes: Partial<Record<StatusReason['code'], string>> = {
  'wrong-person': 'another person was meant. What our earlier letter says is not about this patient',
  'wrong-service': 'another service was meant',
  'sent-twice': 'it was sent twice',
};

function mistakeIn({ status_reason: reason }: Referral): string {
  const unknown =
    'another person was meant, or another service. What our earlier letter says may not be about this patient';
  return (reason && mistakes[reason.code]) ?? unknown;
}

function removalSections(referral: Referral, options: LetterOptions): Section[] {
  const paragraphs = [
    options.purpose === 'removal'
      ? 'Our earlier letter was for another GP practice: your practice was named by mistake, and that has been put right.'
      : `The referral should not have been made: ${mistakeIn(referral)}.`,
  ];
  const from = isCodesOnly('gp_practice', referral)
    ? section('From', [fact('Referred by', referredBy(referral, options.facts))])
    : fromSection(referral, options);
  return [{ heading: 'Summary', paragraphs }, codesSection(referral, options), from];
}
