import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '../../durations.ts';
import { describeError, type Log } from '../../log/index.ts';
import { StartupError } from '../../process/startup-error.ts';
import type { DatabaseConnection } from './connection.ts';
import { readPostmasterFile } from './running-server.ts';

const firstPauseMs = 100;
const maxPauseMs = 15_000;
/** After this long without a PostgreSQL that keeps running, this process gives up. */
const defaultTimeoutMs = 600_000;
/** A PostgreSQL that has run for this long counts as recovered, and a later failure as a new one. */
const stableAfterMs = minuteMs;
const pollEveryMs = 1000;
/** After this, PostgreSQL is stopped by force. Longer than the site needs, so that the site ends first if both were told to. */
const defaultMaxStopMs = 12_000;
/** How long the site, when it ends, waits for a PostgreSQL that is being started. */
const releaseTimeoutMs = 5000;

export type EmbeddedDatabase = {
  /** How the site connects: as the role that has no rights beyond the site's tables. */
  readonly connection: DatabaseConnection;
  /** True if PostgreSQL was running already, left by a killed process or in use by another one. */
  readonly adopted: boolean;
  readonly pid: number;
  /** Ends this process's use. The last process to do so stops PostgreSQL cleanly. It may be called again. */
  release(): Promise<void>;
};

export type OpenedServer = EmbeddedDatabase & {
  readonly cluster: string;
  /** Stops PostgreSQL, even while others use it. */
  stopNow(): Promise<void>;
  /** Calls the listener when PostgreSQL has stopped, or at once if it has stopped already. */
  onLost(listener: (error: Error) => void): void;
};

export type KeepRunningOptions = {
  log: Log;
  /** Called when PostgreSQL cannot be started again. This process should then end. */
  giveUp(): void;
  /** Shorter in tests. */
  timeoutMs?: number;
  maxStopMs?: number;
};

/**
 * Keeps a site's PostgreSQL running until the site ends. If it was killed, stopped or restarted, this process starts
 * it again, or joins it if another process has started it. Its address stays the same, so that pools connect again by
 * themselves. After ten minutes without success it calls `giveUp`, since this process has lost its claim.
 */
export function keepRunning(
  opened: OpenedServer,
  reopen: (earlier: OpenedServer) => Promise<OpenedServer>,
  { log, giveUp, timeoutMs = defaultTimeoutMs, maxStopMs = defaultMaxStopMs }: KeepRunningOptions,
): EmbeddedDatabase {
  let current = opened;
  let isLeaving = false;
  let openedAtMs = performance.now();
  let giveUpAtMs = 0;
  let pauseMs = firstPauseMs;
  let restarting: Promise<boolean> | undefined;

  /** @returns whether PostgreSQL runs again; false if this process ends or gives up. */
  const restart = async (): Promise<boolean> => {
    const now = performance.now();
    if (now - openedAtMs > stableAfterMs || giveUpAtMs === 0) {
      giveUpAtMs = now + timeoutMs;
      pauseMs = firstPauseMs;
    }
    while (!isLeaving) {
      await delay(pauseMs, undefined, { ref: false });
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
      if (isLeaving) return false;
      try {
        current = await reopen(current);
        openedAtMs = performance.now();
        log.warn('the site’s PostgreSQL is running again');
        return true;
      } catch (error) {
        const reason = error instanceof StartupError ? error.message : undefined;
        log.error({ reason, error: describeError(error) }, 'the site’s PostgreSQL could not be restarted');
        if (performance.now() > giveUpAtMs) {
          giveUp();
          return false;
        }
      }
    }
    return false;
  };
  const restartWheneverLost = async () => {
    for (;;) {
      const error = await new Promise<Error>((resolve) => current.onLost(resolve));
      if (isLeaving) return;
      log.error({ error: describeError(error) }, 'the site’s PostgreSQL has stopped; restarting it');
      restarting = restart();
      if (!(await restarting)) return;
    }
  };
  const watch = watchForStopping(() => current, maxStopMs, log);
  void restartWheneverLost();
  return {
    connection: opened.connection,
    adopted: opened.adopted,
    get pid() {
      return current.pid;
    },
    async release() {
      isLeaving = true;
      clearInterval(watch);
      await Promise.race([restarting, delay(releaseTimeoutMs, undefined, { ref: false })]);
      await current.release();
    },
  };
}

/**
 * A PostgreSQL that received SIGTERM takes no new connections, and waits for the old ones to end. They do not end while
 * the site runs. So it is stopped at once, and then started again.
 */
function watchForStopping(server: () => OpenedServer, maxStopMs: number, log: Log): NodeJS.Timeout {
  let since: number | undefined;
  const check = async () => {
    const { cluster, pid, stopNow } = server();
    const file = await readPostmasterFile(cluster).catch(() => undefined);
    const stopping = file?.status === 'stopping' && file.pid === pid;
    since = stopping ? (since ?? performance.now()) : undefined;
    if (since === undefined || performance.now() - since < maxStopMs) return;
    since = undefined;
    log.warn('the site’s PostgreSQL was told to stop and waits for the site; restarting it');
    await stopNow();
  };
  return setInterval(() => void check(), pollEveryMs).unref();
}
