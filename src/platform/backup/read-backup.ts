import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { StartupError } from '../process/startup-error.ts';
import {
  type BackupHeader,
  type BackupTable,
  type BackupTrailer,
  backupFormat,
  endOfRows,
  lineBreak,
} from './backup-format.ts';

/** The header comes first, and the trailer last. The rows are COPY's own bytes, and must be read to their end. */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: BackupTable; rows: AsyncGenerator<Buffer> }
  | { kind: 'trailer'; trailer: BackupTrailer };

/**
 * Reads a backup from its beginning to its end, part by part.
 * @throws StartupError if the file is not a backup, is damaged, or is incomplete.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart, void> {
  const reader = new BackupReader(createReadStream(file), file);
  try {
    const header = JSON.parse(await reader.readLine()) as BackupHeader;
    if (header.format !== backupFormat) throw notABackup(file);
    yield { kind: 'header', header };
    for (;;) {
      const part = JSON.parse(await reader.readLine()) as BackupTable | BackupTrailer;
      if ('end' in part) return yield { kind: 'trailer', trailer: part };
      yield { kind: 'table', table: part, rows: reader.readRows() };
    }
  } catch (error) {
    throw error instanceof SyntaxError ? notABackup(file) : error;
  } finally {
    reader.close();
  }
}

const notABackup = (file: string) =>
  new StartupError(`${file} is not an Onward backup in this format, or is damaged or incomplete.`);

/** Says what is wrong with the file, even if it ends in the middle of a table’s rows. */
function explainReadError(error: NodeJS.ErrnoException, file: string): Error {
  const { code } = error;
  if (code?.startsWith('Z_'))
    return new StartupError(`${file} is not an Onward backup, or is damaged or incomplete (${code}).`);
  return code === 'ENOENT' ? new StartupError(`There is no file ${file}.`) : error;
}

/** A table's rows end at a line that is just a backslash and a full stop. */
const rowsEnd = Buffer.from(`\n${endOfRows}`);

/** Reads the unpacked file: a line at a time, or the rows of a table in large parts. */
class BackupReader {
  readonly #source;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #file: string;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(source: ReturnType<typeof createReadStream>, file: string) {
    const unpacked = createGunzip();
    source.on('error', (error) => unpacked.destroy(error));
    this.#source = source;
    this.#chunks = source.pipe(unpacked)[Symbol.asyncIterator]();
    this.#file = file;
  }

  async readLine(): Promise<string> {
    for (;;) {
      const end = this.#buffered.indexOf(lineBreak);
      if (end >= 0) return this.#take(end + 1).toString('utf8');
      this.#buffered = Buffer.concat([this.#buffered, await this.#nextChunk()]);
    }
  }

  async *readRows(): AsyncGenerator<Buffer> {
    // Begins as if after a line break, so that the end of a table without rows is recognised, too.
    let before: Buffer = Buffer.from('\n');
    for (;;) {
      const unread = Buffer.concat([before, this.#buffered]);
      const end = unread.indexOf(rowsEnd);
      if (end >= 0) {
        // `end` counts from the start of `before`. The line break that begins the mark belongs to the last row.
        const rest = end + 1 - before.length;
        if (rest > 0) yield this.#take(rest);
        this.#buffered = unread.subarray(end + rowsEnd.length);
        return;
      }
      // The last bytes stay until we know whether they begin the end mark.
      const safeLength = this.#buffered.length - rowsEnd.length;
      if (safeLength > 0) {
        const chunk = this.#take(safeLength);
        before = Buffer.concat([before, chunk]).subarray(-rowsEnd.length);
        yield chunk;
      }
      this.#buffered = Buffer.concat([this.#buffered, await this.#nextChunk()]);
    }
  }

  close(): void {
    this.#source.destroy();
  }

  #take(length: number): Buffer {
    const bytes = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return bytes;
  }

  async #nextChunk(): Promise<Buffer> {
    const { value, done } = await this.#chunks.next().catch((error) => {
      throw explainReadError(error, this.#file);
    });
    if (done) throw notABackup(this.#file);
    return value;
  }
}
