import { signInWithKeys } from '../lib/key-holder.ts';
import { hasWrk, measure } from '../lib/load.ts';
import { memoryMb } from '../lib/memory.ts';
import { startBenchSite } from '../lib/site.ts';

const goal = 1_000_000;
/** These come first, until the engine has the memory that it needs for this load. */
const warmUp = 200_000;
/** Unknown tokens are looked up in the database. The others are refused by their form. */
const kinds = ['unknown', 'malformed', 'foreign'];

/** The memory of a process after a million random tokens of all kinds that nobody issued. Target: flat. */
export async function benchTokenMemory(): Promise<void> {
  if (!hasWrk) return console.log('token-memory: needs wrk');
  const site = await startBenchSite({ ONWARD_CALLS_PER_MINUTE_OF_NETWORK: '100000000' });
  try {
    const { access } = await signInWithKeys(site);
    const send = sender(site.baseUrl, access.slice(4, 10));
    await send(warmUp);
    const before = await memoryMb(site.process.pid!);
    console.log(`token-memory: ${before} MB, warm`);
    let after = before;
    for (let sent = 0; sent < goal; ) {
      sent += await send(goal / 5);
      after = await memoryMb(site.process.pid!);
      console.log(`token-memory: ${after} MB after ${sent} random tokens more`);
    }
    console.log(`token-memory: ${after - before} MB more than before (target: flat)`);
  } finally {
    await site.remove();
  }
}

/** Sends at least `min` tokens. @returns how many were sent. */
function sender(baseUrl: string, tag: string) {
  let runs = 0;
  return async (min: number): Promise<number> => {
    let sent = 0;
    while (sent < min) {
      const kind = kinds[runs % kinds.length]!;
      runs += 1;
      // Each run's random tokens begin from its number, so no two runs make the same ones.
      const script = { name: 'random-tokens', args: [kind, tag, String(runs)] };
      const load = { path: '/api/token/status', script, seconds: 2, refused: true };
      sent += (await measure(baseUrl, load)).calls;
    }
    return sent;
  };
}
