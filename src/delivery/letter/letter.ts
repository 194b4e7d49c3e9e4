import type { Settings } from '../../platform/settings/index.ts';
import type { Purpose, ReceiverKind } from '../model/delivery.ts';

/** A label and its value; bold is what must not be overlooked. */
export type Fact = readonly [label: string, value: string, weight?: 'bold'];

export type Section = {
  heading: string;
  facts?: readonly Fact[];
  paragraphs?: readonly string[];
  /** One is set as a paragraph, several as a list. */
  items?: readonly string[];
};

/** What a letter says, before anything is said about how it looks. */
export type Letter = {
  siteName: string;
  test: boolean;
  to: readonly string[];
  particulars: readonly Fact[];
  reference: string;
  heading: string;
  opening: readonly string[];
  sections: readonly Section[];
};

export type LetterOptions = {
  site: Pick<Settings, 'siteName' | 'baseUrl'>;
  receiverKind: ReceiverKind;
  purpose: Purpose;
  recipient: { name: string; code: string | null };
  /** When it was written: that of its delivery, so that a repetition has the same date. */
  date: Date;
  test: boolean;
};

/** A letter before it is drawn: all that is on it, and nothing else. As plain data, it can be kept and drawn later. */
export type WrittenLetter = {
  letter: Letter;
  /** A moment in ISO 8601: that of the document. */
  at: string;
  /** Where the referral is, for a reader of what cannot be printed. */
  where: string;
};

export const testMark = 'TEST – not a real patient';
