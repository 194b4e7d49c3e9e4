/** Put on every job that speaks to somebody else's system, so that the queue can leave out all of them. */
export const outside = 'outside';

/** What is before its name in the flag of each receiver. */
export const receiverPrefix = 'to ';

/** Those of one receiver. */
export function flagOf(receiver: string): string {
  return receiverPrefix + receiver;
}

/** Whom a job speaks to stands in its payload, for whoever runs it, and so in its flags, for whoever picks it. */
export function flagsOf(payload: object): string[] | null {
  const { receiver } = payload as { receiver?: string };
  return receiver === undefined ? null : [outside, flagOf(receiver)];
}
