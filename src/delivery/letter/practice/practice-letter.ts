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
import { codeBefore, codeInWords, declinedCode, hasSentDeclinedCode, referralCode } from '../codes.ts';
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
  joinWithCommas,
  momentAsDay,
  momentWithWeekday,
  paragraphsOf,
  withoutLineBreaks,
} from '../words.ts';
import { actionBox } from './box/action-box.ts';
import { contactForPractice, isContactLimited } from './contact-in-words.ts';
import { dangersInShort, needsClinician, noteBelowBox } from './dangers.ts';
import { isDeathTakenBack, wasToldOfDeath } from './death.ts';
import { headingStarts, removalHeadings } from './headings.ts';
import { mustHide } from './hide-online.ts';
import { patientLines } from './patient-lines.ts';
import type { PreparedLetter } from './prepare-letter.ts';
import { removalSummary } from './removal-notice.ts';
import { wasAskedToRemove } from './tasks/correction-tasks.ts';

type Body = Pick<Letter, 'heading' | 'opening' | 'sections' | 'toPractice'>;

/**
 * The letter to a GP practice: who it is about, what has happened, what the practice has to do, and then the rest. A section without
 * content is left out. The box always says what to do and which code to file, even if that is “none”.
 */
export function letterToPractice(letter: PreparedLetter): Body {
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

/** The sections below the box, in the order in which a practice reads them. */
function sectionsInOrder(letter: PreparedLetter): Section[] {
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

/** One line: the type of letter, the service and the status, or what to do in a removal notice. */
function composeHeading(letter: PreparedLetter): string {
  const { purpose, replacesLetterOf, date, facts } = letter;
  const { status_reason: reason, service, urgency } = letter.referral;
  if (purpose === 'removal') return removalHeadings['wrong-practice'];
  if (letter.isRemovalNotice)
    return removalHeadings[reason?.code === 'wrong-person' ? 'wrong-person' : 'mistake'];
  const alive = isDeathTakenBack(letter) ? 'THE PATIENT IS ALIVE. ' : '';
  const isCorrection = wasAskedToRemove(letter);
  const updated = replacesLetterOf ? `${alive}Updated: ` : isCorrection ? 'Correction: ' : alive;
  if (letter.isCodesOnly) return `${updated}${headingInCodes(letter)}`;
  const referralStart = urgency === 'urgent' ? headingStarts.urgent : headingStarts.referral;
  const type = purpose === 'referral' ? referralStart : headingStarts.outcome;
  const state =
    purpose === 'referral'
      ? stateOfReferral(letter)
      : stateInWords(letter, momentAsDay(facts?.by?.at ?? date));
  // The line is short, because it comes before the box. The end of the letter says whose service it is.
  return `${updated}${type} to ${service.name} – ${state}`;
}

/** A heading that does not show the service, the status, or how the referral ended. */
function headingInCodes(letter: PreparedLetter): string {
  const { referral, purpose, date, facts } = letter;
  const when =
    purpose === 'referral'
      ? `made on ${momentAsDay(referral.requested_at)}`
      : `ended on ${momentAsDay(facts?.by?.at ?? date)}`;
  return `${headingStarts.code} – community service – ${when}`;
}

/** “made on 21 November 2026”, or the status that the service has given it since. */
function stateOfReferral(letter: PreparedLetter): string {
  const { status, requested_at, versionAt } = letter.referral;
  if (status === 'requested') return `made on ${momentAsDay(requested_at)}`;
  return stateInWords(letter, momentAsDay(letter.facts?.statusAt ?? versionAt));
}

/** “accepted on 3 December 2026”. It must not say that the service declined if the patient did, or if nobody answered. */
function stateInWords(letter: PreparedLetter, day: string): string {
  const { status, status_reason: reason, endCause } = letter.referral;
  if (letter.hasDied) return `ended on ${day}: the patient was reported to have died`;
  if (endCause === 'nobody-answered') return `closed automatically on ${day}: the service did not answer`;
  if (status === 'rejected')
    return `declined by the ${reason?.code === 'client-declined' ? 'patient' : 'service'} on ${day}`;
  if (status === 'failed') return `closed on ${day} without being completed`;
  const since = status === 'on-hold' || status === 'in-progress' ? 'since' : 'on';
  return `${lowerFirst(statusInWords(status, reason).text)} ${since} ${day}`;
}

/** Dangers, risk, the safety note if the practice may read it, access needs and the carer. */
function safetySection(letter: PreparedLetter): Section[] {
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
  const safety = section('Safety and sharing', facts);
  return safety.facts?.length ? [safety] : [];
}

function summarySection(letter: PreparedLetter): Section[] {
  const { status_reason: reason, outcome } = letter.referral;
  const { contact } = letter.referral.content;
  if (letter.purpose === 'referral') return [];
  // The site itself wrote the reason for such an end.
  const isNoLongerAgreed = letter.referral.endCause === 'no-longer-agreed';
  const explanation = paragraphsOf(reason ? explanationOf(reason) : undefined);
  const words = [
    // The heading and the box tell of a death. “Another reason” adds nothing.
    reason && !letter.hasDied && reason.code !== 'other' && !isNoLongerAgreed
      ? `${reasonForPractice(reason.code)}.`
      : null,
    letter.referral.content.declines_social_prescribing
      ? 'The patient declines social prescribing altogether.'
      : null,
    // The site wrote who reported a death, and its date. The box has both.
    ...(letter.facts?.death && letter.referral.endCause === 'death-reported'
      ? []
      : isNoLongerAgreed
        ? explanation.map(inWordsForPractice)
        : writtenBy(letter, explanation)),
    ...writtenBy(letter, paragraphsOf(outcome?.text)),
    // The safe way, next to the ways that the service tried. If there are limits, the box has them.
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
  // After “declines social prescribing altogether”, “it” would be unclear.
  if (code === 'client-declined') return 'The patient does not want this service';
  return inWordsForPractice(reasonWords[code]);
}

/** “Jo Hall wrote: I rang three times”. Without the name, it would read as the words of the letter. */
function writtenBy({ facts }: PreparedLetter, [first, ...more]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [facts?.by?.organisation ? `${facts.by.name.replace(byLink, ',')} wrote: ${first}` : first, ...more];
}

/** In a letter that replaces another: what has changed since. */
function changesSection(letter: PreparedLetter): Section[] {
  const { replacesLetterOf } = letter;
  if (!replacesLetterOf) return [];
  const facts = changesForPractice(letter);
  const why = whyReplaced(letter, facts.length > 0);
  const paragraphs = why === undefined ? [] : [why];
  if (facts.length + paragraphs.length === 0) return [];
  return [{ heading: 'What has changed', facts, paragraphs }];
}

function whyReplaced(letter: PreparedLetter, saysWhatChanged: boolean): string | undefined {
  if (!isFirstSinceDeathUndone(letter.referral, letter))
    return saysWhatChanged || letter.hasNews ? undefined : 'Not listed here. Read this letter as a whole.';
  return wasToldOfDeath(letter) ? 'The referral goes on.' : undefined;
}

function reasonForReferral(letter: PreparedLetter): Section {
  const support = paragraphsOf(letter.referral.content.support_offered).join('\n');
  const needs = needsForPractice(letter.referral.content).join('; ');
  // In a later letter, “on Sunday” would be another Sunday.
  const isLater = letter.purpose === 'outcome' || Boolean(letter.replacesLetterOf);
  const paragraphs = [needs && `Wants help with: ${needs}`, support && `Support so far: ${support}`].filter(
    Boolean,
  );
  return {
    heading: 'Reason for referral',
    ...(isLater && { facts: [['Written on', momentAsDay(letter.referral.requested_at)] as const] }),
    // Without the codes of a client system, because a clerk files any code that stands in the letter.
    items: letter.referral.content.reasons.map(({ text }) => paragraphsOf(text).join('\n')),
    ...(paragraphs.length > 0 && { paragraphs }),
  };
}

/** What happens next, if the site knows. */
function planSection(letter: PreparedLetter): Section[] {
  const next = letter.purpose === 'referral' ? nextStep(letter) : undefined;
  return next === undefined ? [] : [{ heading: 'Plan', paragraphs: [next] }];
}

function nextStep(letter: PreparedLetter): string | undefined {
  const { status, due_at, next_date, expected_date, service, urgency, content } = letter.referral;
  const who = service.organization_name ?? service.name;
  // The letter may come after the day, as after a correction.
  const today = localTime(letter.date).day.date;
  const isCalm = urgency !== 'urgent' && !letter.hasNews && !needsClinician(letter);
  if (status === 'requested' && due_at)
    return `${who} ${due_at < letter.date ? 'has still to accept or decline' : `will accept or decline by ${momentWithWeekday(due_at)}`}.${isCalm ? ` ${content.referrer.name} (who referred) follows that up.` : ''}`;
  // If the referral is urgent, a date that is far off would be wrongly reassuring.
  if (status === 'accepted' && next_date && urgency !== 'urgent')
    return next_date < today
      ? `${who} will contact the patient. No new day is known here.`
      : `${who} will contact the patient by ${dateWithWeekday(next_date)}.`;
  if (status === 'on-hold' && expected_date)
    return `The patient is on a waiting list. ${expected_date < today ? `When ${who} expects a place is not known here` : `${who} expects a place on ${dateInWords(expected_date)}`}.`;
  return undefined;
}

/**
 * The code of an earlier letter. That letter may be lost, or filed after this one, so this says what the record should have in the end.
 * Then a clerk files the code exactly once.
 */
function codeFromBefore(letter: PreparedLetter): Section[] {
  const { content } = letter.referral;
  const before = codeBefore(letter.referral, letter.facts);
  // If there is a new code, a clerk might file the old one again.
  const isNew = letter.codes.length > 0;
  const isOfDeath = letter.hasDied && !letter.isCodesOnly;
  if (!before || isNew || isOfDeath || content.episode === 'continuing') return [];
  const hidden = mustHide(letter) ? ', hidden online' : '';
  const words = `The record should have the code from ${letterWithCode(letter, before)}, once${hidden}: ${codeInWords(referralCode)}, dated ${before.dated}. If it is missing, add it once.`;
  const declined =
    content.declines_social_prescribing && hasSentDeclinedCode(letter.facts)
      ? [
          `And from our earlier letter about the end, once${hidden}: ${codeInWords(declinedCode)}${letter.facts?.statusAt ? `, dated ${momentAsDay(letter.facts.statusAt)}` : ''}.`,
        ]
      : [];
  return [{ heading: 'Code from before', paragraphs: [words, ...declined] }];
}

function letterWithCode(
  letter: PreparedLetter,
  { at, reference }: NonNullable<ReturnType<typeof codeBefore>>,
): string {
  return reference === undefined ? lettersToFind(letter, [at]) : otherLetter({ at, reference });
}

/** Who made the change that the letter tells of, and who referred. */
function fromSection(letter: PreparedLetter): Section {
  const { content, service, status } = letter.referral;
  const { purpose, facts } = letter;
  const role = status === 'completed' ? 'Completed by' : 'Ended by';
  const organisation = service.organization_name === service.name ? null : service.organization_name;
  return section('From', [
    fact(role, purpose === 'outcome' ? whoEnded(letter) : null),
    fact('Referred by', referredBy(letter, content.referrer.on_behalf_of)),
    fact('Taken on paper on', content.made_at && momentAsDay(content.made_at)),
    fact(
      'Service',
      joinWithCommas(service.name, organisation, purpose === 'referral' ? telephoneOf(facts) : null),
    ),
  ]);
}

function whoEnded({ facts }: PreparedLetter): string | null {
  if (!facts?.by) return null;
  const { name, organisation, isOfReferrer, jobTitle, telephone } = facts.by;
  // The site itself closes referrals that nobody answers.
  if (organisation === null) return name;
  return isOfReferrer
    ? joinWithCommas(name, jobTitle ?? 'referrer', organisation, withoutLineBreaks(telephone))
    : joinWithCommas(
        name.replace(byLink, ''),
        jobTitle ?? (byLink.test(name) ? 'who answered by an emailed link' : 'staff of the service'),
        organisation,
        withoutLineBreaks(telephone) ?? telephoneOf(facts),
      );
}

/** The history names somebody without an account like this: “Rosa Reed, Duty manager, by link”. */
const byLink = /, by link$/;

function referredBy({ referral, facts }: PreparedLetter, onBehalfOf?: string): string {
  const { content, requested_at } = referral;
  const { referrer } = content;
  const from = referrer.organisation && withCode(referrer.organisation, referrer.ods_code);
  return joinWithCommas(
    referrer.name,
    referrer.job_title ?? referrer.role,
    from,
    withoutLineBreaks(referrer.telephone ?? facts?.referrerTelephone),
    onBehalfOf && `for ${onBehalfOf}`,
    `on ${momentAsDay(requested_at)}`,
  );
}

function agreementInOneLine(letter: PreparedLetter): Section {
  return { heading: 'Agreement', paragraphs: [agreementForPractice(letter)] };
}

/** Who agreed to what and when. A patient who declined later does not agree any more. */
function agreementForPractice(letter: PreparedLetter): string {
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
    // The date of the agreement may be older than the end, so this is the date of the end.
    const { at = date, name = consent.recorded_by } = facts?.by ?? {};
    return `${made} That was taken back on ${momentAsDay(at)}. That we write to you is still agreed. Recorded by ${name}.`;
  }
  const changed = consent.said_by ? ` ${whoChanged(consent.said_by, recordedOn)}` : '';
  // In a later letter, “agreed to this letter” with an old date would be puzzling.
  if (basis === 'person' && !hasDeclined && !changed && (purpose === 'outcome' || replacesLetterOf))
    return `Agreed on ${recordedOn} that we may write to you. Recorded by ${consent.recorded_by}.`;
  // Somebody decided later what the practice may know.
  const isLater = recordedOn !== requestedOn && new Date(consent.recorded_at) > requested_at;
  const toWhat = isLater
    ? `on ${requestedOn} to the referral, and on ${recordedOn} to letters to you`
    : `on ${recordedOn} to the referral and to letters to you`;
  return basis === 'person' && hasDeclined
    ? `The patient agreed ${toWhat}. Later they declined the referral. Recorded by ${consent.recorded_by}.`
    : `${agreed}${changed} Recorded by ${consent.recorded_by}, ${recordedOn}.`;
}

/** Who decided later what the practice may know. */
function whoChanged(saidBy: NonNullable<Referral['content']['consent']['said_by']>, day: string): string {
  return saidBy.basis === 'person'
    ? `On ${day} they agreed that you have its details.`
    : `About what you may be told: ${inWordsForPractice(saidByInWords(saidBy, momentAsDay))}`;
}

/** The files are on the site, and the practice can ask for them. */
function filesNotSentSection(letter: PreparedLetter): Section[] {
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

/** Nothing that anybody wrote, and nothing that shows the service. */
function sectionsInCodes(letter: PreparedLetter): Section[] {
  return [...codeFromBefore(letter), section('From', [fact('Referred by', referredBy(letter))])];
}

function removalSections(letter: PreparedLetter): Section[] {
  const { facts } = letter;
  const from = section('From', [
    fact('Withdrawn by', facts?.by && whoMadeChange(letter.referral, facts, facts.by)),
    fact('Referred by', referredBy(letter)),
  ]);
  return [removalSummary(letter), from];
}
