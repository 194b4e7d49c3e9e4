import type { Db } from '../../../platform/database/index.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import { describeError } from '../../../platform/log/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { DeliveryReport, HandleReport } from '../channel.ts';
import type { Exchange } from './exchange.ts';
import { causeOf, reasonInWords, SeveralMessages } from './failures.ts';
import { readAcknowledgement, reportOf } from './gp-connect/acknowledgement.ts';
import type { IncomingMessage } from './incoming.ts';
import {
  deleteBeyondLimit,
  findExternalId,
  findHandled,
  markHandled,
  storeMessage,
} from './messages-store.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'log'>;

/** A page holds 500 ids at the exchange. What is left is collected five minutes later. */
const maxPages = 20;

/**
 * Empties the mailbox:
 * - Each message is stored, then its report is handled, and only then is it acknowledged, so that the exchange may delete it.
 * - After a kill at any point a message comes again, and its report changes nothing the second time.
 * - An unmatched message that cannot be kept whole is never acknowledged: its sender would think that it arrived.
 * - It stops when the exchange lists only messages that it listed before.
 */
export async function collectMailbox(
  deps: Deps,
  exchange: Exchange,
  handleReport: HandleReport,
): Promise<void> {
  const seen = new Set<string>();
  let from: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { ids, next } = await exchange.list(from);
    const unseen = ids.filter((id) => !seen.has(id));
    for (const id of unseen) {
      seen.add(id);
      await collectMessage(deps, exchange, handleReport, id);
    }
    if (unseen.length === 0 || next === undefined) return;
    from = next;
  }
}

/** Collects a message. Whatever the exchange answers, a message that cannot be collected does not hold up the others. */
async function collectMessage(
  deps: Deps,
  exchange: Exchange,
  handleReport: HandleReport,
  id: string,
): Promise<void> {
  const { db, log } = deps;
  try {
    const { staysAtExchange } =
      (await findHandled(db, id)) ?? (await handleMessage(deps, exchange, handleReport, id));
    if (staysAtExchange) return;
    await exchange.acknowledge(id);
  } catch (error) {
    log.warn({ mesh_message: id, error: describeError(error) }, 'a message stays at the exchange for now');
  }
}

/** @returns whether an unmatched message stays at the exchange: the site has only a part of it, or has too many already. */
async function handleMessage(
  deps: Deps,
  exchange: Exchange,
  handleReport: HandleReport,
  id: string,
): Promise<{ staysAtExchange: boolean }> {
  const { db, clock, log } = deps;
  const message = await exchange.collect(id);
  await storeMessage(db, message, clock.now());
  const reports = await readReports(deps, exchange, message);
  const matched = await handleReports(reports, handleReport);
  const { staysAtExchange } = await markHandled(db, id, { matched, at: clock.now() });
  if (matched) return { staysAtExchange };
  const isBeyondLimit = await deleteBeyondLimit(db, id, clock.now());
  const what = isBeyondLimit
    ? 'stays there: there are too many already'
    : staysAtExchange
      ? 'stays there: only a part of it is kept'
      : 'is kept';
  log.warn({ mesh_message: id }, `an unexpected message from the exchange ${what}`);
  return { staysAtExchange: staysAtExchange || isBeyondLimit };
}

/** The reports name one message in different ways. @returns whether one of them matched a message of this site. */
async function handleReports(reports: readonly DeliveryReport[], handle: HandleReport): Promise<boolean> {
  for (const each of reports) if (await handle(each)) return true;
  return false;
}

/** The reports in a message from the inbox: the same report for each way in which it names our message. */
async function readReports(
  { db }: Deps,
  exchange: Exchange,
  message: IncomingMessage,
): Promise<DeliveryReport[]> {
  if (message.type === 'REPORT') return reportsOf(message);
  const acknowledgement = message.workflow.endsWith('_ACK') ? readAcknowledgement(message.body) : undefined;
  if (!acknowledgement || !isUuid(acknowledgement.about)) return [];
  const isFromReceiver = await wasDeliveredTo(
    db,
    exchange,
    acknowledgement.about,
    message.headers['mex-from'],
  );
  return isFromReceiver ? [reportOf(acknowledgement)] : [];
}

/**
 * Whether the exchange delivered this message of ours to that mailbox. Anybody with a mailbox can write to the site’s, and an
 * acknowledgement by somebody else would hide that the practice has no letter.
 */
async function wasDeliveredTo(
  db: Db,
  exchange: Exchange,
  messageId: string,
  mailbox: string | undefined,
): Promise<boolean> {
  const externalId = await findExternalId(db, messageId);
  try {
    const tracked = await exchange.track({ id: messageId, externalId });
    return tracked?.recipient !== undefined && tracked.recipient.toLowerCase() === mailbox?.toLowerCase();
  } catch (error) {
    // We cannot tell which of them it acknowledges, so an operator has to look.
    if (error instanceof SeveralMessages) return false;
    throw error;
  }
}

/** Code 14 means that nobody collected the message. */
function reportsOf({ headers }: IncomingMessage): DeliveryReport[] {
  const code = headers['mex-statuscode'];
  const { 'mex-linkedmsgid': externalId, 'mex-localid': messageId } = headers;
  const status = code === '14' ? 'expired' : 'failed';
  const report = { status, detail: reasonInWords(code), cause: causeOf(code) } as const;
  return [
    ...(externalId ? [{ ...report, about: { externalId } }] : []),
    ...(messageId && isUuid(messageId) ? [{ ...report, about: { messageId } }] : []),
  ];
}
