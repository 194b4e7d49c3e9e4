import type { FieldError } from '../../platform/problem/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import { limitsContact, strictnessOf } from '../model/person/danger/safe-contact.ts';
import type { Referral } from '../model/referral.ts';

type Content = Pick<Referral['content'], 'contact' | 'do_not_show_online' | 'safety_notes'>;
type Protection = Content & Partial<Pick<Referral, 'urgency'>>;
type Contact = Partial<NonNullable<Content['contact']>>;

/**
 * What a correction takes away that protects the person or staff, in words: a restriction of contact, “not to be shown online”, a safety
 * note, that it is urgent. Words that are only added after the earlier ones take nothing away.
 */
export function protectionsRemoved(before: Protection, after: Protection): string[] {
  const removed = [
    ...contactProtectionsRemoved(before.contact ?? {}, after.contact ?? {}),
    before.do_not_show_online === true &&
      after.do_not_show_online !== true &&
      'that it is not to be shown online',
    isLost(before.safety_notes, after.safety_notes) && 'the safety note, or words of it',
    before.urgency === 'urgent' && after.urgency === 'routine' && 'that it is urgent',
  ];
  return removed.filter((each) => each !== false);
}

function contactProtectionsRemoved(before: Contact, after: Contact): (string | false)[] {
  const isLessCareful = strictnessOf(before) > strictnessOf(after);
  return [
    isLessCareful &&
      (before.safe === 'no'
        ? 'that it is not safe to contact the person'
        : 'that it is safe only at certain times or places'),
    !isLessCareful && losesTimes(before, after) && 'at which times or places it is safe',
    !isLessCareful && losesChannel(before, after) && 'in which way it is safe',
    losesVoicemail(before, after) && 'that no voicemail may be left',
    isLost(before.who_must_not_know, after.who_must_not_know) && 'who must not know of the referral',
  ];
}

/** Nobody can compare “Tuesdays at ten” with “mornings”, so any other words may be times at which somebody else is there. */
function losesTimes(before: Contact, after: Contact): boolean {
  return (
    before.safe === 'only_at' &&
    after.safe === 'only_at' &&
    normaliseText(before.only_at) !== normaliseText(after.only_at)
  );
}

function losesChannel(before: Contact, after: Contact): boolean {
  if (before.channel === after.channel) return false;
  // “Not safe by telephone” is lost if another way is named.
  if (before.safe === 'no') return after.channel !== undefined;
  if (after.safe === 'no') return false;
  // While somebody must not know, a letter or a call that the person did not expect may be seen. So a first way is asked about as well.
  if (before.channel === undefined) return before.who_must_not_know !== undefined;
  // “Only by letter” is lost if no way is named any more, or another one while care is needed.
  return after.channel === undefined || limitsContact(before);
}

/** If care is needed, a question about voicemail that nobody answered counts as “no”. */
function losesVoicemail(before: Contact, after: Contact): boolean {
  if (before.voicemail === false) return after.voicemail !== false;
  return before.voicemail === undefined && after.voicemail === true && limitsContact(before);
}

function isLost(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && !isOnlyAddedTo(normaliseText(before), normaliseText(after));
}

/** “Her husband” is the start of “her husband and his brother”, but not of “no longer her husband”; nor is “son” of “sonographer”. */
function isOnlyAddedTo(before: string, after: string): boolean {
  return after.startsWith(before) && !/^[\p{L}\p{N}]/u.test(after.slice(before.length));
}

function normaliseText(text = ''): string {
  return text.toLocaleLowerCase('en-GB').replaceAll(/\s+/g, ' ').replace(/\.$/, '').trim();
}

/** A protection is taken away with a reason: the other side reads it, and can object before somebody rings. */
export function protectionErrors(
  before: Protection,
  after: Protection,
  reason: string | undefined,
): FieldError[] {
  const pointer = '/reason';
  if (reason !== undefined) return reasonErrors(reason, { pointer, maxLength: Infinity });
  const removed = protectionsRemoved(before, after);
  if (removed.length === 0) return [];
  const message = `is required, because the correction takes away ${removed.join('; ')}`;
  return [{ pointer, message, code: 'protection-taken' }];
}
