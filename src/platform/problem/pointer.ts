/** One step of a JSON pointer, from a key that may hold anything. */
export function pointerTo(key: string | number): string {
  return `/${String(key).slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Puts the key before the pointers of the errors from this index on, in place. Hardly any record has an error, so pointers are built
 * only on the way back up.
 */
export function prefixPointers<Error extends { readonly pointer: string }>(
  errors: Error[],
  from: number,
  key: string | number,
): void {
  for (let index = from; index < errors.length; index += 1)
    errors[index] = { ...errors[index]!, pointer: `${pointerTo(key)}${errors[index]!.pointer}` };
}
