import type { FieldError } from '../problem/index.ts';
import { pointerPart } from './describe-errors.ts';

/** Texts that PostgreSQL cannot store: with a NUL character, or with half of a surrogate pair. */
export function findUnstorable(value: unknown, at: string): FieldError[] {
  if (typeof value === 'string') {
    const storable = value.isWellFormed() && !value.includes('\0');
    return storable ? [] : [{ pointer: at, message: 'must be text without NUL or broken characters' }];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => findUnstorable(part, `${at}/${pointerPart(name)}`));
}
