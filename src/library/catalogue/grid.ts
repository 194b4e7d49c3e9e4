import type { Spot } from './spot.ts';

const cellMetres = 5_000;
/** Whoever looks farther looks at everything. */
const farthestCells = 6;

/** Places by where they are: in cubes of five kilometres. */
export class Grid {
  readonly #cells = new Map<number, number[]>();

  add(place: number, spot: Spot): void {
    const key = keyOf(cellOf(spot.x), cellOf(spot.y), cellOf(spot.z));
    const cell = this.#cells.get(key);
    if (cell) cell.push(place);
    else this.#cells.set(key, [place]);
  }

  /** All places that are within so many metres, with some that are not; undefined where all must be looked at. */
  within(spot: Spot, metres: number): number[] | undefined {
    const reach = Math.ceil(metres / cellMetres);
    if (reach > farthestCells) return undefined;
    const found: number[] = [];
    for (let shell = 0; shell <= reach; shell += 1) this.#addShell(spot, shell, found);
    return found;
  }

  /**
   * Places around a spot, more and more, until it is enough: then none that is not given is nearer than the metres that
   * `isEnough` was told. @returns undefined where all must be looked at.
   */
  around(spot: Spot, isEnough: (found: readonly number[], metres: number) => boolean): number[] | undefined {
    const found: number[] = [];
    for (let shell = 0; shell <= farthestCells; shell += 1) {
      this.#addShell(spot, shell, found);
      if (isEnough(found, shell * cellMetres)) return found;
    }
    return undefined;
  }

  /** The places of the cells that are so many cells away. */
  #addShell({ x, y, z }: Spot, shell: number, found: number[]): void {
    const [middleX, middleY, middleZ] = [cellOf(x), cellOf(y), cellOf(z)];
    for (let dx = -shell; dx <= shell; dx += 1) {
      for (let dy = -shell; dy <= shell; dy += 1) {
        const isSide = Math.abs(dx) === shell || Math.abs(dy) === shell;
        for (let dz = -shell; dz <= shell; dz += isSide || shell === 0 ? 1 : 2 * shell) {
          const cell = this.#cells.get(keyOf(middleX + dx, middleY + dy, middleZ + dz));
          if (cell) for (const place of cell) found.push(place);
        }
      }
    }
  }
}

const cellOf = (metres: number) => Math.floor(metres / cellMetres);

/** The Earth is some 1,280 cells to each side of its middle. */
const side = 4096;

function keyOf(x: number, y: number, z: number): number {
  return ((x + side / 2) * side + y + side / 2) * side + z + side / 2;
}
