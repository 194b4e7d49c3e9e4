import { mentionsCrisis } from '../../library/index.ts';
import { lowerFirst } from '../../platform/first-letter.ts';
import {
  adjustmentsInWords,
  agreementInWords,
  changeInWords,
  changesOfMeasures,
  contactElsewhereInWords,
  type DeliveryPurpose,
  dangerousNeeds,
  episodes,
  ethnicCategories,
  explanationOf,
  goalResultWords,
  groupedNhsNumber,
  hidesOnline,
  isRiskToRead,
  isWorrying,
  measures,
  methods,
  needsCareToContact,
  needsInWords,
  outcomeWords,
  type Referral,
  reasonWords,
  riskInWords,
  scaleInWords,
  sources,
  statusInWords,
} from '../../referrals/index.ts';
import type { LetterFacts, LetterFile } from '../model/delivery.ts';
import { hasDied } from './codes.ts';
import type { Fact, LetterInput, Section, ServiceLetterInput } from './letter.ts';
import {
  type ContactWay,
  contactForService,
  doNotTellLine,
  isThroughCarer,
  markOfWay,
  preferenceBesideContact,
  whomToRingInstead,
  whoseTelephone,
} from './practice/contact-in-words.ts';
import type { PreparedLetter } from './practice/prepare-letter.ts';
import {
  dateInWords,
  endingWords,
  inWordsForPractice,
  joinWithCommas,
  momentAsDay,
  momentWithTime,
  paragraphsOf,
  withoutLineBreaks,
} from './words.ts';

export function referrerSection({ content, requested_at }: Referral): Section {
  const { referrer, made_at, source, method, episode } = content;
  return section('Referred by', [
    fact('Name', joinWithCommas(referrer.name, referrer.job_title)),
    fact('Telephone', referrer.telephone),
    fact('Organisation', referrer.organisation && withCode(referrer.organisation, referrer.ods_code)),
    fact('On behalf of', referrer.on_behalf_of),
    fact('Date of referral', momentAsDay(requested_at)),
    fact('Taken on paper on', made_at && momentAsDay(made_at)),
    fact('Asked for by', source && sources[source]),
    fact('How it was taken', method && methods[method]),
    fact('Episode', episode && episodes[episode]),
  ]);
}

