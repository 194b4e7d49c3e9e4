import { isDeepStrictEqual } from 'node:util';
import { carerForPractice, changesInWords, type FieldChange, type Referral } from '../../referrals/index.ts';
import type { Fact, LetterInput } from './letter.ts';
import { contactForPractice, doNotTell, isByEmail, whoseTelephone } from './practice/contact-in-words.ts';
import { noteBelowBox } from './practice/dangers.ts';
import type { PreparedLetter } from './practice/prepare-letter.ts';
import { needsForPractice } from './sections.ts';
import { inWordsForPractice } from './words.ts';

/** What has changed since the letter that this one replaces, with the old and the new value: “01632 960123 → 01632 960987”. */
export function changesForService({ changes = [] }: LetterInput): Fact[] {
  return asFacts(netChanges(changes.filter(({ field }) => !inNoLetter.includes(field))));
}

/** Fields that only this site shows, to both sides: who decided or judged. */
const inNoLetter = ['consent.said_by', 'consent.reason'];

/**
 * The fields for which a letter to a practice gives the old and the new value. If one of them is corrected, the practice needs a new
 * letter (`shownToPractice`).
 */
const shownFields = [
  'patient.address',
  'patient.telephone',
  'patient.preferred_contact',
  'patient.communication_needs',
  'do_not_show_online',
  'needs',
  'goals',
  'reasonable_adjustments',
  'service',
  'urgency',
] as const;

/**
 * The parts of a referral that can be corrected and that a letter to a practice shows. If they are the same as before, the practice needs
 * no new letter: it would look for a change that is not in it.
 */
export function shownToPractice({
  content,
  gp_practice,
  urgency,
  service,
}: Referral): Record<string, unknown> {
  const ofPatient = Object.entries(content.patient).map(([name, value]) => [`patient.${name}`, value]);
  const values: Record<string, unknown> = {
    ...Object.fromEntries(ofPatient),
    ...content,
    urgency,
    service: service.name,
    needs: needsForPractice(content),
    // Without results, because the letter about the end has those, often minutes later.
    goals: content.goals?.map(({ text }) => text),
  };
  return {
    ...Object.fromEntries(shownFields.map((field) => [field, values[field]])),
    carer: carerForPractice(content),
    contact: content.contact,
    // The letter shows it only with “email only”.
    email: isByEmail(content.contact) ? content.patient.email : undefined,
    gp_practice,
    safety_notes: content.safety_notes_for_practice ? content.safety_notes : undefined,
  };
}

/** What has changed in what the practice reads, and what the patient has said since. */
export function changesForPractice(letter: PreparedLetter): Fact[] {
  return [...correctionFacts(letter), ...factsSinceReplaced(letter)];
}

function correctionFacts(letter: PreparedLetter): Fact[] {
  const { changes = [], purpose, date } = letter;
  const { content } = letter.referral;
  const net = netChanges(changes);
  // The practice knows no old values, because so far it had codes alone, or nothing.
  if (net.some(({ field }) => field === 'consent.share_with_gp'))
    return [['Details', 'the patient now agrees that you have them']];
  return net.flatMap((change): Fact[] => {
    const { field } = change;
    if (purpose === 'outcome' && addressFields.includes(field)) return [];
    if (field === 'contact') return safeContactFacts(change, whoseTelephone(content, date));
    if (field === 'needs') return needsFacts(change, content);
    if (field === 'patient.email' && isByEmail(content.contact)) return asFacts([change]);
    if (isShown(field)) return asFacts([change]).map(([label, value]) => [inWordsForPractice(label), value]);
    // Without the old note or carer, which the practice may not know.
    if (field === 'safety_notes' && content.safety_notes_for_practice)
      return [['Safety note', `changed, see ${noteBelowBox(letter) === '' ? 'the box' : 'below'}`]];
    if (field === 'patient.carer' && carerForPractice(content)) return [['Carer', 'changed, see below']];
    return [];
  });
}

/** What the patient said on their page, and measures, since the letter that this one replaces. */
function factsSinceReplaced({ referral, facts }: PreparedLetter): Fact[] {
  const { measures = [] } = referral.content;
  const { atReplaced, personSays } = facts ?? {};
  if (!atReplaced) return [];
  const { gotHelp: before, measuredSince } = atReplaced;
  const isNew = personSays && personSays.gotHelp !== before;
  // New measures are last in the list, even if somebody took them on paper before that letter.
  const latest = measures.at(-1);
  const isMeasured = Boolean(measuredSince) && latest !== undefined && latest.stage !== 'review';
  const inWords = (gotHelp: boolean) => (gotHelp ? '“I got help.”' : '“I did not get help.”');
  const says = isNew
    ? `${before === null ? 'now' : `${inWords(before)} →`} ${inWords(personSays.gotHelp)}`
    : undefined;
  return [
    ...(says ? [['What the patient says', says] as const] : []),
    ...(isMeasured ? [['Measures', 'added, see below'] as const] : []),
  ];
}

