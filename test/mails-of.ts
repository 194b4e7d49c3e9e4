import { sql } from 'kysely';
import { listCapturedMails, sendMail } from '../src/platform/mail/index.ts';
import type { TestApp } from './make-app.ts';

/** The subjects of the e-mails that somebody got so far, the newest first. */
export async function mailsOf({ deps }: TestApp, address: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from mails where status = 'queued'`.execute(deps.db);
  for (const { id } of rows) await sendMail(deps, { mail_id: id });
  const mails = await listCapturedMails(deps, { address }, { before: undefined, limit: 50 });
  return mails.map(({ subject }) => subject);
}
