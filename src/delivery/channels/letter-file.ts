import type { Message, Rendered, RenderedFile } from './channel.ts';

/** What a letter is called that goes as a file. */
export const letterName = { name: 'letter.pdf', type: 'application/pdf' } as const;

/** For channels whose message is the letter, with nothing around it but the text. */
export function renderLetterAlone(message: Message, address: string): Rendered {
  const files = [{ ...letterName, letter: message.written() }];
  return { address, headers: {}, body: message.text, files };
}

/** What is in a file that goes with this message. */
export async function contentOf(message: Pick<Message, 'letter'>, file: RenderedFile): Promise<Buffer> {
  return 'letter' in file ? message.letter() : file.content;
}
