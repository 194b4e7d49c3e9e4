import { holdName, inTransaction, type Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { recogniseSiteKey } from '../platform/secrets/index.ts';
import { type Link, nextHash } from './chain.ts';
import {
  findLastLink,
  insertLinks,
  isAnythingUnsealed,
  takeUnsealed,
  type UnsealedEntry,
} from './chain-store.ts';

const batchLength = 1000;

/**
 * Gives every entry that has none yet its link in the chain. An entry whose transaction took long comes later than its
 * number says; what counts is the position. Under another site key than the database's nothing is sealed: with the
 * right key back in its place, such links would be taken for forged ones.
 */
export async function sealAudit(deps: Platform): Promise<void> {
  if (!(await isAnythingUnsealed(deps.db)) || !(await recogniseSiteKey(deps.db, deps.secrets))) return;
  while ((await inTransaction(deps.db, (trx) => sealBatch(trx, deps))) === batchLength);
}

async function sealBatch(trx: Trx, { secrets, clock, log }: Platform): Promise<number> {
  // One sealer at a time, in all processes.
  await holdName(trx, 'audit-chain');
  const due = await takeUnsealed(trx, batchLength);
  const vanished = due.filter(({ canonical }) => canonical === null);
  if (vanished.length > 0)
    log.error({ entries: vanished.map(({ id }) => id) }, 'audit entries vanished before they were sealed');
  let last: Link | undefined = await findLastLink(trx);
  const links = due.filter(isToBeSealed).map(({ id, canonical }) => {
    const hash = nextHash(secrets, last, canonical);
    const link = { position: (last?.position ?? 0) + 1, hash, entryId: id };
    last = link;
    return link;
  });
  await insertLinks(trx, links, clock.now());
  return due.length;
}

function isToBeSealed(entry: UnsealedEntry): entry is UnsealedEntry & { canonical: string } {
  return entry.canonical !== null && !entry.sealed;
}
