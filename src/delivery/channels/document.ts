import { access, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../platform/settings/index.ts';
import { type Channel, RetryableFailure } from './channel.ts';

/** A folder of letters for somebody to print or file, named by message so that a repetition is the same file. */
export function createDocumentFolder({ settings }: { settings: Pick<Settings, 'dataDir'> }): Channel {
  const folder = join(settings.dataDir, 'documents');
  return {
    name: 'document',
    async send(message) {
      const name = `${message.id}.pdf`;
      const file = join(folder, name);
      if (!(await isThere(file))) {
        const letter = await message.letter();
        await writeWhole(folder, file, letter).catch((error) => {
          throw new RetryableFailure(inPlainWords(error));
        });
      }
      return { status: 'sent', detail: `The letter is in the folder documents, as ${name}.` };
    },
  };
}

/** After this the file is there whole, also if the power fails; until then it is not there at all. */
async function writeWhole(folder: string, file: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.part`;
  {
    await using handle = await open(unfinished, 'w', 0o600);
    await handle.writeFile(content);
    await handle.sync();
  }
  await rename(unfinished, file);
  await using directory = await open(folder, 'r');
  await directory.sync();
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function inPlainWords(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk with the folder of letters is full.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'The site may not write to the folder of letters.';
    default:
      return 'The letter could not be written to the folder of letters.';
  }
}
