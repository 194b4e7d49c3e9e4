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
  theExchange,
  watchDeliveries,
} from './delivery/index.ts';
import { deleteOldImportFiles, runImportJob } from './library/index.ts';
import { deleteOldLooseEnds, tendLooseEnds } from './operator/index.ts';
import type { Database } from './platform/database/index.ts';
import { type JobHandlers, type Schedule, startWorker, type Worker } from './platform/jobs/index.ts';
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
    deliver: (payload: { delivery_id: string; receiver?: string }) => deliver(deps, payload),
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
    'tend-loose-ends': () => tendLooseEnds(deps),
    'tend-responsiveness': () => tendResponsiveness(deps),
    'tend-waiting': () => tendWaiting(deps),
    'watch-deliveries': () => watchDeliveries(deps),
  };
}

const hour = 60;
const day = 24 * hour;
/** What happens by the clock: at 02:23 UTC every day, for example. */
const schedule: Schedule = [
  { job: 'sweep', everyMinutes: hour, atMinute: 17, maxAttempts: 3 },
  { job: 'erase-by-rule', everyMinutes: day, atMinute: 2 * hour + 23, maxAttempts: 3 },
  { job: 'tell-operators', everyMinutes: day, atMinute: 6 * hour + 11, maxAttempts: 3 },
  { job: 'greet-mesh', everyMinutes: day, atMinute: 5 * hour + 7, maxAttempts: 10, receiver: theExchange },
  { job: 'tend-responsiveness', everyMinutes: hour, atMinute: 7, maxAttempts: 3 },
  { job: 'tend-loose-ends', everyMinutes: 10, atMinute: 3, maxAttempts: 3 },
  { job: 'tend-waiting', everyMinutes: hour, atMinute: 37, maxAttempts: 3 },
  { job: 'tend-deliveries', everyMinutes: 1, atMinute: 0, maxAttempts: 3 },
  { job: 'watch-deliveries', everyMinutes: 1, atMinute: 0, maxAttempts: 3 },
  { job: 'poll-channels', everyMinutes: 5, atMinute: 0, maxAttempts: 3, receiver: theExchange },
];

/** Works off the site's jobs in this process, on `database`. @throws when that cannot be reached. */
export function startJobs(deps: ReferralDeps, database: Database): Promise<Worker> {
  return startWorker({ database, handlers: jobHandlers(deps), schedule, log: deps.log });
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
  await deleteOldLooseEnds(db, new Date(now.getTime() - 52 * weekMs));
  await tendMails(deps);
}
