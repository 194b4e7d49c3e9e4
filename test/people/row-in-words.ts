import type { HTMLElement } from 'node-html-parser';

/** A row of a table as people read it: each cell with its heading before it, which the styles draw on a phone. */
export function rowInWords(row: HTMLElement): string {
  const cells = row.querySelectorAll('th, td');
  return cells
    .map((cell) => `${cell.getAttribute('data-heading') ?? ''} ${cell.structuredText}`)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
