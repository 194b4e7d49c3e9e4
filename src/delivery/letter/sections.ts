import {
  measureCodes,
  measures,
  outcomeWords,
  type Referral,
  reasonWords,
  stages,
} from '../../referrals/index.ts';
import type { Fact, Section } from './letter.ts';
import { dateInWords, dayInWords, groupedNhsNumber, paragraphsOf } from './words.ts';

export function serviceSection({ service }: Referral): Section {
  return section('Service', [fact('Name', service.name), fact('Organisation', service.organization_name)]);
}

export function referrerSection({ content: { referrer }, requested_at }: Referral): Section {
  return section('Referred by', [
    fact('Name', referrer.name),
    fact('Organisation', referrer.organisation && withCode(referrer.organisation, referrer.ods_code)),
    fact('On behalf of', referrer.on_behalf_of),
    fact('Date of referral', dayInWords(requested_at)),
  ]);
}

/** Who referred, without free text. */
export function briefReferrerSection(referral: Referral): Section {
  const { facts = [], heading } = referrerSection(referral);
  return { heading, facts: facts.filter(([label]) => label !== 'On behalf of') };
}

export function practiceSection({ gp_practice: practice }: Referral): Section {
  return section('GP practice', [
    fact('Name', practice ? withCode(practice.name, practice.ods_code) : 'Not known'),
  ]);
}

export function reasonsSection({ content }: Referral): Section {
  const items = content.reasons.map(({ text, code }) => {
    const words = paragraphsOf(text).join('\n');
    if (code === undefined) return words;
    return `${words} (${isCode(code) ? 'SNOMED CT ' : ''}${code})`;
  });
  return { heading: 'Reasons for the referral', items };
}

/** A section of free text, or none when there is no text. */
export function wordsSection(heading: string, text: string | undefined): Section[] {
  const paragraphs = paragraphsOf(text);
  return paragraphs.length === 0 ? [] : [{ heading, paragraphs }];
}

/** First in a letter to a service: somebody was at risk of serious harm, and who was told. */
export function riskSection({ risk, risk_acted_on: told }: Referral['content']): Section[] {
  if (risk !== 'yes' || !told) return [];
  const paragraphs = [
    'When this referral was made, somebody was at risk of serious harm.',
    `${told.who_was_told} was told on ${dayInWords(told.when)}.`,
  ];
  return [{ heading: 'Risk of serious harm', paragraphs }];
}

const sharing = { true: 'Yes', false: 'No', codes_only: 'Codes only' } as const;

export function consentSection({ content: { consent } }: Referral): Section {
  return section('Consent', [
    ['To be referred', 'Yes'],
    ['To tell the GP practice', sharing[`${consent.share_with_gp}`]],
    ['Recorded by', `${consent.recorded_by}, ${dayInWords(consent.recorded_at)}`],
  ]);
}

const results: Partial<Record<Referral['status'], string>> = {
  completed: 'Completed',
  rejected: 'Not taken on by the service',
  failed: 'Not completed',
  cancelled: 'Cancelled',
  'entered-in-error': 'Made in error: disregard the referral',
};

/** How the referral ended. `withWords` adds the free text, if the person agreed to that. */
export function outcomeSection(referral: Referral, withWords: boolean): Section {
  const { status, status_reason: reason, outcome, updated_at } = referral;
  return section('Outcome', [
    fact('Result', results[status] ?? status),
    fact('Date', dayInWords(updated_at)),
    withWords ? fact('Reason', reason && reasonWords[reason.code]) : undefined,
    withWords ? fact('Details', reason && paragraphsOf(reason.text).join('\n')) : undefined,
    withWords ? fact('Outcome', outcome && (outcomeWords[outcome.code] ?? outcome.code)) : undefined,
    withWords ? fact('Details of the outcome', outcome && paragraphsOf(outcome.text).join('\n')) : undefined,
  ]);
}

