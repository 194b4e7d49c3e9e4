import { whole } from './column.ts';
import type { PackedTexts } from './packed-texts.ts';

/** What has names: texts that are sorted as they stand, and ids for those of one name. */
type Named = { readonly names: readonly string[]; readonly ids: PackedTexts };

/** The ordinals in the order of the names. */
export class NameOrder {
  readonly #named: Named;
  readonly #ordinals = whole();
  /** Up to here each ordinal stands at its own place, and two of them compare as their names do. */
  #inPlace = 0;

  constructor(named: Named) {
    this.#named = named;
  }

  /** Read from the start to `length`. */
  get ordinals(): Uint32Array {
    return this.#ordinals.of;
  }

  get length(): number {
    return this.#ordinals.length;
  }

  /** The newest ordinal, which has its name already. */
  add(ordinal: number): void {
    const place = this.#placeOf(ordinal);
    this.#ordinals.push(ordinal);
    if (place === ordinal && this.#inPlace === ordinal) {
      this.#inPlace += 1;
      return;
    }
    const { of } = this.#ordinals;
    of.copyWithin(place + 1, place, this.#ordinals.length - 1);
    of[place] = ordinal;
  }

  /** From the place of the first name that begins so to that after the last. */
  startingWith(beginning: string): [from: number, to: number] {
    const { names } = this.#named;
    const from = this.#firstPlace((ordinal) => names[ordinal]! >= beginning);
    const to = this.#firstPlace(
      (ordinal) => names[ordinal]! > beginning && !names[ordinal]!.startsWith(beginning),
    );
    return [from, to];
  }

  /** Less than 0 where the first comes before the second. */
  compare(one: number, other: number): number {
    if (one < this.#inPlace && other < this.#inPlace) return one - other;
    const { names, ids } = this.#named;
    const [name, otherName] = [names[one]!, names[other]!];
    if (name !== otherName) return name < otherName ? -1 : 1;
    return ids.compare(one, other);
  }

  #placeOf(ordinal: number): number {
    const { of, length } = this.#ordinals;
    // Filled in the order of the names, each is the last.
    if (length === 0 || this.compare(of[length - 1]!, ordinal) < 0) return length;
    return this.#firstPlace((each) => this.compare(each, ordinal) >= 0);
  }

  /** The first place from which on this holds. */
  #firstPlace(holds: (ordinal: number) => boolean): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.ordinals[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
