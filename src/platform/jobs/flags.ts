/** On each job that calls somebody else's system. */
export const outside = 'outside';

/** On each job that may take minutes or hours. */
export const lasting = 'lasting';

/** On each job that reads from somebody else's system for minutes or hours, in place of the other two. */
export const reading = 'reading';

/** Before the name of the system that a job calls. */
export const receiverPrefix = 'to ';

/** Before the id of each thing that a job is about. The queue's view shows flags but no payloads. */
export const subjectPrefix = 'about ';

export function receiverFlag(receiver: string): string {
  return receiverPrefix + receiver;
}

/** The fields of a payload that decide when its job may run. */
export type RunsHow = { receiver?: string | undefined; lasting?: boolean | undefined };

/** A job's flags repeat what its payload says: which receiver it calls, and the values of its `_id` and `_ids` fields. */
export function flagsOf(payload: object): string[] | null {
  const { receiver, lasting: isLasting } = payload as RunsHow;
  const flags = subjectsOf(payload).map((id) => subjectPrefix + id);
  if (receiver !== undefined) flags.push(isLasting ? reading : outside, receiverFlag(receiver));
  else if (isLasting) flags.push(lasting);
  return flags.length > 0 ? flags : null;
}

function subjectsOf(payload: object): string[] {
  return Object.entries(payload).flatMap(([field, value]) => {
    if (field.endsWith('_id')) return [value as string];
    return field.endsWith('_ids') ? (value as string[]) : [];
  });
}
