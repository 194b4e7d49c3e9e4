import type { Db } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { SiteSecrets } from '../platform/secrets/index.ts';
import { type Link, nextHash } from './chain.ts';
import { findUnsealedEntry, type LinkWithEntry, listLinksAfter } from './chain-store.ts';
import { type Head, readHead, UnreadableHead } from './head-file.ts';

/** The first thing that is wrong with the chain: where, when, and what. */
export type Break = {
  kind:
    | 'entry-changed'
    | 'entry-missing'
    | 'link-missing'
    | 'link-foreign'
    | 'entry-unsealed'
    | 'tail-cut'
    | 'history-replaced'
    | 'head-unreadable';
  position?: number;
  entryId?: number;
  at?: string | null;
};

export type Verification = {
  /** How many links were looked at and found right. */
  links: number;
  /** How far this machine had seen the chain come before. */
  head?: Head | undefined;
  broken?: Break | undefined;
};

const batchLength = 2000;
/** An entry that is younger may still wait for its link. */
const graceMs = 60_000;

/**
 * Goes through the whole chain, a batch at a time, and compares its end with the head that this machine has kept.
 * Seal first: what waits for its link longer than a minute counts as a break.
 */
export async function verifyAudit(deps: Platform): Promise<Verification> {
  const head = await readHead(deps.settings).catch((error) => {
    if (error instanceof UnreadableHead) return error;
    throw error;
  });
  if (head instanceof UnreadableHead) return { links: 0, broken: { kind: 'head-unreadable' } };
  const chain = { db: deps.db, secrets: deps.secrets, head };
  const { last, broken } = await followChain(chain);
  const links = last?.position ?? 0;
  if (broken) return { links, head, broken };
  if (head && links < head.position)
    return { links, head, broken: { kind: 'tail-cut', position: links + 1, at: head.at.toISOString() } };
  const before = new Date(deps.clock.now().getTime() - graceMs);
  const unsealed = await findUnsealedEntry(deps.db, before);
  return { links, head, broken: unsealed && { kind: 'entry-unsealed', ...unsealed } };
}

type Chain = { db: Db; secrets: SiteSecrets; head: Head | undefined };

async function followChain(chain: Chain): Promise<{ last: Link | undefined; broken?: Break }> {
  let last: Link | undefined;
  for (;;) {
    const batch = await listLinksAfter(chain.db, last?.position ?? 0, batchLength);
    for (const link of batch) {
      const kind = judge(chain, last, link);
      if (kind) return { last, broken: await locate(chain, kind, last, link) };
      last = link;
    }
    if (batch.length < batchLength) return { last };
  }
}

function judge({ secrets, head }: Chain, last: Link | undefined, link: LinkWithEntry) {
  if (link.position !== (last?.position ?? 0) + 1) return 'link-missing';
  if (link.canonical === null) return 'entry-missing';
  if (!nextHash(secrets, last, link.canonical).equals(link.hash)) return 'link-foreign';
  if (head?.position === link.position && !head.hash.equals(link.hash)) return 'history-replaced';
  return undefined;
}

async function locate(
  chain: Chain,
  kind: Break['kind'],
  last: Link | undefined,
  link: LinkWithEntry,
): Promise<Break> {
  const position = (last?.position ?? 0) + 1;
  if (kind === 'link-missing') return { kind, position };
  const { entryId, at } = link;
  const changed = kind === 'link-foreign' && (await isGenuine(chain, link));
  return { kind: changed ? 'entry-changed' : kind, position, entryId, at };
}

/** Whether the link itself is ours, so that it must be the entry that was changed: what follows it rests on its hash. */
async function isGenuine({ db, secrets, head }: Chain, link: Link): Promise<boolean> {
  if (head?.position === link.position) return head.hash.equals(link.hash);
  const [next] = await listLinksAfter(db, link.position, 1);
  if (!next || next.canonical === null || next.position !== link.position + 1) return false;
  return nextHash(secrets, link, next.canonical).equals(next.hash);
}
