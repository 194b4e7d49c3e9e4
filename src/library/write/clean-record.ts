import { type FieldError, pointerTo, prefixPointers } from '../../platform/problem/index.ts';
import { serviceSchema } from '../model/service.ts';

const maxDepth = 40;
const tooDeep = 'is nested too deeply';
/** Far more than any directory has. Sixty thousand fields would block the process for a second. */
const maxFields = 1000;
/** A megabyte can hold hundreds of thousands of list entries. */
const maxEntries = 10_000;

/** Texts that HSDS requires of a part. An empty one stays, because the part needs the field. */
const required = new Set([
  ...['address_1', 'city', 'state_province', 'postal_code', 'country'],
  ...['description', 'number', 'identifier', 'identifier_type'],
]);
const optional = new Set(namesIn(serviceSchema).filter((name) => !required.has(name)));

/** Every field name of an HSDS schema, at any depth. */
function namesIn({ properties = {}, items }: { properties?: object; items?: object }): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [name, ...namesIn(schema)]);
  return items ? [...own, ...namesIn(items)] : own;
}

/** What was removed because it cannot be stored; `message` says why the record itself cannot be used. */
export type CleanResult = { unusable: FieldError[]; message?: string };

/**
 * Removes empty fields from a record, in place: HSDS leaves them out, while many feeds write null, '' or []. An answer with
 * an empty text in place of a web address or an id would not be valid HSDS. Also removes, and reports, values that cannot be
 * stored (a lone surrogate, the character NUL, an infinite number) and objects or lists that are far too large.
 */
export function cleanRecord(record: object): CleanResult {
  const unusable: FieldError[] = [];
  const message = cleanValue(record, 0, unusable);
  return message === undefined ? { unusable } : { unusable, message };
}

/** @returns why the value itself must be removed, if it must */
function cleanValue(value: object, depth: number, unusable: FieldError[]): string | undefined {
  if (depth > maxDepth) return tooDeep;
  const holder = value as Record<string, unknown>;
  const isList = Array.isArray(value);
  if (isList && value.length > maxEntries) return `must have at most ${maxEntries} entries`;
  const keys = Object.keys(value);
  if (!isList && keys.length > maxFields) return `must have at most ${maxFields} fields`;
  for (const key of keys) {
    const entry = holder[key];
    if (!isList && isEmpty(key, entry)) {
      delete holder[key];
      continue;
    }
    const before = unusable.length;
    const message = errorInText(key) ?? errorInValue(entry) ?? cleanNested(entry, depth, unusable);
    prefixPointers(unusable, before, key);
    if (message === undefined) continue;
    // Removes the whole field, not only its fortieth level.
    if (message === tooDeep && depth > 0) return message;
    unusable.push({ pointer: pointerTo(key), message });
    // The other entries of a list keep their positions.
    if (isList) holder[key] = null;
    else delete holder[key];
  }
  return undefined;
}

function cleanNested(entry: unknown, depth: number, unusable: FieldError[]): string | undefined {
  return typeof entry === 'object' && entry !== null ? cleanValue(entry, depth + 1, unusable) : undefined;
}

function isEmpty(key: string, entry: unknown): boolean {
  if (entry === null) return true;
  return (entry === '' || (Array.isArray(entry) && entry.length === 0)) && optional.has(key);
}

function errorInValue(entry: unknown): string | undefined {
  if (typeof entry === 'string') return errorInText(entry);
  // JSON cannot express infinity: it would be stored as null.
  return entry === Infinity || entry === -Infinity
    ? 'must not be larger than numbers can be here'
    : undefined;
}

function errorInText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold the character NUL';
  return text.isWellFormed() ? undefined : 'must not hold half of a character (a lone surrogate)';
}

/** A field that was removed because it cannot be stored is reported for that reason, not as missing. */
export function withRealReason(
  errors: readonly FieldError[],
  unusable: readonly FieldError[],
): readonly FieldError[] {
  return errors.map((error) => unusable.find(({ pointer }) => pointer === error.pointer) ?? error);
}
