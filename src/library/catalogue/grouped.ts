/** Values by the number of what each is of: a group's lie from where it begins to where the next one does. */
export type Grouped = { begins: Uint32Array<ArrayBuffer>; values: Uint32Array<ArrayBuffer> };

export const noGroups: Grouped = { begins: new Uint32Array(1), values: new Uint32Array(0) };

/** Within a group they keep their order. @param groups of each value, below `count` */
export function grouped(values: Uint32Array, groups: Uint32Array, count: number): Grouped {
  const begins = new Uint32Array(count + 1);
  for (const group of groups) begins[group + 1]! += 1;
  for (let group = 0; group < count; group += 1) begins[group + 1]! += begins[group]!;
  const sorted = new Uint32Array(values.length);
  const next = begins.slice();
  for (let at = 0; at < values.length; at += 1) {
    const group = groups[at]!;
    sorted[next[group]!] = values[at]!;
    next[group]! += 1;
  }
  return { begins, values: sorted };
}
