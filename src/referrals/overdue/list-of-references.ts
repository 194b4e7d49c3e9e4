import { type MailedReferral, referenceInWords, urgentFirst } from '../../accounts/index.ts';

const maxReferences = 50;

type ReferenceInList = MailedReferral & {
  /** The day in words on which the site declines it, if nobody answers. */
  declinedOn?: string;
};

/** The references for an email, a line each, the urgent ones first, and how many more there are. */
export function listOfReferences(referrals: readonly ReferenceInList[]): string {
  const listed = urgentFirst(referrals)
    .slice(0, maxReferences)
    .map((each) => `${referenceInWords(each)}${each.declinedOn ? `, on ${each.declinedOn}` : ''}`);
  const others = referrals.length - listed.length;
  return [...listed, ...(others > 0 ? [`and ${others} more`] : [])].join('\n');
}
