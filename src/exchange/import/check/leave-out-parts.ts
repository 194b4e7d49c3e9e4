import type { TSchema } from 'typebox';
import { describeErrors, validatorOf } from '../../../platform/http/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import type { NoteKind } from '../model/record.ts';
import { listFromText, partFromText } from './text-lists.ts';

type Shape = {
  type?: unknown;
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  items?: TSchema;
};

/** The changes that made a record valid: the parts that were left out, and the conversions that the report notes. */
export type Repairs = { leftOut: FieldError[]; noted: { kind: NoteKind; pointer: string }[] };

/** Half a schedule would show wrong hours, so a schedule with any fault is removed as a whole. */
const removedAsAWhole: ReadonlySet<string> = new Set(['schedules']);

/**
 * Repairs a value in place: converts texts that stand for lists and numbers, and removes the optional fields and list entries that
 * still do not fit its schema. If a required field does not fit, the object that has it is removed.
 * @returns why the value itself must be removed; empty if it can stay.
 */
export function leaveOutParts(
  schema: TSchema,
  value: unknown,
  repairs: Repairs,
  pointer = '',
): readonly FieldError[] {
  if (validatorOf(schema).Check(value)) return [];
  const shape: Shape = schema;
  if (shape.items && Array.isArray(value)) return repairList(shape.items, value, repairs, pointer);
  if (shape.properties && typeof value === 'object' && value !== null && !Array.isArray(value))
    return repairObject(shape, value as Record<string, unknown>, repairs, pointer);
  const [error] = describeErrors(validatorOf(schema).Errors(value), pointer);
  return error ? [{ pointer: error.pointer, message: error.message }] : [];
}

function repairObject(
  { properties = {}, required = [] }: Shape,
  holder: Record<string, unknown>,
  repairs: Repairs,
  pointer: string,
): readonly FieldError[] {
  const fatal: FieldError[] = [];
  // If the holder is removed, its parts are not reported separately.
  const within: Repairs = { leftOut: [], noted: [] };
  for (const [name, schema] of Object.entries(properties)) {
    const at = `${pointer}/${name}`;
    if (!Object.hasOwn(holder, name)) {
      if (required.includes(name)) fatal.push({ pointer: at, message: 'is required' });
      continue;
    }
    holder[name] = convertText(name, schema, holder[name], within, at);
    const faults = leaveOutParts(schema, holder[name], within, at);
    if (faults.length > 0 && required.includes(name)) fatal.push(...faults);
    else within.leftOut.push(...faults);
    if (faults.length > 0 || isEmptyList(holder[name])) delete holder[name];
  }
  if (fatal.length === 0) {
    repairs.leftOut.push(...within.leftOut);
    repairs.noted.push(...within.noted);
  }
  return fatal;
}

function repairList(
  items: TSchema,
  list: unknown[],
  repairs: Repairs,
  pointer: string,
): readonly FieldError[] {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const entries = list.flatMap((value, index) => {
    const at = `${pointer}/${index}`;
    const part = typeof value === 'string' ? partFromText(name, value) : undefined;
    const within: Repairs = { leftOut: [], noted: part ? [{ kind: listsFromTexts, pointer: at }] : [] };
    const entry = part ?? value;
    const faults = leaveOutParts(items, entry, within, at);
    const fault =
      faults[0] ?? (removedAsAWhole.has(name) || isEmptyEntry(entry) ? within.leftOut[0] : undefined);
    repairs.leftOut.push(...(fault ? [fault] : within.leftOut));
    if (fault) return [];
    repairs.noted.push(...within.noted);
    return [entry];
  });
  list.splice(0, list.length, ...entries);
  return [];
}

/** Converts a text in the place of a list or a number. */
function convertText(
  name: string,
  schema: TSchema,
  value: unknown,
  { noted }: Repairs,
  pointer: string,
): unknown {
  if (typeof value !== 'string') return value;
  const { items, type }: Shape = schema;
  const list = items && listFromText(name, value);
  if (list) noted.push({ kind: listsFromTexts, pointer });
  if (list || type !== 'number' || !/^\s*[+-]?\d{1,15}(\.\d{1,15})?\s*$/.test(value)) return list ?? value;
  noted.push({ kind: numbersFromTexts, pointer });
  return Number(value);
}

export const listsFromTexts: NoteKind = {
  code: 'lists-from-texts',
  words: (count) =>
    count === 1
      ? '1 text stands where HSDS has a list, and is read as one, with commas between its entries.'
      : `${count} texts stand where HSDS has a list, and are read as lists, with commas between the entries.`,
};

const numbersFromTexts: NoteKind = {
  code: 'numbers-from-texts',
  words: (count) =>
    count === 1
      ? '1 number is written as a text, and is read as a number.'
      : `${count} numbers are written as texts, and are read as numbers.`,
};

/** Whether an entry has no field left but its id. */
function isEmptyEntry(entry: unknown): boolean {
  return Object.keys(entry as object).every((key) => key === 'id');
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
