import { localTime } from '../../../platform/clock/index.ts';
import { lowerFirst } from '../../../platform/first-letter.ts';
import {
  adjustmentsInWords,
  agreementInWords,
  carerForPractice,
  explanationOf,
  type Referral,
  reasonWords,
  type StatusReason,
  saidByInWords,
  statusInWords,
} from '../../../referrals/index.ts';
import { changesForPractice } from '../changes.ts';
import { codeBefore, codeInWords, declinedCode, referralCode, wasDeclinedCoded } from '../codes.ts';
import { isFirstSinceDeathUndone, type Letter, type Section } from '../letter.ts';
import { lettersToFind, otherLetter } from '../letter-order.ts';
import {
  carerInWords,
  fact,
  goalsSection,
  measuresSection,
  nameOfFile,
  needsForPractice,
  section,
  withCode,
} from '../sections.ts';
import { referrerTelephone, telephoneOf, whoMadeChange } from '../whom-to-ask.ts';
import {
  dateInWords,
  dateWithWeekday,
  inWordsForPractice,
  listed,
  momentAsDay,
  momentWithWeekday,
  paragraphsOf,
  unbroken,
} from '../words.ts';
import { actionBox } from './box/action-box.ts';
import { contactForPractice, isContactLimited } from './contact-in-words.ts';
import { dangersInShort, needsClinician, noteBelowBox } from './dangers.ts';
import { isDeathTakenBack, wasToldOfDeath } from './death.ts';
import { headingStarts, removalHeadings } from './headings.ts';
import { mustHide } from './hide-online.ts';
import { patientLines } from './patient-lines.ts';
import type { PracticeLetter } from './prepare-letter.ts';
import { removalSummary } from './removal-notice.ts';
import { wasAskedToRemove } from './tasks/correction-tasks.ts';

type Body = Pick<Letter, 'heading' | 'opening' | 'sections' | 'toPractice'>;

/**
 * The letter to a GP practice: who, what has happened, what the practice has to do, and only then the rest. A section
 * for which nothing is known is left out, except the action and the codes: there “none” is an answer.
 */
export function letterToPractice(letter: PracticeLetter): Body {
  const box = actionBox(letter);
  const patient = patientLines(letter);
  const toPractice = {
    patient: mustHide(letter) ? { ...patient, hideOnline: true as const } : patient,
    box,
  };
  const heading = composeHeading(letter);
  if (letter.isRemovalNotice) return { heading, opening: [], toPractice, sections: removalSections(letter) };
  if (letter.isCodesOnly) return { heading, opening: [], toPractice, sections: sectionsInCodes(letter) };
  return { heading, opening: [], toPractice, sections: sectionsInOrder(letter) };
}

/** In the order in which a practice reads them. The code to file is in the box. */
function sectionsInOrder(letter: PracticeLetter): Section[] {
  return [
    ...changesSection(letter),
    ...codeFromBefore(letter),
    ...safetySection(letter),
    ...summarySection(letter),
    reasonForReferral(letter),
    ...(letter.hasDied ? [] : goalsSection(letter)),
    ...(letter.purpose === 'outcome' ? measuresSection(letter.referral) : []),
    ...planSection(letter),
    agreementInOneLine(letter),
    fromSection(letter),
    ...filesNotSentSection(letter),
  ];
}

/** One line: type, service, state. */
function composeHeading(letter: PracticeLetter): string {
  const { purpose, replacesLetterOf, date, facts } = letter;
  const { status_reason: reason, service, urgency } = letter.referral;
  if (purpose === 'removal') return removalHeadings['wrong-practice'];
  if (letter.isRemovalNotice)
    return removalHeadings[reason?.code === 'wrong-person' ? 'wrong-person' : 'mistake'];
  const alive = isDeathTakenBack(letter) ? 'THE PATIENT IS ALIVE. ' : '';
  const isCorrection = wasAskedToRemove(letter);
  const updated = replacesLetterOf ? `${alive}Updated: ` : isCorrection ? 'Correction: ' : alive;
  if (letter.isCodesOnly) return `${updated}${headingInCodes(letter)}`;
  const copy = urgency === 'urgent' ? headingStarts.urgent : headingStarts.copy;
  const type = purpose === 'referral' ? copy : headingStarts.outcome;
  const state =
    purpose === 'referral'
      ? stateOfReferral(letter)
      : stateInWords(letter, momentAsDay(facts?.by?.at ?? date));
  // Whose service it is stands at the end of the letter: a line that is read before the box is short.
  return `${updated}${type} to ${service.name} – ${state}`;
}

