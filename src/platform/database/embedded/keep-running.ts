import { setTimeout as delay } from 'node:timers/promises';
import { describeError, type Log } from '../../log/index.ts';
import { StartupError } from '../../startup-error.ts';
import type { Connection } from './connection.ts';
import { readPostmasterFile } from './postmaster-file.ts';

const firstPauseMs = 100;
const longestPauseMs = 15_000;
/** So long nothing but failures, or PostgreSQL ending soon after it came back, and this process gives up. */
const usualPatienceMs = 600_000;
/** Which then is one that runs again, whatever happens to it later. */
const steadyMs = 60_000;
const lookEveryMs = 1000;
/** Longer than the site itself takes to end: where both were told to end, the site does first. */
const usualStoppingMs = 12_000;
/** How long the end of the site waits for a PostgreSQL that is just being started. */
const partingMs = 5000;

export type EmbeddedDatabase = {
  /** What pg's Pool takes. */
  readonly connection: Connection;
  /** True when a PostgreSQL left running by a killed process (or run by another process of this site) was taken over. */
  readonly adopted: boolean;
  readonly pid: number;
  /** Gives up this process's use; the last user of the directory stops PostgreSQL cleanly. Idempotent. */
  release(): Promise<void>;
};

export type OpenedServer = EmbeddedDatabase & {
  readonly cluster: string;
  /** Ends PostgreSQL, whoever uses it. */
  cut(): Promise<void>;
  /** Sets who hears that it went away; says so at once where it has already. */
  onLost(listener: (error: Error) => void): void;
};

export type Keeping = {
  log: Log;
  /** The site cannot go on, and this process should end. */
  giveUp(): void;
  /** Tests do not wait so long. */
  patienceMs?: number;
  stoppingMs?: number;
};

/**
 * Sees to it that a site's PostgreSQL runs until the site ends. Where it was killed, stopped or restarted, it is started
 * again, or joined where somebody else did so; the address stays the same, so that connections are made again without
 * anybody's doing. After ten minutes without success `giveUp` is called: this process's claim is void, and it should end.
 */
export function keepRunning(
  opened: OpenedServer,
  reopen: (earlier: OpenedServer) => Promise<OpenedServer>,
  { log, giveUp, patienceMs = usualPatienceMs, stoppingMs = usualStoppingMs }: Keeping,
): EmbeddedDatabase {
  let current = opened;
  let leaving = false;
  let openedAtMs = performance.now();
  let giveUpAtMs = 0;
  let pauseMs = firstPauseMs;
  let comingBack: Promise<void> | undefined;

  const comeBack = async () => {
    const now = performance.now();
    if (now - openedAtMs > steadyMs || giveUpAtMs === 0) {
      giveUpAtMs = now + patienceMs;
      pauseMs = firstPauseMs;
    }
    while (!leaving) {
      await delay(pauseMs, undefined, { ref: false });
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      if (leaving) return;
      try {
        current = await reopen(current);
        openedAtMs = performance.now();
        log.warn('the site’s PostgreSQL runs again');
        return follow();
      } catch (error) {
        const reason = error instanceof StartupError ? error.message : undefined;
        log.error(
          { reason, error: describeError(error) },
          'the site’s PostgreSQL could not be started again',
        );
        if (performance.now() > giveUpAtMs) return giveUp();
      }
    }
  };
  const follow = () => {
    const followed = current;
    followed.onLost((error) => {
      if (leaving || followed !== current) return;
      log.error({ error: describeError(error) }, 'the site’s PostgreSQL went away; it is started again');
      comingBack = comeBack();
    });
  };
  const watch = watchForStopping(() => current, stoppingMs, log);
  follow();
  return {
    connection: opened.connection,
    adopted: opened.adopted,
    get pid() {
      return current.pid;
    },
    async release() {
      leaving = true;
      clearInterval(watch);
      await Promise.race([comingBack, delay(partingMs, undefined, { ref: false })]);
      await current.release();
    },
  };
}

/**
 * A PostgreSQL that was told to stop when nobody uses it any more (SIGTERM) takes no new connections, yet never ends,
 * because the site uses it. It is made to end, and so started again.
 */
function watchForStopping(server: () => OpenedServer, stoppingMs: number, log: Log): NodeJS.Timeout {
  let since: number | undefined;
  const look = async () => {
    const { cluster, pid, cut } = server();
    const file = await readPostmasterFile(cluster).catch(() => undefined);
    const stopping = file?.status === 'stopping' && file.pid === pid;
    since = stopping ? (since ?? performance.now()) : undefined;
    if (since === undefined || performance.now() - since < stoppingMs) return;
    since = undefined;
    log.warn('the site’s PostgreSQL was told to stop and waits for the site; it is started again');
    await cut();
  };
  return setInterval(() => void look(), lookEveryMs).unref();
}
