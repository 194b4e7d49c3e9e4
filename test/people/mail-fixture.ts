import { inTransaction, type Trx } from '../../src/platform/database/index.ts';
import type { Mail, MailKind } from '../../src/platform/mail/index.ts';
import { queueMails, sendMail } from '../../src/platform/mail/index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { mayStillSend } from '../../src/worker.ts';
import { listJobs } from '../app/jobs.ts';
import { makeApp } from '../app/make-app.ts';
import { deleteConnectionFailures } from '../app/stored.ts';
import { damageMail, setMailAttempts, storedMails } from '../mail/stored.ts';
import { type MailServer, startMailServer } from '../network/mail-server.ts';
import { liveEnv } from '../process/live-env.ts';

const live = {
  ...liveEnv,
  ONWARD_MAIL_FROM: 'Sarrowby referrals <referrals@example.org>',
};
const mail = { to: 'asha@example.org', subject: 'You are invited', text: 'Hello Asha,\n\nhere is a link.\n' };

/** A live site, and what became of the emails that are queued at it. */
export async function makeMailFixture() {
  const site = await makeApp({ env: live });
  const { db } = site.deps;
  const ids = async () => (await storedMails(db)).map(({ id }) => id);
  const at = (smtpUrl: string | undefined): Platform => ({
    ...site.deps,
    settings: { ...site.deps.settings, smtpUrl },
  });
  /** The id of what is queued. */
  const queueBy = async (queue: (trx: Trx) => Promise<void>): Promise<string> => {
    const before = await ids();
    await inTransaction(db, queue);
    return (await ids()).find((id) => !before.includes(id))!;
  };
  return {
    ...site,
    /** The site with this mail server in its settings. */
    at,
    atPort: ({ port }: { port: number }) => at(`smtp://127.0.0.1:${port}`),
    queueBy,
    queue: (given: Partial<Mail> = {}, kind: MailKind = 'site') =>
      queueBy((trx) => queueMails(trx, site.deps, kind, [{ ...mail, ...given }])),
    rowOf: async (id: string) => (await storedMails(db)).find((mail) => mail.id === id)!,
    setAttempts: (id: string, attempts: number) => setMailAttempts(db, id, attempts),
    damage: (id: string) => damageMail(db, id),
    /** Forgets the failures that an earlier test caused. */
    async forgetConnectionFailures(): Promise<void> {
      await deleteConnectionFailures(db);
    },
    /** Seconds until the next attempt, if one is planned. */
    async nextAttempt(id: string): Promise<number | undefined> {
      return (await listJobs(site.database.pool, { key: `mail ${id}` }))[0]?.pause;
    },
  };
}

/** Sends every email that waits, as the worker does. */
export async function sendQueuedMails(deps: Platform): Promise<void> {
  const queued = deps.db.selectFrom('mails').select('id').where('status', '=', 'queued');
  for (const { id } of await queued.execute()) await sendMail(deps, { mail_id: id }, mayStillSend(deps));
}

/** Runs with a mail server, which is always closed afterwards. */
export async function withMailServer<T>(
  options: Parameters<typeof startMailServer>[0],
  use: (server: MailServer) => Promise<T>,
): Promise<T> {
  const server = await startMailServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** The names and values of a received mail's headers. */
export function headersOf(raw: string): [string, string][] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return head
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]);
}