export function practiceSection({ gp_practice: practice, content }: Referral): Section {
  return section('GP practice', [
    fact('Name', practice ? withCode(practice.name, practice.ods_code) : 'Not known'),
    content.consent.share_with_gp === false && practice
      ? ['Contact', 'do not contact the practice about this person', 'bold']
      : undefined,
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

/** The goals, and in an outcome the results: as the service says, and as the patient says. */
export function goalsSection({ referral, purpose, facts: known }: PreparedLetter): Section[] {
  const { content, outcome } = referral;
  const items = goalLines(content, purpose);
  const isEnd = purpose === 'outcome';
  const hasResults = content.goals?.some(({ result }) => result !== undefined) === true;
  const notReported =
    items.length === 1 ? 'No result was given for this goal.' : 'No result was given for each goal.';
  const result =
    isEnd && outcome ? (goalWords[outcome.code] ?? outcomeWords[outcome.code] ?? outcome.code) : undefined;
  const matters = paragraphsOf(content.what_matters).join('\n');
  const paragraphs = [
    ...(result === undefined
      ? []
      : [`Overall, as the service says: ${lowerFirst(inWordsForPractice(result))}.`]),
    ...(isEnd && !hasResults && items.length > 0 ? wordsOfMissingResults(content, result, notReported) : []),
    ...(isEnd && known?.personSays ? [patientsWords(known.personSays)] : []),
    ...(matters === '' ? [] : [`What matters to the patient: ${matters}`]),
  ];
  if (paragraphs.length + items.length === 0) return [];
  return [{ heading: 'Goals', paragraphs, ...(items.length > 0 && { items }) }];
}

/** What the patient said on their own page. The referrer knows it, so the practice need not act. */
function patientsWords({ at, gotHelp }: NonNullable<LetterFacts['personSays']>): string {
  const words = gotHelp ? '“I got help.”' : '“I did not get help.” The referrer was told.';
  return `The patient said on their own page, on ${momentAsDay(at)}: ${words}`;
}

/** Why there are no results. A confidential service keeps them: see `forPractice`. */
function wordsOfMissingResults(
  { referrers_details: replaced }: Referral['content'],
  overall: string | undefined,
  notReported: string,
): string[] {
  if (replaced && 'goals' in replaced) return ['The service keeps the result of each goal.'];
  return overall === undefined ? [notReported] : [];
}

/** Each goal, in an outcome with its result: “Go to the choir: met”. If there are no results at all, the section says so once. */
export function goalLines({ goals = [] }: Referral['content'], purpose: DeliveryPurpose): string[] {
  const isReported = goals.some(({ result }) => result !== undefined);
  return goals.map(({ text, result }) => {
    if (!result && !(isReported && purpose === 'outcome')) return text;
    const words = result ? goalResultWords[result].toLowerCase() : 'no result was given';
    return `${paragraphsOf(text).join(' ').replace(/\.$/, '')}: ${words}`;
  });
}

/** What the person may need help with. A practice learns of abuse only if it may read the safety notes. */
export function needsForPractice({ needs: codes, safety_notes_for_practice }: Referral['content']): string[] {
  return needsInWords(codes?.filter((code) => safety_notes_for_practice || !dangerousNeeds.includes(code)));
}

const goalWords: Readonly<Record<string, string>> = {
  'goals-met': 'Met',
  'goals-partly-met': 'Partly met',
  'goals-not-met': 'Not met',
  'ended-early': 'It ended before the end that was planned',
};

/** A section of free text, or none if there is no text. */
export function wordsSection(heading: string, text: string | undefined): Section[] {
  const paragraphs = paragraphsOf(text);
  return paragraphs.length === 0 ? [] : [{ heading, paragraphs }];
}

/** A section with a list, or none if the list is empty. */
export function listSection(heading: string, items: readonly string[]): Section[] {
  return items.length === 0 ? [] : [{ heading, items }];
}

/** Whether it is safe to contact the person, and how. */
export function safeContactSection(referral: Referral, options: ServiceLetterInput): Section[] {
  const { content } = referral;
  const instead = whomToRingInstead(referral, options);
  const secretFrom = doNotTellLine(referral);
  const words = instead ?? contactForService(content.contact, whoseTelephone(content, options.date));
  const { first, last } = contactElsewhereInWords(options.contactElsewhere, {
    operatorContact: undefined,
    ...options.site,
  });
  const paragraphs = [
    ...(secretFrom === undefined ? [] : [secretFrom]),
    ...(first === undefined ? [] : [first]),
    `${first === undefined ? '' : 'This referral says: '}${words}`,
    ...(last === undefined ? [] : [last]),
    ...(instead === undefined && options.purpose === 'referral' ? interpreterFirst(content.patient) : []),
    // If somebody must not know, the top of the letter says this.
    ...(hidesOnline(content) && secretFrom === undefined
      ? ['Show this letter only to staff who need it.']
      : []),
  ];
  return instead === undefined
    ? [
        {
          heading: 'Before you contact the patient',
          paragraphs,
          ...((first !== undefined || content.contact?.safe === 'only_at') && { isAlarm: true }),
        },
      ]
    : [{ heading: 'Do not contact the patient', paragraphs, isAlarm: true }];
}

/** Somebody who rings the person, or offers a date, has to book an interpreter before. */
function interpreterFirst({ communication_needs: needs }: Referral['content']['patient']): string[] {
  return needs?.interpreter ? [`Book an interpreter first: ${needs.interpreter.replace(/\.$/, '')}.`] : [];
}

/** How to contact the person after the end, because staff may still ring them. After a mistake it is left out: it may be about another person. */
export function contactAtEnd(referral: Referral, options: ServiceLetterInput): Section[] {
  const { contact, appointments } = referral.content;
  const secretFrom = contact?.who_must_not_know;
  if (!tellsContactAtEnd(referral)) return [];
  // There is no reason to contact the person, and no danger in it.
  const nothingArranged = referral.first_contact_at === null && !appointments?.length;
  if (nothingArranged && contact?.safe === 'yes' && !needsCareToContact(contact)) return [];
  if (!hasDied(referral)) return safeContactSection(referral, options);
  return secretFrom === undefined
    ? []
    : [{ heading: 'Do not tell', paragraphs: [secretFrom], isAlarm: true }];
}

/** Whether a service reads at the end how to contact the person. */
export function tellsContactAtEnd({ status }: Pick<Referral, 'status'>): boolean {
  return status !== 'entered-in-error';
}

/** The reasonable adjustments that the service has to arrange. */
export function adjustmentsSection({ reasonable_adjustments }: Referral['content']): Section[] {
  return wordsSection('What the person needs to use the service', adjustmentsInWords(reasonable_adjustments));
}

/** The referrer’s news, which may be a crisis, and is in no field of the referral. */
export function newsSection(options: ServiceLetterInput): Section[] {
  const { news } = options;
  if (news.length === 0) return [];
  const items = news.map(
    ({ at, by, text }) => `${momentWithTime(at)}, ${by}: ${paragraphsOf(text).join('\n')}`,
  );
  return hasUrgentNewsForService(options)
    ? [{ heading: 'News since the referral was sent', items, isAlarm: true }]
    : [{ heading: 'Messages since the referral was sent', items }];
}

/** Whether the news is more than messages, or has words of a crisis. */
export function hasUrgentNewsForService(options: ServiceLetterInput): boolean {
  return hasCrisis(options) || options.news.some(({ isMessage }) => !isMessage);
}

/** Whether the news has words of a crisis. */
export function hasCrisis({ news, site }: ServiceLetterInput): boolean {
  return news.some(({ text }) => mentionsCrisis(text, site.crisisPhrases));
}

/** Whether somebody was at risk of serious harm, and who was told. */
export function riskSection(content: Referral['content'], { crisisPhrases }: LetterInput['site']): Section[] {
  const paragraphs = riskInWords(content, { day: momentAsDay, crisisPhrases });
  const isAlarm = isRiskToRead(content, crisisPhrases);
  return paragraphs.length === 0 ? [] : [{ heading: 'Risk of serious harm', paragraphs, isAlarm }];
}

const sharingWords = { true: 'Yes', false: 'No', codes_only: 'Codes only' } as const;

export function agreementSection({ content: { consent, agreement } }: Referral): Section {
  return section('Agreement', [
    ['To be referred', agreement ? agreementInWords(agreement, momentAsDay) : 'Yes'],
    ['To tell the GP practice', sharingWords[`${consent.share_with_gp}`]],
    ['Recorded by', `${consent.recorded_by}, ${momentAsDay(consent.recorded_at)}`],
  ]);
}

const disregard = 'Sent by mistake: disregard the referral';

/** How the referral ended. */
export function outcomeSection(referral: Referral): Section {
  const { status, status_reason: reason, endCause, outcome, versionAt } = referral;
  const ended =
    endCause === 'nobody-answered' ? 'Closed by this site, because nobody answered' : endingWords[status];
  const result = hasDied(referral) ? statusInWords(status, reason).text : ended;
  return section('Outcome', [
    fact('Result', status === 'entered-in-error' ? disregard : (result ?? status)),
    fact('Date', momentAsDay(versionAt)),
    fact('Reason', reason && !hasDied(referral) ? reasonWords[reason.code] : undefined),
    fact('Details', reason && paragraphsOf(explanationOf(reason)).join('\n')),
    fact('Outcome', outcome && (outcomeWords[outcome.code] ?? outcome.code)),
    fact('Details of the outcome', outcome && paragraphsOf(outcome.text).join('\n')),
  ]);
}

/** The names of the files, which are on the site and not in the letter. */
export function filesSection(heading: string, files: readonly LetterFile[] = []): Section[] {
  if (files.length === 0) return [];
  return [{ heading, paragraphs: [`With the referral, not enclosed: ${files.map(nameOfFile).join('; ')}`] }];
}

export function nameOfFile({ name, at, pages, scanned }: LetterFile): string {
  const length = pages === null ? '' : `${pages} ${pages === 1 ? 'page' : 'pages'}, `;
  return `${name} (${momentAsDay(at)}, ${length}${scanned ? '' : 'not '}scanned for viruses)`;
}

/** The measures, one line for each: “2 → 0, worse, worrying (0 to 10, higher is better)”. A clinician cannot know every scale. */
export function measuresSection(referral: Referral): Section[] {
  const taken = referral.content.measures ?? [];
  const facts = changesOfMeasures(referral).map((each): Fact => {
    const { code } = each;
    const isBad = taken.some((measure) => measure.code === code && isWorrying(taken, measure));
    return [
      measures[code].title,
      `${changeInWords(each)}${isBad ? ', worrying' : ''} (${scaleInWords(code)})`,
    ];
  });
  if (facts.length === 0) return [];
  return [
    { heading: 'Measures', facts, paragraphs: [`At the start → at the end${daysOfMeasures(referral)}.`] },
  ];
}

/** “, taken on 1 December 2026 and 22 February 2027”. Measures that came with the outcome have no date. */
function daysOfMeasures({ content, outcome }: Referral): string {
  if (outcome?.measures?.length) return '';
  const taken = (content.measures ?? []).filter(({ stage }) => stage !== 'review');
  const days = [
    ...new Set(
      taken
        .map((each) => each.taken_at)
        .toSorted()
        .map(momentAsDay),
    ),
  ];
  return days.length === 0 ? '' : `, taken on ${new Intl.ListFormat('en-GB').format(days)}`;
}

export function section(heading: string, facts: (Fact | undefined)[]): Section {
  return { heading, facts: facts.filter((each) => each !== undefined) };
}

export function withCode(name: string, code: string | null): string {
  return code === null ? name : `${name} (${code})`;
}

function isCode(text: string): boolean {
  return /^\d{6,18}$/.test(text);
}

type Patient = Referral['content']['patient'];

const genders = { male: 'Male', female: 'Female', other: 'Other', unknown: 'Not known' } as const;

/** How to reach the patient, for services. The top of each page says who the patient is. */
export function patientSection({ patient, contact }: Referral['content']): Section {
  const { address, communication_needs: needs } = patient;
  const addMark = (way: ContactWay, value: string | undefined) =>
    value && `${value}${markOfWay(contact, way, value)}`;
  const facts: (Fact | undefined)[] = [
    fact('Gender', patient.gender && genders[patient.gender]),
    fact('Ethnicity', patient.ethnicity),
    fact('Ethnic category', patient.ethnic_category && ethnicCategories[patient.ethnic_category]),
    fact(
      'Address',
      addMark('address', [...address.lines, address.postcode.toUpperCase()].filter(Boolean).join(', ')),
    ),
    fact('Patient’s telephone', addMark('telephone', patient.telephone)),
    fact('Patient’s email', addMark('email', patient.email)),
    fact('Prefers contact by', preferenceBesideContact(patient.preferred_contact, contact)),
    fact('Interpreter', needs?.interpreter),
    fact('Information format', needs?.format),
    fact('Carer', patient.carer && carerInWords(patient.carer, contact)),
  ];
  return { heading: 'Patient', isPatient: true, facts: facts.filter((each) => each !== undefined) };
}

/** Who the patient is, for documents that do not say so at the top of each page. */
export function identityFacts(patient: Patient): Fact[] {
  const { nhs_number: number } = patient;
  return [
    [
      'Name',
      [patient.title, patient.given_name, patient.family_name].filter((part) => part !== undefined).join(' '),
      'bold',
    ],
    ['Date of birth', dateInWords(patient.birth_date)],
    ['NHS number', number === undefined ? 'Not known' : groupedNhsNumber(number)],
  ];
}

/** The carer with their number, and whether that number is safe to ring. */
export function carerInWords(
  carer: NonNullable<Patient['carer']>,
  contact: Referral['content']['contact'],
): string {
  const { name, relationship, telephone } = carer;
  const who = joinWithCommas(name, relationship);
  if (!telephone) return who;
  if (isThroughCarer(contact, carer)) return `${who}. Contact goes through their number: see above`;
  const care =
    contact?.safe === 'yes' && contact.who_must_not_know === undefined
      ? 'nobody asked whether this number is safe to ring'
      : 'not known to be safe: ask who referred before you ring it';
  return `${who}. Carer’s own telephone: ${withoutLineBreaks(telephone)} (${care})`;
}

export function fact(
  label: string,
  value: string | null | undefined,
  ...weight: ['bold'] | []
): Fact | undefined {
  return value === undefined || value === null || value === '' ? undefined : [label, value, ...weight];
}
