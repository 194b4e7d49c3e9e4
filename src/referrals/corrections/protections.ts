import type { FieldError } from '../../platform/problem/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import { strictnessOf } from '../model/person/safe-contact.ts';
import type { Referral } from '../model/referral.ts';

type Content = Pick<Referral['content'], 'contact' | 'do_not_show_online' | 'safety_notes'>;

/**
 * What a correction takes away that protects the person or staff, in words: a restriction of contact, “not to be shown online”, a safety
 * note. A note that still has the earlier words in it has lost nothing.
 */
export function protectionsRemoved(before: Content, after: Content): string[] {
  const removed = [
    ...contactProtectionsRemoved(before.contact ?? {}, after.contact ?? {}),
    before.do_not_show_online === true &&
      after.do_not_show_online !== true &&
      'that it is not to be shown online',
    isLost(before.safety_notes, after.safety_notes) && 'the safety note, or words of it',
  ];
  return removed.filter((each) => each !== false);
}

function contactProtectionsRemoved(
  before: Partial<NonNullable<Content['contact']>>,
  after: Partial<NonNullable<Content['contact']>>,
): (string | false)[] {
  const isLessCareful = strictnessOf(before) > strictnessOf(after);
  // “Not safe by telephone” is lost where another way is named, and “only by letter” where none is.
  const losesChannel =
    before.channel !== undefined &&
    (before.safe === 'no'
      ? after.channel !== undefined && after.channel !== before.channel
      : after.channel === undefined && after.safe !== 'no');
  return [
    isLessCareful &&
      (before.safe === 'no'
        ? 'that it is not safe to contact the person'
        : 'that it is safe only at certain times or places'),
    !isLessCareful && losesChannel && 'in which way it is safe',
    before.voicemail === false && after.voicemail !== false && 'that no voicemail may be left',
    isLost(before.who_must_not_know, after.who_must_not_know) && 'who must not know of the referral',
  ];
}

function isLost(before: string | undefined, after: string | undefined): boolean {
  const plain = (text: string) =>
    text.toLocaleLowerCase('en-GB').replaceAll(/\s+/g, ' ').replace(/\.$/, '').trim();
  return before !== undefined && !plain(after ?? '').includes(plain(before));
}

/** A protection is taken away with a reason: the other side reads it, and can object before somebody rings. */
export function protectionErrors(before: Content, after: Content, reason: string | undefined): FieldError[] {
  const pointer = '/reason';
  if (reason !== undefined) return reasonErrors(reason, { pointer, maxLength: Infinity });
  const removed = protectionsRemoved(before, after);
  if (removed.length === 0) return [];
  const message = `is required, because the correction takes away ${removed.join('; ')}`;
  return [{ pointer, message, code: 'protection-taken' }];
}
