/** Words in order, so that words with the same beginning are neighbours. */
export class SortedWords {
  #words: string[] = [];
  /** Words added since the last look-up. Many are sorted in one go; a few are put where they belong. */
  #added: string[] = [];

  /** Adds a word. It must not be there yet. */
  add(word: string): void {
    this.#added.push(word);
  }

  startingWith(beginning: string): string[] {
    this.#insertAdded();
    const from = this.#indexOf(beginning);
    let to = from;
    while (to < this.#words.length && this.#words[to]!.startsWith(beginning)) to += 1;
    return this.#words.slice(from, to);
  }

  #insertAdded(): void {
    if (this.#added.length > 100) this.#words = [...this.#words, ...this.#added].sort();
    else for (const word of this.#added) this.#words.splice(this.#indexOf(word), 0, word);
    this.#added = [];
  }

  /** The index of the first word that does not come before this text. */
  #indexOf(text: string): number {
    let low = 0;
    let high = this.#words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#words[middle]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
