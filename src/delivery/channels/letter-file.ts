import type { Message, Rendered, RenderedFile } from './channel.ts';

/** The letter as a file that goes with a message. */
async function letterFile(message: Message, name = 'letter.pdf'): Promise<RenderedFile> {
  return { name, type: 'application/pdf', content: await message.letter() };
}

/** For channels whose message is the letter, with nothing around it but the text. */
export async function renderLetterAlone(message: Message, address: string): Promise<Rendered> {
  return { address, headers: {}, body: message.text, files: [await letterFile(message)] };
}
