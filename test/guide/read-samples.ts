import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pythons } from '../process/pythons.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'guide');

/** The samples of a chapter of docs/guide in one language, as the guide names it: `sh`, `js`, `python`. */
export async function readSamples(chapter: string, language: string): Promise<string[]> {
  const text = await readFile(join(folder, `${chapter}.md`), 'utf8');
  const fences = text.matchAll(/^```([a-z]+)[^\n]*\n(.*?)^```/gms);
  return [...fences].filter(([, found]) => found === language).map(([, , sample]) => sample!);
}

/** Samples in Python are run on machines that have it. */
export const hasPython = pythons.includes('python3');
