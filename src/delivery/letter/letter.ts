import type { Settings } from '../../platform/settings/index.ts';
import type { ContactElsewhere, DeliveryPurpose, FieldChange, Referral } from '../../referrals/index.ts';
import type { LetterFacts, LetterFile, LetterSeries, NewsInLetter } from '../model/delivery.ts';

/** A label and its value. A value that nobody must overlook is bold. */
export type Fact = readonly [label: string, value: string, weight?: 'bold'];

export type Section = {
  heading: string;
  facts?: readonly Fact[];
  paragraphs?: readonly string[];
  /** One item is set as a paragraph, several as a list. */
  items?: readonly string[];
  /** What nobody must overlook has a red box. */
  isAlarm?: boolean;
  /** Who the person is. */
  isPatient?: boolean;
};

/** Who the letter is about: at the top of each page who it is and what is dangerous, and under the box the rest. */
export type PatientLines = {
  name: string;
  /** The name in a script that is read from right to left, where `name` has Latin letters. */
  ownScript?: string;
  identity: string;
  /** How sure it is that the NHS number is the patient’s. */
  numberNote: string;
  /** The letter and its code must not be seen online, at least for now: the box says which others, and until when. */
  hideOnline?: true;
  /** Who must not learn of the referral. */
  doNotTell?: string;
  /** Nobody contacts the patient. The box says whom to ring instead, and each page says it again. */
  isUnsafe?: true;
  /** Under the box. */
  address?: string;
  /** How to contact the patient, under the box. Limits are in the box. */
  contact?: string;
};

/** What the box of a letter says to a practice. */
export type BoxKind =
  /** The practice has tasks. */
  | 'tasks'
  /** Somebody may be in danger. */
  | 'clinician-reads-today'
  /** Nobody asked the practice for anything, and a clinician should see it. */
  | 'clinician-sees-today'
  | 'clinician-sees-when-filed'
  /** Nobody said whether the practice has to act. */
  | 'unanswered'
  /** Somebody said that the practice has nothing to do. */
  | 'answered-nothing'
  /** The referral ended without help, or the letter takes the place of one, and nobody asked the practice for anything. */
  | 'nothing-asked'
  /** It has a code and no details. */
  | 'code-to-file'
  /** It has no details, and its code was in an earlier letter. */
  | 'no-new-code';

/**
 * What the reader has to do, in a box that nobody overlooks. If nobody knows, `words` says so. `mustBeRead`: somebody
 * has to act, or to find out whether they have to. `questions`: whom to ring about the letter.
 */
export type ActionBox = {
  heading: string;
  /** In a letter to a practice: the code to file, or that there is none. It stands under the heading, before any step. */
  code?: string;
  /** How the patient may be contacted, in red: only in these ways, or in none. */
  limits?: string;
  tasks: readonly Task[];
  /** Stand out above everything in the box. */
  warnings?: readonly string[];
  /** Each is a paragraph. */
  words: readonly string[];
  mustBeRead: boolean;
  /** Danger to somebody is red, something to do or decide is amber, and papers are plain. */
  weight?: 'danger' | 'action' | 'plain';
  questions: string;
};
/**
 * A warning stands out between what to do and its details. In a letter to a practice, `role` is who does it, `when` says how soon,
 * `handsOver`: it brings the letter to a clinician, and `inHeading`: what the heading of the box calls it.
 * The steps of a clerk come first, those of a clinician after them.
 */
export type Task = {
  text: string;
  warning?: string;
  details?: string;
  role?: 'clerk' | 'clinician';
  when?: string;
  handsOver?: true;
  inHeading?: 'hide online' | 'contact limits' | 'safety note';
};

/** The content of a letter, without its layout. */
export type Letter = {
  siteName: string;
  test: boolean;
  to: readonly string[];
  particulars: readonly Fact[];
  reference: string;
  heading: string;
  /** Which of our letters about this referral it is, and what to do with the earlier ones. */
  order?: { number: number; words: string };
  opening: readonly string[];
  sections: readonly Section[];
  /** A letter to a practice has these, and is laid out to be read in 30 seconds. */
  toPractice?: { patient: PatientLines; box: ActionBox };
  /** The same at the top of a letter to a service. */
  toService?: { patient: PatientLines; box: ActionBox };
  /** What to do if it came to the wrong reader, at the foot of each page. Left out, it is what letters to services say. */
  footer?: string;
};

// `LetterOptions`: all that a letter is composed from beside the referral, to a service or to a practice. `LetterCommon`: what both
// have. `LetterFacts` (model/delivery.ts): what the database adds for a practice. `PracticeLetter` (practice/prepare-letter.ts): all that
// the parts of a letter to a practice go by.

type LetterCommon = {
  site: Pick<Settings, 'siteName' | 'baseUrl'> &
    Partial<
      Pick<Settings, 'operatorContact' | 'clinicalSafetyContact' | 'crisisPhrases' | 'extraBankHolidays'>
    >;
  purpose: DeliveryPurpose;
  receiver: { name: string };
  /** The date of its delivery, so that every attempt has the same date. */
  date: Date;
  test: boolean;
  /** Left out where somebody reads on the site what the letter would say. */
  series?: LetterSeries | undefined;
  /** The date of the letter that this one replaces. */
  replacesLetterOf?: Date | null | undefined;
  /** What was changed since that letter, in the order in which people changed it. */
  changes?: readonly FieldChange[] | undefined;
  /** What other open referrals of the person say about contacting them, as far as the service may know. A practice reads only that they do. */
  contactElsewhere: readonly ContactElsewhere[];
};

/** What keeps somebody safe has no default, so that nobody who composes a letter forgets it. */
export type ServiceLetterOptions = LetterCommon & {
  leg: 'service';
  news: readonly NewsInLetter[];
  files: readonly LetterFile[];
  /** Of the person who referred, in their account. */
  referrerTelephone?: string | null | undefined;
};

export type PracticeLetterOptions = LetterCommon & {
  leg: 'gp_practice';
  facts?: LetterFacts | null | undefined;
  files?: readonly LetterFile[] | undefined;
};

/** What a letter is composed from, beside the referral. */
export type LetterOptions = ServiceLetterOptions | PracticeLetterOptions;

/** Whether the letter that this one replaces is from before somebody said that the person has not died after all. */
export function isFirstSinceDeathUndone(
  { content: { death_mistake: mistake } }: Referral,
  { replacesLetterOf }: Pick<LetterOptions, 'replacesLetterOf'>,
): boolean {
  return Boolean(mistake && replacesLetterOf && replacesLetterOf < new Date(mistake.corrected_at));
}

/** Whether a letter of this moment said that the person has died, which was a mistake. */
export function saidDeathByMistake(
  { content: { death_mistake: mistake } }: Pick<Referral, 'content'>,
  at: Date | string,
): boolean {
  if (!mistake) return false;
  return new Date(at) >= new Date(mistake.told_at) && new Date(at) < new Date(mistake.corrected_at);
}

/** A letter as plain data, to be drawn later. A test site stores it as it is, so these names stay. */
export type WrittenLetter = {
  letter: Letter;
  /** The time of the document, in ISO 8601. */
  at: string;
  /** Where the reader finds what cannot be printed, as a sentence. */
  where: string;
};

export const testMark = 'TEST – not a real patient';
