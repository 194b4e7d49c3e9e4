import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { newId } from '../../platform/ids/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type Channel, type Failure, fileContent, renderLetterAlone } from './channel.ts';

const unfinishedEnd = '.part';

/** A folder of letters to print or file. Files are named by the message id, so another attempt writes the same file. */
export function createDocumentFolder({ settings }: { settings: Pick<Settings, 'documentDir'> }): Channel {
  const folder = settings.documentDir;
  return {
    name: 'document',
    idempotent: true,
    receiverCanConfirm: false,
    render: async (_db, message) => renderLetterAlone(message, `${message.id}.pdf`),
    async send(message, { address: name, files }) {
      await putIntoFolder(folder, name, await fileContent(message, files[0]!));
      return { status: 'sent', detail: `The letter is in the folder ${basename(folder)}, as ${name}.` };
    },
    classify,
  };
}

/** Afterwards the file is complete, even after a power cut. Until then it does not exist. */
async function putIntoFolder(folder: string, name: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  if (!(await isThere(file))) {
    await removeUnfinished(folder, name);
    await writeWhole(file, content);
  }
  await using directory = await open(folder, 'r');
  await directory.sync();
}

/** Each attempt writes a file of its own. So no attempt renames the half-written file of another that still runs. */
async function writeWhole(file: string, content: Buffer): Promise<void> {
  const unfinished = `${file}.${newId()}${unfinishedEnd}`;
  try {
    await using handle = await open(unfinished, 'wx', 0o600);
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    // On a full disk it would take the space that the next attempt needs.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
  await rename(unfinished, file);
}

/** Removes the files of killed attempts. An attempt that still runs then fails, and is repeated. */
async function removeUnfinished(folder: string, name: string): Promise<void> {
  const leftovers = (await readdir(folder)).filter(
    (each) => each.startsWith(name) && each.endsWith(unfinishedEnd),
  );
  for (const each of leftovers) await rm(join(folder, each), { force: true });
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** No failure is permanent: an operator can make space, and the letter is still wanted then. */
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
