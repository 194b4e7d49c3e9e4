import { Type } from 'typebox';
import { type Caller, findCallerInBackground, requireCaller } from '../../../accounts/index.ts';
import { hourMs, secondMs } from '../../../platform/durations.ts';
import {
  type App,
  type EventStream,
  eventStreams,
  page,
  type Request,
  signedIn,
} from '../../../platform/http/index.ts';
import { describeError } from '../../../platform/log/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { countChanged, countNeedingCaller, workCountText } from '../../listing/worklist/list-work.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { everybody, referralsChanged } from '../../notifications/notify-live-counts.ts';
import { listQuery, readWorklistRequest, worklistRoles } from './list-request.ts';

type Deps = ReferralDeps & WebPlatform;

/** A person has one window in front and a few beside it; the script closes those that nobody sees. */
const limits = { maxPerOwner: 6, max: 500 };
/** Ten changes in a moment are counted once. */
const minGapMs = 2 * secondMs;
/** Without any notice too, because dates pass, people read what was unread, and sessions end. */
const maxGapMs = 25 * secondMs;

const query = Type.Object({
  ...listQuery.properties,
  /** When the list was shown, in milliseconds since 1970. */
  since: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

/**
 * Keeps the numbers of an open worklist right: how many referrals need its reader, and how many of the list are new or have changed since it
 * was shown. The stream has these two numbers and nothing about anybody. It ends with the session.
 */
export function liveCounts(app: App, deps: Deps): void {
  const streams = eventStreams(app, limits);
  const watchers = new Set<Watcher>();
  deps.notices.on(referralsChanged, (text) => {
    const ids = new Set(text.split(' '));
    for (const { concerns, changed } of watchers) if (concerns(ids)) changed();
  });
  const config = page(signedIn(...worklistRoles), { countsAsCall: true, staysOpen: true });
  app.get('/referrals/live', { config, schema: { hide: true, querystring: query } }, (request, reply) => {
    const stream = streams.open(reply, requireCaller(request).accountId);
    if (stream) {
      const watcher = watch(deps, request, request.query, stream);
      watchers.add(watcher);
      stream.onEnd(() => watchers.delete(watcher));
    }
    return reply;
  });
}

type Watcher = { concerns(ids: ReadonlySet<string>): boolean; changed(): void };

/** Counts now, after each change, and once in a while, for as long as the stream is open and its reader is signed in. */
function watch(
  deps: Deps,
  request: Request,
  { since, ...list }: { since: number } & Parameters<typeof readWorklistRequest>[1],
  stream: EventStream,
): Watcher {
  let caller = requireCaller(request);
  let timer: NodeJS.Timeout | undefined;
  let countedAtMs = 0;
  let last = '';
  /** While it counts, nothing is scheduled; a change in that time is counted after it. */
  let isCounting = false;
  let hasChanged = false;
  let hasEnded = false;

  async function count(): Promise<void> {
    isCounting = true;
    hasChanged = false;
    countedAtMs = performance.now();
    try {
      const reader = await findCallerInBackground(deps, request);
      if (!reader || !worklistRoles.some((role) => reader.roles.includes(role))) return stream.end();
      caller = reader;
      const counts = await readCounts(deps, caller, list, since);
      if (hasEnded) return;
      const text = JSON.stringify(counts);
      if (text === last) stream.keepAlive();
      else stream.send(counts);
      last = text;
    } catch (error) {
      deps.log.warn({ error: describeError(error) }, 'the numbers of an open list could not be read');
      // The browser connects again a little later.
      return stream.end();
    } finally {
      isCounting = false;
    }
    schedule(hasChanged ? minGapMs : maxGapMs);
  }

  function schedule(inMs: number): void {
    clearTimeout(timer);
    if (!hasEnded) timer = setTimeout(() => void count(), inMs);
  }

  stream.onEnd(() => {
    hasEnded = true;
    clearTimeout(timer);
  });
  void count();
  return {
    concerns: (ids) => ids.has(everybody) || keysOf(caller).some((key) => ids.has(key)),
    changed() {
      hasChanged = true;
      if (!isCounting) schedule(Math.max(0, countedAtMs + minGapMs - performance.now()));
    },
  };
}

/** What a notice names if it concerns the caller. An operator sees every referral, and waits for the next count. */
function keysOf({ accountId, organisation }: Caller): string[] {
  const keys = [accountId, organisation?.id, organisation?.libraryOrganizationId];
  return keys.filter((key) => key !== undefined && key !== null);
}

async function readCounts(
  deps: Deps,
  caller: Caller,
  list: Parameters<typeof readWorklistRequest>[1],
  sinceMs: number,
): Promise<{ needs_you: string; changed: string }> {
  const { work } = readWorklistRequest(caller, list);
  const now = deps.clock.now().getTime();
  // No session is longer; from further back, everything would be new.
  const since = new Date(Math.min(Math.max(sinceMs, now - 12 * hourMs), now));
  const needsYou = await countNeedingCaller(deps, caller);
  const changed = await countChanged(deps, caller, work, since);
  return { needs_you: needsYou === 0 ? '' : workCountText(needsYou), changed: workCountText(changed) };
}
