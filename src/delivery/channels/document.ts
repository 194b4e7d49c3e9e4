import { access, mkdir, open, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Settings } from '../../platform/settings/index.ts';
import type { Channel, Failure } from './channel.ts';
import { renderLetterAlone } from './letter-file.ts';

/** A folder of letters for somebody to print or file, named by message so that a repetition is the same file. */
export function createDocumentFolder({ settings }: { settings: Pick<Settings, 'documentDir'> }): Channel {
  const folder = settings.documentDir;
  return {
    name: 'document',
    repeatable: true,
    confirms: false,
    render: (message) => renderLetterAlone(message, `${message.id}.pdf`),
    async send(_message, { address: name, files }) {
      const file = join(folder, name);
      if (!(await isThere(file))) await writeWhole(folder, file, files[0]!.content);
      return { status: 'sent', detail: `The letter is in the folder ${basename(folder)}, as ${name}.` };
    },
    classify,
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

/** None is permanent: whoever runs the site can make room, and the letter is still wanted then. */
function classify(error: unknown): Failure | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  return {
    kind: 'retry',
    detail: reasons[code] ?? 'The letter could not be written to the folder of letters.',
  };
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk with the folder of letters is full.',
  EDQUOT: 'The disk with the folder of letters is full.',
  EACCES: 'The site may not write to the folder of letters.',
  EPERM: 'The site may not write to the folder of letters.',
  EROFS: 'The site may not write to the folder of letters.',
};
