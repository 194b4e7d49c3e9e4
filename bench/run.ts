import { cpus } from 'node:os';
import { benchLibraryImport } from './benches/library-import.ts';
import { benchLibraryList } from './benches/library-list.ts';
import { benchLibraryMemory } from './benches/library-memory.ts';
import { benchLibrarySearch } from './benches/library-search.ts';
import { benchLibraryTenfold } from './benches/library-tenfold.ts';
import { benchLibraryTyping } from './benches/library-typing.ts';
import { benchReferralCreate } from './benches/referral-create.ts';
import { benchReferralDelivery } from './benches/referral-delivery.ts';
import { benchReferralMillion } from './benches/referral-million.ts';
import { benchReferralWatch } from './benches/referral-watch.ts';
import { benchRefresh } from './benches/refresh.ts';
import { benchReports } from './benches/reports.ts';
import { benchRevocation } from './benches/revocation.ts';
import { benchSearchQuality } from './benches/search-quality/bench.ts';
import { benchStart } from './benches/start.ts';
import { benchTokenCold } from './benches/token-cold.ts';
import { benchTokenMemory } from './benches/token-memory.ts';
import { benchTokenStatus } from './benches/token-status.ts';

// npm run bench -- name …: measures the goals of docs/performance.md, each with its ceiling in the same run, and prints
// ratios. The beginning of a name, such as `library`, runs every bench that begins with it.
const benches: Readonly<Record<string, () => Promise<void>>> = {
  start: benchStart,
  'token-status': benchTokenStatus,
  'token-cold': benchTokenCold,
  refresh: benchRefresh,
  revocation: benchRevocation,
  'token-memory': benchTokenMemory,
  'search-quality': benchSearchQuality,
  'library-list': benchLibraryList,
  'library-search': benchLibrarySearch,
  'library-typing': benchLibraryTyping,
  'library-import': benchLibraryImport,
  'library-memory': benchLibraryMemory,
  'library-tenfold': benchLibraryTenfold,
  'referral-create': benchReferralCreate,
  'referral-delivery': benchReferralDelivery,
  'referral-million': benchReferralMillion,
  'referral-watch': benchReferralWatch,
  reports: benchReports,
};

const names = Object.keys(benches);
const namesFor = (word: string) =>
  names.filter((name) => word === 'all' || `${name}-`.startsWith(`${word}-`));
const requested = process.argv.slice(2);
const unknown = requested.filter((word) => namesFor(word).length === 0);
if (requested.length === 0 || unknown.length > 0) {
  console.log(`npm run bench -- name …\n\nNames: ${names.join(', ')}; or all.`);
  if (unknown.length > 0) process.exitCode = 2;
} else {
  console.log(`Node ${process.version}, ${cpus().length} cores`);
  for (const name of new Set(requested.flatMap(namesFor))) await benches[name]!();
}
