import { repeat } from '../platform/concurrency/repeat.ts';
import { holdTaskLock, inTransaction, type Trx } from '../platform/database/index.ts';
import { hourMs } from '../platform/durations.ts';
import type { Log } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { keyMatchesDatabase, type SiteSecrets } from '../platform/secrets/index.ts';
import { type Link, nextHash } from './chain.ts';
import {
  findFirstSigned,
  findLastLink,
  findMissing,
  hasUnsealedEntries,
  insertLinks,
  takeUnsealed,
  type UnsealedEntry,
} from './chain-store.ts';
import { recordAudits, siteActor } from './entries-store.ts';
import { moveHead } from './head-file.ts';
import { auditOf } from './open-audit.ts';
import { hasValidSignature, mayBeUnsigned, type UnsignedRule } from './signer.ts';

const batchSize = 1000;

/**
 * Gives every entry without a link its link in the chain. The order of the chain is the order of sealing: an entry whose transaction took
 * long comes after entries with higher ids. With a site key that is not the database's, it seals nothing: once the right key is back,
 * such links would look forged.
 *
 * An entry that the site did not write gets no link. That raises an alarm, and so does an entry that has disappeared.
 */
export async function sealAudit(deps: Platform): Promise<void> {
  const lastNumbers = auditOf(deps.db).signer.takeLastNumbers();
  if (lastNumbers.length === 0 && !(await hasUnsealedEntries(deps.db))) return;
  if (!(await keyMatchesDatabase(deps.db, deps.secrets))) return;
  const lost = await findMissing(deps.db, lastNumbers);
  if (lost.length > 0)
    await inTransaction(deps.db, (trx) => raiseAlarms(trx, deps, lost.map(alarmOfLostEntry)));
  let count = batchSize;
  while (count === batchSize) count = await inTransaction(deps.db, (trx) => sealBatch(trx, deps));
}

const alarmOfLostEntry = ({ number }: { number: number }): Alarm => ({
  kind: 'entry-lost',
  what: `Entry ${number} of a process of this site was written, and is not in the database.`,
});

/** Seals the oldest entries that wait. @returns how many there were, at most `batchSize`. */
async function sealBatch(trx: Trx, deps: Platform): Promise<number> {
  const { secrets, clock } = deps;
  // Only one process seals at a time, so that the chain has one end.
  await holdTaskLock(trx, 'audit-chain');
  const entries = await takeUnsealed(trx, batchSize);
  const { accepted, alarms } = await checkEntries(trx, deps, entries);
  let last: Link | undefined = await findLastLink(trx);
  const links = accepted.map(({ id, canonical }) => {
    const hash = nextHash(secrets, last, canonical);
    const link = { position: (last?.position ?? 0) + 1, hash, entryId: id };
    last = link;
    return link;
  });
  await insertLinks(trx, links, clock.now());
  await raiseAlarms(trx, deps, alarms);
  return entries.length;
}

type AcceptedEntry = UnsealedEntry & { canonical: string };

/** Checks entries before they are sealed. @returns those that get a link, and an alarm for each thing that is wrong. */
async function checkEntries(
  trx: Trx,
  { secrets, clock }: Platform,
  entries: readonly UnsealedEntry[],
): Promise<{ accepted: AcceptedEntry[]; alarms: Alarm[] }> {
  const findRule = createRuleReader(trx);
  const accepted: AcceptedEntry[] = [];
  const alarms: Alarm[] = [];
  for (const entry of entries) {
    const { canonical, hasLink } = entry;
    if (canonical !== null && hasLink) continue;
    const alarm = await findAlarm(entry, secrets, findRule, clock.now());
    if (alarm) alarms.push(alarm);
    // An entry after a gap is itself as the site wrote it, so it is sealed.
    if (canonical !== null && (!alarm || alarm.kind === 'entry-dropped'))
      accepted.push({ ...entry, canonical });
  }
  return { accepted, alarms };
}

/** What is wrong with an entry that waits for its link, if anything. */
async function findAlarm(
  entry: UnsealedEntry,
  secrets: SiteSecrets,
  findRule: () => Promise<UnsignedRule>,
  now: Date,
): Promise<Alarm | undefined> {
  const { id, canonical, number, isDuplicate, hasPredecessor } = entry;
  if (canonical === null)
    return { kind: 'entry-vanished', what: `Entry ${id} vanished before it was sealed.` };
  const isValid = hasValidSignature(secrets, entry, canonical);
  if (isValid === undefined) {
    if (mayBeUnsigned(await findRule(), now)) return undefined;
    return { kind: 'entry-unsigned', what: `Entry ${id} has no signature: the site did not write it.` };
  }
  if (!isValid || isDuplicate)
    return { kind: 'entry-forged', what: `Entry ${id} is not as the site wrote it.` };
  if (hasPredecessor) return undefined;
  const what = `Entry ${id} is number ${number} of its writer, and number ${number! - 1} is missing.`;
  return { kind: 'entry-dropped', what };
}

/** Makes the function that reads the rule for unsigned entries, when the first of them needs it, and only once. */
function createRuleReader(trx: Trx): () => Promise<UnsignedRule> {
  let rule: UnsignedRule | undefined;
  return async () => {
    if (rule) return rule;
    const { beganUnsigned, at } = await findFirstSigned(trx);
    rule = { beganUnsigned, firstSignedAt: at };
    return rule;
  };
}

/** The action of the entry that records tampering with the audit. */
export const auditAlarm = 'audit.alarm';

/**
 * `vanished`: it waited to be sealed, but was deleted. `lost`: a running process signed it, and it is not stored. `dropped`: its writer’s
 * entry with the number before it is missing. The audit stores these names, so they cannot change.
 */
type Alarm = {
  kind: 'entry-vanished' | 'entry-lost' | 'entry-unsigned' | 'entry-forged' | 'entry-dropped';
  what: string;
};

/** Many alarms at once usually have one cause, and too many entries would hide the rest of the audit. */
const maxAlarmsAtOnce = 20;

/** Records in the log and in the audit itself that somebody tampered with the audit. */
async function raiseAlarms(
  trx: Trx,
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  alarms: readonly Alarm[],
): Promise<void> {
  if (alarms.length === 0) return;
  const firstAlarms = alarms.slice(0, maxAlarmsAtOnce);
  log.error(
    { alarms: firstAlarms.map(({ what }) => what), count: alarms.length },
    'somebody tampered with the audit: run site check',
  );
  await recordAudits(
    trx,
    firstAlarms.map(({ kind, what }) => ({
      at: clock.now(),
      actor: siteActor,
      action: auditAlarm,
      details: { kind, what, ...(alarms.length > firstAlarms.length && { of: alarms.length }) },
    })),
  );
}

const everyMs = 2000;
const headInLogEveryMs = hourMs;

/** Seals new entries every two seconds, and once more when it is stopped. */
export function startSealing(deps: Platform): { stop(): Promise<void> } {
  const logHead = createHeadLogger(deps.log);
  return repeat(
    deps.log,
    { everyMs, failureMessage: 'the audit chain could not go on: run “site check”, which says what to do' },
    async () => {
      await sealAudit(deps);
      logHead(await moveHead(deps));
    },
  );
}

/** Also writes the head to the log, which is often kept on another machine; once an hour is enough. */
function createHeadLogger(log: Log) {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (head: Awaited<ReturnType<typeof moveHead>>) => {
    if (!head || head.at.getTime() - loggedAtMs < headInLogEveryMs) return;
    loggedAtMs = head.at.getTime();
    log.info(
      { position: head.position, hash: head.hash.toString('hex') },
      'the audit chain has come this far',
    );
  };
}
