import { isDeepStrictEqual } from 'node:util';
import { carerForPractice, changesInWords, type FieldChange, type Referral } from '../../referrals/index.ts';
import type { Fact, LetterOptions } from './letter.ts';
import { contactForPractice, doNotTell, isByEmail, whoseTelephone } from './practice/contact-in-words.ts';
import { noteBelowBox } from './practice/dangers.ts';
import type { PracticeLetter } from './practice/prepare-letter.ts';
import { needsForPractice } from './sections.ts';
import { inWordsForPractice } from './words.ts';

/** What was changed since the letter that this one replaces, each as it was and as it is: “01632 960123 → 01632 960987”. */
export function changesForService({ changes = [] }: LetterOptions): Fact[] {
  return asFacts(netChanges(changes.filter(({ field }) => !inNoLetter.includes(field))));
}

/** Staff wrote down there who decided or judged, for both sides to read on this site. */
const inNoLetter = ['consent.said_by', 'consent.reason'];

/**
 * A letter to a practice gives the old and the new value of these fields: this letter shows the new one, and the letter before showed the old
 * one. A correction of one of them makes a new letter necessary (`shownToPractice`).
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
 * What a letter to a practice shows of a referral that can be corrected, to tell whether it says something else now. Without the ethnic
 * category, and mostly the email address: no letter shows them, so a new one would have the practice look for a change that is not in it.
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
    // The end tells the results, often minutes later: no letter has them alone.
    goals: content.goals?.map(({ text }) => text),
  };
  return {
    ...Object.fromEntries(shownFields.map((field) => [field, values[field]])),
    carer: carerForPractice(content),
    contact: content.contact,
    // Only beside “email only”.
    email: isByEmail(content.contact) ? content.patient.email : undefined,
    gp_practice,
    safety_notes: content.safety_notes_for_practice ? content.safety_notes : undefined,
  };
}

/** What was changed of what letters to a practice show, and what the patient has said since. */
export function changesForPractice(letter: PracticeLetter): Fact[] {
  return [...correctedForPractice(letter), ...saidSinceReplaced(letter)];
}

function correctedForPractice(letter: PracticeLetter): Fact[] {
  const { changes = [], purpose, date } = letter;
  const { content } = letter.referral;
  const net = netChanges(changes);
  // The practice knows no old values: so far it had codes alone, or nothing.
  if (net.some(({ field }) => field === 'consent.share_with_gp'))
    return [['Details', 'the patient now agrees that you have them']];
  return net.flatMap((change): Fact[] => {
    const { field } = change;
    if (purpose === 'outcome' && addressFields.includes(field)) return [];
    if (field === 'contact') return safeContactFacts(change, whoseTelephone(content, date));
    if (field === 'needs') return needsFacts(change, content);
    if (field === 'patient.email' && isByEmail(content.contact)) return asFacts([change]);
    if (isShown(field)) return asFacts([change]).map(([label, value]) => [inWordsForPractice(label), value]);
    // An earlier note or carer may not have been for the practice.
    if (field === 'safety_notes' && content.safety_notes_for_practice)
      return [['Safety note', `changed, see ${noteBelowBox(letter) === '' ? 'the box' : 'below'}`]];
    if (field === 'patient.carer' && carerForPractice(content)) return [['Carer', 'changed, see below']];
    return [];
  });
}

/** The practice reads the old answer in the letter before, and the new one in this letter. */
function saidSinceReplaced({ referral, facts }: PracticeLetter): Fact[] {
  const { measures = [] } = referral.content;
  const { atReplaced, personSays } = facts ?? {};
  if (!atReplaced) return [];
  const { gotHelp: before, measuredSince } = atReplaced;
  const isNew = personSays && personSays.gotHelp !== before;
  // New measures are last in the list. One may have been taken on paper before that letter, and typed in after it.
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

/** Each field once, with its first and its last value, in the order in which they were changed first. */
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
      const isReason = change.field === 'reason';
      if (isReason) return [label, is];
      return [label, was === 'nothing' ? `now ${is}` : `${was.replace(/\.$/, '')} → ${is}`];
    }),
  );
}

/** Without what the letter before said, which may be less strict: who reads in a hurry goes by what stands there. */
function safeContactFacts(change: FieldChange, whose: Parameters<typeof contactForPractice>[1]): Fact[] {
  const say = (value: unknown) => {
    const contact = (value ?? undefined) as Referral['content']['contact'];
    const secretFrom = contact?.who_must_not_know;
    const words = contactForPractice(contact, whose);
    return secretFrom === undefined ? words : `${doNotTell([secretFrom])} ${words}`;
  };
  return changesInWords([change]).map(({ label }) => [label, `changed, now: ${say(change.to)}`]);
}

/** Without the needs that only a practice with the safety notes reads of. */
function needsFacts({ field, from, to }: FieldChange, content: Referral['content']): Fact[] {
  const told = (value: unknown) =>
    needsForPractice({ ...content, needs: (value as Referral['content']['needs']) ?? [] });
  const [was, is] = [told(from), told(to)].map((each) => each.join(', ') || 'nothing');
  return was === is
    ? []
    : changesInWords([{ field, from, to }]).map(({ label }) => [label, `${was} → ${is}`]);
}

function isShown(field: string): boolean {
  return (shownFields as readonly string[]).includes(field);
}

const addressFields: readonly string[] = ['patient.address', 'patient.telephone'];

export function isUrgentNow({ changes = [] }: Pick<LetterOptions, 'changes'>): boolean {
  return netChanges(changes).some(({ field, to }) => field === 'urgency' && to === 'urgent');
}

/** Whether the practice has another answer about contacting the patient in its record now, and so has to change it. */
export function hasNewContact({
  changes = [],
  purpose,
}: Pick<LetterOptions, 'changes' | 'purpose'>): boolean {
  return purpose === 'referral' && netChanges(changes).some(({ field }) => field === 'contact');
}

/** Which needs have changed that a practice keeps in its record too, for who books an appointment. */
export function needsCorrected({
  changes = [],
  purpose,
}: Pick<LetterOptions, 'changes' | 'purpose'>): string | undefined {
  const changed = purpose === 'referral' ? netChanges(changes).map(({ field }) => field) : [];
  const what = [
    ...(changed.includes('patient.communication_needs') ? ['communication'] : []),
    ...(changed.includes('reasonable_adjustments') ? ['access'] : []),
  ];
  return what.length === 0 ? undefined : `${what.join(' and ')} needs`;
}

/** Whether the safety note is new to the practice, or takes the place of one that it had. */
export function noteCorrected({
  changes = [],
}: Pick<LetterOptions, 'changes'>): 'new' | 'replaced' | undefined {
  const net = netChanges(changes);
  const note = net.find(({ field }) => field === 'safety_notes');
  const isNewlyShared = net.some(({ field }) => field === 'safety_notes_for_practice');
  if (isNewlyShared || (note && note.from === null)) return 'new';
  return note && 'replaced';
}

/** What was corrected of what a practice keeps itself: “address”, “telephone number”. */
export function correctedInRecord({
  changes = [],
  purpose,
}: Pick<LetterOptions, 'changes' | 'purpose'>): string[] {
  if (purpose !== 'referral') return [];
  const corrected = netChanges(changes).filter(({ field }) => addressFields.includes(field));
  return changesInWords(corrected).map(({ label }) => label.toLowerCase());
}
