import { whole } from './column.ts';

/** So large that a hundred thousand texts are a few hundred blocks, and that what the last one has left over is little. */
const blockBytes = 256 * 1024;

/**
 * A text for each number from 0, such as what lists say of each service: as bytes, because texts of their own would be gone
 * through by every collection of garbage. They stand in blocks, of which none is copied when more come.
 */
export class TextBlocks {
  readonly #blocks: Buffer[] = [];
  /** Bytes of the last block that are taken. */
  #taken = 0;
  readonly #block = whole();
  readonly #begin = whole();
  readonly #end = whole();

  /** Its number is the next one. */
  add(text: string): void {
    const size = Buffer.byteLength(text);
    if (this.#taken + size > (this.#blocks.at(-1)?.length ?? -1)) {
      this.#blocks.push(Buffer.allocUnsafeSlow(Math.max(size, blockBytes)));
      this.#taken = 0;
    }
    const block = this.#blocks.length - 1;
    this.#block.push(block);
    this.#begin.push(this.#taken);
    this.#taken += this.#blocks[block]!.write(text, this.#taken);
    this.#end.push(this.#taken);
  }

  at(number: number): string {
    const block = this.#blocks[this.#block.of[number]!]!;
    return block.toString('utf8', this.#begin.of[number]!, this.#end.of[number]!);
  }

  /** Gives back the room for more numbers, since little will come. */
  settle(): void {
    for (const column of [this.#block, this.#begin, this.#end]) column.settle();
  }
}
