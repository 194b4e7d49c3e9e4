type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

const first = 64;

/**
 * Numbers that are only ever added to, one after another, without a header for each: what a hundred thousand services
 * have of one kind. `of` is read directly, and is another array after an addition.
 */
export class Column<T extends Numbers> {
  of: T;
  length = 0;
  readonly #make: (length: number) => T;

  /** @param given what it has from the start */
  constructor(make: (length: number) => T, given?: T) {
    this.#make = make;
    this.of = given ?? make(first);
    this.length = given?.length ?? 0;
  }

  push(value: number): void {
    if (this.length === this.of.length) {
      const larger = this.#make(Math.ceil(this.length * 1.5) + 4);
      larger.set(this.of);
      this.of = larger;
    }
    this.of[this.length] = value;
    this.length += 1;
  }

  /** What was added, without the room for more. */
  all(): T {
    return this.of.subarray(0, this.length) as T;
  }

  /** Gives back the room for more, since little will come. */
  settle(): void {
    if (this.length < this.of.length) this.of = this.of.slice(0, this.length) as T;
  }
}

export const bytes = () => new Column((length) => new Uint8Array(length));
export const whole = (given?: Uint32Array) => new Column((length) => new Uint32Array(length), given);
export const floats = () => new Column((length) => new Float64Array(length));
