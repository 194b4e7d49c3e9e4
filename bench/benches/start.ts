import { memoryMb } from '../lib/memory.ts';
import { startBenchSite } from '../lib/site.ts';

/**
 * The time from the command to “ready”, on an empty directory and on an existing one. Target: 3 s and 1.5 s.
 */
export async function benchStart(): Promise<void> {
  let began = performance.now();
  let site = await startBenchSite();
  console.log(`start on an empty directory: ${seconds(began)} s (target: 3 s)`);
  await site.stop();
  for (let round = 0; round < 3; round += 1) {
    began = performance.now();
    site = await site.restart();
    console.log(
      `start on an old directory: ${seconds(began)} s (target: 1.5 s); memory ${await memoryMb(site.process.pid!)} MB`,
    );
    if (round < 2) await site.stop();
  }
  await site.remove();
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(2);
}
