// The flags of a job, by which the queue finds what may run:
//   'outside'      it calls another system
//   'lasting'      it may take minutes or hours
//   'reading'      it reads a feed: instead of the two above
//   'to SYSTEM'    the system that it calls or reads from
//   'about ID'     something that it is about
// Jobs in the queue have these words, so the words stay although the names here say more. They repeat what the payload says because
// the queue’s view shows flags but no payloads.

/** The flag of jobs that call another system. */
export const externalCallFlag = 'outside';

/** The flag of jobs that may take minutes or hours. */
export const longJobFlag = 'lasting';

/** The flag of long jobs that read from another system. They have neither of the other two flags. */
export const feedFlag = 'reading';

/** The prefix of the flag that names the system a job calls. */
export const systemPrefix = 'to ';

/** The prefix of the flags that name what a job is about, by its id. */
export const subjectPrefix = 'about ';

export function systemFlag(system: string): string {
  return systemPrefix + system;
}

/** The fields of a payload that decide when its job may run. `receiver` is the system that it calls, under its stored name. */
export type SchedulingHints = { receiver?: string | undefined; lasting?: boolean | undefined };

/** A job's flags repeat what its payload says: which system it calls, and the values of its `_id` and `_ids` fields. */
export function flagsOf(payload: object): string[] | null {
  const { receiver: system, lasting } = payload as SchedulingHints;
  const flags = subjectsOf(payload).map((id) => subjectPrefix + id);
  if (system !== undefined) flags.push(lasting ? feedFlag : externalCallFlag, systemFlag(system));
  else if (lasting) flags.push(longJobFlag);
  return flags.length > 0 ? flags : null;
}

function subjectsOf(payload: object): string[] {
  return Object.entries(payload).flatMap(([field, value]) => {
    if (field.endsWith('_id')) return [value as string];
    return field.endsWith('_ids') ? (value as string[]) : [];
  });
}