/** With codes alone nothing shows the service, how far it has come, or how it ended. */
function headingInCodes(letter: PracticeLetter): string {
  const { referral, purpose, date, facts } = letter;
  const when =
    purpose === 'referral'
      ? `made on ${momentAsDay(referral.requested_at)}`
      : `ended on ${momentAsDay(facts?.by?.at ?? date)}`;
  return `${headingStarts.code} – community service – ${when}`;
}

/** A letter about the referral says only what the service has said so far, and since when. */
function stateOfReferral(letter: PracticeLetter): string {
  const { status, requested_at, versionAt } = letter.referral;
  if (status === 'requested') return `made on ${momentAsDay(requested_at)}`;
  return stateInWords(letter, momentAsDay(letter.facts?.statusAt ?? versionAt));
}

/** “accepted on 3 December 2026”. What the patient declined, or what nobody answered, was not refused by the service. */
function stateInWords(letter: PracticeLetter, day: string): string {
  const { status, status_reason: reason, endCause } = letter.referral;
  if (letter.hasDied) return `ended on ${day}: the patient was reported to have died`;
  if (endCause === 'nobody-answered') return `closed automatically on ${day}: the service did not answer`;
  if (status === 'rejected')
    return `declined by the ${reason?.code === 'client-declined' ? 'patient' : 'service'} on ${day}`;
  if (status === 'failed') return `closed on ${day} without being completed`;
  const since = status === 'on-hold' || status === 'in-progress' ? 'since' : 'on';
  return `${lowerFirst(statusInWords(status, reason).text)} ${since} ${day}`;
}

/** Safety notes are for the staff who meet the person, unless somebody chose to tell the practice. */
function safetySection(letter: PracticeLetter): Section[] {
  const { content } = letter.referral;
  const { communication_needs } = content.patient;
  const carer = carerForPractice(content);
  const { format } = communication_needs ?? {};
  const needs = letter.hasDied
    ? []
    : [format && `information: ${format}`, adjustmentsInWords(content.reasonable_adjustments)?.toLowerCase()];
  const facts = [
    fact('Danger', letter.hasDied ? undefined : dangersInShort(letter).join('; '), 'bold'),
    fact(
      'Risk',
      content.risk === 'could_not_ask' && !letter.hasDied
        ? 'whether anybody is at risk of serious harm could not be asked'
        : undefined,
    ),
    fact('Safety', noteBelowBox(letter), 'bold'),
    fact('Access needs', needs.filter(Boolean).join('; ')),
    fact('Carer', carer && `${carerInWords(carer, letter.hasDied ? undefined : content.contact)}.`),
  ];
  const found = section('Safety and sharing', facts);
  return found.facts?.length ? [found] : [];
}

