import { type ReferralStatus, reasonCodes } from './referral.ts';
import type { Side } from './state-machine.ts';

type StatusWords = {
  /** The words and the colour of the tag; the words alone say it all. */
  readonly text: string;
  readonly colour: string;
  /** The line of the history. */
  readonly happened: string;
};

export const statusWords: Readonly<Record<ReferralStatus, StatusWords>> = {
  draft: { text: 'Draft', colour: 'grey', happened: 'Begun' },
  requested: { text: 'Waiting for an answer', colour: 'yellow', happened: 'Referral made' },
  accepted: { text: 'Accepted', colour: 'aqua-green', happened: 'Accepted' },
  rejected: { text: 'Rejected', colour: 'red', happened: 'Rejected' },
  'in-progress': { text: 'In progress', colour: 'blue', happened: 'Started' },
  'on-hold': { text: 'On the waiting list', colour: 'purple', happened: 'Put on the waiting list' },
  completed: { text: 'Completed', colour: 'green', happened: 'Completed' },
  failed: { text: 'Not completed', colour: 'orange', happened: 'Ended without being completed' },
  cancelled: { text: 'Cancelled', colour: 'grey', happened: 'Cancelled' },
  'entered-in-error': { text: 'Made in error', colour: 'grey', happened: 'Withdrawn as made in error' },
};

const underWay: readonly ReferralStatus[] = ['accepted', 'in-progress', 'on-hold'];

/** Whose turn it is, said to somebody on that side of the referral, or on none. */
export function whoseTurn(status: ReferralStatus, sides: readonly Side[], organisation: string): string {
  const provider = sides.includes('provider') ? 'you' : organisation;
  if (status === 'draft') return sides.includes('referrer') ? 'Waiting for you to send it' : 'Not sent yet';
  if (status === 'requested') return `Waiting for ${provider} to answer`;
  if (underWay.includes(status)) return `Waiting for ${provider} to complete it`;
  if (status === 'rejected' && sides.includes('referrer'))
    return 'Waiting for you to help the person another way';
  return 'Nothing more to do';
}

export const reasonWords: Readonly<Record<(typeof reasonCodes)[number], string>> = {
  'no-capacity': 'The service has no room at present',
  'not-eligible': 'The service is not for this person',
  'out-of-area': 'The person lives outside the service’s area',
  'failed-contact': 'The person could not be contacted',
  'missing-information': 'Something that the service needs to know is missing',
  'client-declined': 'The person does not want it',
  other: 'Another reason',
};

/** The outcomes that the page offers; a client system may send others. */
export const outcomeWords: Readonly<Record<string, string>> = {
  'goals-met': 'The person’s goals were met',
  'goals-partly-met': 'The person’s goals were met in part',
  'goals-not-met': 'The person’s goals were not met',
  'referred-on': 'The person was helped to go somewhere else',
  'ended-early': 'The person stopped before the end',
  other: 'Another outcome',
};

export const reasonChoices = reasonCodes.map((value) => ({ value, text: reasonWords[value] }));
export const outcomeChoices = Object.entries(outcomeWords).map(([value, text]) => ({ value, text }));
