export type Spot = { x: number; y: number };
export type Size = { width: number; height: number };
/** A part of a drawing; `top` is the smaller number. */
export type Box = { left: number; right: number; top: number; bottom: number };

export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

export function isFree(box: Box, taken: readonly Box[], { width, height }: Size): boolean {
  const isInside = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
  return isInside && !taken.some((each) => overlap(box, each));
}