function summarySection(letter: PracticeLetter): Section[] {
  const { status_reason: reason, outcome } = letter.referral;
  const { contact } = letter.referral.content;
  if (letter.purpose === 'referral') return [];
  // The site wrote the words of such an end.
  const isNoLongerAgreed = letter.referral.endCause === 'no-longer-agreed';
  const explanation = paragraphsOf(reason ? explanationOf(reason) : undefined);
  const words = [
    // The heading and the box tell of a death. “Another reason” says nothing beside the reason.
    reason && !letter.hasDied && reason.code !== 'other' && !isNoLongerAgreed
      ? `${reasonForPractice(reason.code)}.`
      : null,
    letter.referral.content.declines_social_prescribing
      ? 'The patient declines social prescribing altogether.'
      : null,
    // The site wrote who told of a death, and its date: the box has both.
    ...(letter.facts?.death && letter.referral.endCause === 'death-reported'
      ? []
      : isNoLongerAgreed
        ? explanation.map(inWordsForPractice)
        : writtenBy(letter, explanation)),
    ...writtenBy(letter, paragraphsOf(outcome?.text)),
    // Beside the ways that the service says it tried. Limits are in the box.
    reason?.code === 'failed-contact' &&
    contact?.safe === 'yes' &&
    contact.channel &&
    !isContactLimited(letter)
      ? `Safe contact: ${lowerFirst(contactForPractice({ ...contact, safe: 'yes' }, { isUnknown: false, referrer: letter.referral.content.referrer.name }))}`
      : null,
  ];
  const paragraphs = words.filter((each) => each !== null);
  return paragraphs.length === 0 ? [] : [{ heading: 'Summary', paragraphs }];
}

function reasonForPractice(code: StatusReason['code']): string {
  // Beside “declines social prescribing altogether”, “it” could be anything.
  if (code === 'client-declined') return 'The patient does not want this service';
  return inWordsForPractice(reasonWords[code]);
}

/** “I rang three times” is read as the words of the letter, unless it says whose they are. */
function writtenBy({ facts }: PracticeLetter, [first, ...more]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [facts?.by?.organisation ? `${facts.by.name.replace(byLink, ',')} wrote: ${first}` : first, ...more];
}

/** First in a letter that replaces another: what has changed since. */
function changesSection(letter: PracticeLetter): Section[] {
  const { replacesLetterOf } = letter;
  if (!replacesLetterOf) return [];
  const facts = changesForPractice(letter);
  const why = whyReplaced(letter, facts.length > 0);
  const paragraphs = why === undefined ? [] : [why];
  if (facts.length + paragraphs.length === 0) return [];
  return [{ heading: 'What has changed', facts, paragraphs }];
}

function whyReplaced(letter: PracticeLetter, saysWhatChanged: boolean): string | undefined {
  if (!isFirstSinceDeathUndone(letter.referral, letter))
    return saysWhatChanged || letter.hasNews ? undefined : 'Not listed here. Read this letter as a whole.';
  return wasToldOfDeath(letter) ? 'The referral goes on.' : undefined;
}

function reasonForReferral(letter: PracticeLetter): Section {
  const support = paragraphsOf(letter.referral.content.support_offered).join('\n');
  const needs = needsForPractice(letter.referral.content).join('; ');
  // “On Sunday” is another Sunday in a later letter.
  const isLater = letter.purpose === 'outcome' || Boolean(letter.replacesLetterOf);
  const paragraphs = [needs && `Wants help with: ${needs}`, support && `Support so far: ${support}`].filter(
    Boolean,
  );
  return {
    heading: 'Reason for referral',
    ...(isLater && { facts: [['Written on', momentAsDay(letter.referral.requested_at)] as const] }),
    // Without the codes of a client system: the only codes in the letter are those to file.
    items: letter.referral.content.reasons.map(({ text }) => paragraphsOf(text).join('\n')),
    ...(paragraphs.length > 0 && { paragraphs }),
  };
}

/** Who does what by when, as far as the site knows. */
function planSection(letter: PracticeLetter): Section[] {
  const next = letter.purpose === 'referral' ? nextStep(letter) : undefined;
  return next === undefined ? [] : [{ heading: 'Plan', paragraphs: [next] }];
}

