import { holdName, inTransaction, type Trx } from '../platform/database/index.ts';
import type { Log } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { repeat } from '../platform/repeat.ts';
import { recogniseSiteKey } from '../platform/secrets/index.ts';
import { type Link, nextHash } from './chain.ts';
import {
  findFirstSigned,
  findLastLink,
  findMissing,
  insertLinks,
  isAnythingUnsealed,
  takeUnsealed,
  type UnsealedEntry,
} from './chain-store.ts';
import { moveHead } from './head-file.ts';
import { hasValidSignature, mayBeUnsigned, signerOf, type UnsignedRule } from './signer.ts';
import { recordAudits } from './store.ts';

const batchLength = 1000;

/**
 * Gives every entry that has none yet its link in the chain. An entry whose transaction took long comes later than its
 * number says; what counts is the position. Under another site key than the database's nothing is sealed: with the
 * right key back in its place, such links would be taken for forged ones.
 *
 * What the site did not write gets no link, and what it wrote and is not there any more is missed: both raise an alarm.
 */
export async function sealAudit(deps: Platform): Promise<void> {
  const advanced = signerOf(deps.db)?.takeAdvanced() ?? [];
  const somethingWaits = await isAnythingUnsealed(deps.db);
  if (!(somethingWaits || advanced.length > 0) || !(await recogniseSiteKey(deps.db, deps.secrets))) return;
  const lost = await findMissing(deps.db, advanced);
  if (lost.length > 0) await inTransaction(deps.db, (trx) => raiseAlarms(trx, deps, lost.map(lostEntry)));
  while ((await inTransaction(deps.db, (trx) => sealBatch(trx, deps))) === batchLength);
}

const lostEntry = ({ number }: { number: number }): Alarm => ({
  kind: 'entry-lost',
  what: `Entry ${number} of a process of this site was written, and is not in the database.`,
});

async function sealBatch(trx: Trx, deps: Platform): Promise<number> {
  const { secrets, clock } = deps;
  // One sealer at a time, in all processes.
  await holdName(trx, 'audit-chain');
  const due = await takeUnsealed(trx, batchLength);
  const alarms: Alarm[] = [];
  const accepted = await accept(trx, deps, due, alarms);
  let last: Link | undefined = await findLastLink(trx);
  const links = accepted.map(({ id, canonical }) => {
    const hash = nextHash(secrets, last, canonical);
    const link = { position: (last?.position ?? 0) + 1, hash, entryId: id };
    last = link;
    return link;
  });
  await insertLinks(trx, links, clock.now());
  await raiseAlarms(trx, deps, alarms);
  return due.length;
}

type Accepted = UnsealedEntry & { canonical: string };

/** Those of the entries that get a link. What is wrong with the others, and what is missing before one, is an alarm. */
async function accept(
  trx: Trx,
  { secrets, clock }: Platform,
  due: readonly UnsealedEntry[],
  alarms: Alarm[],
): Promise<Accepted[]> {
  let rule: UnsignedRule | undefined;
  const accepted: Accepted[] = [];
  for (const entry of due) {
    const { id, canonical, number, sealed } = entry;
    if (canonical === null) {
      alarms.push({ kind: 'entry-vanished', what: `Entry ${id} vanished before it was sealed.` });
      continue;
    }
    if (sealed) continue;
    const genuine = hasValidSignature(secrets, entry, canonical);
    if (genuine === undefined) {
      if (rule === undefined) {
        const { beganUnsigned, at } = await findFirstSigned(trx);
        rule = { beganUnsigned, firstSignedAt: at };
      }
      if (!mayBeUnsigned(rule, clock.now())) {
        alarms.push({
          kind: 'entry-unsigned',
          what: `Entry ${id} has no signature: the site did not write it.`,
        });
        continue;
      }
    } else if (!genuine || entry.copied) {
      alarms.push({
        kind: 'entry-forged',
        what: `Entry ${id} was not written by the site as it stands there.`,
      });
      continue;
    } else if (!entry.follows) {
      alarms.push({
        kind: 'entry-dropped',
        what: `Entry ${id} is number ${number} of its writer, and number ${number! - 1} is missing.`,
      });
    }
    accepted.push({ ...entry, canonical });
  }
  return accepted;
}

/** The action of the entry that records tampering with the audit. */
export const auditAlarm = 'audit.alarm';

type Alarm = {
  kind: 'entry-vanished' | 'entry-lost' | 'entry-unsigned' | 'entry-forged' | 'entry-dropped';
  what: string;
};

/** Many alarms at once have one cause, and a flood of entries would hide the rest of the audit. */
const maxAtOnce = 20;

/** Records in the log and in the audit itself that somebody tampered with the audit. */
async function raiseAlarms(
  trx: Trx,
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  alarms: readonly Alarm[],
): Promise<void> {
  if (alarms.length === 0) return;
  const said = alarms.slice(0, maxAtOnce);
  log.error(
    { alarms: said.map(({ what }) => what), count: alarms.length },
    'somebody tampered with the audit: run site check',
  );
  await recordAudits(
    trx,
    said.map(({ kind, what }) => ({
      at: clock.now(),
      actor: { name: 'the site' },
      action: auditAlarm,
      details: { kind, what, ...(alarms.length > said.length && { of: alarms.length }) },
    })),
  );
}

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
