type Numbers = Uint8Array | Uint32Array | Float64Array;

/** A number for each service, in one typed array: a pass over a hundred thousand services takes about a millisecond. */
export class Column<T extends Numbers> {
  values: T;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.values = make(64);
  }

  set(index: number, value: number): void {
    if (index >= this.values.length) {
      const larger = this.#make(Math.ceil(index * 1.25) + 64);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[index] = value;
  }
}

export const bytes = () => new Column((length) => new Uint8Array(length));
export const integers = () => new Column((length) => new Uint32Array(length));
export const floats = () => new Column((length) => new Float64Array(length));

/**
 * A list of numbers for each service, one list behind the other. A service's list is `values` from its `starts` to its
 * `ends`. Old lists are removed once they take up more than half of the array.
 */
export class ListColumn<T extends Numbers> {
  readonly starts = integers();
  readonly ends = integers();
  readonly #column: Column<T>;
  #length = 0;
  #stale = 0;

  constructor(column: Column<T>) {
    this.#column = column;
  }

  get values(): T {
    return this.#column.values;
  }

  set(index: number, list: readonly number[]): void {
    this.#stale += (this.ends.values[index] ?? 0) - (this.starts.values[index] ?? 0);
    this.starts.set(index, this.#length);
    for (const value of list) {
      this.#column.set(this.#length, value);
      this.#length += 1;
    }
    this.ends.set(index, this.#length);
    if (this.#stale > 1000 && this.#stale > this.#length / 2) this.#clearStale();
  }

  of(index: number): T {
    return this.values.slice(this.starts.values[index], this.ends.values[index]) as T;
  }

  #clearStale(): void {
    const old = this.values.slice();
    this.#length = 0;
    for (let index = 0; index < this.starts.values.length; index += 1) {
      const [start, end] = [this.starts.values[index]!, this.ends.values[index]!];
      this.starts.set(index, this.#length);
      for (let at = start; at < end; at += 1) {
        this.#column.set(this.#length, old[at]!);
        this.#length += 1;
      }
      this.ends.set(index, this.#length);
    }
    this.#stale = 0;
  }
}

/** Texts that many services share, such as the ids of terms, each with a number from 1. Number 0 is no text. */
export class Numbering {
  readonly #numbers = new Map([['', 0]]);
  readonly #texts: string[] = [''];

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number]!;
  }

  /** One more than the largest number. */
  get size(): number {
    return this.#texts.length;
  }
}
