import { ringInShort, ringReferrer } from '../whom-to-ask.ts';
import { ringAboutNews, ringWhoReported } from './news.ts';
import type { PracticeLetter } from './prepare-letter.ts';

/** “ring Jo Hall (the service), 01632 960200”: before anybody contacts the patient. */
export function askedFirst(letter: PracticeLetter): string | undefined {
  const ask = askBeforeContact(letter);
  if (ask !== undefined) return ask;
  if (asksAboutRisk(letter)) return ringReferrer(letter);
  if (asksAboutCrisis(letter)) return ringWhoReported(letter) ?? ringInShort(letter);
  return letter.hasNewsToAsk && !letter.isContactUnsafe ? ringAboutNews(letter) : undefined;
}

/** Whether somebody is rung before the patient: because of other answers, a risk, or news that the practice may not read. */
export function asksFirst(letter: PracticeLetter): boolean {
  if (letter.isContactUnsafe) return false;
  return askBeforeContact(letter) !== undefined || asksAboutRisk(letter) || letter.hasNews;
}

/**
 * Where another open referral of the person asks for more care: whom to ask first. The practice may not know the other referral, so
 * nothing of it is told. Where nobody contacts the patient, or the letter has a code alone, it would add nothing.
 */
export function askBeforeContact(letter: PracticeLetter): string | undefined {
  const careful = letter.contactElsewhere.filter(({ stricter }) => stricter);
  if (careful.length === 0 || letter.isContactUnsafe || !letter.mayWarn) return undefined;
  const { clinicalSafetyContact } = letter.site;
  // What is in a restricted record, nobody at the referrer’s may open.
  const isClosed = careful.every(({ contact, ring_first }) => contact === null && ring_first === undefined);
  return isClosed && clinicalSafetyContact ? `ask ${clinicalSafetyContact}` : ringReferrer(letter);
}

/** Nobody knows yet who is at risk, so the person who hears a voicemail may be the one who must not. */
export function asksAboutRisk(letter: PracticeLetter): boolean {
  const isOpen = letter.purpose === 'referral' && !letter.isRemovalNotice;
  return isOpen && letter.referral.content.risk === 'yes' && !letter.isContactUnsafe;
}

/** Whether the person who reported a crisis is rung before the patient. */
export function asksAboutCrisis(letter: PracticeLetter): boolean {
  const isOpen = letter.purpose === 'referral' && letter.mayWarn;
  return isOpen && letter.crisis !== undefined && !letter.isContactUnsafe;
}
