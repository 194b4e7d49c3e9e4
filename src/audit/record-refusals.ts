import { networkOf } from '../platform/addresses/index.ts';
import { type Db, inTransaction } from '../platform/database/index.ts';
import { callWindows } from '../platform/http/index.ts';
import { oneForEach } from '../platform/one-for-each.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { type Actor, type AuditEntry, recordAudit } from './store.ts';

/** Beyond so many a minute of one action, from everywhere, nothing more is learnt and much is stored. */
const maxPerMinute = 60;

const windowsOf = oneForEach((_: Db) => callWindows());

/**
 * Writes down a refusal that strangers can bring about as often as they like: the first in a minute of each action and
 * account, or network where there is no account; and no more of one action than sixty a minute altogether, since whoever
 * has IPv6 has networks without end. Refusals of people who are signed in to do something are no such thing: each of those is
 * an entry of `recordAudit`.
 */
export async function recordRefusal(
  deps: Platform,
  entry: Omit<AuditEntry, 'at' | 'outcome'>,
): Promise<void> {
  const { action, actor } = entry;
  const at = deps.clock.now();
  const windows = windowsOf(deps.db);
  const who = actor.id ?? networkOf(actor.address ?? '');
  if (windows.count(JSON.stringify([action, who]), at.getTime()).calls > 1) return;
  if (windows.count(action, at.getTime()).calls > maxPerMinute) return;
  await inTransaction(deps.db, (trx) => recordAudit(trx, { ...entry, at, outcome: 'refused' }));
}

/**
 * Does something; where it is refused, the audit keeps that and the reason, though the transaction it was refused in is
 * undone. What was sent is not kept: a form may have been sent with a secret in the wrong field.
 */
export async function orRecordRefusal<T>(
  deps: Platform,
  entry: Omit<AuditEntry, 'at' | 'outcome'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const reason = error.errors?.[0]?.message ?? error.kind.type;
    const details = { ...entry.details, reason };
    // Nobody's account: a stranger, who may come back at once and as often as they like.
    if (entry.actor.id === undefined) await recordRefusal(deps, { ...entry, details });
    else
      await inTransaction(deps.db, (trx) =>
        recordAudit(trx, { ...entry, at: deps.clock.now(), outcome: 'refused', details }),
      );
    throw error;
  }
}

const windowMs = 60_000;
/** How many refused things of one kind are named for each account in a minute; the rest are only counted. */
const maxNamed = 10;

type RefusedObject = { actor: Actor; subject: { type: string; id: string }; route: string };
type Window = { endsAtMs: number; named: Set<string>; others: number };

const objectWindowsOf = oneForEach((_: Db) => new Map<string, Window>());

/**
 * Records that somebody was refused something that belongs to others. The first ten things of a kind in a minute get an
 * entry each. The number of further tries is in the first entry after that minute, unless somebody else's came before it.
 */
export async function recordRefusedObject(
  deps: Platform,
  { actor, subject, route }: RefusedObject,
): Promise<void> {
  const at = deps.clock.now();
  const windows = objectWindowsOf(deps.db);
  const key = `${actor.id} ${subject.type}`;
  const last = windows.get(key);
  const isOver = last === undefined || at.getTime() >= last.endsAtMs;
  const window = isOver ? { endsAtMs: at.getTime() + windowMs, named: new Set<string>(), others: 0 } : last;
  if (isOver) begin(windows, key, window, at.getTime());
  if (window.named.size >= maxNamed || window.named.has(subject.id)) {
    window.others += 1;
    return;
  }
  window.named.add(subject.id);
  const before = isOver && last !== undefined && last.others > 0 ? { further_tries_before: last.others } : {};
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, {
      at,
      actor,
      action: `${subject.type}.refused`,
      subject,
      outcome: 'refused',
      details: { route, ...before },
    }),
  );
}

/** Forgets windows that have ended, with their counts, so that the map does not grow without limit. */
function begin(windows: Map<string, Window>, key: string, window: Window, nowMs: number): void {
  windows.delete(key);
  for (const [oldKey, old] of windows) {
    if (nowMs < old.endsAtMs) break;
    windows.delete(oldKey);
  }
  windows.set(key, window);
}
