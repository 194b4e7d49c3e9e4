import type { Spot } from './spot.ts';

const cellMetres = 5_000;
/** Whoever looks farther looks at everything. */
const farthestCells = 6;

/** The places of a cube; `z` is the number of the cube in its column. */
type Cell = { z: number; places: number[] };

/**
 * Places by where they are: in cubes of five kilometres, which stand in columns. The Earth is round, and a column meets its
 * surface in few of its cubes.
 */
export class Grid {
  readonly #columns = new Map<number, Cell[]>();

  add(place: number, spot: Spot): void {
    const key = keyOf(cellOf(spot.x), cellOf(spot.y));
    const column = this.#columns.get(key) ?? [];
    if (column.length === 0) this.#columns.set(key, column);
    const z = cellOf(spot.z);
    const cell = column.find((each) => each.z === z);
    if (cell) cell.places.push(place);
    else column.push({ z, places: [place] });
  }

  /** All places that are within so many metres, with some that are not; undefined where all must be looked at. */
  within(spot: Spot, metres: number): number[] | undefined {
    const reach = Math.ceil(metres / cellMetres);
    if (reach > farthestCells) return undefined;
    const found: number[] = [];
    for (let shell = 0; shell <= reach; shell += 1)
      this.#visitShell(spot, shell, (place) => found.push(place));
    return found;
  }

  /**
   * Visits places around a spot, more and more, until it is enough: then none that was not visited is nearer than the
   * metres that `isEnough` was told. @returns whether it was, before all must be looked at.
   */
  around(spot: Spot, visit: (place: number) => void, isEnough: (metres: number) => boolean): boolean {
    for (let shell = 0; shell <= farthestCells; shell += 1) {
      this.#visitShell(spot, shell, visit);
      if (isEnough(shell * cellMetres)) return true;
    }
    return false;
  }

  /** The places of the cells that are so many cells away. */
  #visitShell({ x, y, z }: Spot, shell: number, visit: (place: number) => void): void {
    const [middleX, middleY, middleZ] = [cellOf(x), cellOf(y), cellOf(z)];
    for (let dx = -shell; dx <= shell; dx += 1) {
      for (let dy = -shell; dy <= shell; dy += 1) {
        const column = this.#columns.get(keyOf(middleX + dx, middleY + dy));
        if (!column) continue;
        const isSide = Math.abs(dx) === shell || Math.abs(dy) === shell;
        for (const cell of column) {
          const dz = Math.abs(cell.z - middleZ);
          if (dz === shell || (isSide && dz < shell)) cell.places.forEach(visit);
        }
      }
    }
  }
}

const cellOf = (metres: number) => Math.floor(metres / cellMetres);

/** The Earth is some 1,280 cells to each side of its middle. */
const side = 4096;

/** A small integer, by which V8 finds fastest. */
function keyOf(x: number, y: number): number {
  return (x + side / 2) * side + y + side / 2;
}
