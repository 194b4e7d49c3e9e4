import { type Db, inTransaction } from '../platform/database/index.ts';
import { minuteMs } from '../platform/durations.ts';
import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { SiteSecrets } from '../platform/secrets/index.ts';
import { type Link, nextHash } from './chain.ts';
import { findUnsealedEntry, type LinkWithEntry, listLinksAfter } from './chain-store.ts';
import { type Actor, recordAudit } from './entries-store.ts';
import { type Head, moveHead, readAuditHead, UnreadableHead } from './head-file.ts';
import { sealAudit } from './seal-audit.ts';
import { hasValidSignature, mayBeUnsigned, readTimeOf, type UnsignedRule } from './signer.ts';

/** The first thing that is wrong with the chain: where, when, and what. */
export type Break = {
  kind:
    | 'entry-changed'
    | 'entry-missing'
    | 'link-missing'
    | 'link-foreign'
    | 'entry-unsealed'
    | 'entry-unsigned'
    | 'entry-forged'
    | 'entry-dropped'
    | 'tail-cut'
    | 'history-replaced'
    | 'head-unreadable';
  position?: number;
  entryId?: number;
  at?: string | null;
  /** For `entry-dropped`: the number of the entry after the gap, among those of its writer. */
  number?: number;
};

export type Verification = {
  /** How many links are valid. */
  links: number;
  /** The last link that this machine has seen. */
  head?: Head | undefined;
  broken?: Break | undefined;
};

const batchSize = 2000;
/** An entry without a link is a break once it is older than this. */
const graceMs = minuteMs;

/**
 * Checks the whole chain, a batch at a time, and compares its end with the head in the data directory. Call `sealAudit` first: an entry
 * that has waited longer than a minute for its link counts as a break.
 */
export async function checkChain(deps: Platform): Promise<Verification> {
  const head = await readAuditHead(deps.settings).catch((error) => {
    if (error instanceof UnreadableHead) return error;
    throw error;
  });
  if (head instanceof UnreadableHead) return { links: 0, broken: { kind: 'head-unreadable' } };
  const chain = { db: deps.db, secrets: deps.secrets, head };
  const { last, broken, missing } = await followChain(chain);
  const links = last?.position ?? 0;
  if (broken) return { links, head, broken };
  if (head && links < head.position)
    return { links, head, broken: { kind: 'tail-cut', position: links + 1, at: head.at.toISOString() } };
  const before = new Date(deps.clock.now().getTime() - graceMs);
  const unsealed = await findUnsealedEntry(deps.db, before);
  if (unsealed) return { links, head, broken: { kind: 'entry-unsealed', ...unsealed } };
  return { links, head, broken: missing };
}

type Chain = { db: Db; secrets: SiteSecrets; head: Head | undefined };

/** Checks each link in order, until one is broken. A gap in a writer’s numbers does not stop the check: the first is `missing`. */
async function followChain(
  chain: Chain,
): Promise<{ last: Link | undefined; broken?: Break; missing?: Break | undefined }> {
  let last: Link | undefined;
  let missing: Break | undefined;
  const findSignatureBreak = createSignatureCheck(chain.secrets);
  for (;;) {
    const batch = await listLinksAfter(chain.db, last?.position ?? 0, batchSize);
    for (const link of batch) {
      const kind = findLinkBreak(chain, last, link);
      if (kind) return { last, broken: await locateBreak(chain, kind, last, link) };
      const { position, entryId, at } = link;
      const signatureBreak = findSignatureBreak(link as LinkWithEntry & { canonical: string });
      if (signatureBreak?.kind === 'entry-dropped') missing ??= { position, entryId, at, ...signatureBreak };
      else if (signatureBreak) return { last, broken: { position, entryId, at, ...signatureBreak } };
      last = link;
    }
    if (batch.length < batchSize) return { last, missing };
  }
}

function findLinkBreak({ secrets, head }: Chain, last: Link | undefined, link: LinkWithEntry) {
  if (link.position !== (last?.position ?? 0) + 1) return 'link-missing';
  if (link.canonical === null) return 'entry-missing';
  if (!nextHash(secrets, last, link.canonical).equals(link.hash)) return 'link-foreign';
  if (head?.position === link.position && !head.hash.equals(link.hash)) return 'history-replaced';
  return undefined;
}

