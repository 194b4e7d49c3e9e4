import type { Settings } from '../../platform/settings/index.ts';
import type { ContactElsewhere, DeliveryPurpose, FieldChange, Referral } from '../../referrals/index.ts';
import type { LetterFacts, LetterFile, LetterSeries, NewsInLetter, Reopened } from '../model/delivery.ts';

/** A label and its value, bold if nobody must overlook it. */
export type Fact = readonly [label: string, value: string, weight?: 'bold'];

export type Section = {
  heading: string;
  facts?: readonly Fact[];
  paragraphs?: readonly string[];
  /** Several items become a list, a single one a paragraph. */
  items?: readonly string[];
  /** In a red box, so that nobody overlooks it. */
  isAlarm?: boolean;
  /** This section says who the person is. */
  isPatient?: boolean;
};

/** Who the letter is about. The top of each page has who it is and what is dangerous; the rest is under the box. */
export type PatientLines = {
  name: string;
  /** The name in a script that is read from right to left, where `name` has Latin letters. */
  ownScript?: string;
  identity: string;
  /** Whether somebody has checked the NHS number. */
  numberNote: string;
  /** Staff have to hide the letter and its code online. The box says what else, and until when. */
  hideOnline?: true;
  /** Who must not learn of the referral. */
  doNotTell?: string;
  /** Nobody may contact the patient. The box and each page say whom to ring instead. */
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
  | 'not-said'
  /** Somebody said that the practice has nothing to do. */
  | 'said-nothing-to-do'
  /** Nobody asked the practice for anything, and the referral ended without help or the letter replaces another. */
  | 'later-letter-without-task'
  /** The letter has a code and no details. */
  | 'code-to-file'
  /** The letter has no details, and an earlier one had the code. */
  | 'no-new-code';

/**
 * What the reader has to do, in a box that nobody overlooks. If nobody knows, `words` says so. `mustBeRead`: somebody has to act, or
 * find out whether they have to. `questions`: whom to ring with questions.
 */
export type ActionBox = {
  heading: string;
  /** Only in a letter to a practice, under the heading: the code to file, or that there is none. */
  code?: string;
  /** In red: the only ways to contact the patient, or that there is none. */
  limits?: string;
  tasks: readonly Task[];
  /** They stand out above the steps. */
  warnings?: readonly string[];
  /** Each is a paragraph. */
  words: readonly string[];
  mustBeRead: boolean;
  /** `danger`: red. `action`: amber, something to do or decide. `plain`: only papers. */
  weight?: 'danger' | 'action' | 'plain';
  questions: string;
};
/**
 * A step. Its warning stands out between what to do and the details. In a letter to a practice: `role`, who does it; `when`, how soon, as
 * in “today”; `handsOver`, it brings the letter to a clinician; `inHeading`, what the heading of the box calls it.
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
  /** Only in a letter to a practice, which is laid out for reading in 30 seconds. */
  toPractice?: { patient: PatientLines; box: ActionBox };
  /** Only in a letter to a service. */
  toService?: { patient: PatientLines; box: ActionBox };
  /** At the foot of each page: what to do if the letter came to the wrong reader. By default, what letters to services say. */
  footer?: string;
};

/** What letters to services and letters to practices are both composed from. */
type SharedInput = {
  site: Pick<Settings, 'siteName' | 'baseUrl'> &
    Partial<
      Pick<Settings, 'operatorContact' | 'clinicalSafetyContact' | 'crisisPhrases' | 'extraBankHolidays'>
    >;
  purpose: DeliveryPurpose;
  receiver: { name: string };
  /** The date of its delivery, so that every attempt has the same date. */
  date: Date;
  test: boolean;
  /** Left out if somebody reads on the site what the letter would say. */
  series?: LetterSeries | undefined;
  /** The date of the letter that this one replaces. */
  replacesLetterOf?: Date | null | undefined;
  /** What people have changed since that letter, in their order. */
  changes?: readonly FieldChange[] | undefined;
  /** What other open referrals of the person say about contacting them, as far as the service may know. A practice reads only that they do. */
  contactElsewhere: readonly ContactElsewhere[];
};

/** Fields that keep somebody safe have no default, so that no caller forgets them. */
export type ServiceLetterInput = SharedInput & {
  leg: 'service';
  news: readonly NewsInLetter[];
  files: readonly LetterFile[];
  reopened?: Reopened | null | undefined;
  /** Of the person who referred, in their account. */
  referrerTelephone?: string | null | undefined;
};

export type PracticeLetterInput = SharedInput & {
  leg: 'gp_practice';
  facts?: LetterFacts | null | undefined;
  files?: readonly LetterFile[] | undefined;
};

/** What a letter is composed from, apart from the referral. */
export type LetterInput = ServiceLetterInput | PracticeLetterInput;

/** Whether this is the first letter since somebody corrected a report that the person had died. */
export function isFirstSinceDeathUndone(
  { content: { death_mistake: mistake } }: Referral,
  { replacesLetterOf }: Pick<LetterInput, 'replacesLetterOf'>,
): boolean {
  return Boolean(mistake && replacesLetterOf && replacesLetterOf < new Date(mistake.corrected_at));
}

/** Whether a letter written at this moment said by mistake that the person has died. */
export function saidDeathByMistake(
  { content: { death_mistake: mistake } }: Pick<Referral, 'content'>,
  at: Date | string,
): boolean {
  if (!mistake) return false;
  return new Date(at) >= new Date(mistake.told_at) && new Date(at) < new Date(mistake.corrected_at);
}

/** A letter as plain data, to draw later. Test sites store it, so its field names must not change. */
export type WrittenLetter = {
  letter: Letter;
  /** The time of the document, in ISO 8601. */
  at: string;
  /** A sentence that says where the reader finds words that cannot be printed. */
  where: string;
};

export const testMark = 'TEST – not a real patient';
