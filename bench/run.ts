import { cpus } from 'node:os';
import { benchRefresh } from './refresh.ts';
import { benchRevocation } from './revocation.ts';
import { benchSearchQuality } from './search-quality/bench.ts';
import { benchStart } from './start.ts';
import { benchTokenCold } from './token-cold.ts';
import { benchTokenMemory } from './token-memory.ts';
import { benchTokenStatus } from './token-status.ts';

// npm run bench [-- name …]: measures what issues ask for, each beside its ceiling in the same run, and prints ratios.
const benches: Readonly<Record<string, () => Promise<void>>> = {
  start: benchStart,
  'token-status': benchTokenStatus,
  'token-cold': benchTokenCold,
  refresh: benchRefresh,
  revocation: benchRevocation,
  'token-memory': benchTokenMemory,
  'search-quality': benchSearchQuality,
};

console.log(`Node ${process.version}, ${cpus().length} cores`);
const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
