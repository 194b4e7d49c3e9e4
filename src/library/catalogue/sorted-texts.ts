/** Texts in their order, of which those with a common beginning lie side by side. */
export class SortedTexts {
  #texts: string[] = [];
  #isSorted = true;

  /** Many are sorted once, when they are first looked through; a few find their places one by one. */
  add(text: string): void {
    if (!this.#isSorted || this.#texts.length < fewTexts) {
      this.#texts.push(text);
      this.#isSorted = false;
    } else {
      this.#texts.splice(this.#placeOf(text), 0, text);
    }
  }

  startingWith(beginning: string): string[] {
    this.settle();
    const from = this.#placeOf(beginning);
    let to = from;
    while (to < this.#texts.length && this.#texts[to]!.startsWith(beginning)) to += 1;
    return this.#texts.slice(from, to);
  }

  settle(): void {
    if (!this.#isSorted) this.#texts.sort();
    this.#isSorted = true;
  }

  /** Of the first text that does not come before this one. */
  #placeOf(text: string): number {
    let low = 0;
    let high = this.#texts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#texts[middle]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const fewTexts = 1000;
