import type { Settings } from '../../platform/settings/index.ts';
import type { Purpose, ReceiverKind } from '../model/delivery.ts';

/** A label and its value. A value that nobody must overlook is bold. */
export type Fact = readonly [label: string, value: string, weight?: 'bold'];

export type Section = {
  heading: string;
  facts?: readonly Fact[];
  paragraphs?: readonly string[];
  /** One item is set as a paragraph, several as a list. */
  items?: readonly string[];
};

/** The content of a letter, without its layout. */
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
  recipient: { name: string };
  /** The date of its delivery, so that every attempt has the same date. */
  date: Date;
  test: boolean;
};

/** A letter as plain data, which can be stored and drawn later. */
export type WrittenLetter = {
  letter: Letter;
  /** The time of the document, in ISO 8601. */
  at: string;
  /** The address of the referral, for characters that cannot be printed. */
  where: string;
};

export const testMark = 'TEST – not a real patient';
