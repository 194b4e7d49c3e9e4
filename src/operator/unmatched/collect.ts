import { listUnmatchedMessages } from '../../delivery/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { listGivenUpJobs } from '../../platform/jobs/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { jobInWords } from './job-words.ts';
import {
  closeVanished,
  countNewByOwner,
  openUnmatched,
  reassignItems,
  type UnmatchedKind,
} from './unmatched-store.ts';

/** How many items one run finds of each kind: more than anybody can work through in a day. Later runs find the rest. */
const maxPerRun = 1000;

/**
 * The `collect-unmatched` job: messages that the site could not place and jobs that were given up get an owner, who is told by
 * email. What has vanished meanwhile is closed.
 */
export async function collectUnmatched(deps: Platform): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await reassignItems(trx);
    const messages = await listUnmatchedMessages(trx, maxPerRun);
    const jobs = await listGivenUpJobs(trx, maxPerRun);
    const hasNewMessages = await storeAndCloseVanished(
      trx,
      'unexplained-message',
      messages.map(describeMessage),
      at,
    );
    const hasNewJobs = await storeAndCloseVanished(trx, 'given-up-job', jobs.map(describeJob), at);
    if (!hasNewMessages && !hasNewJobs) return;
    const mails = (await countNewByOwner(trx, at)).map(({ email, count }) => ({
      to: [email],
      subject: 'Unmatched items to resolve',
      paragraphs: [
        `${count === 1 ? 'You are the owner of an unmatched message or a failed task' : `You are the owner of ${count} unmatched messages or failed tasks`}:`,
        `${deps.settings.baseUrl}/operator/deliveries/unmatched`,
      ],
    }));
    await mailPeople(trx, deps, 'reminder', ...mails);
  });
}

type UnmatchedSubject = { subject: string; what: string };

/** Stores items, and closes those of this kind that are not among them, unless there are too many to list. @returns whether any is new. */
async function storeAndCloseVanished(
  trx: Trx,
  kind: UnmatchedKind,
  items: readonly UnmatchedSubject[],
  at: Date,
): Promise<boolean> {
  const isWholeList = items.length < maxPerRun;
  const subjects = items.map(({ subject }) => subject);
  if (isWholeList) await closeVanished(trx, kind, subjects, at);
  let hasNew = false;
  for (const item of items) {
    const isNew = await openUnmatched(trx, { id: newId(at.getTime()), kind, ...item }, at);
    hasNew ||= isNew;
  }
  return hasNew;
}

function describeMessage(
  message: Awaited<ReturnType<typeof listUnmatchedMessages>>[number],
): UnmatchedSubject {
  const { id, type, workflow, sender } = message;
  const kind = type === 'REPORT' ? 'A report' : 'A message';
  // A report comes from the exchange itself and has no sender.
  const from = sender ? ` from mailbox ${sender}` : '';
  const by = workflow === '' ? '' : ` by workflow ${workflow}`;
  const cut = cutInWords(message);
  return {
    subject: id,
    what: `${kind}${from}${by} came from the NHS message exchange. It is about nothing that this site sent, or about what was confirmed, sent another way or erased since.${cut && ` ${cut}`}`,
  };
}

/** Says what is missing of a message, and what its sender gets to know. Empty if the message is whole. */
export function cutInWords({ length, keptLength, isCut, staysAtExchange }: CutMessage): string {
  if (!isCut) return '';
  const whole = `at least ${kilobytes(length)} kB`;
  const storedPart = keptLength === 0 ? 'nothing but its headers' : `the first ${kilobytes(keptLength)} kB`;
  const sender = staysAtExchange
    ? 'It stays at the exchange, which tells its sender after five days that nobody collected it.'
    : 'Its sender was told that it arrived.';
  return `It is not complete: it has ${whole}, and this site kept ${storedPart}. ${sender}`;
}

type CutMessage = Pick<
  Awaited<ReturnType<typeof listUnmatchedMessages>>[number],
  'length' | 'keptLength' | 'isCut' | 'staysAtExchange'
>;

function kilobytes(bytes: number): string {
  return Math.ceil(bytes / 1000).toLocaleString('en-GB');
}

function describeJob({
  id,
  name,
  attempts,
}: Awaited<ReturnType<typeof listGivenUpJobs>>[number]): UnmatchedSubject {
  return {
    subject: id,
    what: `${jobInWords(name)} failed ${attempts} times, so the site has stopped trying. Its log says why, under “${name}”.`,
  };
}
