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
const mostErrors = 5;
const schemas = { service: serviceSchema, ...looseSchemas };

/**
 * Whether a value of a file is a service, or something else that a library holds, and if not, where it is wrong. Fields
 * that are null count as left out.
 */
export function checkRecord(value: unknown): Checked {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(undefined, [{ pointer: '', message: 'must be an object: one service' }]);
  }
  const id = 'id' in value && typeof value.id === 'string' ? value.id.slice(0, 100) : undefined;
  const unusable = tidy(value, '', 0);
  if (unusable) return refuse(id, [unusable]);
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
 * Takes out what is null, in place: HSDS leaves empty fields out, and many feeds write null instead.
 * @returns what PostgreSQL could not store: half of a character, the character NUL, or bottomless nesting.
 */
function tidy(value: object, pointer: string, depth: number): FieldError | undefined {
  if (depth > deepest) return { pointer, message: 'is nested too deeply' };
  const holder = value as Record<string, unknown>;
  for (const [key, entry] of Object.entries(value)) {
    const unusable = unusableText(key) ?? (typeof entry === 'string' ? unusableText(entry) : undefined);
    if (unusable) return { pointer: `${pointer}/${pointerPart(key)}`, message: unusable };
    if (entry === null) {
      if (!Array.isArray(value)) delete holder[key];
    } else if (typeof entry === 'object') {
      const deeper = tidy(entry, `${pointer}/${pointerPart(key)}`, depth + 1);
      if (deeper) return deeper;
    }
  }
  return undefined;
}

function unusableText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold the character NUL';
  return text.isWellFormed() ? undefined : 'must not hold half of a character (a lone surrogate)';
}

function pointerPart(key: string): string {
  return key.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