/** Each field once, with its first and its last value, in the order of the first changes. */
function netChanges(changes: readonly FieldChange[]): FieldChange[] {
  const net = new Map<string, FieldChange>();
  for (const change of changes) {
    const from = net.has(change.field) ? net.get(change.field)!.from : change.from;
    net.set(change.field, { ...change, from });
  }
  return [...net.values()].filter(({ from, to }) => !isDeepStrictEqual(from, to));
}

function asFacts(changes: readonly FieldChange[]): Fact[] {
  return changes.flatMap((change) =>
    changesInWords([change]).map(({ label, was, is }): Fact => {
      if (was === undefined) return [label, is];
      return [label, was === 'nothing' ? `now ${is}` : `${was.replace(/\.$/, '')} → ${is}`];
    }),
  );
}

/** Only the new answer. The old one may be less careful, and somebody in a hurry would follow it. */
function safeContactFacts(change: FieldChange, whose: Parameters<typeof contactForPractice>[1]): Fact[] {
  const say = (value: unknown) => {
    const contact = (value ?? undefined) as Referral['content']['contact'];
    const secretFrom = contact?.who_must_not_know;
    const words = contactForPractice(contact, whose);
    return secretFrom === undefined ? words : `${doNotTell([secretFrom])} ${words}`;
  };
  return changesInWords([change]).map(({ label }) => [label, `changed, now: ${say(change.to)}`]);
}

/** Without the needs that a practice reads only if it reads the safety notes. */
function needsFacts({ field, from, to }: FieldChange, content: Referral['content']): Fact[] {
  const needsOf = (value: unknown) =>
    needsForPractice({ ...content, needs: (value as Referral['content']['needs']) ?? [] });
  const [was, is] = [needsOf(from), needsOf(to)].map((each) => each.join(', ') || 'nothing');
  return was === is
    ? []
    : changesInWords([{ field, from, to }]).map(({ label }) => [label, `${was} → ${is}`]);
}

function isShown(field: string): boolean {
  return (shownFields as readonly string[]).includes(field);
}

const addressFields: readonly string[] = ['patient.address', 'patient.telephone'];

/** Whether the referral became urgent since the letter that this one replaces. */
export function becameUrgent({ changes = [] }: Pick<LetterInput, 'changes'>): boolean {
  return netChanges(changes).some(({ field, to }) => field === 'urgency' && to === 'urgent');
}

/** Whether the practice has to change how to contact the patient in its record. */
export function hasNewContact({ changes = [], purpose }: Pick<LetterInput, 'changes' | 'purpose'>): boolean {
  return purpose === 'referral' && netChanges(changes).some(({ field }) => field === 'contact');
}

/** “communication and access needs”: the changed needs that a practice keeps in its record. Undefined if there are none. */
export function changedNeeds({
  changes = [],
  purpose,
}: Pick<LetterInput, 'changes' | 'purpose'>): string | undefined {
  const changed = purpose === 'referral' ? netChanges(changes).map(({ field }) => field) : [];
  const what = [
    ...(changed.includes('patient.communication_needs') ? ['communication'] : []),
    ...(changed.includes('reasonable_adjustments') ? ['access'] : []),
  ];
  return what.length === 0 ? undefined : `${what.join(' and ')} needs`;
}

/** Whether the safety note is new to the practice, or replaces one that it had. Undefined if it is the same. */
export function safetyNoteChange({
  changes = [],
}: Pick<LetterInput, 'changes'>): 'new' | 'replaced' | undefined {
  const net = netChanges(changes);
  const note = net.find(({ field }) => field === 'safety_notes');
  const isNewlyShared = net.some(({ field }) => field === 'safety_notes_for_practice');
  if (isNewlyShared || (note && note.from === null)) return 'new';
  return note && 'replaced';
}

/** The corrected details that a practice keeps in its record: “address”, “telephone number”. */
export function correctedContactDetails({
  changes = [],
  purpose,
}: Pick<LetterInput, 'changes' | 'purpose'>): string[] {
  if (purpose !== 'referral') return [];
  const corrected = netChanges(changes).filter(({ field }) => addressFields.includes(field));
  return changesInWords(corrected).map(({ label }) => label.toLowerCase());
}
