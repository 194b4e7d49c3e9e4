import { type CapturedMail, listCapturedMails } from '../../src/platform/mail/index.ts';
import { jobHandlers } from '../../src/worker.ts';
import { takeJobs } from '../app/jobs.ts';
import type { TestApp } from '../app/make-app.ts';

/**
 * The emails to somebody on a test site, newest first, after running all waiting jobs for emails and links. No worker
 * runs them, so a test waits for nothing.
 */
export async function mailsTo(site: TestApp, address: string): Promise<CapturedMail[]> {
  const handlers = jobHandlers(site.deps) as unknown as Record<string, (payload: object) => Promise<void>>;
  // Twice, because the job of a reset makes that of its email.
  for (const name of ['start-password-reset', 'send-mail']) {
    for (const { payload } of await takeJobs(site.deps.pool, { name })) await handlers[name]!(payload);
  }
  return listCapturedMails(site.deps, { address }, { before: undefined, limit: 50 });
}

/** The subjects of the emails that somebody got so far, the newest first. */
export async function subjectsTo(site: TestApp, address: string): Promise<string[]> {
  return (await mailsTo(site, address)).map(({ subject }) => subject);
}

/** The path behind the link in a mail. */
export function linkIn(mail: CapturedMail | undefined): string {
  const [link] =
    /https?:\/\/\S+\/(invitation|reset-password|delivery-address)\/\S+/.exec(mail?.text ?? '') ?? [];
  if (!link) throw new Error('the mail has no link');
  return new URL(link).pathname;
}
