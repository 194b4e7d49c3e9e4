import { inflateSync } from 'node:zlib';
import type { MediaType } from './file-type.ts';

/** More than this is not unpacked: a small file may hold a stream of any length. */
const maxUnpackedBytes = 8 * 1024 * 1024;
const maxStreams = 1000;
/** How many bytes around `/ObjStm` are searched for the stream’s dictionary. */
const maxHeadBytes = 1000;

/** The number of pages, or null if the file does not say. */
export function countPages(content: Buffer, mediaType: MediaType): number | null {
  if (mediaType !== 'application/pdf') return 1;
  try {
    return countPdfPages(content);
  } catch {
    return null;
  }
}

/**
 * Follows a PDF from its end to its root and to the top of its tree of pages, which has their number (ISO 32000, 7.7.3). Objects may
 * be packed into streams. Nothing else of the file is read, and an encrypted one is not unpacked.
 */
function countPdfPages(content: Buffer): number | null {
  const text = content.toString('latin1');
  if (/\/Encrypt\s+\d+\s+\d+\s+R/.test(text)) return null;
  const root = [...text.matchAll(/\/Root\s+(\d+)\s+\d+\s+R/g)].at(-1)?.[1];
  if (root === undefined) return null;
  const packed = unpackObjects(content, text);
  const objectOf = (number: string) => findObject(text, number) ?? packed.get(number);
  const pages = /\/Pages\s+(\d+)\s+\d+\s+R/.exec(objectOf(root) ?? '')?.[1];
  const tree = pages === undefined ? undefined : objectOf(pages);
  const count = Number(/\/Count\s+(\d+)(?!\s+\d+\s+R)/.exec(tree ?? '')?.[1] ?? 0);
  return count > 0 && count <= 100_000 ? count : null;
}

/** The latest version of an object: a changed object is written again further down. */
function findObject(text: string, number: string): string | undefined {
  const match = [...text.matchAll(new RegExp(`(?<![0-9])${number}\\s+\\d+\\s+obj\\b`, 'g'))].at(-1);
  if (!match) return undefined;
  const end = text.indexOf('endobj', match.index);
  return end < 0 ? undefined : text.slice(match.index, end);
}

/** The objects in streams of objects, by their number (ISO 32000, 7.5.7). */
function unpackObjects(content: Buffer, text: string): Map<string, string> {
  const objects = new Map<string, string>();
  let left = maxUnpackedBytes;
  for (const { index } of [...text.matchAll(/\/Type\s*\/ObjStm\b/g)].slice(0, maxStreams)) {
    const around = text.slice(Math.max(index - maxHeadBytes, 0), index + maxHeadBytes);
    const at = Math.min(index, maxHeadBytes);
    const begin = /stream\r?\n/g;
    begin.lastIndex = at;
    const match = begin.exec(around);
    if (!match) continue;
    const head = around.slice(around.lastIndexOf('obj', at), match.index);
    const first = Number(/\/First\s+(\d+)/.exec(head)?.[1]);
    if (Number.isNaN(first) || !head.includes('/FlateDecode')) continue;
    // What follows the stream in the file is left alone.
    const start = index - at + begin.lastIndex;
    const unpacked = inflateSync(content.subarray(start), { maxOutputLength: left }).toString('latin1');
    left -= unpacked.length;
    const numbers = unpacked.slice(0, first).trim().split(/\s+/).map(Number);
    for (let pair = 0; pair + 1 < numbers.length; pair += 2) {
      const [number, from, next] = [numbers[pair]!, numbers[pair + 1]!, numbers[pair + 3]];
      objects.set(
        String(number),
        unpacked.slice(first + from, next === undefined ? undefined : first + next),
      );
    }
  }
  return objects;
}
