import { define } from './definition.ts';
import { dates, flag, path, wholeNumber } from './parsers.ts';

/** How long a referral may wait for its answer, what the site does about it, and how long it is kept. */
export const referralDefinitions = {
  answerByLink: define<boolean>({
    variable: 'ONWARD_ANSWER_BY_LINK',
    parse: flag,
    defaultValue: true,
    meaning:
      'Emails about referrals have a link by which a service confirms, accepts or declines without an account, and with a code to its second mailbox or a mobile number does the rest. Sensitive services, and referrals with a safety note or that tell of a danger, always need an account. `false` also ends the links that were sent. Each service can switch it off for itself, too. The GP practice is told of an ending by link after 24 hours; until then the referrer can say that it was a mistake.',
    example: 'false',
  }),
  personPages: define<boolean>({
    variable: 'ONWARD_PERSON_PAGES',
    parse: flag,
    defaultValue: true,
    meaning:
      'A person whose referrer ticked “Safe to send to this person” gets a link by email or text to a page of their own, which says how far the referral is. `false` also ends the links that were sent.',
    example: 'false',
  }),
  dueDaysRoutine: define<number>({
    variable: 'ONWARD_DUE_DAYS_ROUTINE',
    parse: wholeNumber(1, 365),
    defaultValue: 10,
    meaning:
      'Within how many working days a service should answer a routine referral; after that it is overdue. England’s bank holidays do not count, nor those in `ONWARD_EXTRA_BANK_HOLIDAYS`.',
    example: '5',
  }),
  dueDaysUrgent: define<number>({
    variable: 'ONWARD_DUE_DAYS_URGENT',
    parse: wholeNumber(1, 365),
    defaultValue: 2,
    meaning:
      'Within how many working days a service should answer an urgent referral; after that it is overdue.',
    example: '1',
  }),
  extraBankHolidays: define<readonly string[]>({
    variable: 'ONWARD_EXTRA_BANK_HOLIDAYS',
    parse: dates,
    defaultValue: [],
    defaultInWords: 'unset: the bank holidays of England that come every year',
    meaning:
      'Bank holidays that are proclaimed for one year alone, such as for a coronation, separated by commas. They are no working days. Due dates that were set before stay as they are.',
    example: '2027-05-10,2028-06-02',
  }),
  firstContactWorkingDays: define<number>({
    variable: 'ONWARD_FIRST_CONTACT_WORKING_DAYS',
    parse: wholeNumber(1, 365),
    defaultValue: 10,
    meaning:
      'Within how many working days a service that has accepted a referral first contacts the person; after that the referral is overdue.',
    example: '5',
  }),
  waitingCheckDays: define<number>({
    variable: 'ONWARD_WAITING_CHECK_DAYS',
    parse: wholeNumber(1, 365),
    defaultValue: 28,
    meaning:
      'After how many days the service checks again that a person on its waiting list can safely wait; after that the referral is overdue.',
    example: '14',
  }),
  urgentWaitingCheckDays: define<number>({
    variable: 'ONWARD_URGENT_WAITING_CHECK_DAYS',
    parse: wholeNumber(1, 365),
    defaultValue: 7,
    meaning:
      'The same for an urgent referral. If `ONWARD_WAITING_CHECK_DAYS` is less, it counts for urgent referrals too.',
    example: '3',
  }),
  startedCheckDays: define<number>({
    variable: 'ONWARD_STARTED_CHECK_DAYS',
    parse: wholeNumber(1, 365),
    defaultValue: 90,
    meaning: 'After how many days without news a referral in progress is overdue.',
    example: '60',
  }),
  paperDays: define<number>({
    variable: 'ONWARD_PAPER_DAYS',
    parse: wholeNumber(1, 365),
    defaultValue: 31,
    meaning:
      'How many days ago a referral that is typed in from paper may have been taken (`made_at`). Its due date counts from then.',
    example: '14',
  }),
  remindAfterDays: define<number | undefined>({
    variable: 'ONWARD_REMIND_AFTER_DAYS',
    parse: wholeNumber(1, 365),
    defaultValue: undefined,
    defaultInWords: 'unset: when the answer is overdue',
    meaning:
      'After how many days without an answer the staff of a service get one reminder by email. Less than `ONWARD_REJECT_AFTER_DAYS`.',
    example: '7',
  }),
  rejectAfterDays: define<number | undefined>({
    variable: 'ONWARD_REJECT_AFTER_DAYS',
    parse: wholeNumber(1, 3650),
    defaultValue: undefined,
    defaultInWords: 'unset: a referral waits until somebody answers',
    meaning:
      'After how many days without an answer the site itself declines a referral, and tells the referrer. Weekends and bank holidays count. The service and the referrer are warned at least five working days before. No referral is declined before its answer is due, and no urgent one, or one of somebody at risk, before somebody at the service has opened it.',
    example: '28',
  }),
  retentionYears: define<number | undefined>({
    variable: 'ONWARD_RETENTION_YEARS',
    parse: wholeNumber(1, 100),
    defaultValue: undefined,
    defaultInWords:
      'unset: nothing is erased without an operator’s approval; due after 8 years, or 20 for mental health',
    meaning:
      'How many years after its end a referral is erased by itself, without anybody’s approval. A child’s referral is kept at least until their 25th or 26th birthday, and that of a service with a longer period for as long as it says.',
    example: '10',
  }),
  unusualSearchesWithoutResult: define<number>({
    variable: 'ONWARD_LOOKS_MISSES',
    parse: wholeNumber(1, 1000),
    defaultValue: 5,
    meaning:
      'An account that searches on one day this many times or more for people who are not found comes on the Caldicott guardian’s list (`/operator/looks`).',
    example: '10',
  }),
  unusualReadsWithoutAction: define<number>({
    variable: 'ONWARD_LOOKS_WITHOUT_ACTION',
    parse: wholeNumber(1, 1000),
    defaultValue: 10,
    meaning:
      'An account that on one day opens this many referrals of colleagues or more, and does nothing with them, comes on the Caldicott guardian’s list.',
    example: '20',
  }),
  documentDir: define<string | undefined>({
    variable: 'ONWARD_DOCUMENT_DIR',
    parse: path,
    defaultValue: undefined,
    defaultInWords: '`<data dir>/documents`',
    meaning:
      'The folder into which a live site puts letters to be printed or filed. Remove each letter once that is done.',
    example: '/srv/letters',
  }),
};
