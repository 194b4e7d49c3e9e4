/** One bit for each ordinal: what very many services have is compared thirty-two of them at a time. */
export class Bits {
  readonly #words: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32));
  }

  set(ordinal: number): void {
    this.#words[ordinal >>> 5]! |= 1 << (ordinal & 31);
  }

  has(ordinal: number): boolean {
    return ((this.#words[ordinal >>> 5]! >>> (ordinal & 31)) & 1) === 1;
  }

  and(other: Bits): Bits {
    return this.#with(other, (one, two) => one & two);
  }

  or(other: Bits): Bits {
    return this.#with(other, (one, two) => one | two);
  }

  #with(other: Bits, combine: (one: number, two: number) => number): Bits {
    const both = new Bits(this.#words.length * 32);
    for (let at = 0; at < this.#words.length; at += 1) {
      both.#words[at] = combine(this.#words[at]!, other.#words[at]!);
    }
    return both;
  }

  count(): number {
    let count = 0;
    for (let at = 0; at < this.#words.length; at += 1) count += bitsIn(this.#words[at]!);
    return count;
  }

  ordinals(): number[] {
    const ordinals: number[] = [];
    for (let at = 0; at < this.#words.length; at += 1) {
      for (let word = this.#words[at]!; word !== 0; word &= word - 1) {
        ordinals.push(at * 32 + (31 - Math.clz32(word & -word)));
      }
    }
    return ordinals;
  }
}

/** How many bits of a word are set: counted in pairs, in fours, in eights, which are then added. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  const eights = (fours + (fours >>> 4)) & 0x0f0f0f0f;
  return Math.imul(eights, 0x01010101) >>> 24;
}
