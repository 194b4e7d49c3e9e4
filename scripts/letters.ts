import { resolve } from 'node:path';
import { startVitest } from 'vitest/node';

/**
 * Makes a letter to a practice of each kind, and writes a picture of each page into a folder, with a key of what a reader has to find:
 * `npm run letters -- DIR`. It needs pdftoppm.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Say into which folder: npm run letters -- DIR');
process.env.LETTERS_DIR = resolve(folder);
process.env.TEST_WHOLE_SITES = '1';
const run = await startVitest('test', ['test/delivery/letter-kinds']);
await run.close();
