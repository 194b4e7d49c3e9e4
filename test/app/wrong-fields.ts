export type Path = (string | number)[];
export type WrongField = { path: Path; value: unknown };

/** Values that no field takes, except that a yes or no takes true. */
export const wrongValues = [
  null,
  7,
  -1,
  ' ',
  'x\u0000',
  '\ud800',
  { colour: 'red' },
  [[]],
  'x'.repeat(10_001),
  true,
] as const;

/** A copy of the body with some wrong fields. A field inside one that is already wrong stays as it is. */
export function withWrongFields(example: object, wrongs: readonly WrongField[]): object {
  const body = structuredClone(example);
  for (const { path, value } of wrongs) {
    let part: any = body;
    for (const name of path.slice(0, -1)) part = part?.[name];
    // A copy, or else the next field would be put into the wrong value itself, and stay there.
    if (part !== null && typeof part === 'object') part[path.at(-1)!] = structuredClone(value);
  }
  return body;
}
