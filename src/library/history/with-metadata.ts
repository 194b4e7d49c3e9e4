/** An entry of HSDS's `metadata`: one field of one change. */
export type Metadata = { id: string; [name: string]: string };

/**
 * A document with what this site knows of its changes, before what its source tells of those there. Documents are stored
 * without ours, so that an export is what came in; one that was given out and comes back brings none of ours twice.
 */
export function withMetadata(document: string, ours: readonly Metadata[]): string {
  if (ours.length === 0) return document;
  if (!document.includes('"metadata":'))
    return `${document.slice(0, -1)},"metadata":${JSON.stringify(ours)}}`;
  const { metadata = [], ...rest } = JSON.parse(document) as { metadata?: { id?: unknown }[] };
  const known = new Set<unknown>(ours.map(({ id }) => id));
  const theirs = metadata.filter(({ id }) => id === undefined || !known.has(id));
  return JSON.stringify({ ...rest, metadata: [...ours, ...theirs] });
}
