import type { Log } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { repeat } from '../platform/repeat.ts';
import { moveHead } from './move-head.ts';
import { sealAudit } from './seal-audit.ts';

const everyMs = 2000;
const headInLogEveryMs = 3_600_000;

/** Seals what was written, every two seconds, and once more at the end. */
export function startSealing(deps: Platform): { stop(): Promise<void> } {
  const noteHead = headNoter(deps.log);
  return repeat(deps.log, { everyMs, whenItFails: 'the audit chain could not go on' }, async () => {
    await sealAudit(deps);
    noteHead(await moveHead(deps));
  });
}

/** The head goes to the log as well, which is often kept on another machine; once an hour is enough. */
function headNoter(log: Log) {
  let notedAtMs = Number.NEGATIVE_INFINITY;
  return (head: Awaited<ReturnType<typeof moveHead>>) => {
    if (!head || head.at.getTime() - notedAtMs < headInLogEveryMs) return;
    notedAtMs = head.at.getTime();
    log.info(
      { position: head.position, hash: head.hash.toString('hex') },
      'the audit chain has come this far',
    );
  };
}
