import { momentOf } from '../../platform/clock/index.ts';
import { checkOf, describeErrors } from '../../platform/http/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import { type Service, serviceSchema } from '../hsds/service.ts';
import { type Loose, looseKind, looseSchemas } from './loose.ts';

export type Checked =
  | { service: Service; lastModified: Date | undefined }
  | { loose: Loose }
  | { id: string | undefined; errors: readonly FieldError[] };

const deepest = 40;
/** Many times what any directory has. Of sixty thousand, a megabyte, a process had nothing but that to do for a second. */
const mostFields = 1000;
const mostErrors = 5;
const schemas = { service: serviceSchema, ...looseSchemas };

/** The texts that HSDS demands of a part: where a source has them empty they stay so, since the part needs them. */
const demanded = new Set([
  ...['address_1', 'city', 'state_province', 'postal_code', 'country'],
  ...['description', 'number', 'identifier', 'identifier_type'],
]);
const optional = new Set(namesIn(serviceSchema).filter((name) => !demanded.has(name)));

/** All that HSDS calls something, at whatever depth. */
function namesIn({ properties = {}, items }: { properties?: object; items?: object }): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [name, ...namesIn(schema)]);
  return items ? [...own, ...namesIn(items)] : own;
}

/**
 * Whether a value of a file is a service, or something else that a library holds, and if not, where it is wrong. Fields
 * that are null count as left out, and empty ones that HSDS names.
 */
export function checkRecord(value: unknown): Checked {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(undefined, [{ pointer: '', message: 'must be an object: one service' }]);
  }
  const id = 'id' in value && typeof value.id === 'string' ? value.id.slice(0, 100) : undefined;
  const fault = tidy(value, 0);
  if (fault) return refuse(id, [fault]);
  const kind = looseKind(value) ?? 'service';
  const check = checkOf(schemas[kind]);
  if (!check.Check(value)) return refuse(id, describeErrors(check.Errors(value), '').slice(0, mostErrors));
  if (kind === 'service') return datedService(value as Service, id);
  return { loose: { kind, thing: (value as Record<string, unknown>)[kind] } as Loose };
}

function datedService(value: Service, id: string | undefined): Checked {
  if (value.last_modified === undefined) return { service: value, lastModified: undefined };
  const lastModified = momentOf(value.last_modified);
  if (lastModified) return { service: value, lastModified };
  return refuse(id, [
    { pointer: '/last_modified', message: 'must be a moment such as 2026-11-21T09:30:00Z' },
  ]);
}

function refuse(id: string | undefined, errors: readonly FieldError[]): Checked {
  return { id, errors };
}

/**
 * Takes out what is empty, in place: HSDS leaves empty fields out, and many feeds write null, '' or [] instead. An empty text
 * is no web address, id or one of a few words, so an answer with it would not be as HSDS has it.
 * @returns what could not be stored: half of a character, the character NUL, an infinite number, bottomless nesting; or too many fields.
 */
function tidy(value: object, depth: number): FieldError | undefined {
  if (depth > deepest) return { pointer: '', message: 'is nested too deeply' };
  const holder = value as Record<string, unknown>;
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  if (!isList && keys.length > mostFields)
    return { pointer: '', message: `must have at most ${mostFields} fields` };
  // Pointers are put together on the way back, since hardly any record needs one.
  for (const key of keys) {
    const entry = holder[key];
    const message = unusableText(key) ?? unusable(entry);
    if (message !== undefined) return { pointer: `/${pointerPart(key)}`, message };
    if (!isList && isLeftOut(key, entry)) delete holder[key];
    else if (typeof entry === 'object' && entry !== null) {
      const deeper = tidy(entry, depth + 1);
      if (deeper) return { pointer: `/${pointerPart(key)}${deeper.pointer}`, message: deeper.message };
    }
  }
  return undefined;
}

function isLeftOut(key: string, entry: unknown): boolean {
  if (entry === null) return true;
  return (entry === '' || (Array.isArray(entry) && entry.length === 0)) && optional.has(key);
}

function unusable(entry: unknown): string | undefined {
  if (typeof entry === 'string') return unusableText(entry);
  // JSON has no word for it: it would be stored as null.
  return entry === Infinity || entry === -Infinity
    ? 'must not be larger than numbers can be here'
    : undefined;
}

function unusableText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold the character NUL';
  return text.isWellFormed() ? undefined : 'must not hold half of a character (a lone surrogate)';
}

function pointerPart(key: string): string {
  return key.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