/** Makes the check of signatures, for the entries in the order of the chain. It also finds gaps in each writer's numbers. */
function createSignatureCheck(secrets: SiteSecrets) {
  const lastNumbers = new Map<string, number>();
  const rule: UnsignedRule = { beganUnsigned: false, firstSignedAt: null };
  let latestAt = new Date(0);
  return (link: LinkWithEntry & { canonical: string }): Pick<Break, 'kind' | 'number'> | undefined => {
    const isValid = hasValidSignature(secrets, link, link.canonical);
    if (link.position === 1) rule.beganUnsigned = isValid === undefined;
    if (isValid === undefined) return mayBeUnsigned(rule, latestAt) ? undefined : { kind: 'entry-unsigned' };
    if (!isValid) return { kind: 'entry-forged' };
    const at = readTimeOf(link.canonical);
    rule.firstSignedAt ??= at;
    if (at > latestAt) latestAt = at;
    const { writer, number } = link as { writer: string; number: number };
    const expectedNumber = (lastNumbers.get(writer) ?? 0) + 1;
    lastNumbers.set(writer, number);
    return number === expectedNumber ? undefined : { kind: 'entry-dropped', number };
  };
}

/** Where a break is, and whether somebody changed the entry or the link. */
async function locateBreak(
  chain: Chain,
  kind: Break['kind'],
  last: Link | undefined,
  link: LinkWithEntry,
): Promise<Break> {
  const position = (last?.position ?? 0) + 1;
  if (kind === 'link-missing') return { kind, position };
  const { entryId, at } = link;
  const isEntryChanged = kind === 'link-foreign' && (await isLinkOurs(chain, link));
  return { kind: isEntryChanged ? 'entry-changed' : kind, position, entryId, at };
}

/** Whether the site made this link: it did if the head has it, or the next link builds on it. */
async function isLinkOurs({ db, secrets, head }: Chain, link: Link): Promise<boolean> {
  if (head?.position === link.position) return head.hash.equals(link.hash);
  const [next] = await listLinksAfter(db, link.position, 1);
  if (!next || next.canonical === null || next.position !== link.position + 1) return false;
  return nextHash(secrets, link, next.canonical).equals(next.hash);
}

/** The action of the entry that records a check of the chain and its result. */
export const auditChecked = 'audit.checked';

/** Seals the entries that wait, checks the whole chain, and records the check with its result. */
export async function sealCheckAndRecord(deps: Platform, actor: Actor): Promise<Verification> {
  await sealAudit(deps);
  const result = await checkChain(deps);
  const { links, broken } = result;
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, {
      at: deps.clock.now(),
      actor,
      action: auditChecked,
      details: broken ? { links, broken: broken.kind, what: describeBreak(broken) } : { links },
    }),
  );
  // The check has a result even if the head cannot be written to the data directory.
  if (!broken) {
    await moveHead(deps).catch((error) =>
      deps.log.warn({ error: describeError(error) }, 'the head of the audit chain could not be written'),
    );
  }
  return result;
}

/** Tells an operator in a sentence or two what is wrong with the chain, and where to look. */
export function describeBreak({ kind, position, entryId, at, number }: Break): string {
  const where = `Position ${position} of the audit chain`;
  const entry = `entry ${entryId} of ${at}`;
  switch (kind) {
    case 'entry-changed':
      return `${where}: ${entry} was changed after it was sealed.`;
    case 'entry-missing':
      return `${where}: entry ${entryId}, sealed at ${at}, was deleted.`;
    case 'link-missing':
      return `${where} is missing: at least one link was deleted.`;
    case 'link-foreign':
      return `${where} (${entry}) was not made with this site’s key from its current content: it was forged, or its entry and what follows were changed, or a different site key is in use.`;
    case 'entry-unsealed':
      return `There is an entry outside the chain: ${entry}. It was not put there by this site, or a different site key is in use so that nothing is sealed.`;
    case 'entry-unsigned':
      return `${where}: ${entry} has no signature, although the site signed its entries by then: the site did not write it, or its signature was taken away.`;
    case 'entry-forged':
      return `${where}: ${entry} does not match its signature of this site: somebody else wrote it, or changed it before it was sealed.`;
    case 'entry-dropped':
      return `${where}: ${entry} is number ${number} of its writer, and the number before is not where it belongs: an entry was kept out of the audit, or deleted before it was sealed.`;
    case 'tail-cut':
      return `The end of the audit chain is missing, from position ${position} on: this machine had seen more of it at ${at}.`;
    case 'history-replaced':
      return `${where} is not the one that this machine had seen: the end of the chain was cut off there or before, and the chain went on.`;
    case 'head-unreadable':
      return 'The file audit-head.json in the data directory cannot be read, so that a missing end of the audit chain would not be noticed.';
  }
}
