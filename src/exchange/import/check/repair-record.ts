import { cleanRecord, type Service, serviceSchema, withRealReason } from '../../../library/index.ts';
import { momentOf } from '../../../platform/clock/index.ts';
import { validatorOf } from '../../../platform/http/index.ts';
import { type FieldError, pointerTo } from '../../../platform/problem/index.ts';
import { type NoteKind, type Standalone, standaloneKind, standaloneSchemas } from '../model/record.ts';
import { leaveOutParts, type Repairs } from './leave-out-parts.ts';

/** `repairs` lists what was changed to make the record valid. */
export type RepairedRecord = { repairs?: Repairs } & (
  | { service: Service; lastModified: Date | undefined }
  | { standalone: Standalone }
  | { id: string | undefined; errors: readonly FieldError[] }
);

const maxErrors = 5;
const schemas = { service: serviceSchema, ...standaloneSchemas };

/**
 * Repairs a value of a file, in place. It must be a service, or a standalone record. Null fields, and empty fields that HSDS
 * names, count as left out. A wrong part is left out and the rest is kept.
 */
export function repairRecord(value: unknown): RepairedRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { id: undefined, errors: [{ pointer: '', message: 'must be an object: one service' }] };
  const id = 'id' in value && typeof value.id === 'string' ? value.id.slice(0, 100) : undefined;
  const { unusable, message } = cleanRecord(value);
  if (message !== undefined) return { id, errors: [{ pointer: '', message }] };
  const noted = restoreLineBreaks(value).map((pointer) => ({ kind: restoredLineBreaks, pointer }));
  const repairs: Repairs = { leftOut: unusable, noted };
  const kind = standaloneKind(value) ?? 'service';
  if (!validatorOf(schemas[kind]).Check(value)) {
    const within: Repairs = { leftOut: [], noted: repairs.noted };
    const errors = leaveOutParts(schemas[kind], value, within);
    if (errors.length > 0) return { id, errors: withRealReason(errors, unusable).slice(0, maxErrors) };
    const reported = new Set(unusable.map(({ pointer }) => pointer));
    repairs.leftOut.push(...within.leftOut.filter(({ pointer }) => !reported.has(pointer)));
  }
  const record =
    kind === 'service'
      ? datedService(value as Service, repairs)
      : { standalone: { kind, thing: (value as Record<string, unknown>)[kind] } as Standalone };
  const isRepaired = repairs.leftOut.length + repairs.noted.length > 0;
  return isRepaired ? { ...record, repairs } : record;
}

function datedService(service: Service, { leftOut }: Repairs) {
  if (service.last_modified === undefined) return { service, lastModified: undefined };
  const lastModified = momentOf(service.last_modified);
  if (lastModified) return { service, lastModified };
  delete service.last_modified;
  leftOut.push({
    pointer: '/last_modified',
    message: 'must be a date and time such as 2026-11-21T09:30:00Z',
  });
  return { service, lastModified: undefined };
}

/** Fields that hold prose. In others, such as a geometry or a code, a backslash may be part of the value. */
const proseFields: ReadonlySet<string> = new Set([
  'description',
  'application_process',
  'fees_description',
  'fees',
  'accreditations',
  'eligibility_description',
  'interpretation_services',
  'wait_time',
  'alert',
  'notes',
  'note',
  'details',
  'transportation',
  'amount_description',
  'document',
]);

/** Replaces, in place, the two characters \n by the line breaks that they stand for. @returns the pointers of these texts */
function restoreLineBreaks(value: object): string[] {
  const pointers: string[] = [];
  for (const key of Object.keys(value)) {
    const entry = (value as Record<string, unknown>)[key];
    if (typeof entry === 'object' && entry !== null) {
      // Most records have no such text, so pointers are built only on the way back up.
      for (const pointer of restoreLineBreaks(entry)) pointers.push(`${pointerTo(key)}${pointer}`);
    } else if (typeof entry === 'string') {
      const text = withLineBreaks(key, entry);
      if (text === entry) continue;
      (value as Record<string, unknown>)[key] = text;
      pointers.push(pointerTo(key));
    }
  }
  return pointers;
}

/**
 * The text with line breaks where a program wrote the two characters \n instead. It does so only if the text has no real line
 * break and every \n stands at its end or before a space, a capital letter, a digit, a bullet or another break. “C:\new”
 * stays as it is.
 */
export function withLineBreaks(name: string, text: string): string {
  if (!text.includes('\\n') || !proseFields.has(name) || /[\r\n]/.test(text)) return text;
  const breaks = /(?:\\r)?\\n/g;
  const replaceable = /(?:\\r)?\\n(?=$|[\s\p{Lu}\d•*–—(“"-]|\\[rn])/gu;
  return text.match(breaks)?.length === text.match(replaceable)?.length
    ? text.replaceAll(breaks, '\n')
    : text;
}

const restoredLineBreaks: NoteKind = {
  code: 'line-breaks',
  words: (count) =>
    `In ${count} ${count === 1 ? 'text' : 'texts'} the characters \\n stand for line breaks, and are read as such.`,
};
