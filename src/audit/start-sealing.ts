import { describeError, type Log } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { moveHead } from './move-head.ts';
import { sealAudit } from './seal-audit.ts';

const everyMs = 2000;
const headInLogEveryMs = 3_600_000;

/**
 * Seals what was written, every two seconds, and once more at the end. In each process of a site by itself: a job of the
 * queue would be a row for each time.
 */
export function startSealing(deps: Platform): { stop(): Promise<void> } {
  const noteHead = headNoter(deps.log);
  let failing = false;
  let busy = false;
  const round = async () => {
    busy = true;
    try {
      await sealAudit(deps);
      noteHead(await moveHead(deps));
      failing = false;
    } catch (error) {
      // Once, not every two seconds for as long as it lasts.
      if (!failing) deps.log.error({ error: describeError(error) }, 'the audit chain could not go on');
      failing = true;
    } finally {
      busy = false;
    }
  };
  let current = round();
  const timer = setInterval(() => {
    if (!busy) current = round();
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
      await round();
    },
  };
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
