import type { FileRecord } from './file-record.ts';
import { isLoose } from './loose.ts';

/**
 * Passes records on and keeps their ids, also of those that are refused later: what is there did not vanish.
 * `ids` gives undefined where some record could not be read: nobody knows then which entries are there.
 */
export function collectingIds(source: AsyncIterable<FileRecord>) {
  const found = new Set<string>();
  let isWhole = true;
  async function* records(): AsyncGenerator<FileRecord> {
    for await (const record of source) {
      const id = 'value' in record ? idOf(record.value) : undefined;
      if (id !== undefined) found.add(id);
      else if ('reason' in record ? !record.part : !isLoose(record.value)) isWhole = false;
      yield record;
    }
  }
  return { records: records(), ids: () => (isWhole ? found : undefined) };
}

export function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}
