/** Texts that many services share, each by a number from 1. */
export class Numbered {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [''];

  /** The number of a text, which is new where the text is. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  /** Of a text that is known. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number]!;
  }

  get count(): number {
    return this.#texts.length;
  }
}
