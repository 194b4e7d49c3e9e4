import type { Message, Rendered, RenderedFile } from './channel.ts';

/** The letter as a file that goes with a message. */
export async function letterFile(message: Message): Promise<RenderedFile> {
  return { name: 'letter.pdf', type: 'application/pdf', content: await message.letter() };
}

/** For channels whose message is the letter, with nothing around it but the text. */
export async function renderLetterAlone(message: Message, address: string): Promise<Rendered> {
  return { address, headers: {}, body: message.text, files: [await letterFile(message)] };
}
