import { ringInShort, ringReferrer } from '../whom-to-ask.ts';
import { ringAboutLifeChange, ringCrisisReporter } from './life-changes.ts';
import type { PreparedLetter } from './prepare-letter.ts';

/** Whom somebody rings before they contact the patient: “ring Jo Hall (the service), 01632 960200”. Undefined if they need to ring nobody. */
export function whomToAskFirst(letter: PreparedLetter): string | undefined {
  const ask = whomToAskIfAnswersDiffer(letter);
  if (ask !== undefined) return ask;
  if (mustAskAboutRisk(letter)) return ringReferrer(letter);
  if (mustAskAboutCrisis(letter)) return ringCrisisReporter(letter) ?? ringInShort(letter);
  return letter.hasNewsToAsk && !letter.isContactUnsafe ? ringAboutLifeChange(letter) : undefined;
}

/** Whether somebody rings another person first: because of another referral’s answer, a risk, or news that the practice may not read. */
export function mustAskFirst(letter: PreparedLetter): boolean {
  if (letter.isContactUnsafe) return false;
  return whomToAskIfAnswersDiffer(letter) !== undefined || mustAskAboutRisk(letter) || letter.hasNews;
}

/**
 * Whom to ask first if another open referral of the patient asks for more care. The practice may not know that referral, so the letter
 * says nothing about it. Undefined if nobody contacts the patient, or the letter has a code alone.
 */
export function whomToAskIfAnswersDiffer(letter: PreparedLetter): string | undefined {
  const careful = letter.contactElsewhere.filter(({ stricter }) => stricter);
  if (careful.length === 0 || letter.isContactUnsafe || !letter.mayWarn) return undefined;
  const { clinicalSafetyContact } = letter.site;
  // The referrer’s staff cannot open a restricted record.
  const isClosed = careful.every(({ contact, ring_first }) => contact === null && ring_first === undefined);
  return isClosed && clinicalSafetyContact ? `ask ${clinicalSafetyContact}` : ringReferrer(letter);
}

/** Whether to ask about a risk first. Nobody knows yet who is at risk: the wrong person may hear a voicemail. */
export function mustAskAboutRisk(letter: PreparedLetter): boolean {
  const isOpen = letter.purpose === 'referral' && !letter.isRemovalNotice;
  return isOpen && letter.referral.content.risk === 'yes' && !letter.isContactUnsafe;
}

/** Whether to ring the person who reported a crisis before the patient. */
export function mustAskAboutCrisis(letter: PreparedLetter): boolean {
  const isOpen = letter.purpose === 'referral' && letter.mayWarn;
  return isOpen && letter.crisis !== undefined && !letter.isContactUnsafe;
}
