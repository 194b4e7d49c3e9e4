import { type MailedReferral, referenceInWords, urgentFirst } from '../../accounts/index.ts';

const maxReferences = 50;

/** The references for an email, a line each, the urgent ones first, and how many more there are. */
export function listOfReferences(referrals: readonly MailedReferral[]): string {
  const listed = urgentFirst(referrals).slice(0, maxReferences).map(referenceInWords);
  const others = referrals.length - listed.length;
  return [...listed, ...(others > 0 ? [`and ${others} more`] : [])].join('\n');
}