function nextStep(letter: PracticeLetter): string | undefined {
  const { status, due_at, next_date, expected_date, service, urgency, content } = letter.referral;
  const who = service.organization_name ?? service.name;
  // A letter about a correction may come after the day.
  const today = localTime(letter.date).day.date;
  const isCalm = urgency !== 'urgent' && !letter.hasNews && !needsClinician(letter);
  if (status === 'requested' && due_at)
    return `${who} ${due_at < letter.date ? 'has still to accept or decline' : `will accept or decline by ${momentWithWeekday(due_at)}`}.${isCalm ? ` ${content.referrer.name} (who referred) follows that up.` : ''}`;
  // Beside “urgent”, a day that is far off reassures wrongly.
  if (status === 'accepted' && next_date && urgency !== 'urgent')
    return next_date < today
      ? `${who} will contact the patient. No new day is known here.`
      : `${who} will contact the patient by ${dateWithWeekday(next_date)}.`;
  if (status === 'on-hold' && expected_date)
    return `The patient is on a waiting list. ${expected_date < today ? `When ${who} expects a place is not known here` : `${who} expects a place on ${dateInWords(expected_date)}`}.`;
  return undefined;
}

/**
 * Which code an earlier letter brought. That letter may have been lost, or be filed after this one: what the record should have in the end
 * is true in each case, so that a clerk files it neither twice nor never.
 */
function codeFromBefore(letter: PracticeLetter): Section[] {
  const { content } = letter.referral;
  const before = codeBefore(letter.referral, letter.facts);
  // Beside a new code, another number might be filed too.
  const isNew = letter.codes.length > 0;
  const isOfDeath = letter.hasDied && !letter.isCodesOnly;
  if (!before || isNew || isOfDeath || content.episode === 'continuing') return [];
  const hidden = mustHide(letter) ? ', hidden online' : '';
  const words = `The record should have the code from ${letterWithCode(letter, before)}, once${hidden}: ${codeInWords(referralCode)}, dated ${before.dated}. If it is missing, add it once.`;
  const declined =
    content.declines_social_prescribing && wasDeclinedCoded(letter.facts)
      ? [
          `And from our earlier letter about the end, once${hidden}: ${codeInWords(declinedCode)}${letter.facts?.statusAt ? `, dated ${momentAsDay(letter.facts.statusAt)}` : ''}.`,
        ]
      : [];
  return [{ heading: 'Code from before', paragraphs: [words, ...declined] }];
}

function letterWithCode(
  letter: PracticeLetter,
  { at, reference }: NonNullable<ReturnType<typeof codeBefore>>,
): string {
  return reference === undefined ? lettersToFind(letter, [at]) : otherLetter({ at, reference });
}

/** Who made the change that the letter tells of, and who referred. */
function fromSection(letter: PracticeLetter): Section {
  const { content, service, status } = letter.referral;
  const { purpose, facts } = letter;
  const role = status === 'completed' ? 'Completed by' : 'Ended by';
  const organisation = service.organization_name === service.name ? null : service.organization_name;
  return section('From', [
    fact(role, purpose === 'outcome' ? whoEnded(letter) : null),
    fact('Referred by', referredBy(letter, content.referrer.on_behalf_of)),
    fact('Taken on paper on', content.made_at && momentAsDay(content.made_at)),
    fact('Service', listed(service.name, organisation, purpose === 'referral' ? telephoneOf(facts) : null)),
  ]);
}

function whoEnded({ facts }: PracticeLetter): string | null {
  if (!facts?.by) return null;
  const { name, organisation, isOfReferrer, jobTitle, telephone } = facts.by;
  // The site itself ends what nobody answers.
  if (organisation === null) return name;
  return isOfReferrer
    ? listed(name, jobTitle ?? 'referrer', organisation, unbroken(telephone))
    : listed(
        name.replace(byLink, ''),
        jobTitle ?? (byLink.test(name) ? 'who answered by an emailed link' : 'staff of the service'),
        organisation,
        unbroken(telephone) ?? telephoneOf(facts),
      );
}

/** The history names somebody without an account so: “Rosa Reed, Duty manager, by link”. */
const byLink = /, by link$/;