/** The outcome measures, one line for each: “3 at the start, 7 at the end”. */
export function measuresSection({ outcome }: Referral): Section[] {
  const taken = outcome?.measures ?? [];
  const facts = measureCodes.flatMap((code): Fact[] => {
    const values = stages.flatMap((stage) =>
      taken
        .filter((each) => each.code === code && each.stage === stage)
        .map(({ value }) => `${value} at the ${stage}`),
    );
    return values.length === 0 ? [] : [[measures[code].title, values.join(', ')]];
  });
  return facts.length === 0 ? [] : [{ heading: 'Outcome measures', facts }];
}

/** Which referral it was, in a few lines. */
export function referralSection({ service, content: { referrer }, requested_at }: Referral): Section {
  const { organisation, ods_code } = referrer;
  return section('The referral', [
    fact('Service', [service.name, service.organization_name].filter(Boolean).join(', ')),
    fact(
      'Referred by',
      [referrer.name, organisation && withCode(organisation, ods_code)].filter(Boolean).join(', '),
    ),
    fact('On behalf of', referrer.on_behalf_of),
    fact('Date of referral', dayInWords(requested_at)),
  ]);
}

function section(heading: string, facts: (Fact | undefined)[]): Section {
  return { heading, facts: facts.filter((each) => each !== undefined) };
}

function withCode(name: string, code: string | null): string {
  return code === null ? name : `${name} (${code})`;
}

const referredCode: Fact = ['871731000000106', 'Referral to social prescribing service'];
const declinedCode: Fact = ['871711000000103', 'Social prescribing declined'];

/** The code under which a practice files the letter. */
export function referralCode(referral: Referral): readonly [code: string, display: string] {
  const [code, display] = isDeclined(referral) ? declinedCode : referredCode;
  return [code, display];
}

function isDeclined({ status_reason: reason }: Referral): boolean {
  return reason?.code === 'client-declined';
}

/** The SNOMED CT codes that the practice files. “Declined” means that the person declined, not the service. */
export function codesSection(referral: Referral): Section {
  return {
    heading: 'SNOMED CT codes',
    facts: isDeclined(referral) ? [referredCode, declinedCode] : [referredCode],
  };
}

/** For a person who agreed only to codes: the same code as in the document around the letter. */
export function oneCodeSection(referral: Referral): Section {
  return { heading: 'SNOMED CT code', facts: [referralCode(referral)] };
}

function isCode(text: string): boolean {
  return /^\d{6,18}$/.test(text);
}

type Patient = Referral['content']['patient'];

const genders = { male: 'Male', female: 'Female', other: 'Other', unknown: 'Not known' } as const;

/** Only what a practice needs to find the patient's record. */
export function identitySection(patient: Patient): Section {
  return { heading: 'Patient', facts: identity(patient) };
}

/** Who the patient is, and how to reach them. */
export function patientSection(patient: Patient): Section {
  const { address, communication_needs: needs } = patient;
  const facts: (Fact | undefined)[] = [
    ...identity(patient),
    fact('Gender', patient.gender && genders[patient.gender]),
    fact('Ethnicity', patient.ethnicity),
    ['Address', [...address.lines, address.postcode.toUpperCase()].join('\n')],
    fact('Telephone', patient.telephone),
    fact('Email', patient.email),
    fact('Prefers contact by', patient.preferred_contact),
    fact('Interpreter', needs?.interpreter),
    fact('Information format', needs?.format),
    fact('Carer', carerOf(patient)),
  ];
  return { heading: 'Patient', facts: facts.filter((each) => each !== undefined) };
}

function identity(patient: Patient): Fact[] {
  const { nhs_number: number } = patient;
  return [
    ['Name', `${patient.given_name} ${patient.family_name}`, 'bold'],
    ['Date of birth', dateInWords(patient.birth_date)],
    ['NHS number', number === undefined ? 'Not known' : groupedNhsNumber(number)],
  ];
}

function carerOf({ carer }: Patient): string | undefined {
  return carer && [carer.name, carer.relationship, carer.telephone].filter(Boolean).join(', ');
}

function fact(label: string, value: string | null | undefined): Fact | undefined {
  return value === undefined || value === null || value === '' ? undefined : [label, value];
}
