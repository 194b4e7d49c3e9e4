import { promptWords } from '../../model/attention/prompts.ts';
import type { OpenItem } from './still-open-store.ts';

const words: Readonly<Record<OpenItem, string>> = {
  'death-reported': promptWords['death-reported'].what,
  'risk-to-act-on': 'the referral tells of a danger, and nobody has confirmed that somebody acted on it',
  'alarming-answer': promptWords['alarming-answer'].what,
  'person-not-helped': promptWords['person-not-helped'].what,
  'person-wants-to-stop': promptWords['person-wants-to-stop'].what,
  'unread-danger': 'news of a danger was not read',
  'unsent-letter': 'a letter or message was not sent yet, or may not have arrived',
  'gp-task': 'the GP practice has not confirmed that it does what it was asked to do',
};

/** What is still open about a referral that has ended, in words that name nobody. */
export function openItemsInWords(items: readonly OpenItem[]): string[] {
  return items.map((item) => words[item]);
}
