import {
  deleteExpiredChallenges,
  deleteExpiredFlows,
  deleteExpiredLinks,
  deleteExpiredSessions,
  deleteOldThrottles,
  startPasswordReset,
} from './accounts/index.ts';
import {
  deleteOldMeshMessages,
  deliver,
  deliverNew,
  greetExchange,
  pollChannels,
  simulate,
  tellOperators,
  tendDeliveries,
  watchDeliveries,
} from './delivery/index.ts';
import { deleteOldImportFiles, runImportJob } from './library/index.ts';
import type { Database } from './platform/database/index.ts';
import { type JobHandlers, startWorker, type Worker } from './platform/jobs/index.ts';
import { deleteOldMails, sendMail, tendMails } from './platform/mail/index.ts';
import type { Platform } from './platform/platform.ts';
import {
  deleteOldIdempotencyKeys,
  eraseByRule,
  type ReferralDeps,
  tendResponsiveness,
  tendWaiting,
} from './referrals/index.ts';
import { deleteExpiredAccessTokens } from './tokens/index.ts';
import { callWebhook, deleteOldEvents } from './webhooks/index.ts';

/** Every job there is, and what does it. */
export function jobHandlers(deps: ReferralDeps): JobHandlers {
  return {
    'call-webhook': (payload: { webhook_id: string }) => callWebhook(deps, payload),
    deliver: (payload: { delivery_id: string }) => deliver(deps, payload),
    'deliver-new': (payload: { delivery_ids: string[] }) => deliverNew(deps, payload),
    'erase-by-rule': () => eraseByRule(deps),
    'greet-mesh': () => greetExchange(deps),
    'import-library': (payload: { import_id: string }) => runImportJob(deps, payload),
    'poll-channels': () => pollChannels(deps),
    'send-mail': (payload: { mail_id: string }) => sendMail(deps, payload),
    'start-password-reset': (payload: { sealed: string }) => startPasswordReset(deps, payload),
    simulate: (payload: { referral_id: string }) => simulate(deps, payload),
    sweep: () => sweep(deps),
    'tell-operators': () => tellOperators(deps),
    'tend-deliveries': () => tendDeliveries(deps),
    'tend-responsiveness': () => tendResponsiveness(deps),
    'tend-waiting': () => tendWaiting(deps),
    'watch-deliveries': () => watchDeliveries(deps),
  };
}

/** What happens by the clock (https://worker.graphile.org/docs/cron). */
const crontab = `17 * * * * sweep ?max=3&jobKey=sweep
23 2 * * * erase-by-rule ?fill=1d&max=3&jobKey=erase-by-rule
11 6 * * * tell-operators ?max=3&jobKey=tell-operators
7 5 * * * greet-mesh ?max=10&jobKey=greet-mesh
7 * * * * tend-responsiveness ?max=3&jobKey=tend-responsiveness
37 * * * * tend-waiting ?max=3&jobKey=tend-waiting
* * * * * tend-deliveries ?max=3&jobKey=tend-deliveries
* * * * * watch-deliveries ?max=3&jobKey=watch-deliveries
*/5 * * * * poll-channels ?max=3&jobKey=poll-channels`;

/** Works off the site's jobs in this process, on `database`. @throws when that cannot be reached. */
export function startJobs(deps: ReferralDeps, database: Database): Promise<Worker> {
  return startWorker({ database, handlers: jobHandlers(deps), crontab, log: deps.log });
}

const weekMs = 7 * 86_400_000;

/** Forgets what has run out, every hour, so that no table grows for ever; and remembers what was forgotten. */
async function sweep(deps: Platform): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  await deleteExpiredSessions(db, now);
  await deleteExpiredChallenges(db, now);
  await deleteExpiredFlows(db, now);
  await deleteExpiredAccessTokens(db, now);
  await deleteOldIdempotencyKeys(db, now);
  await deleteOldMails(db, now);
  await deleteOldThrottles(db, now);
  await deleteExpiredLinks(db, now);
  await deleteOldEvents(db, now);
  await deleteOldMeshMessages(db, now);
  await deleteOldImportFiles(db, new Date(now.getTime() - weekMs));
  await tendMails(deps);
}
