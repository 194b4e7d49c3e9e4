/** Put on every job that speaks to somebody else's system, so that the queue can leave out all of them. */
export const outside = 'outside';

/** Put on every job that may take minutes or hours, so that few of them are run at once. */
export const lasting = 'lasting';

/** What is before its name in the flag of each receiver. */
export const receiverPrefix = 'to ';

/** Those of one receiver. */
export function flagOf(receiver: string): string {
  return receiverPrefix + receiver;
}

/** What a job's payload says of how it runs: whom it speaks to, and whether it may take long. */
export type Manner = { receiver?: string | undefined; lasting?: boolean | undefined };

/** That stands in its payload, for whoever runs it, and so in its flags, for whoever picks it. */
export function flagsOf(payload: object): string[] | null {
  const { receiver, lasting: isLasting } = payload as Manner;
  const flags = receiver === undefined ? [] : [outside, flagOf(receiver)];
  if (isLasting) flags.push(lasting);
  return flags.length > 0 ? flags : null;
}