function referredBy({ referral, facts }: PracticeLetter, onBehalfOf?: string): string {
  const { content, requested_at } = referral;
  const { referrer } = content;
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

/** Somebody who declined later does not agree any more. */
function agreementInOneLine(letter: PracticeLetter): Section {
  return { heading: 'Agreement', paragraphs: [agreementForPractice(letter)] };
}

function agreementForPractice(letter: PracticeLetter): string {
  const { purpose, replacesLetterOf, date, facts } = letter;
  const { content, status_reason: reason, endCause, requested_at } = letter.referral;
  const { consent, agreement, declines_social_prescribing } = content;
  const recordedOn = momentAsDay(consent.recorded_at);
  const requestedOn = momentAsDay(requested_at);
  const basis = agreement?.basis ?? 'person';
  const hasDeclined = reason?.code === 'client-declined' || declines_social_prescribing === true;
  const agreed =
    basis === 'person'
      ? `The patient agreed to the referral${consent.said_by ? '' : ' and to this letter'}.`
      : `${inWordsForPractice(agreementInWords(agreement, momentAsDay))}${basis === 'not_asked' ? '' : ' That includes this letter.'}`;
  if (purpose === 'outcome' && endCause === 'no-longer-agreed') {
    const made =
      basis === 'person'
        ? `The patient agreed to the referral, made on ${requestedOn}.`
        : `${inWordsForPractice(agreementInWords(agreement, momentAsDay))} The referral was made on ${requestedOn}.`;
    // The day that is stored with the agreement may be of either, so this one is of the end.
    const { at = date, name = consent.recorded_by } = facts?.by ?? {};
    return `${made} That was taken back on ${momentAsDay(at)}. That we write to you is still agreed. Recorded by ${name}.`;
  }
  const changed = consent.said_by ? ` ${whoChanged(consent.said_by, recordedOn)}` : '';
  // In a later letter, “agreed to this letter” with an old date puzzles.
  if (basis === 'person' && !hasDeclined && !changed && (purpose === 'outcome' || replacesLetterOf))
    return `Agreed on ${recordedOn} that we may write to you. Recorded by ${consent.recorded_by}.`;
  // What the practice may be told was settled again later.
  const isLater = recordedOn !== requestedOn && new Date(consent.recorded_at) > requested_at;
  const toWhat = isLater
    ? `on ${requestedOn} to the referral, and on ${recordedOn} to letters to you`
    : `on ${recordedOn} to the referral and to letters to you`;
  return basis === 'person' && hasDeclined
    ? `The patient agreed ${toWhat}. Later they declined the referral. Recorded by ${consent.recorded_by}.`
    : `${agreed}${changed} Recorded by ${consent.recorded_by}, ${recordedOn}.`;
}

/** What was changed later about what the practice may be told. */
function whoChanged(saidBy: NonNullable<Referral['content']['consent']['said_by']>, day: string): string {
  return saidBy.basis === 'person'
    ? `On ${day} they agreed that you have its details.`
    : `About what you may be told: ${inWordsForPractice(saidByInWords(saidBy, momentAsDay))}`;
}

/** The files are on the site: who needs one asks for it. */
function filesNotSentSection(letter: PracticeLetter): Section[] {
  const { files = [], facts } = letter;
  if (files.length === 0) return [];
  const telephone = telephoneOf(facts) ?? referrerTelephone(letter.referral, facts);
  const ask = telephone ? ` Ask ${telephone} if you need ${files.length === 1 ? 'it' : 'them'}.` : '';
  return [
    {
      heading: 'Documents',
      paragraphs: [`With the referral, not sent to you: ${files.map(nameOfFile).join('; ')}.${ask}`],
    },
  ];
}

/** No word that anybody wrote, and nothing that shows the service. */
function sectionsInCodes(letter: PracticeLetter): Section[] {
  return [...codeFromBefore(letter), section('From', [fact('Referred by', referredBy(letter))])];
}

function removalSections(letter: PracticeLetter): Section[] {
  const { facts } = letter;
  const from = section('From', [
    fact('Withdrawn by', facts?.by && whoMadeChange(letter.referral, facts, facts.by)),
    fact('Referred by', referredBy(letter)),
  ]);
  return [removalSummary(letter), from];
}
