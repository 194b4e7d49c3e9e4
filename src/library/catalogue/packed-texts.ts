import { whole } from './column.ts';

/**
 * Very many texts, such as the ids of all services, each by a number from 0. They are kept as bytes, one behind the other,
 * and found by a hash of their bytes: as texts of their own in a Map they take three times the room, and every collection
 * of garbage goes through them.
 */
export class PackedTexts {
  #bytes = Buffer.alloc(4096);
  readonly #ends = whole();
  /** Each a text's number and one, by its hash; 0 is free. */
  #slots = new Uint32Array(1024);
  #text = Buffer.alloc(1024);

  get count(): number {
    return this.#ends.length;
  }

  /** @returns its number. It is a new one where the text is known already, and then stands for it. */
  add(text: string): number {
    const number = this.count;
    const size = this.#write(text);
    const begin = this.#beginOf(number);
    if (begin + size > this.#bytes.length) this.#grow(begin + size);
    this.#text.copy(this.#bytes, begin, 0, size);
    this.#ends.push(begin + size);
    if (2 * this.count > this.#slots.length) this.#hashAnew();
    else this.#slots[this.#slotOf(this.#text, 0, size)] = number + 1;
    return number;
  }

  /** The newest number of a text. */
  find(text: string): number | undefined {
    const size = this.#write(text);
    const found = this.#slots[this.#slotOf(this.#text, 0, size)]!;
    return found === 0 ? undefined : found - 1;
  }

  numberOf(text: string): number {
    return this.find(text) ?? this.add(text);
  }

  at(number: number): string {
    return this.#bytes.toString('utf8', this.#beginOf(number), this.#ends.of[number]!);
  }

  /** Less than 0 where the first comes before the second. */
  compare(one: number, other: number): number {
    const [begin, otherBegin] = [this.#beginOf(one), this.#beginOf(other)];
    return this.#bytes.compare(this.#bytes, otherBegin, this.#ends.of[other]!, begin, this.#ends.of[one]!);
  }

  settle(): void {
    this.#bytes = Buffer.from(this.#bytes.subarray(0, this.#beginOf(this.count)));
    this.#ends.settle();
  }

  #beginOf(number: number): number {
    return number === 0 ? 0 : this.#ends.of[number - 1]!;
  }

  /** @returns how many bytes of `#text` it takes. */
  #write(text: string): number {
    // No character takes more.
    if (this.#text.length < 3 * text.length) this.#text = Buffer.alloc(6 * text.length);
    return this.#text.write(text);
  }

  #grow(size: number): void {
    const larger = Buffer.alloc(Math.ceil(size * 1.5));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  /** The slot of a text: that of its newest number, or a free one. */
  #slotOf(bytes: Buffer, begin: number, end: number): number {
    const last = this.#slots.length - 1;
    let slot = hashOf(bytes, begin, end) & last;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & last) {
      const number = this.#slots[slot]! - 1;
      const [known, knownEnd] = [this.#beginOf(number), this.#ends.of[number]!];
      if (knownEnd - known === end - begin && this.#bytes.compare(bytes, begin, end, known, knownEnd) === 0)
        break;
    }
    return slot;
  }

  #hashAnew(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let number = 0; number < this.count; number += 1) {
      this.#slots[this.#slotOf(this.#bytes, this.#beginOf(number), this.#ends.of[number]!)] = number + 1;
    }
  }
}

/** FNV-1a, mixed once more, since the slots go by its last bits. */
function hashOf(bytes: Buffer, begin: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = begin; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
