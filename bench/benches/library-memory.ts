import { readFile } from 'node:fs/promises';
import { withBothDatabases } from '../lib/both-databases.ts';
import { fillWithEngland, missingData } from '../lib/england.ts';
import { writeQueries } from '../lib/library-queries.ts';
import { memoryMb } from '../lib/memory.ts';
import { scaled } from '../lib/options.ts';

const connections = 10;

/**
 * The memory of a process with England's library: after the import and a restart, and after 20 seconds of searches on 10
 * connections that never pause, a different search in every request. Target: 350 MB.
 */
export async function benchLibraryMemory(): Promise<void> {
  const missing = missingData();
  if (missing) return console.log(`library-memory: needs ${missing}`);
  await withBothDatabases(async (filled, where) => {
    const { headers } = await fillWithEngland(filled);
    const { textPostcodeDay } = await writeQueries(filled);
    const addresses = (await readFile(textPostcodeDay, 'utf8')).trim().split('\n');
    await filled.stop();
    const site = await filled.restart();
    try {
      const before = await memoryMb(site.process.pid!);
      const until = performance.now() + scaled(20) * 1000;
      let sent = 0;
      const search = async () => {
        while (performance.now() < until) {
          const address = addresses[sent % addresses.length]!;
          sent += 1;
          const answer = await fetch(site.baseUrl + address, { headers });
          if (!answer.ok) throw new Error(`${answer.status} for ${address}`);
          await answer.arrayBuffer();
        }
      };
      await Promise.all(Array.from({ length: connections }, search));
      const after = await memoryMb(site.process.pid!);
      console.log(
        `library-memory: ${before} MB after the start, ${after} MB after ${sent} searches (target: 350 MB), ${where}`,
      );
    } finally {
      await site.stop();
    }
  });
}
