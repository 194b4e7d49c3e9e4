const maxReferences = 50;

/** The references for an email, a line each, and how many more there are. */
export function listOfReferences(referrals: readonly { reference: string }[]): string {
  const listed = referrals.slice(0, maxReferences).map(({ reference }) => reference);
  const others = referrals.length - listed.length;
  return [...listed, ...(others > 0 ? [`and ${others} more`] : [])].join('\n');
}
