type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * Numbers that are only ever added to, one after another, without a header for each: what a hundred thousand services
 * have of one kind. `of` is read directly, and is another array after an addition.
 */
export class Column<T extends Numbers> {
  of: T;
  length = 0;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.of = make(64);
  }

  push(value: number): void {
    if (this.length === this.of.length) {
      const larger = this.#make(Math.ceil(this.length * 1.5));
      larger.set(this.of);
      this.of = larger;
    }
    this.of[this.length] = value;
    this.length += 1;
  }
}

export const bytes = () => new Column((length) => new Uint8Array(length));
export const whole = () => new Column((length) => new Uint32Array(length));
export const floats = () => new Column((length) => new Float64Array(length));
