import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { StartupError } from '../process/startup-error.ts';
import {
  type BackupHeader,
  type BackupTable,
  type BackupTrailer,
  backupFormat,
  endOfRows,
} from './backup-format.ts';

/** The header comes first, and the trailer last. The rows are COPY's own bytes, and must be read to their end. */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: BackupTable; rows: AsyncGenerator<Buffer> }
  | { kind: 'trailer'; trailer: BackupTrailer };

/**
 * Reads a backup from its beginning to its end, part by part.
 * @throws StartupError if the file is not a backup, is damaged, or was cut off.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart, void> {
  const bytes = new BackupReader(
    createReadStream(file).on('error', () => undefined),
    file,
  );
  try {
    const header = JSON.parse(await bytes.line()) as BackupHeader;
    if (header.format !== backupFormat) throw noBackup(file);
    yield { kind: 'header', header };
    for (;;) {
      const part = JSON.parse(await bytes.line()) as BackupTable | BackupTrailer;
      if ('end' in part) return yield { kind: 'trailer', trailer: part };
      yield { kind: 'table', table: part, rows: bytes.rows() };
    }
  } catch (error) {
    throw error instanceof SyntaxError ? noBackup(file) : error;
  } finally {
    bytes.close();
  }
}

const noBackup = (file: string) =>
  new StartupError(`${file} is no backup of Onward of this kind, or it is damaged or cut off.`);

/** Says what is wrong with the file, also where it is cut off in the middle of a table’s rows. */
function inWords(error: NodeJS.ErrnoException, file: string): Error {
  const { code } = error;
  if (code?.startsWith('Z_'))
    return new StartupError(`${file} is no backup of Onward, or it is damaged or cut off (${code}).`);
  return code === 'ENOENT' ? new StartupError(`There is no file ${file}.`) : error;
}

const lineBreak = 10;
/** A table's rows end at a line that is just a backslash and a full stop. */
const rowsEnd = Buffer.from(`\n${endOfRows}`);

/** Reads the unpacked file: a line at a time, or the rows of a table in large parts. */
class BackupReader {
  readonly #source;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #file: string;
  #waiting: Buffer = Buffer.alloc(0);

  constructor(source: ReturnType<typeof createReadStream>, file: string) {
    const unpacked = createGunzip();
    source.on('error', (error) => unpacked.destroy(error));
    this.#source = source;
    this.#chunks = source.pipe(unpacked)[Symbol.asyncIterator]();
    this.#file = file;
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#waiting.indexOf(lineBreak);
      if (end >= 0) return this.#take(end + 1).toString('utf8');
      this.#waiting = Buffer.concat([this.#waiting, await this.#more()]);
    }
  }

  async *rows(): AsyncGenerator<Buffer> {
    // Begins as if after a line break, so that the end of a table without rows is recognised, too.
    let before: Buffer = Buffer.from('\n');
    for (;;) {
      const unread = Buffer.concat([before, this.#waiting]);
      const end = unread.indexOf(rowsEnd);
      if (end >= 0) {
        // `end` counts from the start of `before`. The line break that begins the mark belongs to the last row.
        const rest = end + 1 - before.length;
        if (rest > 0) yield this.#take(rest);
        this.#waiting = unread.subarray(end + rowsEnd.length);
        return;
      }
      // The last bytes stay until we know whether they begin the end mark.
      const safeLength = this.#waiting.length - rowsEnd.length;
      if (safeLength > 0) {
        const chunk = this.#take(safeLength);
        before = Buffer.concat([before, chunk]).subarray(-rowsEnd.length);
        yield chunk;
      }
      this.#waiting = Buffer.concat([this.#waiting, await this.#more()]);
    }
  }

  close(): void {
    this.#source.destroy();
  }

  #take(length: number): Buffer {
    const taken = this.#waiting.subarray(0, length);
    this.#waiting = this.#waiting.subarray(length);
    return taken;
  }

  async #more(): Promise<Buffer> {
    const { value, done } = await this.#chunks.next().catch((error) => {
      throw inWords(error, this.#file);
    });
    if (done) throw noBackup(this.#file);
    return value;
  }
}
